"""Where have code and graph moved apart? The drift of mapped nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer, warnings
from yg.answers.drifting import look, nodes_in_scope
from yg.answers.hashing import STANDARD
from yg.render.drift import drift_data, drift_text
from yg.yggdrasil.drift import State, mapped_nodes

if TYPE_CHECKING:
    from yg.answers.hashing import Hashing
    from yg.workspace import Workspace

EVERYTHING = "all"


def drift(
    workspace: Workspace,
    *,
    scope: str = EVERYTHING,
    drifted_only: bool = False,
    limit: int | None = None,
    hashing: Hashing = STANDARD,
) -> Answer:
    """Compare the mapped nodes of a scope with their baselines."""
    workspace.require_baselines()
    is_all = scope == EVERYTHING
    nodes = mapped_nodes(workspace.graph) if is_all else nodes_in_scope(workspace, scope)
    found = look(workspace, nodes, hashing)
    is_clean = all(each.state is State.OK for each in found.drifts) and not found.skipped
    return Answer(
        schema="drift",
        data=lambda: {
            "scope": scope,
            **drift_data(found.drifts, drifted_only=drifted_only, limit=limit),
            "notes": list(found.notes),
        },
        forms={
            "text": lambda palette: drift_text(
                found.drifts, palette, drifted_only=drifted_only, limit=limit
            )
        },
        notes=warnings(found.notes),
        code=0 if is_clean else 1,
    )
