"""Render a plan as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.render.plain import visible

if TYPE_CHECKING:
    from yg.kernel.plan import Plan
    from yg.render.shapes.issues import Skipped
    from yg.render.shapes.plan import PlanDocument


def plan_text(plan: Plan, *, is_whole: bool = True) -> str:
    """Write the stages with their nodes, the critical path and the totals."""
    parts = []
    for number, stage in enumerate(plan.stages, 1):
        count = "1 node" if len(stage) == 1 else f"{len(stage)} nodes, in parallel"
        nodes = "".join(f"  {visible(node)}\n" for node in stage)
        parts.append(f"Stage {number} ({count}):\n{nodes}")
    chain = " -> ".join(visible(node) for node in plan.critical) or "(none)"
    counts = ", ".join(f"{count} {reason}" for reason, count in plan.left_out)
    left_out = f"Left out: {counts}\n"
    parts.append(
        f"Critical path ({len(plan.critical)}): {chain}\n"
        f"{left_out if is_whole else ''}"
        f"Total: {plan.total} nodes in {len(plan.stages)} stages\n"
    )
    return "\n".join(parts)


def plan_data(plan: Plan, skipped: list[Skipped]) -> PlanDocument:
    """Return a plan as data."""
    from yg.render.shapes.plan import LeftOut, PlanDocument

    return PlanDocument(
        stages=[list(stage) for stage in plan.stages],
        critical_path=list(plan.critical),
        left_out=LeftOut(**dict(plan.left_out)),
        total=plan.total,
        skipped=skipped,
    )
