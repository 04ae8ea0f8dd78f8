"""The package of a Spec Graph: what is shown of the contexts of some nodes, as one document."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.kernel.cuts import LIST_OF_CUTS
from yg_old.kernel.parts import Package
from yg_old.specgraph.context.document import title_line
from yg_old.specgraph.context.item import LEFT_OUT, Item, document_text, section_text, sections

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.kernel.parts import Cut
    from yg_old.specgraph.context.context import Context


class ContextView(Package, frozen=True, kw_only=True, dict=True):
    """What is shown of the contexts of some nodes."""

    contexts: tuple[Context, ...]
    parts: tuple[Item, ...]

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
    def text(self) -> str:
        """The document."""
        return document_text(self.title, self.parts) if self.contexts else ""

    @property
    def source_files(self) -> tuple[str, ...]:
        """Every file that decided what it says, sorted."""
        return tuple(sorted({file for context in self.contexts for file in context.source_files}))

    def listing(self, cuts: Sequence[Cut]) -> Item:
        """Return the item that lists what was cut."""
        return Item(kind=LEFT_OUT, lines=tuple(f"- {cut.line}" for cut in cuts))

    def line_cost(self, line: str) -> int:
        """Return the size of a line in the list of cuts."""
        return super().line_cost(f"- {line}")

    def named_sizes(self) -> Iterator[tuple[str, int]]:
        """Yield the title, the items and the sections that are no list of nodes."""
        yield "title", self.tokens_of(f"{self.title}\n")
        for title, items in sections(self.parts):
            if items[0].subject:
                yield from ((item.label, self.size_of(item)) for item in items)
            else:
                name = LIST_OF_CUTS if items[0].kind == LEFT_OUT else items[0].kind
                yield name, self.tokens_of(section_text(title, items))


def whole(context: Context) -> ContextView:
    """Return the view that shows all of one context."""
    return ContextView(contexts=(context,), parts=context.parts, budget=context.budget)


def as_view(context: Context | ContextView) -> ContextView:
    """Return a view itself, or the one that shows all of a context."""
    return context if isinstance(context, ContextView) else whole(context)
