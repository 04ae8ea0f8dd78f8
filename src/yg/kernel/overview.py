"""The state of a graph that every kind has: its nodes as a tree, and its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from yg.kernel.dependencies import Repeat


class OutlineNode(Struct, frozen=True, kw_only=True):
    """What an outline tells of a node; None for what its kind of graph has no word for."""

    name: str
    type: str
    links: int  # how many lead out of it
    aspects: tuple[str, ...] | None = None
    is_blackbox: bool | None = None
    mapping: tuple[str, ...] | None = None


class OutlineEntry(Struct, frozen=True, kw_only=True):
    """One line: a node, a bad node, or a directory on the way to nodes."""

    path: str  # the path or id of the node
    label: str  # how the line names it
    level: int
    is_last: bool  # of its siblings
    node: OutlineNode | None = None
    is_bad: bool = False  # it is declared, but could not be read
    repeat: Repeat | None = None  # where what is below it stands, if not here


class Outline(Struct, frozen=True, kw_only=True):
    """A tree, or the part of it that begins at one node."""

    root: str  # where it begins; the kernel's ROOT for all of it
    links: str  # what is counted: relations, links
    shows_names: bool  # whether nodes have names that their paths do not tell
    entries: tuple[OutlineEntry, ...]


class Share(Struct, frozen=True):
    """How many of some things are as they should be."""

    what: str  # a word for it
    have: int
    of: int
    means: str  # what they have, in words: 'decisions with a rationale'


class Status(Struct, frozen=True, kw_only=True):
    """How much a graph describes, and how well."""

    name: str
    nodes: int
    types: tuple[tuple[str, int], ...]  # how many nodes there are of each
    links: tuple[tuple[str, int], ...]  # how many links there are of each kind
    shares: tuple[Share, ...] = ()
