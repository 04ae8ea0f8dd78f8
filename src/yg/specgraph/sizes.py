"""Finds the contexts that are over budget without assembling all of them.

The size of a context at the default depth lies between two bounds: what the layers of its target
pass on at least, and everything that its surroundings can add at most. Both are sums over parts
that many nodes share, each computed once. A context is assembled only if the limit lies between
them, so that checking a graph costs much less than writing all its contexts (decision 0021).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.digraph import gathered, positions
from yg.kernel.package import STANDARD_BUDGET, tokens_of
from yg.specgraph.assemble import assemble
from yg.specgraph.conflicts import overlapping_policies
from yg.specgraph.document import (
    BY_LAYER,
    INHERITED,
    REQUIRED,
    SEVERITY,
    bullet,
    check_lines,
    collapsed,
    target_lines,
    title_line,
)
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import DECISION, DOWNSTREAM, FOUNDATION, LAYER, POLICY, UPSTREAM, LinkKind
from yg.specgraph.resolve import ancestors, dangling, path_lengths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg.specgraph.graph import SpecGraph
    from yg.specgraph.model import SpecNode
    from yg.specgraph.resolve import Missing

HEADINGS = 1_000  # characters; more than all headings and the blank lines before them
WORDS = 80  # more than the words around the ids in any annotation or warning
SEPARATOR = 2  # between two ids, and between two parts of an annotation
BRACKET = 1  # closes an annotation
VIA = len("via ") + SEPARATOR + BRACKET


class Bounds(Struct, frozen=True):
    """The least and the most characters that some nodes add to a context."""

    least: int = 0
    most: int = 0
    count: int = 0  # of the nodes that are certainly included


class Sizes:
    """The bounds for the contexts of one graph."""

    def __init__(self, graph: SpecGraph, limit: int = STANDARD_BUDGET.warning) -> None:
        self.graph = graph
        self.limit = limit  # in tokens
        self._nodes: dict[str, Bounds] = {}
        self._with_needs: dict[str, Bounds] = {}
        self._guides: dict[int, Bounds] = {}
        self._conflicts: dict[int, Bounds] = {}
        self._layer_sets: dict[int, int] = {}

    def excess(self, node: SpecNode) -> int:
        """Return a lower bound for the tokens of a context over the limit; 0 if it is within.

        The bounds are about characters, so a tokenizer has to count every context.
        """
        if self.graph.budget.tokenizer:
            return self._counted(node)
        # First, because a namespace can have thousands of groups, which the others go through.
        if (namespace := self._namespace(node)) > self.limit:
            return namespace
        if tokens_of(self.most(node)) <= self.limit:
            return 0
        least = tokens_of(self.least(node))
        return least if least > self.limit else self._counted(node)

    def _counted(self, node: SpecNode) -> int:
        """Return the tokens of a context over the limit; 0 if it is within."""
        tokens = assemble(self.graph, node.id).tokens
        return tokens if tokens > self.limit else 0

    def least(self, node: SpecNode) -> int:
        """Return a lower bound for the characters of a context."""
        guidance = guidance_of(self.graph)
        reaching = guidance.reaching(node.id)
        needs = self._needs(node)
        shown_otherwise = len(needs) + len(self.graph.constrainers(node.id)) + 1
        parts = [self._of_node_with_needs(need).least for need in needs]
        for parent in self.graph.parents(node.id):
            inherited = self._of_guides(guidance.constraining[parent])
            annotated = inherited.count - shown_otherwise
            parts.append(inherited.least + annotated * self._shortest_annotations[0])
        passed_on = self._of_guides(reaching)
        annotated = passed_on.count - shown_otherwise
        by_layers = passed_on.least + annotated * self._shortest_annotations[1]
        parts.append(by_layers + self._of_conflicts(reaching).least)
        return max(*parts, self._of_paths(node).least) - self._of_node(node.id).least

    def most(self, node: SpecNode) -> int:
        """Return an upper bound for the characters of a context."""
        guidance = guidance_of(self.graph)
        above, reaching = ancestors(self.graph, node.id), guidance.reaching(node.id)
        inherited = [guidance.constraining[parent] for parent in self.graph.parents(node.id)]
        annotation = len(INHERITED) + BRACKET + ids_length(above)
        included = (*self._needs(node), *self.graph.constrainers(node.id), *above)
        return (
            HEADINGS
            + self._of_target(node)
            + sum(self._of_node_with_needs(node_id).most for node_id in included)
            + sum(self._of_guides(guides).most for guides in (*inherited, reaching))
            + guidance.constraining[node.id].bit_count() * annotation
            + reaching.bit_count() * (len(BY_LAYER) + BRACKET)
            + self._of_conflicts(reaching).most
            + sum(map(self._of_foundations, above))
            + self._of_layers(self._layers_below(node))
            + self._of_paths(node).most
        )

    def _needs(self, node: SpecNode) -> list[str]:
        targets = (target for kind in UPSTREAM for target in node.targets(kind))
        return [target for target in targets if target in self.graph.nodes]

    # Single nodes.

    def _of_node(self, node_id: str) -> Bounds:
        """Return what a node adds wherever it is listed, without the reason for it."""
        if node_id not in self._nodes:
            node = self.graph.nodes[node_id]
            checks = length(check_lines(node))
            least = length(bullet(node)) + _severity_length(node)
            least += checks if node.type == POLICY else 0
            most = least + self._of_warnings(node) + (0 if node.type == POLICY else checks)
            most += missing_length(dangling(self.graph, node, UPSTREAM))
            self._nodes[node_id] = Bounds(least, most)
        return self._nodes[node_id]

    def _of_warnings(self, node: SpecNode) -> int:
        """Return the most that annotations and warnings about a node itself add."""
        superseders = self.graph.superseders(node.id)
        cycles = (self.graph.cycle_of.get(node.id, ()), self._supersession.get(node.id, ()))
        found = sum(WORDS + ids_length(group) for group in (superseders, *cycles) if group)
        if node.type == DECISION and not node.rationale:
            found += WORDS + len(node.id)
        return found + (WORDS + ids_length([node.id]) if node.id in self._overlapping else 0)

    def _of_node_with_needs(self, node_id: str) -> Bounds:
        if node_id not in self._with_needs:
            self._with_needs[node_id] = self._sum([node_id])
        return self._with_needs[node_id]

    def _sum(self, node_ids: Iterable[str]) -> Bounds:
        """Add up nodes and their direct needs, each once."""
        found = set(node_ids)
        for node_id in tuple(found):
            found.update(self._needs(self.graph.nodes[node_id]))
        parts = [self._of_node(node_id) for node_id in found]
        return Bounds(sum(part.least for part in parts), sum(part.most for part in parts))

    def _of_target(self, node: SpecNode) -> int:
        """Return the most that the target adds by itself."""
        affected = (
            self.graph.nodes[target]
            for kind in DOWNSTREAM
            for target in node.targets(kind)
            if target in self.graph.nodes
        )
        return (
            length([title_line(node), *target_lines(node), *check_lines(node)])
            + sum(WORDS + len(other.id) + len(other.title) for other in affected)
            + missing_length(dangling(self.graph, node, LinkKind))
            + self._of_warnings(node)
            + self._categories_length
        )

    @cached_property
    def _overlapping(self) -> frozenset[str]:
        pairs = overlapping_policies(self.graph.nodes.values())
        return frozenset(node.id for pair in pairs for side in pair for node in side)

    @cached_property
    def _supersession(self) -> Mapping[str, tuple[str, ...]]:
        groups = guidance_of(self.graph).supersession_cycles
        return {node_id: group for group in groups for node_id in group}

    @cached_property
    def _categories_length(self) -> int:
        """The most that warnings about competing decisions add besides their ids."""
        categories = {node.category for node in self.graph.nodes.values()}
        return sum(WORDS + len(category) for category in categories)

    # Sets of guides.

    def _of_guides(self, guides: int) -> Bounds:
        """Return what a set of guides and their needs add, without the reason for them."""
        if guides not in self._guides:
            members = guidance_of(self.graph).members(guides)
            certain = [guide for guide in members if not self.graph.superseders(guide)]
            least, most = self._sum(certain).least, self._sum(members).most
            self._guides[guides] = Bounds(least, most, len(certain))
        return self._guides[guides]

    def _of_conflicts(self, guides: int) -> Bounds:
        """Return what the ids in warnings about competing decisions of a set add."""
        if guides not in self._conflicts:
            least = most = 0
            for decisions in guidance_of(self.graph).categories.values():
                members = guidance_of(self.graph).members(guides & decisions)
                certain = [guide for guide in members if not self.graph.superseders(guide)]
                most += ids_length(members)
                if len(certain) - 1 > 1:  # the target may be one of them
                    least += ids_length(certain) - max(map(len, certain)) - SEPARATOR
            self._conflicts[guides] = Bounds(least, most)
        return self._conflicts[guides]

    @cached_property
    def _shortest_annotations(self) -> tuple[int, int]:
        """The length of the shortest annotation of inherited guidance, and of a layer's."""
        nodes = self.graph.nodes.items()
        containing = [len(node_id) for node_id, node in nodes if LinkKind.CONTAINS in node.links]
        return (
            len(INHERITED) + SEPARATOR + min(containing, default=0),
            len(BY_LAYER) + SEPARATOR + min(map(len, self._layers), default=0),
        )

    # Groups and layers.

    def _namespace(self, node: SpecNode) -> int:
        """Return a lower bound for the tokens of the namespace of a node."""
        layers = self._layers_below(node).bit_count() - (node.type == LAYER)
        above = self._groups_above[node.id].bit_count() - node.is_group
        return tokens_of(max(layers, above) * self._shortest_group)

    @cached_property
    def _shortest_group(self) -> int:
        groups = (node.id for node in self.graph.nodes.values() if node.is_group)
        return min((self._of_node(group).least for group in groups), default=0)

    @cached_property
    def _groups_above(self) -> Mapping[str, int]:
        """The groups that contain each node, and itself if it is one, one bit for each."""
        nodes = self.graph.nodes
        groups = (node_id for node_id, node in nodes.items() if node.is_group)
        own = {group: 1 << at for at, group in enumerate(groups)}
        return gathered({node_id: self.graph.parents(node_id) for node_id in nodes}, own)

    @cached_property
    def _layers(self) -> tuple[str, ...]:
        return tuple(node.id for node in self.graph.nodes.values() if node.type == LAYER)

    @cached_property
    def _layers_from(self) -> Mapping[str, int]:
        own = {layer: 1 << at for at, layer in enumerate(self._layers)}
        return gathered(guidance_of(self.graph).steps, own)

    def _layers_below(self, node: SpecNode) -> int:
        """Return the set of layers of a node, one bit for each."""
        found = 0
        for step in guidance_of(self.graph).steps[node.id]:
            found |= self._layers_from[step]
        return found

    def _of_layers(self, layers: int) -> int:
        """Return the most that a set of layers adds besides its guidance."""
        if layers not in self._layer_sets:
            found = 0
            for layer in (self._layers[at] for at in positions(layers)):
                passed_on = guidance_of(self.graph).of_layer[layer].bit_count()
                found += self._of_node(layer).most + self._of_foundations(layer)
                found += passed_on * ids_length([layer])
            self._layer_sets[layers] = found
        return self._layer_sets[layers]

    def _of_foundations(self, group_id: str) -> int:
        """Return the most that the foundations of a group add."""
        found = 0
        annotation = len(REQUIRED) + BRACKET + ids_length([group_id])
        for target in self.graph.nodes[group_id].targets(LinkKind.DEPENDS_ON):
            if target in self.graph.nodes and self.graph.nodes[target].type == FOUNDATION:
                found += self._of_node_with_needs(target).most + annotation
        return found

    def _of_paths(self, node: SpecNode) -> Bounds:
        """Return what the paths from a node to its layers add."""
        found = self._paths.get(node.id, Bounds())
        above = ancestors(self.graph, node.id)
        # The path to a layer that contains the node is not written.
        has_layer = any(self.graph.nodes[group].type == LAYER for group in above)
        return Bounds(0, found.most) if has_layer else found

    @cached_property
    def _paths(self) -> Mapping[str, Bounds]:
        backwards: dict[str, list[str]] = {}
        for node_id, node in self.graph.nodes.items():
            if self._namespace(node) <= self.limit:  # `excess` returns early for the others
                for step in guidance_of(self.graph).steps[node_id]:
                    backwards.setdefault(step, []).append(node_id)
        found: dict[str, Bounds] = {}
        for layer in self._layers:
            for node_id, path in path_lengths(layer, backwards).items():
                known = found.get(node_id, Bounds())
                found[node_id] = Bounds(known.least + path.least, known.most + path.most + VIA)
        return found


def length(lines: Iterable[str]) -> int:
    """Return the length of some lines with their line breaks."""
    return sum(len(line) + 1 for line in lines)


def ids_length(ids: Iterable[str]) -> int:
    """Return the length of some ids with their separators."""
    return sum(len(node_id) + SEPARATOR for node_id in ids)


def missing_length(missing: Iterable[Missing]) -> int:
    """Return the most that warnings about missing targets add."""
    return sum(WORDS + len(link.source) + len(link.target) for link in missing)


def _severity_length(node: SpecNode) -> int:
    if node.type != POLICY or not node.severity:
        return 0
    return len(SEVERITY) + len(collapsed(node.severity)) + SEPARATOR + BRACKET
