"""The outline and the status of a graph of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType, field

from yg_old.kernel.document import Count, Document, Positive, Record, Text, about

if TYPE_CHECKING:
    from yg_old.kernel.dependencies import Repeat


class TreeNode(Record, frozen=True, kw_only=True):
    """One node of the graph."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "dependentRequired": {
            "aspects": ["blackbox", "mapping"],
            "blackbox": ["aspects", "mapping"],
            "mapping": ["aspects", "blackbox"],
        }
    }

    path: Annotated[
        Text,
        about(
            "The path of the node below `model/`, `.` for the root node; in a Spec Graph its id."
        ),
    ]
    level: Annotated[Count, about("How many levels it lies below the root of this tree.")]
    name: Annotated[
        str, about("Its display name; in a Spec Graph its title, which may be missing.")
    ]
    type: Annotated[
        str,
        about(
            "Its type, a key of `node_types` in the configuration or a type of Spec Graphs; empty "
            "when missing."
        ),
    ]
    aspects: Annotated[
        tuple[Text, ...] | UnsetType,
        about("The ids of the aspects it declares, in its own order; absent in Spec Graphs."),
    ] = UNSET
    blackbox: Annotated[
        bool | UnsetType, about("Whether it is a blackbox; absent in Spec Graphs.")
    ] = UNSET
    relations: Annotated[Count, about("How many relations or links go out from it.")]
    external: Annotated[
        Positive | UnsetType, about("How many of them lead to other repositories, if any.")
    ] = UNSET
    mapping: Annotated[
        tuple[Text, ...] | UnsetType,
        about("The files and directories it describes, as declared; absent in Spec Graphs."),
    ] = UNSET
    repeated: Annotated[
        Literal[True] | UnsetType,
        about("Present if its contents are listed at another entry for it; only in Spec Graphs."),
    ] = UNSET


class OutlineEntry(Struct, frozen=True, kw_only=True):
    """A line: a node, an unreadable node, or a directory with nodes below it."""

    path: str  # the path or id of the node
    label: str  # the text of the line
    level: int
    is_last: bool  # of its siblings
    node: TreeNode | None = None
    is_bad: bool = False  # declared, but unreadable
    repeat: Repeat | None = None  # where its children are listed, if not here


class Outline(Struct, frozen=True, kw_only=True):
    """The tree of all nodes, or the subtree of one node."""

    root: str  # the topmost node; `paths.ROOT` for the whole tree
    links: str  # what the link counts count: relations, links
    one_link: str  # the same for a count of 1
    shows_names: bool  # whether nodes have names besides their paths
    entries: tuple[OutlineEntry, ...]


class Share(Record, frozen=True):
    """One measure: how many of the nodes meet a condition."""

    what: Annotated[Text, about("The name of the measure.")]
    have: Annotated[Count, about("How many meet the condition.")]
    of: Annotated[Count, about("The total number.")]
    means: Annotated[Text, about("The condition, in words.")]


class Status(Document, frozen=True, kw_only=True):
    """A graph in numbers, with which the documents about it begin."""

    name: Annotated[Text, about("The name of the graph.")]
    nodes: Annotated[Count, about("How many nodes could be read.")]
    types: Annotated[dict[str, Positive], about("How many nodes each type has: known types first.")]
    links: Annotated[dict[str, Positive], about("How many links there are of each kind.")]
    shares: Annotated[tuple[Share, ...], about("Measures of how complete the graph is.")] = field(
        name="quality", default=()
    )
