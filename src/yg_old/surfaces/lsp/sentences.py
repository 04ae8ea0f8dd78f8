"""Sentences that a change of the code may have made untrue, as diagnostics of their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from yg_old.commands.drift.find import find_drift
from yg_old.commands.request import LARGEST
from yg_old.commands.review.documents import sentence_to_check
from yg_old.commands.review.find import RecordedTexts, Reviewer, counted_changes
from yg_old.commands.review.text import reasons
from yg_old.surfaces.lsp.diagnostics import SOURCE, span
from yg_old.yggdrasil.review.changes import changed_parts
from yg_old.yggdrasil.review.evidence import Evidence
from yg_old.yggdrasil.review.texts import GraphTexts

if TYPE_CHECKING:
    from yg_old.kernel.steps import Steps
    from yg_old.surfaces.lsp.session import EditorView
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.review.evidence import ChangedPart, FoundSentence

_SEVERITIES = {
    Evidence.VALUE: types.DiagnosticSeverity.Warning,
    Evidence.GONE: types.DiagnosticSeverity.Warning,
    Evidence.SIGNATURE: types.DiagnosticSeverity.Information,
}


class SentenceChecks:
    """Finds sentences in the texts that the editor shows, about changes of the saved code."""

    def __init__(self) -> None:
        self._saved: OpenWorkspace | None = None
        self._reviewer: Reviewer | None = None
        self._parts: dict[str, tuple[ChangedPart, ...]] = {}  # that changed, by node

    def add(
        self, view: EditorView, found: dict[str, list[types.Diagnostic]]
    ) -> Steps[dict[str, list[types.Diagnostic]]]:
        """Add the diagnostics of sentences to those of each file, with a pause after each node."""
        if not view.workspace.format.has_drift:
            return found
        if self._saved is not view.saved:
            yield from self._compare(view.saved)
        texts = GraphTexts(view.workspace.graph)
        for node, parts in self._parts.items():
            if self._reviewer is None:
                break
            for sentence in self._reviewer.findings(node, parts, texts).sentences:
                if sentence.evidence in _SEVERITIES:
                    listed = found.setdefault(sentence.text.file, [])
                    listed.append(_diagnostic(view, node, sentence))
            yield
        return found

    def _compare(self, saved: OpenWorkspace) -> Steps[None]:
        """Find the parts of the saved code that changed since the baselines."""
        self._saved, self._parts = saved, {}
        drifts = [drift for drift in find_drift(saved, None).drifts if counted_changes(drift)]
        yield
        reviewer = self._reviewer = Reviewer(saved, RecordedTexts(saved, drifts).of)
        for drift in drifts:
            self._parts[drift.node] = changed_parts(tuple(reviewer.files(drift)))
            yield


def _diagnostic(view: EditorView, node: str, found: FoundSentence) -> types.Diagnostic:
    lines = view.lines(found.text.file)
    start = lines.offset_at(found.sentence.line, 1)
    end = lines.offset_at(found.sentence.line, LARGEST)
    reason = reasons(sentence_to_check(found), places=False)
    return types.Diagnostic(
        range=span(view, found.text.file, start, end),
        message=f"Is this still true of {node}? {reason}.",
        severity=_SEVERITIES[found.evidence],
        code=f"review/{found.evidence}",
        source=SOURCE,
        related_information=[_place(view, part) for part in found.parts if part.first] or None,
    )


def _place(view: EditorView, part: ChangedPart) -> types.DiagnosticRelatedInformation:
    """Return where a changed part is now."""
    position = types.Position(part.first - 1, 0)
    location = types.Location(view.uri(part.path), types.Range(position, position))
    return types.DiagnosticRelatedInformation(location, f"{part.name} {part.change}")
