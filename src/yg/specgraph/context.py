"""A context: the information needed for work on one node, and the reason for each part.

Other graphs quote files in blocks; here the document is composed from the fields of nodes, so this
is a value of its own, which offers what a package does: text, size, budget, reasons and files.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.package import STANDARD_BUDGET, Budget
from yg.specgraph.document import (
    bullet,
    check_lines,
    collapsed,
    entry_lines,
    escaped,
    listed,
    target_lines,
    title_line,
)
from yg.specgraph.model import LAYER, POLICY, Section
from yg.specgraph.resolve import ARROW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.specgraph.model import LinkKind, SpecNode
    from yg.specgraph.resolve import Missing

FULL = "full"
USUAL_DEPTH = 2
AFFECTED, WARNINGS, VERIFICATION = "Affected Nodes", "Warnings", "Verification"

# The reasons that are not the names of upstream links.
CONSTRAINS, INHERITED, LAYER_GUIDANCE = "constrains", "inherited", "layer"
CONTAINS, LAYER_DEPENDENCY, PREREQUISITE = "contains", "layer_dependency", "prerequisite"


class ContextPart(Struct, frozen=True):
    """One section of the document."""

    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The heading and the lines with their line breaks."""
        return "".join(f"{line}\n" for line in (f"## {self.heading}", *self.lines))


class IncludedNode(Struct, frozen=True, kw_only=True):
    """A node in a context, and all reasons for it."""

    node: SpecNode
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

    node: SpecNode
    edges: tuple[str, ...]  # sorted


class Pruned(Struct, frozen=True):
    """Guidance that was left out, and the guidance that supersedes it."""

    node: SpecNode
    superseded_by: tuple[str, ...]


class Context(Struct, frozen=True, kw_only=True, dict=True):
    """The result of assembly; text, size and files are views of it."""

    target: SpecNode
    depth: int | str  # a number of levels, or `full`
    entries: tuple[IncludedNode, ...]  # in the order of the document
    verified_by: tuple[SpecNode, ...]  # what the target names as showing that it holds
    affected: tuple[Affected, ...]
    missing: tuple[Missing, ...]
    pruned: tuple[Pruned, ...]
    warnings: tuple[str, ...]
    source_files: tuple[str, ...]  # every file that decided what it says, sorted
    budget: Budget = STANDARD_BUDGET

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The id of the target."""
        return (self.target.id,)

    @cached_property
    def parts(self) -> tuple[ContextPart, ...]:
        """The sections of the document."""
        return _parts(self)

    @cached_property
    def markdown(self) -> str:
        """The document."""
        sections = (f"\n{part.text}" for part in self.parts)
        return "".join([f"{title_line(self.target)}\n", *sections])

    @property
    def characters(self) -> int:
        """The length of the document."""
        return len(self.markdown)

    @cached_property
    def tokens(self) -> int:
        """The size, estimated or counted."""
        return self.budget.measure(self.characters, lambda: self.markdown)

    @property
    def status(self) -> str:
        """The status of its size: 'ok', 'warning' or 'error'."""
        return self.budget.status(self.tokens)


def _parts(context: Context) -> tuple[ContextPart, ...]:
    """Return the sections that are not empty, in order."""
    by_section: dict[Section, list[str]] = {section: [] for section in Section}
    for entry in context.entries:
        by_section[entry.section].extend(bullet(entry.node, annotation(entry)))
    affected = (
        f"- {other.node.id}: {collapsed(other.node.title)} ({', '.join(other.edges)})"
        for other in context.affected
    )
    every = (
        (context.target.kind.heading, target_lines(context.target)),
        *by_section.items(),
        (AFFECTED, affected),
        (WARNINGS, context.warnings),
        (VERIFICATION, _verification_lines(context)),
    )
    parts = (ContextPart(str(heading), tuple(lines)) for heading, lines in every)
    return tuple(part for part in parts if part.lines)


def annotation(entry: IncludedNode) -> str:
    """Return the text after an entry: its severity and the reasons for it."""
    parts = []
    if entry.node.type == POLICY and entry.node.severity:
        parts.append(f"severity: {collapsed(entry.node.severity)}")
    if not entry.is_direct and not entry.is_walk_target:
        if entry.via_targets:
            parts.append(f"inherited via {listed(entry.via_targets)}")
        elif entry.via_layers:
            parts.append(f"via layer {listed(entry.via_layers)}")
        if entry.required_by:
            parts.append(f"required by {listed(entry.required_by)}")
    if entry.superseded_by:
        parts.append(f"superseded by {listed(entry.superseded_by)}")
    if entry.node.type == LAYER and entry.path and not entry.hops:
        parts.append(f"via {ARROW.join(entry.path)}")
    return f" ({'; '.join(parts)})" if parts else ""


def _verification_lines(context: Context) -> Iterator[str]:
    """Yield the checks of the target, of its policies and of the nodes that verify it."""
    for entry in context.target.verification:
        first, *rest = entry_lines(entry)
        yield escaped(first)
        yield from rest
    policies = [entry.node for entry in context.entries if entry.section is Section.POLICIES]
    for node in {shown.id: shown for shown in (*policies, *context.verified_by)}.values():
        yield from check_lines(node)
