"""The status of a Yggdrasil graph: its numbers, with drift and the sizes of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from yg_old.commands.drift.find import find_drift, migrate_first
from yg_old.commands.drift.steps import fix_step
from yg_old.commands.drift.text import summary_text as drift_summary
from yg_old.commands.issues import Following, Notes, Warnings, counts_text
from yg_old.commands.refusal import bad_configuration
from yg_old.commands.status.graph import Since, checked, counted_types
from yg_old.kernel.document import Count, about
from yg_old.kernel.package import unit_of
from yg_old.kernel.palette import visible
from yg_old.text.plural import counted
from yg_old.text.suggest import listing
from yg_old.workspace import results
from yg_old.yggdrasil.drift.states import DriftSummary, summary_of
from yg_old.yggdrasil.questions.overview import PackageSizes, YggdrasilStatus, status_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Run
    from yg_old.workspace.opened import OpenWorkspace


class CheckedYggdrasil(YggdrasilStatus, frozen=True, kw_only=True):
    """The numbers of a Yggdrasil graph, and how many issues it has."""

    errors: Annotated[
        Count,
        about("How many errors validation finds, not counting those that follow from another."),
    ]
    warnings: Warnings
    following: Following


class StatusDocument(CheckedYggdrasil, frozen=True, kw_only=True, tag="yg-status/1"):
    """What `yg status --json` prints: a graph in numbers."""

    HIDDEN = ("steps",)
    HIDING = ("packages",)

    drift: Annotated[
        DriftSummary | None,
        about("How many mapped nodes are in each state; null for an edition without baselines."),
    ]
    packages: Annotated[PackageSizes, about("The sizes of all packages, blackbox nodes left out.")]
    since: Annotated[
        Since | UnsetType, about("What differs from a commit; only with `--since`.")
    ] = UNSET
    notes: Notes
    steps: tuple[str, ...] = ()  # what to do about drift, for the text


def status(run: Run) -> StatusDocument:
    """Count the parts of a Yggdrasil graph, with drift if there are baselines."""
    workspace = run.workspace
    if workspace.graph.config_reading.value is None:
        raise bad_configuration(workspace, "the configuration cannot be read")
    # Baselines describe the work tree; a commit has no drift.
    has_baselines = workspace.format.has_drift and not workspace.commit
    migrated = migrate_first(run) if has_baselines else ()
    workspace = run.workspace
    found = find_drift(workspace, None, run.on_file) if has_baselines else None
    return StatusDocument(
        **checked(numbers(workspace), results.verdict(workspace)),
        drift=summary_of(found.drifts, found.not_tracked) if found else None,
        packages=results.package_sizes(workspace),
        notes=[*migrated, *found.notes] if found else [],
        steps=tuple(fix_step(found.drifts)) if found else (),
    )


def numbers(workspace: OpenWorkspace) -> YggdrasilStatus:
    """Count the parts of a Yggdrasil graph; a draft is not a text."""
    counts = status_of(workspace.graph)
    written = counts.artifacts_filled - results.drafts(workspace)
    return replace(counts, artifacts_filled=written)


def summary_text(
    graph: CheckedYggdrasil,
    drift: DriftSummary | None,
    *,
    steps: Sequence[str] = (),
    with_mapping: bool = False,
) -> str:
    """Write the counts of a graph, and of the nodes in each drift state if these are known."""
    types = counted_types(graph.types)
    lines = [
        f"Graph: {visible(graph.project)}",
        *([f"Format: {visible(graph.format)}"] if graph.format else []),
        f"Nodes: {graph.nodes}{f' ({types})' if types else ''} + {graph.blackboxes} blackbox",
        f"Relations: {graph.structural} structural, {graph.events} event",
        f"Aspects: {graph.aspects}  Flows: {graph.flows}",
        *([_mapping_text(graph)] if with_mapping else []),
        *([f"Drift: {drift_summary(drift)}"] if drift else []),
        *(f"  {step}" for step in steps),
        f"Validation: {counts_text(graph)}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _mapping_text(graph: YggdrasilStatus) -> str:
    """Write how many nodes are mapped to source files."""
    return f"Mapping: {graph.mapped}/{graph.nodes} nodes mapped to source"


def quality_text(graph: YggdrasilStatus, sizes: PackageSizes) -> str:
    """Write how complete the descriptions of the graph are, and how large the packages."""
    nodes = graph.nodes
    filled = round(100 * graph.artifacts_filled / graph.slots) if graph.slots else 0
    average = graph.relations / nodes if nodes else 0.0
    busiest = f" ({visible(graph.busiest)})" if graph.busiest else ""
    grid = f"{graph.artifact_types} types × {nodes} nodes"  # noqa: RUF001
    artifacts = f"{graph.artifacts_filled}/{graph.slots} slots filled ({filled}%) — {grid}"
    lines = [
        *([f"Artifacts: {artifacts}"] if graph.artifact_types else []),
        f"Relations: avg {average:.1f}/node, max {graph.most_relations}{busiest}",
        _mapping_text(graph),
        f"Aspects: {graph.covered}/{nodes} nodes have aspect coverage",
        *([_unused(graph.unused_aspects)] if graph.unused_aspects else []),
        *([f"Packages: {_sizes(sizes)}"] if sizes.count else []),
    ]
    return "Quality:\n" + "".join(f"  {line}\n" for line in lines)


def _unused(aspects: tuple[str, ...]) -> str:
    """Write the aspects that no node, flow or type uses."""
    names = visible(listing(aspects))
    return f"Unused: {counted(len(aspects), 'aspect')} of no node, flow or type ({names})"


def _sizes(sizes: PackageSizes) -> str:
    largest = f"max {sizes.largest_tokens} ({visible(sizes.largest)})"
    near = f"{sizes.near} near the threshold of {sizes.warning}"
    return f"avg {sizes.average_tokens} {unit_of(sizes.tokenizer or '')}, {largest}, {near}"
