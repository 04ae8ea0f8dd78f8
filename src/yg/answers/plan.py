"""The `plan` command: the order in which to build nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.answers.answer import STANDARD, nothing, warnings, with_skipped
from yg.kernel.errors import UsageError
from yg.render.plan import plan_data, plan_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from yg.answers.answer import Answer, Hashing
    from yg.answers.drift import DriftReport
    from yg.workspace import Workspace


def plan(
    workspace: Workspace,
    *,
    node: str | None = None,
    changed: bool = False,
    hashing: Hashing = STANDARD,
    may_migrate: bool = True,
) -> Answer:
    """Order nodes by dependency: all, the dependencies of one node, or the drifted nodes."""
    only = None if node is None else workspace.queries.needed(workspace.find(node))
    if not changed:
        return _plan(workspace, only)
    found, drifted = _find_drifted(workspace, hashing, may_migrate=may_migrate)
    answer = _plan(workspace, drifted if only is None else drifted & only)
    if not found.notes:
        return answer
    # The drift notes already list the skipped nodes.
    return replace(answer, notes=nothing, remarks=warnings(found.notes))


def _find_drifted(
    workspace: Workspace, hashing: Hashing, *, may_migrate: bool
) -> tuple[DriftReport, frozenset[str]]:
    """Find the nodes that drifted; raise an error if the graph has no baselines."""
    workspace.require(workspace.format.has_owners, "drift (--changed)", UsageError)
    workspace.require_baselines()
    from yg.answers.drift import find_drift
    from yg.yggdrasil.drift import State

    found = find_drift(workspace, None, hashing, may_migrate=may_migrate)
    drifted = (node.node for node in found.drifts if node.state is not State.OK)
    return found, frozenset(drifted)


def _plan(workspace: Workspace, only: Collection[str] | None) -> Answer:
    found = workspace.queries.plan(only)
    return with_skipped(
        workspace.skipped(),
        data=lambda skipped: plan_data(found, skipped),
        forms={"text": lambda _palette: plan_text(found, is_whole=only is None)},
    )
