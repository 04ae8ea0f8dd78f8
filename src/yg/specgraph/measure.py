"""Tells which contexts are over budget, without assembling those of which that is plain.

A context of the usual depth holds at least what the layers below its target hand on, and at most
all that its surroundings can bring. Both are sums over parts that many nodes share, each added up
once. Only where the limit lies between them is a context assembled: to check a graph costs much
less than to write all its contexts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg.kernel.digraph import positions
from yg.kernel.package import tokens_of
from yg.specgraph.assemble import assemble
from yg.specgraph.context import BUDGET
from yg.specgraph.document import (
    BY_LAYER,
    INHERITED,
    REQUIRED,
    check_lines,
    target_lines,
    title_line,
)
from yg.specgraph.grounds import Grounds
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import DOWNSTREAM, FOUNDATION, UPSTREAM, LinkKind
from yg.specgraph.resolve import ancestors, dangling
from yg.specgraph.sizes import BRACKET, SEPARATOR, WORDS, Share, Sizes, gaps, length, names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node

HEADINGS = 1_000  # characters; more than all headings and the blank lines before them


class Measure:
    """Sizes of the contexts of one graph."""

    def __init__(self, graph: Graph, limit: int = BUDGET.warning) -> None:
        self.graph = graph
        self.limit = limit  # in tokens
        self._guided: dict[int, Share] = {}
        self._near: dict[str, Share] = {}
        self._competing: dict[int, Share] = {}
        self._below: dict[int, int] = {}

    def excess(self, node: Node) -> int:
        """Return a number of tokens above the limit that a context has at least; 0 within it."""
        # A namespace of thousands of groups is not looked at one by one.
        if (namespace := self._grounds.namespace(node)) > self.limit:
            return namespace
        if tokens_of(self.most(node)) <= self.limit:
            return 0
        least = tokens_of(self.least(node))
        tokens = least if least > self.limit else assemble(self.graph, node.id).tokens
        return tokens if tokens > self.limit else 0

    def least(self, node: Node) -> int:
        """Return a number of characters that the context of a node has at least."""
        guidance = guidance_of(self.graph)
        reaching = guidance.reaching(node.id)
        shown_otherwise = len(self._needed(node)) + len(self.graph.constrainers(node.id)) + 1
        shares = [self._by_node(each).least for each in self._needed(node)]
        for parent in self.graph.parents(node.id):
            share = self._by_guides(guidance.constraining[parent])
            shares.append(share.least + (share.count - shown_otherwise) * self._least_way[0])
        share = self._by_guides(reaching)
        by_layers = share.least + (share.count - shown_otherwise) * self._least_way[1]
        shares.append(by_layers + self._by_decisions(reaching).least)
        return max(*shares, self._grounds.ways(node).least) - self._sizes.least(node.id)

    def most(self, node: Node) -> int:
        """Return a number of characters that the context of a node has at most."""
        guidance = guidance_of(self.graph)
        above, reaching = ancestors(self.graph, node.id), guidance.reaching(node.id)
        inherited = [guidance.constraining[each] for each in self.graph.parents(node.id)]
        annotation = len(INHERITED) + BRACKET + names(above)
        beside = (*self._needed(node), *self.graph.constrainers(node.id), *above)
        return (
            HEADINGS
            + self._own(node)
            + sum(self._by_node(each).most for each in beside)
            + sum(self._by_guides(guides).most for guides in (*inherited, reaching))
            + guidance.constraining[node.id].bit_count() * annotation
            + reaching.bit_count() * (len(BY_LAYER) + BRACKET)
            + self._by_decisions(reaching).most
            + sum(map(self._foundations, above))
            + self._ground(self._grounds.layers_of(node))
            + self._grounds.ways(node).most
        )

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self.graph)

    @cached_property
    def _grounds(self) -> Grounds:
        return Grounds(self.graph, self._sizes, self.limit)

    def _needed(self, node: Node) -> list[str]:
        every = (each for kind in UPSTREAM for each in node.targets(kind))
        return [each for each in every if each in self.graph.nodes]

    @cached_property
    def _least_way(self) -> tuple[int, int]:
        """The least that annotations say of guidance that is inherited, and that layers hand on."""
        above = [len(each) for each, n in self.graph.nodes.items() if LinkKind.CONTAINS in n.links]
        layers = map(len, self._grounds.layers)
        return (
            len(INHERITED) + SEPARATOR + min(above, default=0),
            len(BY_LAYER) + SEPARATOR + min(layers, default=0),
        )

    def _by_guides(self, guides: int) -> Share:
        """Add up a set of guiding nodes and what they need, but for how they got there."""
        if guides not in self._guided:
            members = guidance_of(self.graph).members(guides)
            sure = [each for each in members if not self.graph.superseders(each)]
            least, most = self._sum(sure).least, self._sum(members).most
            self._guided[guides] = Share(least, most, len(sure))
        return self._guided[guides]

    def _by_decisions(self, guides: int) -> Share:
        """Add up the ids in warnings about decisions of a set that compete."""
        if guides not in self._competing:
            least = most = 0
            for decisions in guidance_of(self.graph).categories.values():
                every = guidance_of(self.graph).members(guides & decisions)
                sure = [each for each in every if not self.graph.superseders(each)]
                most += names(every)
                if len(sure) - 1 > 1:  # the target may be one of them
                    least += names(sure) - max(map(len, sure)) - SEPARATOR
            self._competing[guides] = Share(least, most)
        return self._competing[guides]

    def _by_node(self, node_id: str) -> Share:
        if node_id not in self._near:
            self._near[node_id] = self._sum([node_id])
        return self._near[node_id]

    def _sum(self, node_ids: Iterable[str]) -> Share:
        """Add up nodes and those that they need, each once."""
        every = self._sizes.around(node_ids)
        return Share(sum(map(self._sizes.least, every)), sum(map(self._sizes.most, every)))

    def _own(self, node: Node) -> int:
        """Return at most what the target itself says, and says about others."""
        affected = (
            self.graph.nodes[each]
            for kind in DOWNSTREAM
            for each in node.targets(kind)
            if each in self.graph.nodes
        )
        return (
            length([title_line(node), *target_lines(node), *check_lines(node)])
            + sum(WORDS + len(each.id) + len(each.title) for each in affected)
            + gaps(dangling(self.graph, node, LinkKind))
            + self._sizes.marks(node)
            + self._categories
        )

    @cached_property
    def _categories(self) -> int:
        """The most that warnings about competing decisions say beside their ids."""
        return sum(WORDS + len(each) for each in {n.category for n in self.graph.nodes.values()})

    def _foundations(self, group_id: str) -> int:
        """Return at most what the foundations of a group bring."""
        found = 0
        for each in self.graph.nodes[group_id].targets(LinkKind.DEPENDS_ON):
            if each in self.graph.nodes and self.graph.nodes[each].type == FOUNDATION:
                found += self._by_node(each).most + len(REQUIRED) + BRACKET + names([group_id])
        return found

    def _ground(self, layers: int) -> int:
        """Return at most what a set of layers brings beside what it hands on."""
        if layers not in self._below:
            found = 0
            for at in positions(layers):
                each = self._grounds.layers[at]
                handed_on = guidance_of(self.graph).of_layer[each].bit_count()
                found += self._sizes.most(each) + self._foundations(each)
                found += handed_on * names([each])
            self._below[layers] = found
        return self._below[layers]
