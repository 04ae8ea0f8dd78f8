"""The walks over a Spec Graph: ancestors, contents, effective layers, upstream links."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct, field

from yg.specgraph.model import LAYER, UPSTREAM, LinkKind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from yg.specgraph.graph import SpecGraph
    from yg.specgraph.model import SpecNode

ARROW = " -> "  # between the ids of a path


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


def steps(graph: SpecGraph, node_id: str) -> tuple[str, ...]:
    """Return the next nodes of the search for layers: dependencies and groups."""
    node = graph.get(node_id)
    needed = node.targets(LinkKind.DEPENDS_ON) if node else ()
    groups = (parent for parent in graph.parents(node_id) if graph.nodes[parent].is_group)
    return tuple(sorted({*(target for target in needed if target in graph.nodes), *groups}))


class LayerPath(Struct, frozen=True):
    """An effective layer of a node, and the shortest path from the node to it."""

    id: str
    path: tuple[str, ...]

    @property
    def distance(self) -> int:
        """The number of steps."""
        return len(self.path) - 1


def effective_layers(graph: SpecGraph, node_id: str) -> tuple[LayerPath, ...]:
    """Return the effective layers of a node, ordered by distance and id.

    Of several shortest paths, the one with the smallest ids is used: each level of the search is
    visited in the order of its paths, so the first path to a node is the smallest.
    """
    came_from = {node_id: ""}
    frontier = [node_id]
    layers: list[str] = []
    while frontier:
        following: list[str] = []
        for current in frontier:
            for step in steps(graph, current):
                if step not in came_from:
                    came_from[step] = current
                    following.append(step)
        layers.extend(sorted(step for step in following if graph.nodes[step].type == LAYER))
        frontier = following
    return tuple(LayerPath(layer, _path_to(layer, came_from)) for layer in layers)


def _path_to(node_id: str, came_from: dict[str, str]) -> tuple[str, ...]:
    way = [node_id]
    while came_from[way[-1]]:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


class PathLength(Struct):
    """The length of the shortest paths between two nodes, in steps and in characters."""

    steps: int
    least: int
    most: int


def path_lengths(layer_id: str, backwards: Mapping[str, Sequence[str]]) -> dict[str, PathLength]:
    """Return the lengths of the paths to a layer from all nodes that reach it."""
    found = {layer_id: PathLength(0, len(layer_id), len(layer_id))}
    queue = deque([layer_id])
    while queue:
        here = queue.popleft()
        way = found[here]
        for source in backwards.get(here, ()):
            size = len(ARROW) + len(source)
            known = found.get(source)
            if known is None:
                queue.append(source)
                found[source] = PathLength(way.steps + 1, way.least + size, way.most + size)
            elif known.steps == way.steps + 1:
                known.least = min(known.least, way.least + size)
                known.most = max(known.most, way.most + size)
    del found[layer_id]
    return found


class Missing(Struct, frozen=True):
    """A link to a node that is missing or unreadable."""

    source: str
    edge_type: str
    target: str


class Walk(Struct):
    """The result of a walk along upstream links."""

    levels: dict[str, int] = field(default_factory=dict)
    arrivals: dict[str, list[tuple[str, LinkKind]]] = field(default_factory=dict)  # by which links
    missing: list[Missing] = field(default_factory=list)


def walk(graph: SpecGraph, target: SpecNode, beside: Iterable[str], depth: int | None) -> Walk:
    """Walk from a target and from other nodes of level 1; None means no limit."""
    found = Walk()
    found.missing.extend(dangling(graph, target, LinkKind))
    _expand(graph, target, target.id, 1, found)
    for node_id in beside:
        found.levels.setdefault(node_id, 1)
    frontier = list(found.levels)
    level = 1
    while frontier and (depth is None or level < depth):
        known = len(found.levels)
        for node_id in frontier:
            node = graph.nodes[node_id]
            found.missing.extend(dangling(graph, node, UPSTREAM))
            _expand(graph, node, target.id, level + 1, found)
        frontier = list(found.levels)[known:]
        level += 1
    return found


def _expand(graph: SpecGraph, node: SpecNode, target_id: str, level: int, found: Walk) -> None:
    for kind in UPSTREAM:
        for other in node.targets(kind):
            if other in graph.nodes and other != target_id:
                found.levels.setdefault(other, level)
                found.arrivals.setdefault(other, []).append((node.id, kind))


def dangling(graph: SpecGraph, node: SpecNode, kinds: Iterable[LinkKind]) -> Iterator[Missing]:
    """Yield a node's links of some kinds that are broken."""
    for kind in kinds:
        for other in node.targets(kind):
            if other not in graph.nodes:
                yield Missing(node.id, kind.value, other)
