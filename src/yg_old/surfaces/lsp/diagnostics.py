"""Issues as diagnostics of the files that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from yg_old.kernel.issue import Severity
from yg_old.kernel.snapshot import Kind
from yg_old.kernel.steps import finished
from yg_old.surfaces.lsp.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.kernel.issue import Issue, Place
    from yg_old.kernel.steps import Steps
    from yg_old.surfaces.lsp.session import EditorView

SOURCE = "yg"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}
_WHOLE = types.Range(types.Position(0, 0), types.Position(0, 0))


def diagnostics_of(view: EditorView, issues: Iterable[Issue]) -> dict[str, list[types.Diagnostic]]:
    """Return the diagnostics of each file with issues, in the order of the issues."""
    return finished(diagnostics_in_steps(view, issues))


def diagnostics_in_steps(
    view: EditorView, issues: Iterable[Issue]
) -> Steps[dict[str, list[types.Diagnostic]]]:
    """Make diagnostics as `diagnostics_of` does, with a pause after each."""
    found: dict[str, list[types.Diagnostic]] = {}
    for issue in issues:
        found.setdefault(shown_on(view, issue.place), []).append(_diagnostic(view, issue))
        yield
    return found


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
