"""How the packages of all reached nodes differ from a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer, warnings
from yg.answers.drifting import look
from yg.render.compare import shift_data, simulation_text
from yg.render.issues import skipped_data
from yg.yggdrasil.compare import Comparison

if TYPE_CHECKING:
    from yg.answers.reach import Reach, Simulation
    from yg.workspace import Workspace


def simulated(workspace: Workspace, reach: Reach, simulation: Simulation) -> Answer:
    """Compare the packages of all affected nodes with a commit."""
    graph, target, show = workspace.graph, reach.target, simulation.show
    comparison = Comparison(workspace.graph_at(simulation.since), graph)
    shifts = [comparison.shift(path) for path in reach.affected]
    nodes = [node for path in reach.affected if (node := graph.nodes.get(path)) and node.mapping]
    found = look(workspace, nodes, simulation.hashing, may_migrate=False)
    drifts = {each.node: each for each in found.drifts}
    return Answer(
        schema="impact",
        data=lambda: {
            **reach.data(),
            "packages": [
                shift_data(each, target, drifts.get(each.node), show=show) for each in shifts
            ],
            "notes": list(found.notes),
            "skipped": skipped_data(workspace.skipped()),
        },
        forms={
            "text": lambda _palette: (
                f"{reach.text()}\n{simulation_text(shifts, target, drifts, show=show)}"
            )
        },
        notes=warnings(found.notes),
    )
