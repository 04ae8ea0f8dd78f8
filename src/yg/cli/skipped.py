"""Answers that leave out what could not be read say so, on stderr or in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.cli.outcome import Outcome
from yg.render.data import document
from yg.render.issues import skipped_data, skipped_text
from yg.yggdrasil.model import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.cli.outcome import Call
    from yg.kernel.issue import Finding
    from yg.yggdrasil.shelf import Shelf

_HARMLESS = (Trouble.LINK, Trouble.BARE_DIRECTORY, Trouble.NO_NODE)


def with_skipped(
    call: Call,
    shelf: Shelf[Any],
    *,
    text: Callable[[], str],
    data: Callable[[], tuple[str, dict[str, Any]]],
) -> Outcome:
    """Answer as text or data, with what is missing from the shelf that was asked."""
    skipped = _skipped(shelf)
    if call.wants_json:
        command, fields = data()
        return Outcome(document(command, {**fields, "skipped": skipped_data(skipped)}))
    return Outcome(text(), notes=skipped_text(skipped, call.terminal.err))


def _skipped(shelf: Shelf[Any]) -> list[Finding]:
    """Return the first thing wrong with each file that is missing from an answer."""
    notes = [*shelf.notes, *(note for each in shelf.all.values() for note in each.notes[:1])]
    return [note.finding for note in notes if note.trouble not in _HARMLESS]
