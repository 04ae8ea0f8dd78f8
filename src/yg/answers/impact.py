"""The `impact` command for a node, and the comparison of packages with a commit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct
from msgspec.structs import replace

from yg.answers.answer import HEAD, STANDARD, Answer, warnings, with_skipped
from yg.kernel.import_names import SEPARATOR
from yg.render.impact import node_impact_data, node_impact_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.answers.answer import Hashing
    from yg.kernel.impact import NodeImpact
    from yg.render.shapes.base import JsonDocument
    from yg.render.shapes.issues import Skipped
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.drift import NodeDrift
    from yg.yggdrasil.evidence import ImportPlaces


class Simulation(Struct, frozen=True, kw_only=True):
    """A commit to compare the packages of all affected nodes with."""

    since: str = HEAD
    show: bool = False  # whether to include the diffs
    lenient: bool = False  # whether to ignore errors that affect none of the packages
    hashing: Hashing = STANDARD


class Impact(Struct, frozen=True, kw_only=True):
    """The nodes affected by a change, and how to render them."""

    affected: tuple[str, ...]
    text: Callable[[], str]
    data: Callable[[list[Skipped]], JsonDocument]  # of skipped entries
    target: str = ""  # the changed node; empty for an aspect or a flow


def impact_of_node(  # noqa: PLR0913
    workspace: OpenWorkspace,
    node: str,
    *,
    method: str = "",
    code: bool = False,
    every: bool = False,
    simulation: Simulation | None = None,
) -> Answer:
    """Find the nodes affected by a change to a node, or to one of its methods.

    With `code`, list also the nodes that import it and have no relation to it; with `every`,
    all nodes that share an aspect with it.
    """
    found = _node_impact(workspace, node, method)
    importing = _importing(workspace, found.node) if code else None
    impact = Impact(
        affected=found.affected,
        text=lambda: node_impact_text(found, importing, every=every),
        data=partial(node_impact_data, found, importing=importing),
        target=found.node,
    )
    return impact_answer(workspace, impact, simulation)


def _importing(workspace: OpenWorkspace, node: str) -> tuple[ImportPlaces, ...]:
    workspace.require(workspace.format.has_owners, "imports (--code)")
    from yg.yggdrasil.evidence import importers, read_imports

    return importers(read_imports(workspace.graph, workspace.sources), node)


def _node_impact(workspace: OpenWorkspace, name: str, method: str) -> NodeImpact:
    if SEPARATOR in name and _is_external(workspace, name):
        from yg.yggdrasil.external import known_target
        from yg.yggdrasil.impact import external_impact

        return external_impact(workspace.graph, known_target(workspace.graph, name), method)
    if not method:
        return workspace.queries.impact(workspace.find(name))
    workspace.require(workspace.format.has_aspects, "a method (--method)")
    from yg.yggdrasil.impact import node_impact

    return node_impact(workspace.graph, workspace.node(name), method)


def _is_external(workspace: OpenWorkspace, name: str) -> bool:
    """Return whether a name with colons is not that of a node here."""
    return workspace.format.has_drift and workspace.graph.nodes.reading(name) is None


def impact_answer(
    workspace: OpenWorkspace, impact: Impact, simulation: Simulation | None
) -> Answer:
    """Return the Answer for an impact, with a comparison of packages if there is a simulation."""
    if simulation is not None:
        return _simulate(workspace, impact, simulation)
    return with_skipped(
        workspace.skipped(),
        data=impact.data,
        forms={"text": lambda _palette: impact.text()},
    )


def _simulate(workspace: OpenWorkspace, impact: Impact, simulation: Simulation) -> Answer:
    """Compare the packages of all affected nodes with a commit; raise RefusedError on errors."""
    from yg.answers.forms import forms_of
    from yg.render.compare import shift_data, simulation_text
    from yg.render.issues import skipped_data

    target = impact.target
    write = forms_of(workspace.format.schema).text if simulation.show else None
    drifts: dict[str, NodeDrift] | None = None
    notes: tuple[str, ...] = ()
    if workspace.format.refuses_errors:
        _refuse_errors(workspace, impact, simulation)
    then = workspace.graph_at(simulation.since)
    shifts = list(workspace.queries.compare(then, impact.affected))
    if workspace.format.has_owners:
        drifts, notes = _drifts(workspace, impact, simulation)
    return Answer(
        data=lambda: replace(
            impact.data(skipped_data(workspace.skipped())),
            packages=[shift_data(shift, target, drifts, write) for shift in shifts],
            tokenizer=workspace.tokenizer or UNSET,
            notes=list(notes),
        ),
        forms={
            "text": lambda _palette: (
                f"{impact.text()}\n{simulation_text(shifts, target, drifts, write)}"
            )
        },
        notes=warnings(notes),
    )


def _refuse_errors(workspace: OpenWorkspace, impact: Impact, simulation: Simulation) -> None:
    from yg.answers.refusal import refuse_errors

    refuse_errors(workspace, "no simulation", impact.affected, is_lenient=simulation.lenient)


def _drifts(
    workspace: OpenWorkspace, impact: Impact, simulation: Simulation
) -> tuple[dict[str, NodeDrift], tuple[str, ...]]:
    """Compare the mapped files of all affected nodes with their baselines."""
    from yg.answers.drift import find_drift

    every = map(workspace.graph.nodes.get, impact.affected)
    nodes = [node for node in every if node and node.mapping]
    found = find_drift(workspace, nodes, simulation.hashing, may_migrate=False)
    return {drift.node: drift for drift in found.drifts}, tuple(found.notes)
