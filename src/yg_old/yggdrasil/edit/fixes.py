"""`yg validate --fix`: the unambiguous fixes of a graph, as edits of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.edit import Write
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.fix import all_changed
from yg_old.kernel.issue import AddItem, Place, SetNeighbour, SetValue
from yg_old.kernel.snapshot import MAX_TEXT, Kind, conflict_line, decode_utf8

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.issue import Change, Fix, Issue
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.yggdrasil.graph import Graph

_BOM = "\ufeff"


class AppliedFix(Struct, frozen=True):
    """A fix, with the code and the subject of its issue."""

    fix: Fix
    code: str
    subject: str

    @property
    def place(self) -> Place:
        """The position of the value that changes, or the file that something is added to."""
        change = self.fix.change
        if isinstance(change, (SetValue, SetNeighbour)):
            return change.place
        return Place(change.file)


class FixedFile(Struct, frozen=True):
    """A file before and after its fixes."""

    path: str
    before: bytes  # empty: it is created
    after: bytes
    applied: tuple[AppliedFix, ...]

    @property
    def edit(self) -> Write:
        """The edit that writes the file."""
        return Write(self.path, self.after)


def fixed_files(graph: Graph, issues: Iterable[Issue]) -> tuple[FixedFile, ...]:
    """Return the files that the unambiguous fixes change, sorted: of issues with only one fix."""
    by_file: dict[str, list[AppliedFix]] = {}
    for found in _of_issues(issues):
        by_file.setdefault(found.fix.change.file, []).append(found)
    files = (_fixed(graph.snapshot, file, found) for file, found in sorted(by_file.items()))
    return tuple(file for file in files if file is not None)


def _of_issues(issues: Iterable[Issue]) -> Iterator[AppliedFix]:
    for issue in issues:
        if len(issue.fixes) == 1:
            yield AppliedFix(issue.fixes[0], issue.code, issue.subject)


def _fixed(snapshot: Snapshot, file: str, found: list[AppliedFix]) -> FixedFile | None:
    """Apply the fixes of one file; None if nothing changes, or the file cannot be read."""
    try:
        before = snapshot.read(file) if snapshot.kind(file) is Kind.FILE else b""
        text = decode_utf8(file, before)
    except UnreadableError:
        return None  # a rule reports it
    if conflict_line(text):
        return None
    result, done = all_changed(text, _wanted([applied.fix.change for applied in found]))
    mark = _BOM.encode() if before.startswith(_BOM.encode()) else b""
    after = mark + result.encode()
    if after == before or len(after) > MAX_TEXT:
        return None
    by_change = {applied.fix.change: applied for applied in found}
    return FixedFile(file, before, after, tuple(by_change[change] for change in done))


def _wanted(changes: list[Change]) -> Iterator[Change]:
    """Yield changes, but not a relation to a node that the correction of another one names."""
    corrected = {change.value for change in changes if isinstance(change, SetValue)}
    for change in changes:
        if not isinstance(change, AddItem) or corrected.isdisjoint(
            value for _, value in change.item
        ):
            yield change
