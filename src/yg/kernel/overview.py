"""The outline and the status of a graph of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from yg.kernel.dependencies import Repeat


class OutlineNode(Struct, frozen=True, kw_only=True):
    """A node in an outline; None for fields its kind of graph does not have."""

    name: str
    type: str
    links: int  # number of outgoing links
    external: int = 0  # those of them that lead to other repositories
    aspects: tuple[str, ...] | None = None
    is_blackbox: bool | None = None
    mapping: tuple[str, ...] | None = None


class OutlineEntry(Struct, frozen=True, kw_only=True):
    """A line: a node, an unreadable node, or a directory with nodes below it."""

    path: str  # the path or id of the node
    label: str  # the text of the line
    level: int
    is_last: bool  # of its siblings
    node: OutlineNode | None = None
    is_bad: bool = False  # declared, but unreadable
    repeat: Repeat | None = None  # where its children are listed, if not here


class Outline(Struct, frozen=True, kw_only=True):
    """The tree of all nodes, or the subtree of one node."""

    root: str  # the topmost node; `paths.ROOT` for the whole tree
    links: str  # what the link counts count: relations, links
    one_link: str  # the same for a count of 1
    shows_names: bool  # whether nodes have names besides their paths
    entries: tuple[OutlineEntry, ...]


class Share(Struct, frozen=True):
    """A ratio, such as decisions with a rationale out of all decisions."""

    what: str  # a short label
    have: int
    of: int
    means: str  # a description: 'decisions with a rationale'


class Status(Struct, frozen=True, kw_only=True):
    """Counts of what a graph contains, and its coverage."""

    name: str
    nodes: int
    types: tuple[tuple[str, int], ...]  # number of nodes by type
    links: tuple[tuple[str, int], ...]  # number of links by kind
    shares: tuple[Share, ...] = ()
