"""Render drift and the results of drift-sync as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from yg.kernel.edit import Delete
from yg.render.plain import visible
from yg.yggdrasil.drift import State, counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.kernel.edit import Edit
    from yg.render.plain import Palette
    from yg.render.shapes.drift import (
        ChangedFile,
        CheckedDrift,
        DriftDocument,
        DriftingNode,
        DriftSummary,
        DriftSyncDocument,
    )
    from yg.yggdrasil.baseline import Baseline
    from yg.yggdrasil.drift import Change, NodeDrift
    from yg.yggdrasil.sync import Synced


_LABELS = {
    State.MISSING: "[missing]",
    State.UNMATERIALIZED: "[unmat.]",
    State.OK: "[ok]",
}
_DRIFT = "[drift]"
_IN_SOURCE = tuple(state for state in State if state is not State.GRAPH)
_IN_GRAPH = (State.GRAPH, State.FULL, State.OK)


def drift_text(
    drifts: Sequence[NodeDrift], palette: Palette, *, drifted_only: bool, limit: int | None
) -> str:
    """Write source drift, graph drift and the summary."""
    shown = [drift for drift in drifts if not drifted_only or drift.state is not State.OK]
    source = [_entry(drift, drift.source, palette) for drift in shown if drift.state in _IN_SOURCE]
    graph = [_entry(drift, drift.graph, palette) for drift in shown if drift.state in _IN_GRAPH]
    hidden = len(drifts) - len(shown)
    note = f" ({hidden} hidden)" if drifted_only else ""
    return "\n".join(
        [
            _section("Source drift", source, limit),
            _section("Graph drift", graph, limit),
            f"Summary: {summary(drifts)}{note}\n",
        ]
    )


def summary(drifts: Sequence[NodeDrift]) -> str:
    """Count nodes by state in one line."""
    return ", ".join(f"{count} {state}" for state, count in counts(drifts).items())


def _section(title: str, entries: Sequence[str], limit: int | None) -> str:
    shown = entries if limit is None else entries[:limit]
    rest = len(entries) - len(shown)
    more = f"  .. {rest} more\n" if rest else ""
    return f"{title}:\n{''.join(shown)}{more}" if entries else f"{title}:\n  (none)\n"


def _entry(drift: NodeDrift, changes: Sequence[Change], palette: Palette) -> str:
    label = _LABELS.get(drift.state, _DRIFT)
    paint = palette.dim if drift.state is State.OK else palette.red
    lines = [f"  {paint(label)} {visible(drift.node)}"]
    lines += [f"    {visible(change.path)} ({change.how})" for change in changes]
    if drift.state is State.SOURCE and not drift.has_baseline:
        lines.append(f"    no baseline; after a look, run: yg drift-sync {visible(drift.node)}")
    return "".join(f"{line}\n" for line in lines)


def drifted_lines(drifts: Sequence[NodeDrift]) -> list[str]:
    """Return a line for each node that differs from its baseline."""
    return [
        f"{visible(drift.node)} {drift.state}" for drift in drifts if drift.state is not State.OK
    ]


def drift_data(  # noqa: PLR0913
    drifts: Sequence[NodeDrift],
    *,
    scope: str,
    files: list[str] | None,
    notes: Sequence[str],
    drifted_only: bool = False,
    limit: int | None = None,
) -> DriftDocument:
    """Return drift as data; the summary always counts all nodes."""
    from yg.render.shapes.drift import DriftDocument

    shown = [drift for drift in drifts if not drifted_only or drift.state is not State.OK]
    return DriftDocument(
        scope=scope,
        files=files,
        nodes=_nodes(shown[:limit]),
        summary=counts_data(drifts),
        notes=list(notes),
    )


def checked_data(drifts: Sequence[NodeDrift]) -> CheckedDrift:
    """Return the drift of all mapped nodes as data."""
    from yg.render.shapes.drift import CheckedDrift

    return CheckedDrift(nodes=_nodes(drifts), summary=counts_data(drifts))


def _nodes(drifts: Iterable[NodeDrift]) -> list[DriftingNode]:
    from yg.render.shapes.drift import DriftingNode

    return [
        DriftingNode(
            node=drift.node,
            state=drift.state,
            baseline=drift.has_baseline,
            source=_changes(drift.source),
            graph=_changes(drift.graph),
        )
        for drift in drifts
    ]


def counts_data(drifts: Sequence[NodeDrift]) -> DriftSummary:
    """Return the number of nodes in each state."""
    from yg.render.shapes.drift import DriftSummary

    found = counts(drifts)
    return DriftSummary(**{state.value.replace("-", "_"): found[state] for state in State})


def _changes(changes: Iterable[Change]) -> list[ChangedFile]:
    from yg.render.shapes.drift import ChangedFile

    return [ChangedFile(path=change.path, how=change.how) for change in changes]


_SHORT = 8


def sync_text(results: Sequence[Synced], removed: Sequence[Edit], palette: Palette) -> str:
    """Write which baselines were recorded, which were removed, and which failed."""
    lines = []
    for result in results:
        if result.failure:
            lines.append(
                f"{palette.red('Failed:')} {visible(result.node)}: {visible(result.failure)}"
            )
        elif result.is_changed:
            lines.append(f"Synchronized: {visible(result.node)}")
            lines.append(f"  Hash: {_short(result.before)} -> {_short(result.after)}")
    lines += [f"Removed: {visible(edit.path)}" for edit in removed if isinstance(edit, Delete)]
    unchanged = sum(not result.is_changed and not result.failure for result in results)
    if unchanged:
        lines.append(f"Unchanged: {unchanged} nodes")
    return "".join(f"{line}\n" for line in lines)


def _short(baseline: Baseline | None) -> str:
    return visible(baseline.hash[:_SHORT]) if baseline else "none"


def sync_data(
    results: Sequence[Synced], removed: Sequence[Edit], notes: Sequence[str]
) -> DriftSyncDocument:
    """Return the results of drift-sync as data."""
    from yg.render.shapes.drift import DriftSyncDocument, SyncedNode

    nodes = [
        SyncedNode(
            node=result.node,
            status=_status(result),
            before=result.before.hash if result.before else None,
            after=result.after.hash if result.after else None,
            failure=result.failure or None,
        )
        for result in results
    ]
    return DriftSyncDocument(
        nodes=nodes, removed=[edit.path for edit in removed], notes=list(notes)
    )


def _status(result: Synced) -> Literal["synchronized", "unchanged", "failed"]:
    if result.failure:
        return "failed"
    return "synchronized" if result.is_changed else "unchanged"
