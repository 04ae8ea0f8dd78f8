"""What a change to a node can reach, and how the packages there differ from a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.answers.answer import STANDARD, Answer, warnings, with_skipped
from yg.kernel.errors import UsageError
from yg.render.impact import node_impact_data, node_impact_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.answers.answer import Hashing
    from yg.kernel.impact import NodeImpact
    from yg.workspace import Workspace


HEAD = "HEAD"


class Simulation(Struct, frozen=True, kw_only=True):
    """A commit to compare the packages of all reached nodes with."""

    since: str = HEAD
    show: bool = False  # whether to show how the packages differ
    hashing: Hashing = STANDARD


class Reach(Struct, frozen=True, kw_only=True):
    """What a change reaches."""

    affected: tuple[str, ...]
    text: Callable[[], str]
    data: Callable[[], dict[str, Any]]
    target: str = ""  # the node that changes, if it is a node


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
        return workspace.queries.impact(workspace.find(name))
    workspace.require(workspace.format.has_aspects, "a method (--method)", UsageError)
    from yg.yggdrasil.impact import node_impact

    return node_impact(workspace.graph, workspace.node(name), method)


def answer_of(workspace: Workspace, reach: Reach, simulation: Simulation | None) -> Answer:
    """Answer what a change reaches and, if asked for, how the packages there differ."""
    if simulation is not None:
        workspace.require(workspace.format.has_owners, "a simulation (--simulate)", UsageError)
        return _simulated(workspace, reach, simulation)
    return with_skipped(
        "impact",
        workspace.skipped(),
        data=reach.data,
        forms={"text": lambda _palette: reach.text()},
    )


def _simulated(workspace: Workspace, reach: Reach, simulation: Simulation) -> Answer:
    """Compare the packages of all affected nodes with a commit."""
    from yg.answers.drift import look
    from yg.render.compare import shift_data, simulation_text
    from yg.render.issues import skipped_data
    from yg.yggdrasil.compare import Comparison

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
