"""Guidance: the nodes that apply to other nodes, computed once for a whole graph.

A set of guiding nodes is a number with one bit for each of them, in the order of ids. So the
guidance of every layer, and what reaches every node, cost one pass over the links each.
"""

from __future__ import annotations

from functools import cached_property, reduce
from itertools import accumulate, islice
from operator import or_
from typing import TYPE_CHECKING

from yg_old.kernel.digraph import cyclic_groups, gathered, positions
from yg_old.specgraph.context.layers import layers_of
from yg_old.specgraph.model import DECISION, LAYER, LinkKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg_old.specgraph.graph import SpecGraph


class Guidance:
    """The guidance of one graph."""

    def __init__(self, graph: SpecGraph) -> None:
        self.graph = graph
        self._guides_of_layer: dict[str, tuple[str, ...]] = {}
        self._left_out: dict[int, int] = {}
        self._left: dict[str, int] = {}

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The nodes that guide others: every decision, and whatever constrains something."""
        nodes = self.graph.nodes.values()
        return tuple(
            node.id for node in nodes if node.type == DECISION or LinkKind.CONSTRAINS in node.links
        )

    @cached_property
    def bits(self) -> Mapping[str, int]:
        """The one-bit set of each guiding node."""
        return {node_id: 1 << at for at, node_id in enumerate(self.ids)}

    def members(self, guides: int, most: int | None = None) -> tuple[str, ...]:
        """Return the nodes of a set, in the order of ids; with `most`, only the first of them."""
        return tuple(self.ids[at] for at in islice(positions(guides), most))

    def listing(self, guides: int, most: int = 8) -> str:
        """Join the nodes of a set by commas, the first few of many."""
        rest = guides.bit_count() - most
        return ", ".join(self.members(guides, most)) + (f" and {rest} more" if rest > 0 else "")

    @cached_property
    def categories(self) -> Mapping[str, int]:
        """The decisions of each category, in the order of categories."""
        found: dict[str, int] = {}
        for node_id in self.ids:
            node = self.graph.nodes[node_id]
            if node.type == DECISION and node.category:
                found[node.category] = found.get(node.category, 0) | self.bits[node_id]
        return dict(sorted(found.items()))

    def union(self, node_ids: Iterable[str]) -> int:
        """Return the set of the guides among some nodes."""
        found = 0
        for node_id in node_ids:
            found |= self.bits.get(node_id, 0)
        return found

    @cached_property
    def direct(self) -> Mapping[str, int]:
        """The nodes that constrain each node itself."""
        nodes = self.graph.nodes
        return {node_id: self.union(self.graph.constrainers(node_id)) for node_id in nodes}

    @cached_property
    def constraining(self) -> Mapping[str, int]:
        """The nodes that constrain each node, or a node that contains it."""
        parents = {node_id: self.graph.parents(node_id) for node_id in self.graph.nodes}
        return gathered(parents, self.direct)

    @cached_property
    def of_layer(self) -> Mapping[str, int]:
        """The guidance that each node passes on if it is a layer.

        That is every decision in it, and whatever constrains it, a node in it, or a node that
        contains such a node.
        """
        inside = {
            node_id: node.targets(LinkKind.CONTAINS) for node_id, node in self.graph.nodes.items()
        }
        decisions = {
            node_id: self.bits[node_id]
            for node_id, node in self.graph.nodes.items()
            if node.type == DECISION
        }
        own = {
            node_id: decisions.get(node_id, 0) | self.constraining[node_id] for node_id in inside
        }
        return gathered(inside, own)

    def guides_of_layer(self, layer_id: str) -> tuple[str, ...]:
        """Return the guidance that a layer passes on, computed once."""
        if layer_id not in self._guides_of_layer:
            self._guides_of_layer[layer_id] = self.members(self.of_layer[layer_id])
        return self._guides_of_layer[layer_id]

    def reaching(self, node_id: str) -> int:
        """Return the guidance that the layers of a node pass on; it may include the node."""
        found = self._cyclic_layers.get(node_id)
        if found is None:
            found = 0
            for step in self._steps[node_id]:
                found |= self._passed_on[step]
        return found

    def left(self, node_id: str) -> int:
        """Return the guidance of a node, without superseded guides."""
        if node_id not in self._left:
            self._left[node_id] = self._without_superseded(node_id)
        return self._left[node_id]

    def _without_superseded(self, node_id: str) -> int:
        guides = self.reaching(node_id) | self.constraining[node_id]
        guides &= ~self.bits.get(node_id, 0)
        if guides not in self._left_out:
            self._left_out[guides] = self.union(self.pruned(guides))
        return guides & ~self._left_out[guides] & ~self.superseded_by_target(node_id)

    @cached_property
    def _steps(self) -> Mapping[str, tuple[str, ...]]:
        return layers_of(self.graph).steps

    @cached_property
    def _passed_on(self) -> Mapping[str, int]:
        """The guidance of each node, if it is a layer, and of all its layers."""
        nodes = self.graph.nodes
        layers = {
            node_id: self.of_layer[node_id] for node_id, node in nodes.items() if node.type == LAYER
        }
        return gathered(self._steps, layers)

    @cached_property
    def _cyclic_layers(self) -> Mapping[str, int]:
        """The guidance of layers that reach themselves, without their own."""
        found: dict[str, int] = {}
        for group in cyclic_groups(self._steps):
            exits = {step for node_id in group for step in self._steps[node_id]}.difference(group)
            outside = reduce(or_, (self._passed_on[step] for step in exits), 0)
            layers = [node_id for node_id in group if self.graph.nodes[node_id].type == LAYER]
            own = [self.of_layer[layer] for layer in layers]
            before = list(accumulate(own, or_, initial=outside))
            behind = list(accumulate(reversed(own), or_, initial=0))[::-1]
            found |= {layer: before[at] | behind[at + 1] for at, layer in enumerate(layers)}
        return found

    @cached_property
    def supersession_cycle_of(self) -> Mapping[str, tuple[str, ...]]:
        """The group of each node that supersedes others that supersede it."""
        nodes = self.graph.nodes
        groups = cyclic_groups({node_id: self.graph.superseders(node_id) for node_id in nodes})
        return {node_id: group for group in groups for node_id in group}

    def _own(self, node_id: str) -> int:
        """Return the set of a node and those that it supersedes and is superseded by."""
        return self.union(self.supersession_cycle_of.get(node_id, (node_id,)))

    @cached_property
    def _superseding(self) -> Mapping[str, int]:
        """The guiding nodes that supersede each guiding node, and are not superseded by it."""
        nodes = self.graph.nodes
        above = gathered({node_id: self.graph.superseders(node_id) for node_id in nodes}, self.bits)
        found = {guide: above[guide] & ~self._own(guide) for guide in self.ids}
        return {guide: guides for guide, guides in found.items() if guides}

    @cached_property
    def _below(self) -> Mapping[str, int]:
        """The guiding nodes that each node supersedes, directly or not."""
        nodes = self.graph.nodes.items()
        links = {node_id: node.targets(LinkKind.SUPERSEDES) for node_id, node in nodes}
        return gathered(links, self.bits)

    def superseded_by_target(self, node_id: str) -> int:
        """Return the guides that a node supersedes, without those that supersede it."""
        below = self._below[node_id]
        return below & ~self._own(node_id) if below else 0

    @cached_property
    def _superseded(self) -> int:
        return self.union(self._superseding)

    def pruned(self, guides: int) -> dict[str, int]:
        """Return the superseded nodes of a set, with the nodes of the set that supersede them."""
        found = {}
        for guide in self.members(guides & self._superseded):
            if by := self._superseding[guide] & guides:
                found[guide] = by
        return found


def guidance_of(graph: SpecGraph) -> Guidance:
    """Return the guidance of a graph, computed once."""
    return graph.once(Guidance)
