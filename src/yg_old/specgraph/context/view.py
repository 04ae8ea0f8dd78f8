"""Views of contexts: several nodes in one document, and parts of it left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel.view import show
from yg_old.specgraph.context.combine import combine
from yg_old.specgraph.context.cuts import cuttable
from yg_old.specgraph.context.item import AFFECTED, VERIFICATION, WARNINGS, kind_word
from yg_old.specgraph.context.package import as_view
from yg_old.specgraph.model import TYPES, UNKNOWN_TYPE, Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.kernel.view import PackageView
    from yg_old.specgraph.context.context import Context
    from yg_old.specgraph.context.package import ContextView


def kinds() -> tuple[str, ...]:
    """Return the kinds of sections that can be selected, in the order of the document."""
    targets = (kind.heading for kind in (*TYPES.values(), UNKNOWN_TYPE))
    headings = (*targets, WARNINGS, *Section, AFFECTED, VERIFICATION)
    return tuple(dict.fromkeys(map(kind_word, headings)))


def view_of(contexts: Sequence[Context], view: PackageView) -> ContextView:
    """Combine the contexts of some nodes, and leave out what is not to be shown."""
    known = tuple(map(as_view, view.known))
    return show(combine(contexts), replace(view, known=known), lambda it: cuttable(it.parts))
