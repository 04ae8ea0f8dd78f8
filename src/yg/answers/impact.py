"""What can a change to a node reach? Those who depend on it, and those it has a say over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.reach import Reach, answer_of
from yg.kernel.errors import UsageError
from yg.render.impact import node_impact_data, node_impact_text

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.answers.reach import Simulation
    from yg.kernel.impact import NodeImpact
    from yg.workspace import Workspace


def impact_of_node(
    workspace: Workspace, node: str, *, method: str = "", simulation: Simulation | None = None
) -> Answer:
    """Find what a change to a node reaches; with a method, through those who consume it."""
    found = _impact(workspace, node, method)
    reach = Reach(
        affected=found.affected,
        text=lambda: node_impact_text(found),
        data=lambda: node_impact_data(found),
        target=found.node,
    )
    return answer_of(workspace, reach, simulation)


def _impact(workspace: Workspace, name: str, method: str) -> NodeImpact:
    if not method:
        return workspace.face.impact(workspace.any_graph, workspace.find(name))
    workspace.require_yggdrasil("a method (--method)", UsageError)
    from yg.yggdrasil.impact import node_impact

    return node_impact(workspace.graph, workspace.node(name), method)
