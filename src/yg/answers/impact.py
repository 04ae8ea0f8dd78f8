"""What can a change reach? Nodes that depend on a node, an aspect, a flow or some files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yg.answers.answer import Answer, warnings
from yg.answers.drifting import STANDARD, look
from yg.answers.skipped import skipped, with_skipped
from yg.disk.git import changed_files, commit_of
from yg.kernel.errors import NotFoundError
from yg.kernel.suggest import did_you_mean, nearest
from yg.render.compare import (
    diff_data,
    diff_markdown,
    diff_text,
    shift_data,
    simulation_text,
)
from yg.render.impact import (
    aspect_impact_data,
    aspect_impact_text,
    flow_impact_data,
    flow_impact_text,
    node_impact_data,
    node_impact_text,
)
from yg.render.issues import skipped_data
from yg.yggdrasil.compare import Comparison, diff_impact
from yg.yggdrasil.impact import aspect_impact, flow_impact, node_impact
from yg.yggdrasil.owner import Ownership

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.answers.drifting import Hashing
    from yg.workspace import Workspace
    from yg.yggdrasil.model import Aspect, Flow
    from yg.yggdrasil.shelf import Shelf

HEAD = "HEAD"


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """A commit to compare the packages of all reached nodes with."""

    since: str = HEAD
    show: bool = False  # whether to show how the packages differ
    hashing: Hashing = STANDARD


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reach:
    """What a change reaches, whatever it is that changes."""

    affected: tuple[str, ...]
    text: Callable[[], str]
    data: Callable[[], dict[str, Any]]
    target: str = ""  # the node that changes, if it is a node


def impact_of_node(
    workspace: Workspace, node: str, *, method: str = "", simulation: Simulation | None = None
) -> Answer:
    """Find what a change to a node reaches; with a method, through those who consume it."""
    found = node_impact(workspace.graph, workspace.node(node), method)
    reach = _Reach(
        affected=found.affected,
        text=lambda: node_impact_text(found),
        data=lambda: node_impact_data(found),
        target=found.node,
    )
    return _answer(workspace, reach, simulation)


def impact_of_aspect(
    workspace: Workspace, aspect: str, *, simulation: Simulation | None = None
) -> Answer:
    """Find what a change to an aspect reaches."""
    found = aspect_impact(workspace.graph, _aspect(workspace, aspect))
    reach = _Reach(
        affected=found.affected,
        text=lambda: aspect_impact_text(found),
        data=lambda: aspect_impact_data(found),
    )
    return _answer(workspace, reach, simulation)


def impact_of_flow(
    workspace: Workspace, flow: str, *, simulation: Simulation | None = None
) -> Answer:
    """Find what a change to a flow reaches."""
    found = flow_impact(workspace.graph, _flow(workspace, flow))
    reach = _Reach(
        affected=found.affected,
        text=lambda: flow_impact_text(found),
        data=lambda: flow_impact_data(found),
    )
    return _answer(workspace, reach, simulation)


def impact_of_diff(
    workspace: Workspace, *, since: str = HEAD, staged: bool = False, show: bool = False
) -> Answer:
    """Find what all that differs from a commit reaches, or only what is staged of it."""
    commit = commit_of(workspace.root, since)
    files = changed_files(workspace.root, commit, staged=staged)
    then = workspace.graph_at(commit, may_be_absent=True)
    graph = workspace.staged_graph() if staged else workspace.graph
    found = diff_impact(then, graph, Ownership(graph), files, since)
    return with_skipped(
        "impact",
        graph.nodes,
        data=lambda: diff_data(found, show=show),
        forms={
            "text": lambda _palette: diff_text(found, show=show),
            "markdown": lambda _palette: diff_markdown(found, show=show),
        },
    )


def _answer(workspace: Workspace, reach: _Reach, simulation: Simulation | None) -> Answer:
    if simulation is not None:
        return _simulated(workspace, reach, simulation)
    return with_skipped(
        "impact",
        workspace.graph.nodes,
        data=reach.data,
        forms={"text": lambda _palette: reach.text()},
    )


def _simulated(workspace: Workspace, reach: _Reach, simulation: Simulation) -> Answer:
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
            "skipped": skipped_data(skipped(graph.nodes)),
        },
        forms={
            "text": lambda _palette: (
                f"{reach.text()}\n{simulation_text(shifts, target, drifts, show=show)}"
            )
        },
        notes=warnings(found.notes),
    )


def _aspect(workspace: Workspace, name: str) -> Aspect:
    aspects = workspace.graph.aspects
    found = aspects.get(name.removeprefix("aspects/").rstrip("/"))
    if found is None:
        raise _unknown("aspect", name, aspects)
    return found


def _flow(workspace: Workspace, name: str) -> Flow:
    flows = workspace.graph.flows
    found = flows.get(name.removeprefix("flows/").rstrip("/"))
    named = [flow for flow in flows if flow.name == name]
    if found is None and len(named) == 1:
        found = named[0]
    if len(named) > 1 and found is None:
        ids = ", ".join(flow.id for flow in named)
        raise NotFoundError(f"several flows are called '{name}'", hint=f"Name one by id: {ids}.")
    if found is None:
        raise _unknown("flow", name, flows)
    return found


def _unknown(what: str, name: str, shelf: Shelf[Any]) -> NotFoundError:
    """Say that something is not there, or that it is but cannot be read."""
    if shelf.reading(name) is not None:
        hint = "'yg validate' tells what is wrong with it."
        return NotFoundError(f"{what} '{name}' could not be read", hint=hint)
    hint = did_you_mean(nearest(name, shelf.all)) or f"'yg {what}s' lists them."
    return NotFoundError(f"no {what} '{name}'", hint=hint)
