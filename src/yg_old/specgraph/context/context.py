"""A context: the information needed for work on one node, and the reason for each part.

Other graphs quote files in blocks; here the document is composed from the fields of nodes, so this
is a value of its own; views show it as a package.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from yg_old.kernel.document import Record, Text, about
from yg_old.kernel.package import Sized
from yg_old.specgraph.context.document import (
    check_lines,
    entry_lines,
    first_line,
    target_lines,
    title_line,
)
from yg_old.specgraph.context.entry import reasons
from yg_old.specgraph.context.item import (
    AFFECTED,
    TARGET_REASON,
    VERIFICATION,
    WARNINGS,
    Item,
    document_text,
)
from yg_old.specgraph.model import Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.context.entry import Affected, IncludedNode
    from yg_old.specgraph.model import SpecNode
    from yg_old.specgraph.resolve import MissingLink

FULL = "full"
USUAL_DEPTH = 2


class PrunedGuidance(Record, frozen=True):
    """Guidance that was left out."""

    id: Annotated[Text, about("Its id.")]
    superseded_by: Annotated[
        tuple[Text, ...],
        Meta(min_length=1),
        about("The guidance, or the target, that supersedes it."),
    ]


class Context(Sized, frozen=True, kw_only=True, dict=True):
    """The result of assembly; text, size and files are views of it."""

    target: SpecNode
    depth: int | str  # a number of levels, or `full`
    entries: tuple[IncludedNode, ...]  # in the order of the document
    superseding: tuple[SpecNode, ...]  # nodes that supersede the target, not in the document
    verified_by: tuple[SpecNode, ...]  # what the target names as showing that it holds
    affected: tuple[Affected, ...]
    missing: tuple[MissingLink, ...]
    pruned: tuple[PrunedGuidance, ...]
    warnings: tuple[str, ...]
    source_files: tuple[str, ...]  # every file that decided what it says, sorted
    length: int | None = None  # of the document, if it was computed without writing it

    @property
    def characters(self) -> int:
        """The length of the document."""
        return len(self.text) if self.length is None else self.length

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The id of the target."""
        return (self.target.id,)

    @cached_property
    def parts(self) -> tuple[Item, ...]:
        """The items of the document, section by section."""
        return tuple(_items(self))

    @cached_property
    def text(self) -> str:
        """The document."""
        return document_text(title_line(self.target), self.parts)

    @property
    def contents(self) -> str:
        """The document, whose line breaks are all the same."""
        return self.text

    def quoted(self, node_id: str) -> list[str]:
        """Return the lines about another node."""
        own = (entry.lines for entry in self.entries if entry.node.id == node_id)
        checks = (check_lines(node) for node in checked_nodes(self) if node.id == node_id)
        affected = (other.line for other in self.affected if other.node.id == node_id)
        return [*(line for lines in (*own, *checks) for line in lines), *affected]


def _items(context: Context) -> Iterator[Item]:
    """Yield the items of the document; a section without lines has none."""
    target = context.target
    if lines := tuple(target_lines(target, context.superseding)):
        yield Item(
            kind=target.kind.heading, subject=target.id, lines=lines, reasons=(TARGET_REASON,)
        )
    for warning in context.warnings:
        yield Item(kind=WARNINGS, lines=(warning,))
    for entry in context.entries:
        yield Item(
            kind=entry.section,
            subject=entry.node.id,
            lines=tuple(entry.lines),
            reasons=tuple(reasons(entry, target.id)),
            entry=entry,
        )
    for other in context.affected:
        yield Item(kind=AFFECTED, subject=other.node.id, lines=(other.line,), entry=other)
    if checks := tuple(_verification_lines(context)):
        yield Item(kind=VERIFICATION, subject=target.id, lines=checks)


def _verification_lines(context: Context) -> Iterator[str]:
    """Yield the checks of the target, of its policies and of the nodes that verify it."""
    yield from own_check_lines(context.target)
    for node in checked_nodes(context):
        yield from check_lines(node)


def own_check_lines(target: SpecNode) -> Iterator[str]:
    """Yield the checks of the target."""
    for entry in target.verification:
        first, *rest = entry_lines(entry)
        yield first_line(entry, first)
        yield from rest


def checked_nodes(context: Context) -> list[SpecNode]:
    """Return the nodes whose checks are listed after those of the target, each once."""
    policies = [entry.node for entry in context.entries if entry.section is Section.POLICIES]
    return list({shown.id: shown for shown in (*policies, *context.verified_by)}.values())
