"""Issues as diagnostics of the files that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from yg.kernel.issue import Severity
from yg.kernel.snapshot import Kind
from yg.lsp.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.issue import Issue, Place
    from yg.lsp.session import EditorView

SOURCE = "yg"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}
_WHOLE = types.Range(types.Position(0, 0), types.Position(0, 0))


def diagnostics_of(view: EditorView, issues: Sequence[Issue]) -> dict[str, list[types.Diagnostic]]:
    """Return the diagnostics of each file with issues, in the order of the issues."""
    return DiagnosticCache().of(view, issues)


class DiagnosticCache:
    """The diagnostics of the last state: those of files that did not change are used again."""

    def __init__(self) -> None:
        self._view: EditorView | None = None
        self._known: dict[Issue, tuple[str, types.Diagnostic]] = {}

    def of(self, view: EditorView, issues: Sequence[Issue]) -> dict[str, list[types.Diagnostic]]:
        """Return the diagnostics of each file with issues, in the order of the issues."""
        known = self._still_valid(view)
        self._known = {
            issue: known.get(issue) or (shown_on(view, issue.place), _diagnostic(view, issue))
            for issue in issues
        }
        self._view = view
        found: dict[str, list[types.Diagnostic]] = {}
        for issue in issues:
            file, diagnostic = self._known[issue]
            found.setdefault(file, []).append(diagnostic)
        return found

    def _still_valid(self, view: EditorView) -> dict[Issue, tuple[str, types.Diagnostic]]:
        last = self._view
        if last is None or last.workspace.tree is not view.workspace.tree:
            return {}
        if last.uris != view.uris or last.encoding != view.encoding:
            return {}
        return {
            issue: found
            for issue, found in self._known.items()
            if last.buffers.get(issue.place.file) == view.buffers.get(issue.place.file)
        }


def shown_on(view: EditorView, place: Place) -> str:
    """Return the file on which an issue is shown: for a directory, the configuration."""
    is_directory = view.workspace.snapshot.kind(place.file) is Kind.DIRECTORY
    return view.config_file if is_directory else place.file


def _diagnostic(view: EditorView, issue: Issue) -> types.Diagnostic:
    page = page_of(issue.code)
    return types.Diagnostic(
        range=range_of(view, issue.place),
        message=issue.message,
        severity=_SEVERITIES[issue.severity],
        code=issue.code,
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
        related_information=_related(view, issue),
    )


def _related(view: EditorView, issue: Issue) -> list[types.DiagnosticRelatedInformation] | None:
    """Return the directory of an issue that is shown on another file."""
    file = issue.place.file
    if shown_on(view, issue.place) == file:
        return None
    location = types.Location(view.uri(file), _WHOLE)
    return [types.DiagnosticRelatedInformation(location, issue.subject)]


def range_of(view: EditorView, place: Place) -> types.Range:
    """Return the range of the value at a place; the start of the file without a line."""
    if not place.line:
        return _WHOLE
    lines = view.lines(place.file)
    start = lines.offset_at(place.line, place.column)
    return span(view, place.file, start, lines.marked(start))


def span(view: EditorView, file: str, start: int, end: int) -> types.Range:
    """Return the range between two offsets of a file."""
    lines = view.lines(file)
    places = (lines.position_of(offset, view.encoding) for offset in (start, end))
    return types.Range(*(types.Position(*place) for place in places))
