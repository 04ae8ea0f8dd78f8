"""The `preflight` command: drift, files without an owner, status and issues in one report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import STANDARD, Answer, warnings
from yg.answers.drift import find_drift
from yg.disk.changes import uncommitted_among
from yg.kernel.paths import is_utf8
from yg.kernel.patterns import Patterns
from yg.render.drift import checked_data, drifted_lines, summary
from yg.render.issues import MOST_ADVICE
from yg.render.plain import visible
from yg.render.status import preflight_data, summary_text
from yg.render.validate import issues_text
from yg.yggdrasil.mapping import Ownership
from yg.yggdrasil.overview import status_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.answers.answer import Hashing
    from yg.answers.drift import DriftReport
    from yg.render.plain import Palette
    from yg.workspace import OpenWorkspace


MOST_FILES = 10  # named in the text


def preflight(
    workspace: OpenWorkspace, *, quick: bool = False, hashing: Hashing = STANDARD
) -> Answer:
    """Check whether the graph is ready for work; `quick` skips the drift check."""
    if not workspace.format.has_owners:
        return _without_sources(workspace)
    graph = workspace.graph
    if not quick:
        workspace.require_baselines()
    found = None if quick else find_drift(workspace, None, hashing)
    status = status_of(graph)
    verdict = workspace.verdict()
    is_drifted = found is not None and (found.skipped or drifted_lines(found.drifts))
    unowned = uncommitted_among(workspace.root, _unowned(workspace))
    notes = (*(found.notes if found else ()), *unowned.notes)

    def text(palette: Palette) -> str:
        drift_line = summary(found.drifts) if found else ""
        parts = [
            _drift_text(found),
            _unowned_text(unowned.files),
            summary_text(status, drift_line, verdict, with_mapping=True),
            issues_text(verdict, palette, MOST_ADVICE),
        ]
        return "\n".join(part for part in parts if part)

    return Answer(
        data=lambda: preflight_data(
            status,
            verdict,
            drift=checked_data(found.drifts) if found else None,
            unowned=list(unowned.files),
            notes=notes,
        ),
        forms={"text": text},
        notes=warnings(notes),
        code=1 if verdict.errors or is_drifted else 0,
    )


def _without_sources(workspace: OpenWorkspace) -> Answer:
    """Report the status and the issues of a graph whose nodes own no source files."""
    from yg.render.status import graph_preflight_data, numbers_text

    status, verdict = workspace.queries.status(), workspace.verdict()

    def text(palette: Palette) -> str:
        issues = issues_text(verdict, palette, MOST_ADVICE)
        return numbers_text(status, verdict) + (f"\n{issues}" if issues else "")

    return Answer(
        data=lambda: graph_preflight_data(status, verdict),
        forms={"text": text},
        code=1 if verdict.errors else 0,
    )


def _unowned(workspace: OpenWorkspace) -> list[str]:
    """Return the files that no node owns, as `coverage` counts them."""
    ownership = Ownership(workspace.graph, workspace.sources)
    patterns = Patterns.from_lines(workspace.graph.config.uncounted)
    return [
        file
        for file in workspace.tree.visible.files
        if ownership.get(file) is None and is_utf8(file) and not patterns.excludes(file)
    ]


def _unowned_text(files: Sequence[str]) -> str:
    if not files:
        return ""
    lines = [f"  {visible(file)}" for file in files[:MOST_FILES]]
    if len(files) > MOST_FILES:
        lines.append(f"  and {len(files) - MOST_FILES} more; see 'yg coverage --uncovered'")
    return "Changed files without an owner:\n" + "".join(f"{line}\n" for line in lines)


def _drift_text(found: DriftReport | None) -> str:
    if found is None:
        return "Drift: skipped (--quick)\n"
    lines = drifted_lines(found.drifts)
    return "Drift:\n" + "".join(f"  {line}\n" for line in lines) if lines else "Drift: none\n"
