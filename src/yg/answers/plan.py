"""In which order can nodes be built? The plan, in stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.answers.answer import STANDARD, nothing, warnings, with_skipped
from yg.kernel.errors import UsageError
from yg.render.plan import plan_data, plan_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from yg.answers.answer import Answer, Hashing
    from yg.answers.drift import Look
    from yg.workspace import Workspace


def plan(
    workspace: Workspace,
    *,
    node: str | None = None,
    changed: bool = False,
    hashing: Hashing = STANDARD,
    may_migrate: bool = True,
) -> Answer:
    """Order nodes by what they need: all, those that one node needs, or those that drifted."""
    only = None if node is None else workspace.queries.needed(workspace.find(node))
    if not changed:
        return _planned(workspace, only)
    found, drifted = _drifted(workspace, hashing, may_migrate=may_migrate)
    answer = _planned(workspace, drifted if only is None else drifted & only)
    if not found.notes:
        return answer
    # The notes tell of the nodes that are left out already.
    return replace(answer, notes=nothing, remarks=warnings(found.notes))


def _drifted(
    workspace: Workspace, hashing: Hashing, *, may_migrate: bool
) -> tuple[Look, frozenset[str]]:
    """Look for drift, which only graphs with baselines have."""
    workspace.require(workspace.format.has_owners, "drift (--changed)", UsageError)
    workspace.require_baselines()
    from yg.answers.drift import look
    from yg.yggdrasil.drift import State

    found = look(workspace, None, hashing, may_migrate=may_migrate)
    drifted = (each.node for each in found.drifts if each.state is not State.OK)
    return found, frozenset(drifted)


def _planned(workspace: Workspace, only: Collection[str] | None) -> Answer:
    found = workspace.queries.plan(only)
    return with_skipped(
        "plan",
        workspace.skipped(),
        data=lambda: plan_data(found),
        forms={"text": lambda _palette: plan_text(found, is_whole=only is None)},
    )
