"""How much does the graph describe, and how well? The graph in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.answers.hashing import STANDARD
from yg.render.numbers import numbers_data, numbers_text

if TYPE_CHECKING:
    from yg.answers.hashing import Hashing
    from yg.workspace import Workspace


def status(workspace: Workspace, *, hashing: Hashing = STANDARD) -> Answer:
    """Count what the graph holds, and how much of it is as it should be."""
    if workspace.format.has_aspects:
        from yg.answers.status_with_drift import status_with_drift

        return status_with_drift(workspace, hashing)
    counted = workspace.queries.status()
    verdict = workspace.verdict()
    return Answer(
        schema="graph-status",
        data=lambda: numbers_data(counted, verdict),
        forms={"text": lambda _palette: numbers_text(counted, verdict)},
    )
