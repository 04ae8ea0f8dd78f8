"""Render a plan as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.package import STANDARD_BUDGET, Budget
from yg.kernel.plural import counted
from yg.render.plain import PLAIN, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg.kernel.plan import Plan
    from yg.render.plain import Palette
    from yg.render.shapes.issues import Skipped
    from yg.render.shapes.plan import PlanDocument

OK, UNMAPPED = "ok", "unmapped"


class NodeState(Struct, frozen=True):
    """The drift state of a mapped node."""

    state: str
    has_baseline: bool = True

    @property
    def text(self) -> str:
        """The state, and whether there is nothing to compare with."""
        return self.state if self.has_baseline else f"{self.state} (no baseline)"


class PlanDetails(Struct, frozen=True, kw_only=True):
    """What to show besides the order itself."""

    is_whole: bool = True  # the plan is not limited to some nodes
    states: Mapping[str, NodeState] | None = None  # of mapped nodes; None: without baselines
    oversized: Mapping[str, int] = {}  # tokens of packages above the error budget
    budget: Budget = STANDARD_BUDGET

    def state_of(self, node: str) -> NodeState | None:
        """Return the state of a node; None in a graph without baselines."""
        return None if self.states is None else self.states.get(node, NodeState(UNMAPPED))


NO_DETAILS = PlanDetails()


def plan_text(plan: Plan, details: PlanDetails = NO_DETAILS, palette: Palette = PLAIN) -> str:
    """Write the stages with their nodes, the critical path and the totals."""
    parts = []
    cycles = {cycle[0]: cycle for cycle in plan.cycles}
    width = max((len(visible(node)) for stage in plan.stages for node in stage), default=0)
    for number, stage in enumerate(plan.stages, 1):
        count = "1 node" if len(stage) == 1 else f"{len(stage)} nodes, in parallel"
        lines = [_node(node, width, details, palette) for node in stage]
        lines += [_cycle(cycles[node]) for node in stage if node in cycles]
        parts.append(f"Stage {number} ({count}):\n{''.join(lines)}")
    if plan.unordered:
        width = max(len(visible(left.node)) for left in plan.unordered)
        lines = [
            f"  {visible(left.node):<{width}}  {visible(left.reason)}\n" for left in plan.unordered
        ]
        parts.append(f"Cannot be ordered, left out:\n{''.join(lines)}")
    parts.append("".join(f"{line}\n" for line in _totals(plan, details)))
    return "\n".join(parts)


def _node(node: str, width: int, details: PlanDetails, palette: Palette) -> str:
    name, state = visible(node), details.state_of(node)
    columns = []
    if state is not None:
        paint = palette.dim if state.state in (OK, UNMAPPED) else palette.yellow
        columns.append(paint(state.text))
    if node in details.oversized:
        size = f"{details.oversized[node]} {details.budget.unit}, limit {details.budget.error}"
        columns.append(palette.red(f"package too large ({size})"))
    return f"  {name:<{width}}  {'  '.join(columns)}\n" if columns else f"  {name}\n"


def _cycle(cycle: Sequence[str]) -> str:
    return f"  On a cycle, to be built together: {', '.join(map(visible, cycle))}\n"


def _totals(plan: Plan, details: PlanDetails) -> Iterator[str]:
    chain = " -> ".join(visible(node) for node in plan.critical) or "(none)"
    yield f"Critical path ({len(plan.critical)}): {chain}"
    if details.is_whole:
        counts = ", ".join(f"{count} {reason}" for reason, count in plan.left_out)
        is_hint_due = not plan.total and dict(plan.left_out).get(UNMAPPED)
        yield f"Left out: {counts}{' (--all includes them)' if is_hint_due else ''}"
    yield f"Total: {counted(plan.total, 'node')} in {counted(len(plan.stages), 'stage')}"


def plan_data(
    plan: Plan, details: PlanDetails = NO_DETAILS, skipped: Sequence[Skipped] = ()
) -> PlanDocument:
    """Return a plan as data."""
    from yg.render.shapes.plan import LeftOut, PlanDocument, UnorderedNode

    nodes = [node for stage in plan.stages for node in stage]
    states = {node: state.state for node in nodes if (state := details.state_of(node))}
    return PlanDocument(
        stages=[list(stage) for stage in plan.stages],
        states=None if details.states is None else states,
        cycles=[list(cycle) for cycle in plan.cycles],
        over_budget=[node for node in nodes if node in details.oversized],
        critical_path=list(plan.critical),
        left_out=LeftOut(**dict(plan.left_out)),
        unordered=[UnorderedNode(node=left.node, reason=left.reason) for left in plan.unordered],
        total=plan.total,
        skipped=list(skipped),
    )
