"""The impact of a change to an aspect or to a flow: their documents and their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET
from msgspec.structs import asdict

from yg_old.commands.budget import Tokenizer
from yg_old.commands.impact.packages import (
    BOTH_OR_NONE,
    NoBaseline,
    SimulatedPackages,
    SimulationNotes,
    simulated,
)
from yg_old.commands.impact.sections import listed, section
from yg_old.commands.issues import Skipped, SkippedEntries
from yg_old.kernel.document import about
from yg_old.kernel.errors import NotFoundError
from yg_old.kernel.impact import Names
from yg_old.kernel.palette import visible
from yg_old.text.suggest import did_you_mean, nearest
from yg_old.yggdrasil.questions.impact import AspectImpact, FlowImpact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.collection import Collection
    from yg_old.yggdrasil.model import Aspect, Flow
    from yg_old.yggdrasil.questions.impact import Carrier

AffectedNodes = Annotated[Names, about("All affected nodes, sorted.")]


class ImpactOfAspect(AspectImpact, frozen=True, kw_only=True, tag="yg-impact/1"):
    """The impact of a change to an aspect."""

    CONDITIONS: ClassVar[dict[str, Any]] = {"dependentRequired": BOTH_OR_NONE}
    HIDING = (*AspectImpact.HIDING, "packages")

    affected: AffectedNodes
    packages: SimulatedPackages = UNSET
    no_baseline: NoBaseline = UNSET
    tokenizer: Tokenizer = UNSET
    notes: SimulationNotes = UNSET
    skipped: SkippedEntries


class ImpactOfFlow(FlowImpact, frozen=True, kw_only=True, tag="yg-impact/1"):
    """The impact of a change to a flow."""

    CONDITIONS: ClassVar[dict[str, Any]] = {"dependentRequired": BOTH_OR_NONE}
    HIDING = ("packages",)

    affected: AffectedNodes
    packages: SimulatedPackages = UNSET
    no_baseline: NoBaseline = UNSET
    tokenizer: Tokenizer = UNSET
    notes: SimulationNotes = UNSET
    skipped: SkippedEntries


def impact_of_aspect(found: AspectImpact, skipped: Sequence[Skipped] = ()) -> ImpactOfAspect:
    """Return the document of the impact of an aspect."""
    return ImpactOfAspect(**asdict(found), affected=found.affected, skipped=list(skipped))


def impact_of_flow(found: FlowImpact, skipped: Sequence[Skipped] = ()) -> ImpactOfFlow:
    """Return the document of the impact of a flow."""
    return ImpactOfFlow(**asdict(found), affected=found.affected, skipped=list(skipped))


def aspect_text(impact: ImpactOfAspect) -> str:
    """Write the impact of a change to an aspect."""
    carriers = (f"{visible(node.node)} ({_reasons(node)})" for node in impact.carriers)
    parts = [
        section(f"Affected nodes ({len(impact.carriers)})", carriers),
        f"Flows propagating this aspect: {listed(impact.flows)}\n",
        f"Implied by: {listed(impact.implied_by)}\n",
        f"Implies: {listed(impact.implies)}\n",
    ]
    totals = f"{len(impact.carriers)} nodes, {len(impact.flows)} flows"
    head = f"Impact of changes in aspect {visible(impact.aspect)}:\n"
    simulation = simulated(impact.packages, no_baseline=impact.no_baseline)
    return f"{head}\n{''.join(parts)}\nTotal scope: {totals}\n{simulation}"


def _reasons(carrier: Carrier) -> str:
    words = (
        f"flow: {reason.name}" if reason.is_flow else str(reason) for reason in carrier.reasons
    )
    return visible(", ".join(words))


def flow_text(impact: ImpactOfFlow) -> str:
    """Write the impact of a change to a flow."""
    participants = (
        visible(participant.node) + (" (descendant)" if participant.descendant else "")
        for participant in impact.participants
    )
    parts = [section("Participants", participants), f"Flow aspects: {listed(impact.aspects)}\n"]
    head = f"Impact of changes in flow {visible(impact.name)}:\n"
    totals = f"{len(impact.participants)} nodes"
    simulation = simulated(impact.packages, no_baseline=impact.no_baseline)
    return f"{head}\n{''.join(parts)}\nTotal scope: {totals}\n{simulation}"


def find_aspect(workspace: OpenWorkspace, name: str) -> Aspect:
    """Find an aspect by its id."""
    aspects = workspace.graph.aspects
    found = aspects.get(name.removeprefix("aspects/").rstrip("/"))
    if found is None:
        raise _unknown("aspect", name, aspects)
    return found


def find_flow(workspace: OpenWorkspace, name: str) -> Flow:
    """Find a flow by its id or its name."""
    flows = workspace.graph.flows
    found = flows.get(name.removeprefix("flows/").rstrip("/"))
    named = [flow for flow in flows if flow.name == name]
    if found is None and len(named) == 1:
        found = named[0]
    if len(named) > 1 and found is None:
        ids = ", ".join(flow.id for flow in named)
        raise NotFoundError(f"several flows are named '{name}'", hint=f"Use one of the ids: {ids}.")
    if found is None:
        raise _unknown("flow", name, flows)
    return found


def _unknown(what: str, name: str, collection: Collection[Any]) -> NotFoundError:
    """Return the error for an id that does not exist or could not be read."""
    if collection.reading(name) is not None:
        hint = "Run 'yg validate' to see what is wrong with it."
        return NotFoundError(f"{what} '{name}' could not be read", hint=hint)
    hint = did_you_mean(nearest(name, collection.all)) or f"'yg {what}s' lists them."
    return NotFoundError(f"no {what} '{name}'", hint=hint)
