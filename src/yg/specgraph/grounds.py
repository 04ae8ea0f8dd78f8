"""What nodes stand on and in: how many groups that is, and how long the ways to layers are."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg.kernel.digraph import gathered
from yg.kernel.package import tokens_of
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import LAYER
from yg.specgraph.resolve import ancestors, ways_to
from yg.specgraph.sizes import BRACKET, SEPARATOR, Share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node
    from yg.specgraph.sizes import Sizes

WAY = len("via ") + SEPARATOR + BRACKET


class Grounds:
    """The groups and layers below the nodes of one graph."""

    def __init__(self, graph: Graph, sizes: Sizes, limit: int) -> None:
        self.graph = graph
        self.sizes = sizes
        self.limit = limit  # in tokens; ways are not looked at where the namespace alone is over it

    def namespace(self, node: Node) -> int:
        """Return a number of tokens that the namespace of a node has at least."""
        layers = self.layers_of(node).bit_count() - (node.type == LAYER)
        above = self._containing[node.id].bit_count() - node.is_group
        return tokens_of(max(layers, above) * self._shortest_group)

    @cached_property
    def _shortest_group(self) -> int:
        groups = (each for each, node in self.graph.nodes.items() if node.is_group)
        return min(map(self.sizes.least, groups), default=0)

    @cached_property
    def _containing(self) -> Mapping[str, int]:
        """The groups that contain each node, and itself if it is one, one bit for each."""
        nodes = self.graph.nodes
        groups = (each for each, node in nodes.items() if node.is_group)
        own = {each: 1 << at for at, each in enumerate(groups)}
        return gathered({each: self.graph.parents(each) for each in nodes}, own)

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Every layer, in the order of ids."""
        return tuple(each for each, node in self.graph.nodes.items() if node.type == LAYER)

    @cached_property
    def _layers_from(self) -> Mapping[str, int]:
        own = {each: 1 << at for at, each in enumerate(self.layers)}
        return gathered(guidance_of(self.graph).steps, own)

    def layers_of(self, node: Node) -> int:
        """Return the set of layers that a node stands on, one bit for each."""
        found = 0
        for step in guidance_of(self.graph).steps[node.id]:
            found |= self._layers_from[step]
        return found

    def ways(self, node: Node) -> Share:
        """Return what the ways from a node to its layers take, written out."""
        found = self._ways_of.get(node.id, Share(0, 0))
        above = ancestors(self.graph, node.id)
        # The way to a layer that contains the node is not written.
        has_layer = any(self.graph.nodes[each].type == LAYER for each in above)
        return Share(0, found.most) if has_layer else found

    @cached_property
    def _ways_of(self) -> Mapping[str, Share]:
        backwards: dict[str, list[str]] = {}
        for each, node in self.graph.nodes.items():
            if self.namespace(node) <= self.limit:  # the others are judged without it
                for step in guidance_of(self.graph).steps[each]:
                    backwards.setdefault(step, []).append(each)
        found: dict[str, Share] = {}
        for layer in self.layers:
            for each, way in ways_to(layer, backwards).items():
                known = found.get(each, Share(0, 0))
                found[each] = Share(known.least + way.least, known.most + way.most + WAY)
        return found
