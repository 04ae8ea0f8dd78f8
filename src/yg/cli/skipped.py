"""Answers that leave out what could not be read say so, on stderr or in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.cli.outcome import Outcome
from yg.kernel.paths import ROOT, is_inside
from yg.render.data import document
from yg.render.issues import skipped_data, skipped_text
from yg.yggdrasil.model import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.cli.outcome import Call
    from yg.kernel.issue import Finding
    from yg.yggdrasil.shelf import Shelf

_HARMLESS = (Trouble.LINK, Trouble.BARE_DIRECTORY, Trouble.NO_NODE)


def with_skipped(  # noqa: PLR0913
    call: Call,
    shelf: Shelf[Any],
    *,
    text: Callable[[], str],
    data: Callable[[], tuple[str, dict[str, Any]]],
    within: str = ROOT,
    code: int = 0,
) -> Outcome:
    """Answer as text or data, with what is missing from the shelf that was asked."""
    missing = skipped(shelf, within)
    if call.wants_json:
        command, fields = data()
        return Outcome(document(command, {**fields, "skipped": skipped_data(missing)}), code)
    return Outcome(text(), code, skipped_text(missing, call.terminal.err))


def skipped(shelf: Shelf[Any], within: str = ROOT) -> list[Finding]:
    """Return what is wrong with each thing that is missing from an answer."""
    notes = [note for note in shelf.notes if note.trouble not in _HARMLESS]
    for reading in shelf.all.values():
        if reading.value is None:
            notes += [note for note in reading.notes if note.trouble not in _HARMLESS][:1]
    tree = shelf.label.tree if within == ROOT else f"{shelf.label.tree}/{within}"
    findings = [note.finding for note in notes]
    found = [each for each in findings if is_inside(each.place.file, tree)]
    return sorted(found, key=lambda finding: (finding.subject, finding.place.line))
