"""The impact of a change to a node: its direct and transitive dependents."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType, field

from yg_old.kernel.document import UNIQUE, Document, Record, Text, about, one_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NodePath = Annotated[Text, about("The path of the node.")]
NodeName = Annotated[Text, about("The path or id of the node.")]
Names = Annotated[tuple[Text, ...], Meta(extra_json_schema=UNIQUE)]
SomeNames = Annotated[tuple[Text, ...], Meta(min_length=1, extra_json_schema=UNIQUE)]


class Tie(Record, frozen=True):
    """One relation or link."""

    kind: Annotated[Text, about("The type of the relation or link.")] = field(name="type")
    consumes: Annotated[tuple[Text, ...], about("The consumed methods; empty for all.")] = ()


class Dependent(Record, frozen=True):
    """A node with relations or links to the one that changes."""

    node: NodeName
    ties: Annotated[
        tuple[Tie, ...],
        Meta(min_length=1),
        about("Those relations or links, in the order of their declaration."),
    ] = field(name="relations")


class Reached(Record, frozen=True):
    """A node that depends on a change through others."""

    HIDDEN = ("links", "opening")

    node: NodePath
    by: Annotated[Text, about("The node it depends on, one step nearer to the change.")]
    links: int  # nodes on the shortest path, from a direct dependent to this one
    opening: tuple[str, ...]  # the first two nodes of that path


class EventLink(Record, frozen=True):
    """A node that shares an event with the one that changes."""

    node: NodePath
    kind: Annotated[
        str,
        one_of("emits", "listens"),
        about("Whether that node emits or listens to the event."),
    ] = field(name="type")
    event: Annotated[Text, about("The name of the event.")]


class AncestorLink(Record, frozen=True):
    """A node with a relation to an ancestor of the one that changes."""

    node: NodePath
    kind: Annotated[Text, about("The type of the relation.")] = field(name="type")
    ancestor: Annotated[str, about("The path of the ancestor.")]


class Guided(Record, frozen=True):
    """A node under the guidance of the one that changes."""

    node: Annotated[Text, about("The id of the node.")]
    reasons: Annotated[
        tuple[Text, ...], Meta(min_length=1), about("How the guidance gets there, in words.")
    ] = field(name="because")


class Sharing(Record, frozen=True):
    """A node to which some of the same aspects apply."""

    node: NodePath
    aspects: Annotated[SomeNames, about("The ids of the aspects they share.")]


class NodeImpact(Document, frozen=True, kw_only=True):
    """The impact of a change to a node; its kind of graph may not have all parts."""

    HIDING: ClassVar[tuple[str, ...]] = ("transitive",)

    mode: Annotated[Literal["node"], about("The kind of query.")] = "node"
    node: Annotated[Text, about("The path or id of the node that changes.")]
    method: Annotated[
        Text | UnsetType | None,
        about("The method that changes; null for the whole node; absent in Spec Graphs."),
    ] = UNSET
    consumed: Annotated[
        Names | UnsetType,
        about("The names that other nodes consume of it, sorted; absent in Spec Graphs."),
    ] = UNSET
    direct: Annotated[
        tuple[Dependent, ...],
        about("The nodes with structural relations, or upstream links, to it, in order."),
    ]
    transitive: Annotated[tuple[Reached, ...], about("The nodes that depend on those, in order.")]
    events: Annotated[
        tuple[EventLink, ...] | UnsetType,
        about("The nodes that share an event with it, by path; absent in Spec Graphs."),
    ] = UNSET
    through_ancestors: Annotated[
        tuple[AncestorLink, ...] | UnsetType,
        about("The relations of other nodes to its ancestors, by node; absent in Spec Graphs."),
    ] = UNSET
    named_by: Annotated[
        tuple[Dependent, ...] | UnsetType,
        about("The nodes that contain, constrain or supersede it; only in Spec Graphs."),
    ] = UNSET
    guided: Annotated[
        tuple[Guided, ...] | UnsetType,
        about("The nodes that it, or a node that depends on it, guides; only in Spec Graphs."),
    ] = UNSET
    descendants: Annotated[Names, about("The nodes below it, or contained in it, sorted.")]
    flows: Annotated[
        Names | UnsetType,
        about("The ids of the flows it takes part in, sorted; absent in Spec Graphs."),
    ] = UNSET
    aspects: Annotated[
        Names | UnsetType,
        about("The ids of the aspects that apply to it; absent in Spec Graphs."),
    ] = UNSET
    sharing: Annotated[
        tuple[Sharing, ...] | UnsetType,
        about("Other nodes to which some of these aspects apply, by path; absent in Spec Graphs."),
    ] = UNSET

    @property
    def affected(self) -> tuple[str, ...]:
        """All affected nodes, sorted; an ancestor or a shared aspect alone does not count."""
        found = {
            *(dependent.node for dependent in self.direct),
            *(reached.node for reached in self.transitive),
            *(link.node for link in self.events or ()),
            *(dependent.node for dependent in self.named_by or ()),
            *(guided.node for guided in self.guided or ()),
            *self.descendants,
        }
        return tuple(sorted(found - {self.node}))


def dependents(
    incoming: Mapping[str, Sequence[str]], target: str, direct: Iterable[str]
) -> tuple[Reached, ...]:
    """Return the indirect dependents of a target, found breadth first, sorted."""
    start = sorted(direct)
    ways: dict[str, tuple[int, tuple[str, ...]]] = {path: (1, (path,)) for path in start}
    found: dict[str, Reached] = {}
    queue = deque(start)
    while queue:
        path = queue.popleft()
        links, opening = ways[path]
        for source in incoming.get(path, ()):
            if source not in ways and source != target:
                ways[source] = links + 1, (*opening, source)[:2]
                found[source] = Reached(source, path, *ways[source])
                queue.append(source)
    return tuple(reached for _, reached in sorted(found.items()))
