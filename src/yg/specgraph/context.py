"""A context: everything to know before working on one node, and why each part of it is there.

Other graphs quote files in blocks; here the document is composed from the fields of nodes, so this
is a value of its own, which offers what a package does: text, size, budget, reasons and files.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.package import Budget, tokens_of
from yg.specgraph.document import document_parts, markdown_of

if TYPE_CHECKING:
    from yg.specgraph.document import Part
    from yg.specgraph.model import LinkKind, Node, Section
    from yg.specgraph.resolve import Missing

BUDGET = Budget(warning=10_000, error=20_000)
FULL = "full"
USUAL_DEPTH = 2

# The reasons that are not the names of upstream links.
CONSTRAINS, INHERITED, LAYER_GUIDANCE = "constrains", "inherited", "layer"
CONTAINS, LAYER_DEPENDENCY, PREREQUISITE = "contains", "layer_dependency", "prerequisite"


class Entry(Struct, frozen=True, kw_only=True):
    """One node of a context, and all that brought it in."""

    node: Node
    level: int
    reasons: tuple[str, ...]  # sorted
    is_direct: bool = False  # whether it constrains the target itself
    is_walk_target: bool = False  # whether an upstream link of the target names it
    precedence: int = 0  # of guidance that only layers hand on, how far the nearest one is
    via_targets: tuple[str, ...] = ()  # the target's ancestors that it constrains
    via_layers: tuple[str, ...] = ()  # the layers that hand it on, the nearest first
    required_by: tuple[str, ...] = ()  # the groups of the namespace that depend on it
    superseded_by: tuple[str, ...] = ()
    arrivals: tuple[tuple[str, LinkKind], ...] = ()  # the links that lead to it
    hops: int = 0  # of an ancestor, how far up it is
    path: tuple[str, ...] = ()  # of an effective layer, the way from the target to it

    @property
    def section(self) -> Section:
        """The section that lists it."""
        return self.node.section


class Affected(Struct, frozen=True):
    """A node that the target contains, constrains or supersedes."""

    node: Node
    edges: tuple[str, ...]  # sorted


class Pruned(Struct, frozen=True):
    """Guidance that was left out, and the guidance that supersedes it."""

    node: Node
    superseded_by: tuple[str, ...]


class Context(Struct, frozen=True, kw_only=True, dict=True):
    """What assembly gives; text, size and files are views of it."""

    target: Node
    depth: int | str  # a number of levels, or `full`
    entries: tuple[Entry, ...]  # in the order of the document
    verified_by: tuple[Node, ...]  # what the target names as showing that it holds
    affected: tuple[Affected, ...]
    missing: tuple[Missing, ...]
    pruned: tuple[Pruned, ...]
    warnings: tuple[str, ...]
    source_files: tuple[str, ...]  # every file that decided what it says, sorted
    budget: Budget = BUDGET

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The sections of the document."""
        return document_parts(self)

    @cached_property
    def markdown(self) -> str:
        """The document."""
        return markdown_of(self)

    @property
    def characters(self) -> int:
        """The length of the document."""
        return len(self.markdown)

    @property
    def tokens(self) -> int:
        """The estimated size."""
        return tokens_of(self.characters)

    @property
    def status(self) -> str:
        """The verdict of the budget on the size."""
        return self.budget.status(self.tokens)
