"""The effective layers of nodes: those that dependencies and groups lead to."""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.digraph import gathered, inverted, positions
from yg_old.specgraph.model import LAYER, LinkKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from yg_old.specgraph.graph import SpecGraph

LONGEST_PATH = 4  # ids; of a longer path only the ends are shown
OMITTED = ".."
MOST_PATHS = 1_000_000  # that are searched together, and kept


class LayerPath(Struct, frozen=True, gc=False):
    """An effective layer of a node, and the shortest path from the node to it."""

    id: str
    distance: int  # the number of steps
    shown: tuple[str, ...]  # the ids of the path, without the middle of a long one
    passed: tuple[str, ...] = ()  # all ids of the path; empty if it was searched with others


class LayerSearch:
    """The search for the layers of nodes, in one graph."""

    def __init__(self, graph: SpecGraph) -> None:
        self.graph = graph

    @cached_property
    def steps(self) -> Mapping[str, tuple[str, ...]]:
        """The next nodes of the search for each node: dependencies and groups, sorted."""
        nodes = self.graph.nodes
        found: dict[str, tuple[str, ...]] = {}
        for node_id, node in nodes.items():
            needed = (to for to in node.targets(LinkKind.DEPENDS_ON) if to in nodes)
            groups = (parent for parent in self.graph.parents(node_id) if nodes[parent].is_group)
            found[node_id] = tuple(sorted({*needed, *groups}))
        return found

    @cached_property
    def _layers(self) -> tuple[str, ...]:
        return tuple(node.id for node in self.graph.nodes.values() if node.type == LAYER)

    @cached_property
    def _bits(self) -> Mapping[str, int]:
        return {layer: 1 << at for at, layer in enumerate(self._layers)}

    @cached_property
    def _ahead(self) -> Mapping[str, int]:
        """Each node's layers, and itself if it is one: a set with one bit for each."""
        return gathered(self.steps, self._bits)

    def _effective(self, node_id: str) -> int:
        """Return the set of effective layers of a node."""
        return self._ahead[node_id] & ~self._bits.get(node_id, 0)

    def count(self, node_id: str) -> int:
        """Return the number of effective layers of a node."""
        return self._effective(node_id).bit_count()

    def paths(self, node_id: str) -> Collection[LayerPath]:
        """Return the effective layers of a node, ordered by distance and id."""
        return list(self._search(node_id))

    def _search(self, node_id: str) -> Iterator[LayerPath]:
        """Search from one node.

        Of several shortest paths, the one with the smallest ids is used: each level of the search
        is visited in the order of its paths, so the first path to a node is the smallest.
        """
        came_from = {node_id: ""}
        frontier = [node_id]
        waiting = self.count(node_id)
        distance = 0
        while frontier and waiting:
            following: list[str] = []
            for current in frontier:
                for step in self.steps[current]:
                    if step not in came_from and self._ahead[step]:
                        came_from[step] = current
                        following.append(step)
            distance += 1
            layers = sorted(step for step in following if step in self._bits)
            for layer in layers:
                path = _path_to(layer, came_from)
                yield LayerPath(layer, distance, _shown(path), path)
            waiting -= len(layers)
            frontier = following

    def together(self, most: int) -> dict[str, list[LayerPath]]:
        """Search for the layers of all nodes that lead to at most so many layers.

        These include the nodes on their paths. The middle of the paths is not kept.
        """
        found: dict[str, list[LayerPath]] = {
            node_id: [] for node_id, layers in self._ahead.items() if layers.bit_count() <= most
        }
        if sum(map(self.count, found)) > MOST_PATHS:
            return {}
        backwards = inverted({node_id: self.steps[node_id] for node_id in found})
        needed = reduce(or_, map(self._effective, found), 0)
        for layer in (self._layers[at] for at in positions(needed)):
            for path in _paths_to(layer, backwards):
                found[path.shown[0]].append(path)
        for paths in found.values():
            paths.sort(key=lambda path: (path.distance, path.id))
        return found


class PreparedLayers:
    """The layers of many nodes of one graph; which files decided on a path is not known."""

    def __init__(self, graph: SpecGraph, most: int) -> None:
        self._search = layers_of(graph)
        self._found = self._search.together(most)

    def paths(self, node_id: str) -> Collection[LayerPath]:
        """Return the effective layers of a node, ordered by distance and id."""
        return self._found[node_id] if node_id in self._found else self._search.paths(node_id)


def _paths_to(layer: str, backwards: Mapping[str, list[str]]) -> Iterator[LayerPath]:
    """Yield the shortest paths to a layer, nearest first; of several, the one with smallest ids."""
    following: dict[str, tuple[str, ...]] = {layer: (layer,)}
    seen = {layer}
    distance = 0
    while following:
        distance += 1
        nearest: dict[str, str] = {}  # the next node of each node of this distance
        for step in sorted(following):
            for source in backwards.get(step, ()):
                if source not in seen:
                    nearest.setdefault(source, step)
        seen.update(nearest)
        following = {source: _shown((source, *following[step])) for source, step in nearest.items()}
        yield from (LayerPath(layer, distance, shown) for shown in following.values())


def _shown(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ids to show of a path, or of the shown ids of the rest of it."""
    return path if len(path) <= LONGEST_PATH else (path[0], OMITTED, *path[-2:])


def _path_to(node_id: str, came_from: Mapping[str, str]) -> tuple[str, ...]:
    way = [node_id]
    while came_from[way[-1]]:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


def layers_of(graph: SpecGraph) -> LayerSearch:
    """Return the search for layers in a graph, kept with the graph."""
    return graph.once(LayerSearch)
