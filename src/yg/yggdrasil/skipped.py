"""What is missing from an answer because it could not be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.paths import ROOT, is_inside
from yg.yggdrasil.model import Trouble

if TYPE_CHECKING:
    from yg.kernel.issue import Finding
    from yg.yggdrasil.shelf import Shelf

_HARMLESS = (Trouble.LINK, Trouble.BARE_DIRECTORY, Trouble.NO_NODE)


def skipped(shelf: Shelf[Any], within: str = ROOT) -> list[Finding]:
    """Return what is wrong with each thing that is missing from a shelf, one finding each."""
    notes = [note for note in shelf.notes if note.trouble not in _HARMLESS]
    for reading in shelf.all.values():
        if reading.value is None:
            notes += [note for note in reading.notes if note.trouble not in _HARMLESS][:1]
    tree = shelf.label.tree if within == ROOT else f"{shelf.label.tree}/{within}"
    findings = [note.finding for note in notes]
    found = [each for each in findings if is_inside(each.place.file, tree)]
    return sorted(found, key=lambda finding: (finding.subject, finding.place.line))
