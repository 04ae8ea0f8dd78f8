"""The sizes of contexts, computed without writing them.

A size is the sum of the lengths of the lines that the document is made of. The length of what a
node says is computed once for all documents that it is in (decision 0021).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel.digraph import gathered
from yg_old.kernel.package import CHARACTERS_PER_TOKEN, STANDARD_BUDGET, tokens_of
from yg_old.specgraph.context.assemble import assemble
from yg_old.specgraph.context.context import checked_nodes, own_check_lines
from yg_old.specgraph.context.document import (
    bullet,
    check_lines,
    superseding_lines,
    target_lines,
    title_line,
)
from yg_old.specgraph.context.entry import annotation
from yg_old.specgraph.context.guidance import guidance_of
from yg_old.specgraph.context.item import AFFECTED, VERIFICATION, WARNINGS
from yg_old.specgraph.context.layers import PreparedLayers, layers_of
from yg_old.specgraph.model import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from yg_old.specgraph.context.context import Context
    from yg_old.specgraph.context.entry import IncludedNode
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode


class _LargeError(Exception):
    """The context that is being assembled has more tokens than wanted."""

    def __init__(self, characters: int) -> None:
        self.tokens = tokens_of(characters)


class Sizes:
    """The sizes of the contexts of one graph, up to a limit."""

    def __init__(self, graph: SpecGraph, limit: int = STANDARD_BUDGET.warning) -> None:
        self.graph = graph
        self.limit = limit  # in tokens
        self._entries: dict[str, int] = {}
        self._checks: dict[str, int] = {}
        self._quoted: dict[str, int] = {}
        self._superseders: dict[str, int] = {}
        self._layers = PreparedLayers(graph, self._most // self._shortest)

    @property
    def _most(self) -> int:
        return self.limit * CHARACTERS_PER_TOKEN

    def tokens(self, node: SpecNode) -> int:
        """Return the size of a context at the usual depth; over the limit, a lower bound of it.

        A tokenizer has to count every context.
        """
        if self.graph.budget.tokenizer:
            return assemble(self.graph, node.id, layers=self._layers).tokens
        try:
            self._check_numbers(node.id)
            context = assemble(self.graph, node.id, watch=self._counter(), layers=self._layers)
        except _LargeError as error:
            return error.tokens
        return tokens_of(self.characters(context))

    def context(self, node_id: str) -> Context | None:
        """Assemble a context; None if the node is missing or unreadable."""
        if node_id not in self.graph.nodes:
            return None
        return assemble(self.graph, node_id, layers=self._layers)

    def measured(self, context: Context | None) -> Context | None:
        """Return a context that knows the length of its document."""
        return replace(context, length=self.characters(context)) if context else None

    def _check_numbers(self, node_id: str) -> None:
        """Raise if the guides, layers or groups of a node are too many for the limit."""
        guides = guidance_of(self.graph).left(node_id).bit_count()
        above = (self._above[node_id] & ~self._bits.get(node_id, 0)).bit_count()
        entries = max(guides, above, layers_of(self.graph).count(node_id))
        if entries * self._shortest > self._most:
            raise _LargeError(entries * self._shortest)

    def _counter(self) -> Callable[[list[str]], None]:
        """Return a function that adds up entries, and raises when they exceed the limit."""
        seen: set[str] = set()
        found = 0

        def count(node_ids: list[str]) -> None:
            nonlocal found
            new = [node_id for node_id in node_ids if node_id not in seen]
            found += sum(map(self._of_entry, new))
            seen.update(new)
            least = max(found, *map(self._of_superseders, new), 0)
            if least > self._most:
                raise _LargeError(least)

        return count

    @cached_property
    def _shortest(self) -> int:
        """The length of the shortest entry."""
        return min(map(self._of_entry, self.graph.nodes), default=1)

    @cached_property
    def _bits(self) -> Mapping[str, int]:
        """A bit for each node that contains others."""
        nodes = self.graph.nodes.items()
        containing = (node_id for node_id, node in nodes if LinkKind.CONTAINS in node.links)
        return {node_id: 1 << at for at, node_id in enumerate(containing)}

    @cached_property
    def _above(self) -> Mapping[str, int]:
        """The nodes that contain each node, and itself if it contains others."""
        parents = {node_id: self.graph.parents(node_id) for node_id in self.graph.nodes}
        return gathered(parents, self._bits)

    def characters(self, context: Context) -> int:
        """Return the length of the document of a context."""
        target = context.target
        parts: dict[str, int] = {
            target.kind.heading: length(target_lines(target, context.superseding)),
            WARNINGS: length(context.warnings),
            AFFECTED: length(other.line for other in context.affected),
        }
        for entry in context.entries:
            heading = entry.section
            parts[heading] = parts.get(heading, 0) + self._of_included(entry)
        checks = sum(self._of_checks(node) for node in checked_nodes(context))
        parts[VERIFICATION] = length(own_check_lines(target)) + checks
        headings = sum(len(f"\n## {heading}\n") for heading, size in parts.items() if size)
        return length([title_line(target)]) + headings + sum(parts.values())

    def _of_included(self, entry: IncludedNode) -> int:
        quoted = sum(map(self._of_quoted, entry.superseding))
        return self._of_entry(entry.node.id) + len(annotation(entry)) + quoted

    def _of_entry(self, node_id: str) -> int:
        """Return the length of an entry without the reasons for it."""
        if node_id not in self._entries:
            self._entries[node_id] = length(bullet(self.graph.nodes[node_id]))
        return self._entries[node_id]

    def _of_superseders(self, node_id: str) -> int:
        """Return the least that a document with a node says about those that supersede it.

        Each but the target has an entry of its own or is quoted below the node.
        """
        if node_id not in self._superseders:
            nodes = [self.graph.nodes[superseder] for superseder in self.graph.superseders(node_id)]
            lengths = [min(self._of_entry(node.id), self._of_quoted(node)) for node in nodes]
            self._superseders[node_id] = sum(lengths) - max(lengths, default=0)
        return self._superseders[node_id]

    def _of_quoted(self, node: SpecNode) -> int:
        """Return the length of what an entry says about a node that supersedes it."""
        if node.id not in self._quoted:
            self._quoted[node.id] = length(superseding_lines(node))
        return self._quoted[node.id]

    def _of_checks(self, node: SpecNode) -> int:
        if node.id not in self._checks:
            self._checks[node.id] = length(check_lines(node))
        return self._checks[node.id]


def length(lines: Iterable[str]) -> int:
    """Return the length of some lines with their line breaks."""
    return sum(len(line) + 1 for line in lines)
