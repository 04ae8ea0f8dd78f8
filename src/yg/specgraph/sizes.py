"""How many characters nodes bring to a context: at least, and at most, wherever they stand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.specgraph.conflicts import overlapping_policies
from yg.specgraph.document import SEVERITY, bullet, check_lines, collapsed
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import DECISION, POLICY, UPSTREAM
from yg.specgraph.resolve import dangling

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node
    from yg.specgraph.resolve import Missing

WORDS = 80  # more than the words around the ids in any annotation or warning
SEPARATOR = 2  # between two ids, and between two parts of an annotation
BRACKET = 1  # that closes an annotation


class Share(Struct, frozen=True):
    """The characters that some nodes bring to a context: at least, and at most."""

    least: int
    most: int
    count: int = 0  # of those that are certainly there


def length(lines: Iterable[str]) -> int:
    """Return the length of some lines, each ended."""
    return sum(len(line) + 1 for line in lines)


def names(ids: Iterable[str]) -> int:
    """Return the length of some ids, each with what separates it from the next."""
    return sum(len(each) + SEPARATOR for each in ids)


def gaps(missing: Iterable[Missing]) -> int:
    """Return the length of the warnings about links that lead to nothing."""
    return sum(WORDS + len(each.source) + len(each.target) for each in missing)


def _severity(node: Node) -> int:
    if node.type != POLICY or not node.severity:
        return 0
    return len(SEVERITY) + len(collapsed(node.severity)) + SEPARATOR + BRACKET


class Sizes:
    """The sizes of the nodes of one graph, each worked out once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._least: dict[str, int] = {}
        self._most: dict[str, int] = {}

    def least(self, node_id: str) -> int:
        """Return the length of what a node brings wherever it is listed."""
        if node_id not in self._least:
            node = self.graph.nodes[node_id]
            checks = length(check_lines(node)) if node.type == POLICY else 0
            self._least[node_id] = length(bullet(node)) + checks + _severity(node)
        return self._least[node_id]

    def most(self, node_id: str) -> int:
        """Return the length of all that a node can bring, but for how it got there."""
        if node_id not in self._most:
            node = self.graph.nodes[node_id]
            checks = length(check_lines(node)) if node.type != POLICY else 0
            gap = gaps(dangling(self.graph, node, UPSTREAM))
            self._most[node_id] = self.least(node_id) + checks + gap + self.marks(node)
        return self._most[node_id]

    def marks(self, node: Node) -> int:
        """Return the length of the annotations and warnings that a node calls for by itself."""
        superseders = self.graph.superseders(node.id)
        cycles = (self.graph.cycle_of.get(node.id, ()), self._supersession.get(node.id, ()))
        found = sum(WORDS + names(each) for each in (superseders, *cycles) if each)
        if node.type == DECISION and not node.rationale:
            found += WORDS + len(node.id)
        return found + (WORDS + names([node.id]) if node.id in self._overlapping else 0)

    def around(self, node_ids: Iterable[str]) -> set[str]:
        """Return nodes together with those that their upstream links lead to."""
        found = set(node_ids)
        for each in tuple(found):
            node = self.graph.nodes[each]
            found.update(to for kind in UPSTREAM for to in node.targets(kind))
        return {each for each in found if each in self.graph.nodes}

    @cached_property
    def _overlapping(self) -> frozenset[str]:
        pairs = overlapping_policies(self.graph.nodes.values())
        return frozenset(node.id for pair in pairs for side in pair for node in side)

    @cached_property
    def _supersession(self) -> Mapping[str, tuple[str, ...]]:
        groups = guidance_of(self.graph).supersession_cycles
        return {each: group for group in groups for each in group}
