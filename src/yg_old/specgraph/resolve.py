"""The walks over a Spec Graph: ancestors, contents, upstream links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct, field

from yg_old.kernel.document import Record, Text, about
from yg_old.specgraph.model import DOWNSTREAM, UPSTREAM, LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode

    Watch = Callable[[list[str]], None]  # is told of new nodes, and raises to end the walk

GROUP_NEEDS = (LinkKind.DEPENDS_ON, LinkKind.IMPLEMENTS)  # count for all that a group contains


def ancestors(graph: SpecGraph, node_id: str) -> dict[str, int]:
    """Return the nodes that contain a node, with the number of hops, ordered by hops and id."""
    hops = {node_id: 0}
    frontier, distance = [node_id], 0
    while frontier:
        distance += 1
        above = {parent for child in frontier for parent in graph.parents(child)}
        frontier = sorted(above - hops.keys())
        hops.update(dict.fromkeys(frontier, distance))
    del hops[node_id]
    return hops


def contents(
    graph: SpecGraph, node_ids: Iterable[str], known: Container[str] = ()
) -> dict[str, str]:
    """Return nodes and all that they contain, each with the given node it was reached from.

    Nodes in `known` are not followed.
    """
    found = {current: current for current in node_ids}
    waiting = list(found)
    for current in waiting:  # grows while it is read
        node = graph.get(current)
        for inside in node.targets(LinkKind.CONTAINS) if node else ():
            if inside in graph.references and inside not in found and inside not in known:
                found[inside] = found[current]
                waiting.append(inside)
    return found


class MissingLink(Record, frozen=True):
    """A link whose target does not exist or could not be read."""

    source: Annotated[Text, about("The node that has it.")]
    edge_type: Annotated[Text, about("The kind of the link.")]
    target: Annotated[Text, about("The id that it names.")]


class Walk(Struct):
    """The result of a walk along upstream links."""

    levels: dict[str, int] = field(default_factory=dict)
    arrivals: dict[str, list[tuple[str, LinkKind]]] = field(default_factory=dict)  # by which links
    missing: list[MissingLink] = field(default_factory=list)

    def add(self, node_ids: Iterable[str], level: int) -> list[str]:
        """Give nodes a level; return those that had none."""
        new = [node_id for node_id in dict.fromkeys(node_ids) if node_id not in self.levels]
        self.levels.update(dict.fromkeys(new, level))
        return new


def group_needs(group: SpecNode) -> Iterator[tuple[LinkKind, str]]:
    """Yield the links of a feature or layer that count for all that it contains."""
    if group.is_group:
        for kind in GROUP_NEEDS:
            yield from ((kind, target) for target in group.targets(kind))


def needs_of_group(graph: SpecGraph, group_id: str, target_id: str) -> list[str]:
    """Return the other nodes that a target needs because a group contains it."""
    links = group_needs(graph.nodes[group_id])
    return [needed for _, needed in links if needed in graph.nodes and needed != target_id]


def walk(  # noqa: PLR0913, PLR0917
    graph: SpecGraph,
    target: SpecNode,
    beside: Iterable[str],
    above: Iterable[str],
    depth: int | None,
    watch: Watch,
) -> Walk:
    """Walk from a target and from other nodes of level 1; None means no limit.

    Nodes that groups `above` the target need are of level 2. New nodes are given to `watch`.
    """
    found = Walk()
    found.missing.extend(dangling(graph, target, DOWNSTREAM))
    frontier = [*_expand(graph, target, target.id, 1, found), *found.add(beside, 1)]
    groups = [node_id for node_id in above if graph.nodes[node_id].is_group]
    level = 1
    watch(frontier)
    while (frontier or groups) and (depth is None or level < depth):
        level += 1
        reached: list[str] = []
        for node_id in frontier:
            new = _expand(graph, graph.nodes[node_id], target.id, level, found)
            watch(new)
            reached += new
        for group in groups:
            found.missing.extend(dangling(graph, graph.nodes[group], GROUP_NEEDS))
            new = found.add(needs_of_group(graph, group, target.id), level)
            watch(new)
            reached += new
        frontier, groups = reached, []
    return found


def _expand(graph: SpecGraph, node: SpecNode, target_id: str, level: int, found: Walk) -> list[str]:
    """Follow the upstream links of a node; return the nodes that are new."""
    reached: list[str] = []
    for kind in UPSTREAM if node.links else ():
        for other in node.targets(kind):
            if other not in graph.nodes:
                found.missing.append(MissingLink(node.id, kind.value, other))
            elif other != target_id:
                found.arrivals.setdefault(other, []).append((node.id, kind))
                reached.append(other)
    return found.add(reached, level) if reached else reached


def dangling(graph: SpecGraph, node: SpecNode, kinds: Iterable[LinkKind]) -> Iterator[MissingLink]:
    """Yield a node's links of some kinds that are broken."""
    for kind in kinds:
        for other in node.targets(kind):
            if other not in graph.nodes:
                yield MissingLink(node.id, kind.value, other)
