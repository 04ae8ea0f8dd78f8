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
from yg.specgraph.model import POLICY, Section, Strictness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.specgraph.layers import LayerPath
    from yg.specgraph.model import LinkKind, SpecNode
    from yg.specgraph.resolve import Missing

ARROW = " -> "  # between the ids of a path
FULL = "full"
USUAL_DEPTH = 2
AFFECTED, WARNINGS, VERIFICATION = "Affected Nodes", "Warnings", "Verification"

# The reasons that are not the names of upstream links.
CONSTRAINS, INHERITED, LAYER_GUIDANCE = "constrains", "inherited", "layer"
CONTAINS, LAYER_DEPENDENCY = "contains", "layer_dependency"
PREREQUISITE, REQUIRED = "prerequisite", "required"


class Item(Struct, frozen=True, kw_only=True):
    """One thing that a section lists."""

    lines: tuple[str, ...]
    subject: str = ""  # the node that it is about; empty for a warning
    entry: IncludedNode | Affected | None = None
    targets: tuple[str, ...] = ()  # if the document has several, those that it concerns
    original: tuple[str, ...] | None = None  # its lines in the document of one of them, if others
    see: str = ""  # the section of a target that says the same
    as_in: str = ""  # the node in whose document the reader has it

    @property
    def text(self) -> str:
        """The lines with their line breaks."""
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def is_binding(self) -> bool:
        """Whether it is an entry that the target has to obey."""
        return isinstance(self.entry, IncludedNode) and self.entry.is_binding


class ContextPart(Struct, frozen=True):
    """One section of the document."""

    heading: str
    items: tuple[Item, ...]
    suffix: str = ""  # of the heading, if the document has several targets

    @property
    def kind(self) -> str:
        """The word for the section in a selection."""
        return part_kind(self.heading)

    @property
    def title(self) -> str:
        """The heading with what distinguishes it from others."""
        return f"{self.heading} {self.suffix}" if self.suffix else self.heading

    @property
    def lines(self) -> Iterator[str]:
        """The lines below the heading."""
        return (line for item in self.items for line in item.lines)

    @property
    def text(self) -> str:
        """The heading and the lines with their line breaks."""
        return "".join(f"{line}\n" for line in (f"## {self.title}", *self.lines))


