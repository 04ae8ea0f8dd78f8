"""The walks over a Spec Graph: what contains a node, the layers it stands on, what it needs."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct, field

from yg.specgraph.model import LAYER, UPSTREAM, LinkKind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node

ARROW = " -> "  # between the ids of a way that is written out


def ancestors(graph: Graph, node_id: str) -> dict[str, int]:
    """Return the nodes that contain a node, with the number of hops, ordered by hops and id."""
    hops = {node_id: 0}
    frontier, distance = [node_id], 0
    while frontier:
        distance += 1
        above = {parent for each in frontier for parent in graph.parents(each)}
        frontier = sorted(above - hops.keys())
        hops.update(dict.fromkeys(frontier, distance))
    del hops[node_id]
    return hops


def contents(graph: Graph, node_ids: Iterable[str], known: Container[str] = ()) -> dict[str, str]:
    """Return nodes and all that they contain, each with the node of these that it was met from.

    What is known already is not looked into again.
    """
    found = {each: each for each in node_ids}
    waiting = list(found)
    for each in waiting:  # grows while it is read
        node = graph.get(each)
        for inside in node.targets(LinkKind.CONTAINS) if node else ():
            if inside in graph.references and inside not in found and inside not in known:
                found[inside] = found[each]
                waiting.append(inside)
    return found


def steps(graph: Graph, node_id: str) -> tuple[str, ...]:
    """Return where a node's layers are looked for next: what it needs, and its groups."""
    node = graph.get(node_id)
    needed = node.targets(LinkKind.DEPENDS_ON) if node else ()
    groups = (parent for parent in graph.parents(node_id) if graph.nodes[parent].is_group)
    return tuple(sorted({*(each for each in needed if each in graph.nodes), *groups}))


class LayerPath(Struct, frozen=True):
    """A layer that a node stands on, and the shortest way to it, from the node to the layer."""

    id: str
    path: tuple[str, ...]

    @property
    def distance(self) -> int:
        """The number of steps."""
        return len(self.path) - 1


def effective_layers(graph: Graph, node_id: str) -> tuple[LayerPath, ...]:
    """Return the layers that a node stands on, ordered by distance and id.

    Of several shortest ways the one with the smallest ids is taken: a generation is met in the
    order of its ways, so the first way to a node is the smallest.
    """
    came_from = {node_id: ""}
    frontier = [node_id]
    layers: list[str] = []
    while frontier:
        following: list[str] = []
        for each in frontier:
            for step in steps(graph, each):
                if step not in came_from:
                    came_from[step] = each
                    following.append(step)
        layers.extend(sorted(each for each in following if graph.nodes[each].type == LAYER))
        frontier = following
    return tuple(LayerPath(each, _way_to(each, came_from)) for each in layers)


def _way_to(node_id: str, came_from: dict[str, str]) -> tuple[str, ...]:
    way = [node_id]
    while came_from[way[-1]]:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


class PathLength(Struct):
    """How long the shortest ways between two nodes are: in steps, and in characters."""

    steps: int
    least: int
    most: int


def path_lengths(layer_id: str, backwards: Mapping[str, Sequence[str]]) -> dict[str, PathLength]:
    """Return how long the ways to a layer are, written out, from all that stand on it."""
    found = {layer_id: PathLength(0, len(layer_id), len(layer_id))}
    queue = deque([layer_id])
    while queue:
        here = queue.popleft()
        way = found[here]
        for each in backwards.get(here, ()):
            size = len(ARROW) + len(each)
            known = found.get(each)
            if known is None:
                queue.append(each)
                found[each] = PathLength(way.steps + 1, way.least + size, way.most + size)
            elif known.steps == way.steps + 1:
                known.least = min(known.least, way.least + size)
                known.most = max(known.most, way.most + size)
    del found[layer_id]
    return found


class Missing(Struct, frozen=True):
    """A link to a node that is not there, or could not be read."""

    source: str
    edge_type: str
    target: str


class Walk(Struct):
    """What a walk along upstream links has met."""

    levels: dict[str, int] = field(default_factory=dict)
    arrivals: dict[str, list[tuple[str, LinkKind]]] = field(default_factory=dict)  # by which links
    missing: list[Missing] = field(default_factory=list)


def walk(graph: Graph, target: Node, beside: Iterable[str], depth: int | None) -> Walk:
    """Walk from a target and from nodes that stand beside it at level 1; None is no limit."""
    found = Walk()
    found.missing.extend(dangling(graph, target, LinkKind))
    _expand(graph, target, target.id, 1, found)
    for each in beside:
        found.levels.setdefault(each, 1)
    frontier = list(found.levels)
    level = 1
    while frontier and (depth is None or level < depth):
        known = len(found.levels)
        for each in frontier:
            node = graph.nodes[each]
            found.missing.extend(dangling(graph, node, UPSTREAM))
            _expand(graph, node, target.id, level + 1, found)
        frontier = list(found.levels)[known:]
        level += 1
    return found


def _expand(graph: Graph, node: Node, target_id: str, level: int, found: Walk) -> None:
    for kind in UPSTREAM:
        for each in node.targets(kind):
            if each in graph.nodes and each != target_id:
                found.levels.setdefault(each, level)
                found.arrivals.setdefault(each, []).append((node.id, kind))


def dangling(graph: Graph, node: Node, kinds: Iterable[LinkKind]) -> Iterator[Missing]:
    """Yield a node's links of some kinds that lead to nothing."""
    for kind in kinds:
        for each in node.targets(kind):
            if each not in graph.nodes:
                yield Missing(node.id, kind.value, each)
