"""In which order can nodes be built? The plan, in stages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from yg.answers.answer import nothing, warnings
from yg.answers.drifting import STANDARD, look
from yg.answers.skipped import with_skipped
from yg.render.plan import plan_data, plan_text
from yg.yggdrasil.drift import State, mapped_nodes
from yg.yggdrasil.plan import needed_for, plan_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from yg.answers.answer import Answer
    from yg.answers.drifting import Hashing
    from yg.workspace import Workspace


def plan(
    workspace: Workspace,
    *,
    node: str | None = None,
    changed: bool = False,
    hashing: Hashing = STANDARD,
) -> Answer:
    """Order nodes by what they need: all, those that one node needs, or those that drifted."""
    only = None if node is None else needed_for(workspace.graph, workspace.node(node).path)
    if not changed:
        return _planned(workspace, only)
    workspace.require_baselines()
    found = look(workspace, mapped_nodes(workspace.graph), hashing)
    drifted = frozenset(each.node for each in found.drifts if each.state is not State.OK)
    answer = _planned(workspace, drifted if only is None else drifted & only)
    if not found.notes:
        return answer
    # The notes tell of the nodes that are left out already.
    return replace(answer, notes=nothing, remarks=warnings(found.notes))


def _planned(workspace: Workspace, only: Collection[str] | None) -> Answer:
    graph = workspace.graph
    found = plan_of(graph, only)
    return with_skipped(
        "plan",
        graph.nodes,
        data=lambda: plan_data(found),
        forms={"text": lambda _palette: plan_text(found, is_whole=only is None)},
    )