class IncludedNode(Struct, frozen=True, kw_only=True):
    """A node in a context, and all reasons for it."""

    node: SpecNode
    section: Section  # that lists it
    level: int
    is_direct: bool = False  # whether it constrains the target itself
    is_walk_target: bool = False  # whether an upstream link of the target names it
    precedence: int = 0  # of guidance that only layers hand on, how far the nearest one is
    via_targets: tuple[str, ...] = ()  # the target's ancestors that it constrains
    via_layers: tuple[str, ...] = ()  # the layers that hand it on, the nearest first
    foundation_of: tuple[str, ...] = ()  # the groups of the namespace that it is a foundation of
    needed_by: tuple[str, ...] = ()  # the groups around the target that need it
    superseded_by: tuple[str, ...] = ()
    superseding: tuple[SpecNode, ...] = ()  # those of them that are not in the document
    arrivals: tuple[tuple[str, LinkKind], ...] = ()  # the links that lead to it
    hops: int = 0  # of an ancestor, how far up it is
    layer: LayerPath | None = None  # of an effective layer, the path from the target to it

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons for it, sorted."""
        others = (
            (CONSTRAINS, self.is_direct),
            (INHERITED, self.via_targets),
            (LAYER_GUIDANCE, self.via_layers),
            (CONTAINS, self.hops),
            (LAYER_DEPENDENCY, self.layer),
            (PREREQUISITE, self.foundation_of),
            (REQUIRED, self.needed_by),
        )
        links = {kind.value for _, kind in self.arrivals}
        return tuple(sorted(links.union(reason for reason, holds in others if holds)))

    @property
    def required_by(self) -> tuple[str, ...]:
        """The groups that need it, sorted."""
        return tuple(sorted({*self.foundation_of, *self.needed_by}))

    @property
    def is_namespace(self) -> bool:
        """Whether it contains the target, or is one of its layers."""
        return bool(self.hops or self.layer)

    @property
    def is_binding(self) -> bool:
        """Whether the target has to obey it."""
        is_guide = self.is_direct or self.via_targets or self.via_layers
        return bool(is_guide) or (
            self.node.type == POLICY and self.node.severity == Strictness.HARD
        )

    @property
    def lines(self) -> Iterator[str]:
        """The lines of the document about it."""
        return bullet(self.node, annotation(self), self.superseding)


class Affected(Struct, frozen=True):
    """A node that the target contains, constrains or supersedes."""

    node: SpecNode
    edges: tuple[str, ...]  # sorted

    @property
    def line(self) -> str:
        """The line of the document about it."""
        return self.noted(f" ({self.edge_names})")

    @property
    def edge_names(self) -> str:
        """The names of the links."""
        return ", ".join(self.edges)

    def noted(self, note: str) -> str:
        """Return a line about it with a note."""
        return f"- {self.node.id}: {collapsed(self.node.title)}{note}"


class Pruned(Struct, frozen=True):
    """Guidance that was left out, and the guidance and the target that supersede it."""

    node: SpecNode
    superseded_by: tuple[str, ...]


class Measurable(Struct, frozen=True, kw_only=True, dict=True):
    """A document and its size."""

    budget: Budget = STANDARD_BUDGET

    @property
    def markdown(self) -> str:
        """The document."""
        raise NotImplementedError

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


class Context(Measurable, frozen=True, kw_only=True, dict=True):
    """The result of assembly; text, size and files are views of it."""

    target: SpecNode
    depth: int | str  # a number of levels, or `full`
    entries: tuple[IncludedNode, ...]  # in the order of the document
    superseding: tuple[SpecNode, ...]  # nodes that supersede the target, not in the document
    verified_by: tuple[SpecNode, ...]  # what the target names as showing that it holds
    affected: tuple[Affected, ...]
    missing: tuple[Missing, ...]
    pruned: tuple[Pruned, ...]
    warnings: tuple[str, ...]
    source_files: tuple[str, ...]  # every file that decided what it says, sorted
    length: int | None = None  # of the document, if it was computed without writing it

    @property
    def characters(self) -> int:
        """The length of the document."""
        return len(self.markdown) if self.length is None else self.length

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
        return document_text(title_line(self.target), self.parts)

    @property
    def contents(self) -> str:
        """The document, whose line breaks are all the same."""
        return self.markdown

    def quoted(self, node_id: str) -> list[str]:
        """Return the lines about another node."""
        own = (entry.lines for entry in self.entries if entry.node.id == node_id)
        checks = (check_lines(node) for node in checked_nodes(self) if node.id == node_id)
        affected = (other.line for other in self.affected if other.node.id == node_id)
        return [*(line for lines in (*own, *checks) for line in lines), *affected]


def document_text(title: str, parts: Iterable[ContextPart]) -> str:
    """Join a title and sections to a document."""
    return "".join([f"{title}\n", *(f"\n{part.text}" for part in parts)])


def part_kind(heading: str) -> str:
    """Return the word for the sections with a heading."""
    return heading.lower().replace(" ", "-")


def _parts(context: Context) -> tuple[ContextPart, ...]:
    """Return the sections that are not empty, in order."""
    target = context.target
    entries = (
        Item(subject=entry.node.id, lines=tuple(entry.lines), entry=entry)
        for entry in context.entries
    )
    affected = (
        Item(subject=other.node.id, lines=(other.line,), entry=other) for other in context.affected
    )
    own = Item(subject=target.id, lines=tuple(target_lines(target, context.superseding)))
    checks = Item(subject=target.id, lines=tuple(_verification_lines(context)))
    every = (
        ContextPart(target.kind.heading, (own,)),
        ContextPart(WARNINGS, tuple(Item(lines=(warning,)) for warning in context.warnings)),
        *entry_parts(entries),
        ContextPart(AFFECTED, tuple(affected)),
        ContextPart(VERIFICATION, (checks,)),
    )
    return tuple(part for part in every if any(item.lines for item in part.items))


def entry_parts(entries: Iterable[Item]) -> Iterator[ContextPart]:
    """Yield the sections that list entries; entries keep their order."""
    by_section: dict[Section, list[Item]] = {section: [] for section in Section}
    for item in entries:
        if isinstance(item.entry, IncludedNode):
            by_section[item.entry.section].append(item)
    return (ContextPart(section.value, tuple(items)) for section, items in by_section.items())


def annotation(entry: IncludedNode) -> str:
    """Return the text after an entry: its severity and the reasons for it."""
    return note_of(notes(entry))


def note_of(parts: Sequence[str]) -> str:
    """Join the parts of the text after an entry."""
    return f" ({'; '.join(parts)})" if parts else ""


def notes(entry: IncludedNode) -> list[str]:
    """Return the severity of an entry and the reasons for it."""
    parts = []
    if entry.node.type == POLICY and entry.node.severity:
        parts.append(f"severity: {collapsed(entry.node.severity)}")
    if not entry.is_direct and not entry.is_walk_target:
        if entry.via_targets:
            parts.append(f"inherited via {listed(entry.via_targets)}")
        elif entry.via_layers:
            parts.append(f"via layer {listed(entry.via_layers)}")
        if (entry.foundation_of or entry.needed_by) and not entry.is_namespace:
            parts.append(f"required by {listed(entry.required_by)}")
    if entry.superseded_by:
        parts.append(f"superseded by {listed(entry.superseded_by)}")
    if entry.layer and not entry.hops:
        parts.append(f"via {ARROW.join(entry.layer.shown)}")
    return parts


def _verification_lines(context: Context) -> Iterator[str]:
    """Yield the checks of the target, of its policies and of the nodes that verify it."""
    yield from own_check_lines(context.target)
    for node in checked_nodes(context):
        yield from check_lines(node)


def own_check_lines(target: SpecNode) -> Iterator[str]:
    """Yield the checks of the target."""
    for entry in target.verification:
        first, *rest = entry_lines(entry)
        yield escaped(first)
        yield from rest


def checked_nodes(context: Context) -> list[SpecNode]:
    """Return the nodes whose checks are listed after those of the target, each once."""
    policies = [entry.node for entry in context.entries if entry.section is Section.POLICIES]
    return list({shown.id: shown for shown in (*policies, *context.verified_by)}.values())
