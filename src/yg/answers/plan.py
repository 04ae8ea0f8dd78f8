"""The `plan` command: the order in which to build nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import STANDARD, warnings, with_skipped
from yg.kernel.errors import RefusedError
from yg.kernel.package import STANDARD_BUDGET
from yg.render.issues import errors_text
from yg.render.plan import OK, NodeState, PlanDetails, plan_data, plan_text

if TYPE_CHECKING:
    from yg.answers.answer import Answer, Hashing
    from yg.answers.drift import DriftReport
    from yg.kernel.plan import Plan
    from yg.workspace import OpenWorkspace


def plan(  # noqa: PLR0913
    workspace: OpenWorkspace,
    *,
    node: str | None = None,
    changed: bool = False,
    unmapped: bool = False,
    lenient: bool = False,
    hashing: Hashing = STANDARD,
    may_migrate: bool = True,
) -> Answer:
    """Order nodes by dependency: all, the dependencies of one node, or the drifted nodes.

    Nodes without a mapping are left out unless `unmapped` is set. If the graph has errors, raise
    RefusedError or, with `lenient`, leave out the nodes that have no place in the order.
    """
    if unmapped:
        workspace.require(workspace.format.has_owners, "a mapping (--all)")
    if changed:
        workspace.require(workspace.format.has_owners, "drift (--changed)")
        workspace.require_baselines()
    only = needed(workspace, node)
    if not lenient:
        refuse_plan(workspace)
    found = _drift(workspace, hashing, may_migrate=changed and may_migrate)
    if changed and found:
        drifted = frozenset(drift.node for drift in found.drifts if drift.state != OK)
        only = drifted if only is None else drifted & only
    if only is None and not (unmapped or lenient):
        order, skipped = workspace.plan()
    else:
        order = workspace.queries.plan(only, unmapped=unmapped, lenient=lenient)
        skipped = tuple(workspace.skipped())
    details = _details(workspace, order, found, is_whole=only is None)
    return with_skipped(
        skipped,
        data=lambda skipped: plan_data(order, details, skipped),
        forms={"text": lambda palette: plan_text(order, details, palette)},
        remarks=warnings(_notes(workspace, found)),
        code=1 if details.oversized else 0,
    )


def needed(workspace: OpenWorkspace, node: str | None) -> frozenset[str] | None:
    """Return a node and its dependencies; None stands for all nodes."""
    return None if node is None else workspace.queries.needed(workspace.find(node))


def refuse_plan(workspace: OpenWorkspace) -> None:
    """Raise RefusedError if the graph has errors that prevent packages."""
    if not (workspace.format.refuses_errors and workspace.graph.edition.refuses_on_any_error):
        return
    issues = workspace.errors()
    if issues:
        own = sum(issue.follows is None for issue in issues)
        message = f"no plan: the graph has {errors_text(own, len(issues) - own)}"
        hint = "Fix the errors first, or use --lenient, which leaves out what cannot be ordered."
        raise RefusedError(message, hint=hint, issues=issues)


def _drift(workspace: OpenWorkspace, hashing: Hashing, *, may_migrate: bool) -> DriftReport | None:
    """Return the drift of all nodes; None if there are no baselines to compare with."""
    if not workspace.format.has_drift or workspace.commit:
        return None
    from yg.answers.drift import find_drift

    return find_drift(workspace, None, hashing, may_migrate=may_migrate)


def _details(
    workspace: OpenWorkspace, order: Plan, found: DriftReport | None, *, is_whole: bool
) -> PlanDetails:
    large: dict[str, int] = {}
    if workspace.format.refuses_errors:
        sizes = workspace.package_sizes().oversized
        large = {node: sizes[node] for stage in order.stages for node in stage if node in sizes}
    return PlanDetails(
        is_whole=is_whole,
        states=None if found is None else _states(found),
        oversized=large,
        budget=workspace.graph.budget if large else STANDARD_BUDGET,
    )


def _notes(workspace: OpenWorkspace, found: DriftReport | None) -> list[str]:
    """Return the notes on drift, except those about nodes that the answer lists as skipped."""
    if found is None or not found.notes:
        return []
    from yg.answers.drift import left_out

    skipped = set(left_out(workspace))
    return [note for note in found.notes if note not in skipped]


def _states(found: DriftReport) -> dict[str, NodeState]:
    return {drift.node: NodeState(drift.state.value, drift.has_baseline) for drift in found.drifts}
