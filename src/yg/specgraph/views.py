"""Views of contexts: several nodes in one document, and parts of it left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.specgraph.combine import combine, for_targets
from yg.specgraph.context import AFFECTED, VERIFICATION, WARNINGS, note_of, part_kind
from yg.specgraph.cuts import fit_view
from yg.specgraph.model import TYPES, UNKNOWN_TYPE, Section
from yg.specgraph.view import LeftOutEntry, label

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.kernel.selection import Selection
    from yg.kernel.view import PackageView
    from yg.specgraph.context import Context, ContextPart, Item
    from yg.specgraph.view import ContextView

    Key = tuple[str, tuple[str, ...]]  # the kind of a section, and the lines of an entry


def kinds() -> tuple[str, ...]:
    """Return the kinds of sections that can be selected, in the order of the document."""
    targets = (kind.heading for kind in (*TYPES.values(), UNKNOWN_TYPE))
    headings = (*targets, WARNINGS, *Section, AFFECTED, VERIFICATION)
    return tuple(dict.fromkeys(map(part_kind, headings)))


def view_of(contexts: Sequence[Context], view: PackageView) -> ContextView:
    """Combine the contexts of some nodes, and leave out what is not to be shown."""
    shown = select(combine(contexts), view.selection)
    shown = leave_out_known(shown, view.known)
    return shown if view.fit is None else fit_view(shown, view.fit, view.options)


def select(view: ContextView, selection: Selection) -> ContextView:
    """Leave out what is not selected; a section without entries disappears."""
    selection.check((part.kind, item.subject) for part in view.parts for item in part.items)
    reason = "--only" if selection.only else "--without"
    hidden = tuple(
        LeftOutEntry(label(part, item), item, reason)
        for part in view.parts
        for item in part.items
        if not selection.shows((part.kind, item.subject))
    )

    def chosen(part: ContextPart) -> tuple[Item, ...]:
        return tuple(item for item in part.items if selection.shows((part.kind, item.subject)))

    return replace(view, parts=_changed(view, chosen), omissions=(*view.omissions, *hidden))


def leave_out_known(view: ContextView, known: Sequence[Context]) -> ContextView:
    """Shorten the entries that documents of the reader have; the first that has it is named.

    Binding entries are always shown, and so are entries that are not longer than such a line.
    """
    found: dict[Key, str] = {}
    for context in known:
        for part in context.parts:
            for item in part.items:
                if item.entry:
                    found.setdefault((part.kind, item.lines), context.target.id)
    total = len(view.contexts)
    omissions: list[LeftOutEntry] = []

    def shortened(part: ContextPart) -> tuple[Item, ...]:
        items = []
        for item in part.items:
            short = _shortened(item, found.get((part.kind, _original(item)), ""), total)
            items.append(short)
            if short.as_in:
                omissions.append(LeftOutEntry(label(part, item), item, f"as in {short.as_in}"))
        return tuple(items)

    parts = _changed(view, shortened)
    return replace(view, parts=parts, omissions=(*view.omissions, *omissions))


def _original(item: Item) -> tuple[str, ...]:
    return item.lines if item.original is None else item.original


def _shortened(item: Item, node: str, total: int) -> Item:
    """Return an item as one line that names the document with its text, if that is shorter."""
    if not node or item.is_binding:
        return item
    is_for_some = 0 < len(item.targets) < total
    note = note_of([for_targets(item.targets)] if is_for_some else [])
    short = replace(item, lines=(f"- {item.subject}: as in {node}{note}",), as_in=node)
    return short if len(short.text) < len(item.text) else item


def _changed(
    view: ContextView, change: Callable[[ContextPart], tuple[Item, ...]]
) -> tuple[ContextPart, ...]:
    """Return the sections with other items; those that have none are dropped."""
    parts = (replace(part, items=change(part)) for part in view.parts)
    return tuple(part for part in parts if part.items)
