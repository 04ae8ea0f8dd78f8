"""Answers that leave out what could not be read say so, beside the text or in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.answers.answer import Answer, nothing
from yg.kernel.paths import ROOT, is_inside
from yg.render.issues import skipped_data, skipped_text
from yg.yggdrasil.model import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg.answers.answer import Written
    from yg.kernel.issue import Finding
    from yg.yggdrasil.shelf import Shelf

_HARMLESS = (Trouble.LINK, Trouble.BARE_DIRECTORY, Trouble.NO_NODE)


def with_skipped(  # noqa: PLR0913
    schema: str,
    shelf: Shelf[Any],
    *,
    data: Callable[[], dict[str, Any]],
    forms: Mapping[str, Written],
    within: str = ROOT,
    remarks: Written = nothing,
    code: int = 0,
) -> Answer:
    """Answer with what is missing from the shelf that was asked."""
    missing = skipped(shelf, within)
    return Answer(
        schema=schema,
        data=lambda: {**data(), "skipped": skipped_data(missing)},
        forms=forms,
        notes=lambda palette: skipped_text(missing, palette),
        remarks=remarks,
        code=code,
    )


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
