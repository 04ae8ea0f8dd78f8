"""A view: the document of some nodes, with parts of it left out."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.escapes import visible
from yg.specgraph.context import Measurable, document_text
from yg.specgraph.document import title_line

if TYPE_CHECKING:
    from yg.specgraph.context import Context, ContextPart, Item

LEFT_OUT = "Left Out"  # the heading of the list of cuts


class LeftOutEntry(Struct, frozen=True):
    """Something that the view does not show, and why."""

    label: str
    item: Item
    reason: str


class EntryCut(Struct, frozen=True, kw_only=True):
    """An entry, or a whole section, that was cut so that the document fits."""

    section: str
    subject: str  # the node; empty for a whole section
    tokens: int
    step: int  # of the order in which entries are cut, from 1
    command: str  # shows it

    @property
    def line(self) -> str:
        """The line in the list of cuts."""
        return f"- {self.subject or self.section} ({self.tokens}) -> {visible(self.command)}"


class FittedEntries(Struct, frozen=True, kw_only=True):
    """How a document was made to fit; all sizes are in tokens."""

    budget: int
    before: int
    floor: int  # the size with everything cut that can be
    cuts: tuple[EntryCut, ...]


class ContextView(Measurable, frozen=True, kw_only=True, dict=True):
    """What is shown of the contexts of some nodes."""

    contexts: tuple[Context, ...]
    parts: tuple[ContextPart, ...]
    omissions: tuple[LeftOutEntry, ...] = ()
    fit: FittedEntries | None = None

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The ids of the targets."""
        return tuple(context.target.id for context in self.contexts)

    @property
    def title(self) -> str:
        """The line that opens the document."""
        if len(self.contexts) == 1:
            return title_line(self.contexts[0].target)
        return f"# Context for {', '.join(self.node_ids)}"

    @cached_property
    def markdown(self) -> str:
        """The document."""
        return document_text(self.title, self.parts) if self.contexts else ""

    @property
    def source_files(self) -> tuple[str, ...]:
        """Every file that decided what it says, sorted."""
        return tuple(sorted({file for context in self.contexts for file in context.source_files}))

    @property
    def cost(self) -> int:
        """The size in the unit of costs."""
        return self.cost_of(self.markdown)

    def cost_of(self, text: str) -> int:
        """Return the size of a text: tokens if a tokenizer counts, else characters."""
        return self.tokens_of(text) if self.budget.tokenizer else len(text)

    def tokens_of(self, text: str) -> int:
        """Return the tokens of a text."""
        return self.budget.measure(len(text), lambda: text)


def whole(context: Context) -> ContextView:
    """Return the view that shows all of one context."""
    return ContextView(contexts=(context,), parts=context.parts, budget=context.budget)


def label(part: ContextPart, item: Item) -> str:
    """Return the name of an item for tables and messages."""
    return f"{part.heading} {item.subject}" if item.subject else part.heading
