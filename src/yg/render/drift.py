"""Render drift and the results of drift-sync as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from yg.kernel.edit import Delete
from yg.kernel.escapes import shell_word
from yg.render.plain import visible
from yg.yggdrasil.drift import State, counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from yg.kernel.edit import Edit
    from yg.render.plain import Palette
    from yg.render.shapes.drift import (
        ChangedFileRecord,
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
    State.UNKNOWN: "[unknown]",
}
_DRIFT = "[drift]"
_IN_SOURCE = (State.SOURCE, State.FULL, State.MISSING, State.UNMATERIALIZED, State.OK)
_IN_GRAPH = (State.GRAPH, State.FULL, State.UNKNOWN, State.OK)
_SHARED = 3  # a graph file that drifts more nodes is written once, with its nodes
_SYNC = "yg drift-sync"


class View(Struct, frozen=True, kw_only=True):
    """What is shown of the drift: the options of the command, and the state of git."""

    drifted_only: bool = False
    limit: int | None = None
    whole: str = ""  # the arguments that sync all nodes looked at; empty: there are none
    uncommitted: int | None = None  # baselines that differ from the last commit


STANDARD = View()


def drift_text(drifts: Sequence[NodeDrift], palette: Palette, view: View) -> str:
    """Write source drift, graph drift and the summary."""
    shown = _shown(drifts, view)
    source = [drift for drift in shown if drift.state in _IN_SOURCE]
    graph = [drift for drift in shown if drift.state in _IN_GRAPH]
    hidden = len(drifts) - len(shown)
    note = f" ({hidden} hidden)" if view.drifted_only else ""
    return "\n".join(
        [
            _section("Source drift", source, view, _source_entries, palette)
            + _steps(_source_steps(source, len(drifts), view)),
            _section("Graph drift", graph, view, _graph_entries, palette)
            + _steps(_graph_steps(graph)),
            f"Summary: {summary(drifts)}{note}\n{uncommitted_text(view.uncommitted)}",
        ]
    )


def _shown(drifts: Sequence[NodeDrift], view: View) -> Sequence[NodeDrift]:
    return [drift for drift in drifts if not view.drifted_only or drift.state is not State.OK]


def summary(drifts: Sequence[NodeDrift]) -> str:
    """Count nodes by state in one line."""
    return ", ".join(f"{count} {state}" for state, count in counts(drifts).items())


def uncommitted_text(count: int | None) -> str:
    """Write how many baselines are not committed; nothing if all are."""
    if not count:
        return ""
    return (
        "1 baseline is not committed.\n"
        if count == 1
        else f"{count} baselines are not committed.\n"
    )


def _section(
    title: str,
    drifts: Sequence[NodeDrift],
    view: View,
    entries: Callable[[Sequence[NodeDrift], Sequence[NodeDrift], Palette], Iterator[str]],
    palette: Palette,
) -> str:
    shown = ordered(drifts, view.limit)
    lines = list(entries(shown, drifts, palette))
    rest = len(drifts) - len(shown)
    if rest:
        lines.append(f"  .. {rest} more")
    return "".join(f"{line}\n" for line in (f"{title}:", *(lines or ["  (none)"])))


def ordered(drifts: Sequence[NodeDrift], limit: int | None) -> Sequence[NodeDrift]:
    """Put nodes without a baseline last; with a limit, drifted nodes come before the others."""
    if limit is None:
        return sorted(drifts, key=lambda drift: drift.is_unrecorded)
    return sorted(drifts, key=lambda drift: (drift.state is State.OK, drift.is_unrecorded))[:limit]


def _source_entries(
    shown: Sequence[NodeDrift], _drifts: Sequence[NodeDrift], palette: Palette
) -> Iterator[str]:
    for drift in shown:
        note = "  no baseline" if drift.is_unrecorded else ""
        yield f"  {_label(drift, palette)} {visible(drift.node)}{note}"
        moved_to = {change.to for change in drift.source}
        yield from (_change_line(change) for change in drift.source if change.path not in moved_to)


def _graph_entries(
    shown: Sequence[NodeDrift], drifts: Sequence[NodeDrift], palette: Palette
) -> Iterator[str]:
    shared = _shared(drifts)
    by_node = {drift.node: drift for drift in shown}
    for nodes, changes in _groups(shared).items():
        lines = [
            f"    {_label(by_node[node], palette)} {visible(node)}"
            for node in nodes
            if node in by_node
        ]
        if lines:
            yield from (f"  {_change_text(change)}: {len(nodes)} nodes" for change in changes)
            yield from lines
    for drift in shown:
        changes = [change for change in drift.graph if change not in shared]
        if changes or not drift.graph:
            note = f"  cannot tell: {visible(drift.reason)}" if drift.reason else ""
            yield f"  {_label(drift, palette)} {visible(drift.node)}{note}"
            yield from map(_change_line, changes)


def _shared(drifts: Sequence[NodeDrift]) -> dict[Change, dict[str, None]]:
    """Return the changes that several nodes have in common, with these nodes."""
    nodes: dict[Change, dict[str, None]] = {}
    for drift in drifts:
        for change in drift.graph:
            nodes.setdefault(change, {})[drift.node] = None
    found = sorted(nodes.items(), key=lambda entry: entry[0].path)
    return {change: named for change, named in found if len(named) > _SHARED}


def _groups(shared: Mapping[Change, Iterable[str]]) -> dict[tuple[str, ...], list[Change]]:
    """Group shared changes that concern the same nodes."""
    groups: dict[tuple[str, ...], list[Change]] = {}
    for change, nodes in shared.items():
        groups.setdefault(tuple(nodes), []).append(change)
    return groups


def _label(drift: NodeDrift, palette: Palette) -> str:
    paint = palette.dim if drift.state is State.OK else palette.red
    return paint(_LABELS.get(drift.state, _DRIFT))


def _change_line(change: Change) -> str:
    return f"    {_change_text(change)}"


def _change_text(change: Change) -> str:
    how = f"moved to {visible(change.to)}" if change.to else change.how.replace("-", " ")
    return f"{visible(change.path)} ({how})"


def _steps(steps: Iterable[str]) -> str:
    return "".join(f"  Next: {step}\n" for step in steps)


def _source_steps(drifts: Sequence[NodeDrift], total: int, view: View) -> Iterator[str]:
    """Yield what to do next about the nodes of the source section."""
    new = [drift for drift in drifts if drift.is_unrecorded]
    changed = [drift for drift in drifts if drift.source and drift.state is not State.MISSING]
    states = {drift.state for drift in drifts}
    if changed:
        yield f"check that the graph still describes the code, then {_sync(changed)}"
    if State.MISSING in states:
        yield "restore the missing files, or correct the mapping of the node"
    if State.UNMATERIALIZED in states:
        yield "write the code of unmaterialized nodes, or remove their mapping"
    if len(new) == total > 1 and view.whole:
        yield f"compare code and graph, then run: {_SYNC} {view.whole}"
    elif new:
        yield f"compare code and graph, then {_sync(new)}"


def _graph_steps(drifts: Sequence[NodeDrift]) -> Iterator[str]:
    """Yield what to do next about the nodes of the graph section."""
    changed = [drift for drift in drifts if drift.graph]
    if changed:
        yield f"check that the code still does what the graph says, then {_sync(changed)}"
    if any(drift.reason for drift in drifts):
        yield "fix the files that cannot be read; 'yg validate' shows the errors"


def _sync(drifts: Sequence[NodeDrift]) -> str:
    if len(drifts) == 1:
        return f"run: {_SYNC} {shell_word(drifts[0].node)}"
    return f"run for each: {_SYNC} NODE"


def drifted_lines(drifts: Sequence[NodeDrift]) -> list[str]:
    """Return a line for each node that differs from its baseline, or has none."""
    return [
        f"{visible(drift.node)} {drift.state}{' (no baseline)' if drift.is_unrecorded else ''}"
        for drift in drifts
        if drift.state is not State.OK
    ]


def drift_data(
    drifts: Sequence[NodeDrift],
    view: View = STANDARD,
    *,
    scope: str,
    files: list[str] | None,
    notes: Sequence[str],
) -> DriftDocument:
    """Return drift as data; the summary always counts all nodes."""
    from yg.render.shapes.drift import DriftDocument

    shown = _shown(drifts, view)
    return DriftDocument(
        scope=scope,
        files=files,
        nodes=_nodes(shown if view.limit is None else ordered(shown, view.limit)),
        summary=counts_data(drifts),
        uncommitted=view.uncommitted,
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
            reason=drift.reason or None,
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
    return DriftSummary(**{state.value.replace("-", "_"): count for state, count in found.items()})


def _changes(changes: Iterable[Change]) -> list[ChangedFileRecord]:
    from yg.render.shapes.drift import ChangedFileRecord

    return [
        ChangedFileRecord(path=change.path, how=change.how, to=change.to or None)
        for change in changes
    ]


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
