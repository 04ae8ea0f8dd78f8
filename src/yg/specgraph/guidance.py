"""Guidance: which nodes restrict or decide for which others, computed once for a whole graph.

A set of guiding nodes is a number with one bit for each of them, in the order of ids. So the
guidance of every layer, and what reaches every node, cost one pass over the links each.
"""

from __future__ import annotations

from functools import cached_property, reduce
from itertools import accumulate, islice
from operator import or_
from typing import TYPE_CHECKING

from yg.kernel.digraph import cyclic_groups, gathered, positions
from yg.specgraph.model import DECISION, LAYER, LinkKind
from yg.specgraph.resolve import steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg.specgraph.graph import Graph


class Guidance:
    """The guidance of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._handed_on_by: dict[str, tuple[str, ...]] = {}
        self._left_out: dict[int, int] = {}

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
        for each in self.ids:
            node = self.graph.nodes[each]
            if node.type == DECISION and node.category:
                found[node.category] = found.get(node.category, 0) | self.bits[each]
        return dict(sorted(found.items()))

    def union(self, node_ids: Iterable[str]) -> int:
        """Return the set of the guiding nodes among some."""
        found = 0
        for node_id in node_ids:
            found |= self.bits.get(node_id, 0)
        return found

    @cached_property
    def constraining(self) -> Mapping[str, int]:
        """The nodes that constrain each node, or a node that contains it."""
        nodes = self.graph.nodes
        direct = {each: self.union(self.graph.constrainers(each)) for each in nodes}
        return gathered({each: self.graph.parents(each) for each in nodes}, direct)

    @cached_property
    def of_layer(self) -> Mapping[str, int]:
        """What each node, if it were a layer, would hand on.

        That is every decision in it, and whatever constrains it, a node in it, or a node that
        contains such a node.
        """
        inside = {each: node.targets(LinkKind.CONTAINS) for each, node in self.graph.nodes.items()}
        decisions = {
            each: self.bits[each]
            for each, node in self.graph.nodes.items()
            if node.type == DECISION
        }
        own = {each: decisions.get(each, 0) | self.constraining[each] for each in inside}
        return gathered(inside, own)

    def handed_on_by(self, layer_id: str) -> tuple[str, ...]:
        """Return what a layer hands on, worked out once for each."""
        if layer_id not in self._handed_on_by:
            self._handed_on_by[layer_id] = self.members(self.of_layer[layer_id])
        return self._handed_on_by[layer_id]

    def reaching(self, node_id: str) -> int:
        """Return what the layers that a node stands on hand on; it may be one of that itself."""
        found = self._circling.get(node_id)
        if found is None:
            found = 0
            for step in self.steps[node_id]:
                found |= self._handed_on[step]
        return found

    def left_of_layers(self, node_id: str) -> int:
        """Return what layers hand on to a node, less what other guidance of it supersedes."""
        others = ~self.bits.get(node_id, 0)
        handed = self.reaching(node_id) & others
        guides = (handed | self.constraining[node_id]) & others
        if guides not in self._left_out:
            self._left_out[guides] = self.union(self.pruned(guides))
        return handed & ~self._left_out[guides]

    @cached_property
    def steps(self) -> Mapping[str, tuple[str, ...]]:
        """Where the layers of each node are looked for next."""
        return {each: steps(self.graph, each) for each in self.graph.nodes}

    @cached_property
    def _handed_on(self) -> Mapping[str, int]:
        """The guidance of each node, if it is a layer, and of all the layers it stands on."""
        nodes = self.graph.nodes
        layers = {each: self.of_layer[each] for each, node in nodes.items() if node.type == LAYER}
        return gathered(self.steps, layers)

    @cached_property
    def _circling(self) -> Mapping[str, int]:
        """What reaches a layer that its own steps lead back to: not what it hands on itself."""
        found: dict[str, int] = {}
        for group in cyclic_groups(self.steps):
            ways_out = {step for each in group for step in self.steps[each]}.difference(group)
            outside = reduce(or_, (self._handed_on[step] for step in ways_out), 0)
            layers = [each for each in group if self.graph.nodes[each].type == LAYER]
            own = [self.of_layer[each] for each in layers]
            before = list(accumulate(own, or_, initial=outside))
            behind = list(accumulate(reversed(own), or_, initial=0))[::-1]
            found |= {layer: before[at] | behind[at + 1] for at, layer in enumerate(layers)}
        return found

    @cached_property
    def supersession_cycles(self) -> tuple[tuple[str, ...], ...]:
        """The groups of nodes that supersede one another."""
        return cyclic_groups({each: self.graph.superseders(each) for each in self.graph.nodes})

    @cached_property
    def _overruling(self) -> Mapping[str, int]:
        """The guiding nodes that supersede each guiding node, and are not superseded by it."""
        nodes = self.graph.nodes
        above = gathered({each: self.graph.superseders(each) for each in nodes}, self.bits)
        own = dict(self.bits)
        for group in self.supersession_cycles:
            own.update(dict.fromkeys(group, self.union(group)))
        found = {each: above[each] & ~own[each] for each in self.ids}
        return {each: guides for each, guides in found.items() if guides}

    @cached_property
    def _overruled(self) -> int:
        return self.union(self._overruling)

    def pruned(self, guides: int) -> dict[str, int]:
        """Return the nodes of a set that others of it supersede, and by which."""
        found = {}
        for each in self.members(guides & self._overruled):
            if by := self._overruling[each] & guides:
                found[each] = by
        return found


def guidance_of(graph: Graph) -> Guidance:
    """Return the guidance of a graph, computed once."""
    return graph.once(Guidance)
