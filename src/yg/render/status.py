"""Render the status of a graph as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import asdict

from yg.kernel.package import unit_of
from yg.render.issues import issue_data
from yg.render.plain import visible
from yg.render.validate import counts_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.kernel.issue import Verdict
    from yg.kernel.overview import Share, Status
    from yg.render.shapes.drift import CheckedDrift, DriftSummary
    from yg.render.shapes.graph_status import GraphPreflightDocument, GraphStatusDocument
    from yg.render.shapes.status import PreflightDocument, StatusDocument
    from yg.yggdrasil.overview import PackageSizes, YggdrasilStatus


def summary_text(
    status: YggdrasilStatus, drift: str, verdict: Verdict, *, with_mapping: bool = False
) -> str:
    """Write the counts of a graph; the drift line is omitted if `drift` is empty."""
    types = counted_types(status.types)
    lines = [
        f"Graph: {visible(status.project)}",
        f"Nodes: {status.nodes}{f' ({types})' if types else ''} + {status.blackboxes} blackbox",
        f"Relations: {status.structural} structural, {status.events} event",
        f"Aspects: {status.aspects}  Flows: {status.flows}",
        *([mapping_text(status)] if with_mapping else []),
        *([f"Drift: {drift}"] if drift else []),
        f"Validation: {counts_text(verdict)}",
    ]
    return "".join(f"{line}\n" for line in lines)


def mapping_text(status: YggdrasilStatus) -> str:
    """Write how many nodes are mapped to source files."""
    return f"Mapping: {status.mapped}/{status.nodes} nodes mapped to source"


def quality_text(status: YggdrasilStatus, sizes: PackageSizes) -> str:
    """Write how complete the descriptions of the graph are, and how large the packages."""
    nodes = status.nodes
    filled = round(100 * status.artifacts_filled / status.slots) if status.slots else 0
    average = status.relations / nodes if nodes else 0.0
    busiest = f" ({visible(status.busiest)})" if status.busiest else ""
    grid = f"{status.artifact_types} types × {nodes} nodes"  # noqa: RUF001
    artifacts = f"{status.artifacts_filled}/{status.slots} slots filled ({filled}%) — {grid}"
    lines = [
        *([f"Artifacts: {artifacts}"] if status.artifact_types else []),
        f"Relations: avg {average:.1f}/node, max {status.most_relations}{busiest}",
        mapping_text(status),
        f"Aspects: {status.covered}/{nodes} nodes have aspect coverage",
        *([f"Packages: {_sizes(sizes)}"] if sizes.count else []),
    ]
    return "Quality:\n" + "".join(f"  {line}\n" for line in lines)


def _sizes(sizes: PackageSizes) -> str:
    largest = f"max {sizes.largest_tokens} ({visible(sizes.largest)})"
    near = f"{sizes.near} near the threshold of {sizes.warning}"
    return f"avg {sizes.average_tokens} {unit_of(sizes.tokenizer)}, {largest}, {near}"


def status_data(
    status: YggdrasilStatus,
    verdict: Verdict,
    *,
    drift: DriftSummary | None,
    sizes: PackageSizes,
    notes: Sequence[str],
) -> StatusDocument:
    """Return the status of a Yggdrasil graph as data."""
    from yg.render.shapes.status import PackageNumbers, StatusDocument

    numbers = _numbers(status, verdict)
    shown = {**asdict(sizes), "tokenizer": sizes.tokenizer or UNSET}
    packages = PackageNumbers(**{name: shown[name] for name in PackageNumbers.__struct_fields__})
    return StatusDocument(**numbers, drift=drift, packages=packages, notes=list(notes))


def preflight_data(
    status: YggdrasilStatus,
    verdict: Verdict,
    *,
    drift: CheckedDrift | None,
    unowned: list[str],
    notes: Sequence[str],
) -> PreflightDocument:
    """Return the status of a Yggdrasil graph as data, with drift and issues."""
    from yg.render.shapes.status import PreflightDocument

    return PreflightDocument(
        **_numbers(status, verdict),
        drift=drift,
        unowned=unowned,
        issues=[issue_data(issue) for issue in verdict.issues],
        notes=list(notes),
    )


def _numbers(status: YggdrasilStatus, verdict: Verdict) -> dict[str, Any]:
    return {
        **asdict(status),
        "types": dict(status.types),
        "slots": status.slots,
        "errors": verdict.errors,
        "warnings": verdict.warnings,
        "following": verdict.following,
    }


def counted_types(types: Iterable[tuple[str, int]]) -> str:
    """Write the number of nodes of each type."""
    return ", ".join(f"{count} {_plural(visible(name), count)}" for name, count in types)


def _plural(name: str, count: int) -> str:
    if count == 1:
        return name
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def numbers_text(status: Status, verdict: Verdict) -> str:
    """Write the counts, the issues and the quality of a graph."""
    types = counted_types(status.types)
    links = ", ".join(f"{count} {visible(kind)}" for kind, count in status.links)
    lines = [
        f"Graph: {visible(status.name)}",
        f"Nodes: {status.nodes}{f' ({types})' if types else ''}",
        f"Links: {links or 0}",
        f"Validation: {counts_text(verdict)}",
        *(["Quality:"] if status.shares else []),
        *(f"  {_share(share)}" for share in status.shares),
    ]
    return "".join(f"{line}\n" for line in lines)


def _share(share: Share) -> str:
    return f"{share.what}: {share.have}/{share.of} {share.means}"


def numbers_data(status: Status, verdict: Verdict) -> GraphStatusDocument:
    """Return the status of a graph as data."""
    from yg.render.shapes.graph_status import GraphStatusDocument

    return GraphStatusDocument(**_counted(status, verdict))


def graph_preflight_data(status: Status, verdict: Verdict) -> GraphPreflightDocument:
    """Return the status of a graph as data, with all issues."""
    from yg.render.shapes.graph_status import GraphPreflightDocument

    issues = [issue_data(issue) for issue in verdict.issues]
    return GraphPreflightDocument(**_counted(status, verdict), issues=issues)


def _counted(status: Status, verdict: Verdict) -> dict[str, Any]:
    from yg.render.shapes.graph_status import QualityShare

    return {
        "name": status.name,
        "nodes": status.nodes,
        "types": dict(status.types),
        "links": dict(status.links),
        "quality": [
            QualityShare(what=share.what, have=share.have, of=share.of, means=share.means)
            for share in status.shares
        ],
        "errors": verdict.errors,
        "warnings": verdict.warnings,
    }
