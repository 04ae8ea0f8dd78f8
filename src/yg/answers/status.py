"""The `status` command: statistics of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import STANDARD, Answer, warnings
from yg.kernel.errors import RefusedError
from yg.render.status import (
    numbers_data,
    numbers_text,
    quality_text,
    status_data,
    summary_text,
)

if TYPE_CHECKING:
    from yg.answers.answer import Hashing
    from yg.workspace import OpenWorkspace


def status(workspace: OpenWorkspace, *, hashing: Hashing = STANDARD) -> Answer:
    """Count the nodes, links and issues of the graph."""
    if workspace.format.has_aspects:
        return _with_drift(workspace, hashing)
    counted = workspace.queries.status()
    verdict = workspace.verdict()
    return Answer(
        data=lambda: numbers_data(counted, verdict),
        forms={"text": lambda _palette: numbers_text(counted, verdict)},
    )


def _with_drift(workspace: OpenWorkspace, hashing: Hashing) -> Answer:
    """Return the status of a Yggdrasil graph, with drift if there are baselines."""
    from yg.answers.drift import find_drift
    from yg.render.drift import counts_data, summary
    from yg.yggdrasil.overview import status_of

    graph = workspace.graph
    _refuse_bad_configuration(workspace)
    # Baselines describe the work tree; a commit has no drift.
    has_baselines = workspace.format.has_drift and not workspace.commit
    found = find_drift(workspace, None, hashing) if has_baselines else None
    counted = status_of(graph)
    verdict = workspace.verdict()
    sizes = workspace.package_sizes()
    drift_line = summary(found.drifts) if found else ""
    notes = found.notes if found else ()
    return Answer(
        data=lambda: status_data(
            counted,
            verdict,
            drift=counts_data(found.drifts) if found else None,
            sizes=sizes,
            notes=notes,
        ),
        forms={
            "text": lambda _palette: (
                summary_text(counted, drift_line, verdict) + quality_text(counted, sizes)
            )
        },
        notes=warnings(notes),
    )


def _refuse_bad_configuration(workspace: OpenWorkspace) -> None:
    graph = workspace.graph
    if graph.config_reading.value is None:
        issues = [issue for issue in workspace.verdict().issues if issue.code == "E012"]
        hint = "Fix its errors first."
        raise RefusedError("the configuration cannot be read", hint=hint, issues=issues)
