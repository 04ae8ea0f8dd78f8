"""Drift, and what a sync writes and removes, as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.edit import Delete
from yg.render.plain import visible
from yg.yggdrasil.drift import State, counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.edit import Edit
    from yg.render.plain import Palette
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
    """Write both sections and the summary."""
    shown = [drift for drift in drifts if not drifted_only or drift.state is not State.OK]
    source = [_entry(each, each.source, palette) for each in shown if each.state in _IN_SOURCE]
    graph = [_entry(each, each.graph, palette) for each in shown if each.state in _IN_GRAPH]
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
    """Return a line for each node that is not as its baseline says."""
    return [f"{visible(each.node)} {each.state}" for each in drifts if each.state is not State.OK]


def drift_data(
    drifts: Sequence[NodeDrift], *, drifted_only: bool = False, limit: int | None = None
) -> dict[str, Any]:
    """Return drift as plain data; the summary always counts all nodes."""
    shown = [each for each in drifts if not drifted_only or each.state is not State.OK]
    return {
        "nodes": [
            {
                "node": each.node,
                "state": each.state.value,
                "baseline": each.has_baseline,
                "source": [_change(change) for change in each.source],
                "graph": [_change(change) for change in each.graph],
            }
            for each in shown[:limit]
        ],
        "summary": counts_data(drifts),
    }


def counts_data(drifts: Sequence[NodeDrift]) -> dict[str, int]:
    """Return the number of nodes in each state."""
    return {state.value: count for state, count in counts(drifts).items()}


def _change(change: Change) -> dict[str, str]:
    return {"path": change.path, "how": change.how.value}


_SHORT = 8


def sync_text(results: Sequence[Synced], removed: Sequence[Edit], palette: Palette) -> str:
    """Write what was recorded, removed, and could not be recorded."""
    lines = []
    for each in results:
        if each.failure:
            lines.append(f"{palette.red('Failed:')} {visible(each.node)}: {visible(each.failure)}")
        elif each.is_changed:
            lines.append(f"Synchronized: {visible(each.node)}")
            lines.append(f"  Hash: {_short(each.before)} -> {_short(each.after)}")
    lines += [f"Removed: {visible(each.path)}" for each in removed if isinstance(each, Delete)]
    unchanged = sum(not each.is_changed and not each.failure for each in results)
    if unchanged:
        lines.append(f"Unchanged: {unchanged} nodes")
    return "".join(f"{line}\n" for line in lines)


def _short(baseline: Baseline | None) -> str:
    return visible(baseline.hash[:_SHORT]) if baseline else "none"


def sync_data(results: Sequence[Synced], removed: Sequence[Edit]) -> dict[str, Any]:
    """Return what was done as plain data."""
    return {
        "nodes": [
            {
                "node": each.node,
                "status": _status(each),
                "before": each.before.hash if each.before else None,
                "after": each.after.hash if each.after else None,
                "failure": each.failure or None,
            }
            for each in results
        ],
        "removed": [each.path for each in removed],
    }


def _status(each: Synced) -> str:
    if each.failure:
        return "failed"
    return "synchronized" if each.is_changed else "unchanged"
