"""Render drift and the results of drift-sync as text and as data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from yg.code.changes import ChangeClass, NameChangeKind
from yg.kernel.edit import Delete
from yg.kernel.escapes import one_line, shell_word
from yg.kernel.plural import counted
from yg.render.drift_show import Difference, difference_text, shown_lines
from yg.render.plain import visible
from yg.yggdrasil.drift import How, State, counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from msgspec import UnsetType

    from yg.code.changes import NameChange
    from yg.kernel.edit import Edit
    from yg.render.plain import Palette
    from yg.render.shapes.drift import (
        ChangedFileRecord,
        ChangedSourceRecord,
        CheckedDrift,
        DifferenceRecord,
        DriftDocument,
        DriftingNode,
        DriftSummary,
        DriftSyncDocument,
        ReviewsDocument,
        SyncStatus,
    )
    from yg.yggdrasil.baseline import Baseline
    from yg.yggdrasil.drift import Change, NodeDrift
    from yg.yggdrasil.recorded import Review
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
MOST_NAMES = 6  # in the line of a file


class View(Struct, frozen=True, kw_only=True):
    """What is shown of the drift: the options of the command, and the state of git."""

    drifted_only: bool = False
    limit: int | None = None
    whole: str = ""  # the arguments that sync all nodes looked at; empty: there are none
    uncommitted: int | None = None  # baselines that differ from the last commit
    tolerated: ChangeClass | None = None  # the class in the configuration
    gated: frozenset[str] = frozenset()  # nodes that need a reason when they are recorded


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
            f"Summary: {summary(drifts)}{note}\n{_remarks(drifts, view)}",
        ]
    )


def _remarks(drifts: Sequence[NodeDrift], view: View) -> str:
    return uncommitted_text(view.uncommitted) + _tolerance_text(drifts, view)


Differences = dict[tuple[str, str], Difference]  # by node and path


def show_text(
    drifts: Sequence[NodeDrift], differences: Differences, palette: Palette, view: View
) -> str:
    """Write every changed file with its difference from the baseline, and the summary."""
    shown = [drift for drift in _shown(drifts, view) if drift.state is not State.OK or drift.source]
    kept = ordered(shown, view.limit)
    parts = []
    above: set[Difference] = set()
    for drift in kept:
        files = [
            _shown_change(change, differences[drift.node, change.path], above, palette)
            for change in (*_without_targets(drift.source), *drift.graph)
        ]
        parts.append(_shown_node(drift, palette) + "\n".join(files))
    if len(kept) < len(shown):
        parts.append(f".. {len(shown) - len(kept)} more\n")
    return "\n".join([*parts, f"Summary: {summary(drifts)}\n"])


def _shown_node(drift: NodeDrift, palette: Palette) -> str:
    note = "  no baseline" if drift.is_unrecorded else ""
    note += f"  cannot tell: {visible(drift.reason)}" if drift.reason else ""
    return f"{_label(drift, palette)} {visible(drift.node)}{note}\n"


def _shown_change(
    change: Change, difference: Difference, above: set[Difference], palette: Palette
) -> str:
    """Write one file; a graph file that several nodes track is written once."""
    lines = [_change_text(change)]
    if difference.note:
        lines.append(f"  {visible(difference.note)}")
    found = list(shown_lines(difference, palette))
    if found and difference in above:
        lines.append("  see above")
    else:
        lines += found
        above.add(difference)
    return "".join(f"{line}\n" for line in lines)


def _tolerance_text(drifts: Sequence[NodeDrift], view: View) -> str:
    """Say how to tolerate changes of comments and documentation, if there are no others."""
    found = [drift for drift in drifts if drift.state is not State.OK]
    worst = [drift.worst for drift in found if drift.state is State.SOURCE]
    kinds = [kind for kind in worst if kind is not None and kind.rank <= ChangeClass.DOCS.rank]
    if not found or len(kinds) < len(found):
        return ""
    highest = max(kinds, key=lambda kind: kind.rank)
    if view.tolerated is not None and view.tolerated.rank >= highest.rank:
        return ""
    what = "formatting and comments" if highest is ChangeClass.COSMETIC else "documentation"
    return (
        f"Only {what} changed. To tolerate such changes: "
        f"'drift: {{tolerate: {highest}}}' in yg-config.yaml\n"
    )


def _shown(drifts: Sequence[NodeDrift], view: View) -> Sequence[NodeDrift]:
    return [drift for drift in drifts if not view.drifted_only or drift.state is not State.OK]


def summary(drifts: Sequence[NodeDrift]) -> str:
    """Count nodes by state in one line."""
    return ", ".join(
        f"{count} {state}{_tolerated_files(drifts) if state is State.OK else ''}"
        for state, count in counts(drifts).items()
    )


def _tolerated_files(drifts: Sequence[NodeDrift]) -> str:
    """Count the changed files of nodes that are `ok`, by class."""
    found = tolerated_counts(drifts)
    files = (f"{count} {'file' if count == 1 else 'files'} {kind}" for kind, count in found.items())
    return f" ({', '.join(files)})" if found else ""


def tolerated_counts(drifts: Iterable[NodeDrift]) -> dict[ChangeClass, int]:
    """Count the changed files of nodes that are `ok`, by class, the lowest first."""
    kinds = Counter(
        change.kind for drift in drifts if drift.state is State.OK for change in drift.source
    )
    return {kind: kinds[kind] for kind in ChangeClass if kinds[kind]}


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
        if drift.state is State.OK and drift.source:
            found = tolerated_counts([drift])
            note = f" ({', '.join(f'{count} {kind}' for kind, count in found.items())})"
        yield f"  {_label(drift, palette)} {visible(drift.node)}{note}"
        if drift.state is not State.OK:
            yield from map(_change_line, _without_targets(drift.source))


def _without_targets(changes: Sequence[Change]) -> list[Change]:
    """Return the changes without the new places of moved files, which their old places name."""
    targets = {change.to for change in changes}
    return [change for change in changes if change.path not in targets]


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
    return f"{visible(change.path)} ({_what_changed(change)})"


def _what_changed(change: Change) -> str:
    """Write what happened to a file: its class with the names, or the kind of change."""
    if change.to:
        return f"moved to {visible(change.to)}"
    how = change.how.replace("-", " ")
    if change.kind is ChangeClass.UNKNOWN or change.how is How.UNTRACKED:
        return how
    parts = [] if change.how is How.CHANGED else [how]
    names = f": {_names(change.names)}" if change.names else ""
    if change.how is How.CHANGED or names:
        parts.append(f"{change.kind}{names}")
    parts += [
        f"{visible(mention.file)} mentions {listed([visible(name) for name in mention.names])}"
        for mention in change.mentions
    ]
    return "; ".join(parts)


def _names(names: Sequence[NameChange]) -> str:
    """List the names that changed; those that others may rely on come first."""
    found = sorted(names, key=lambda name: name.change is NameChangeKind.ADDED)
    return listed([f"{visible(name.name)} {name.change}" for name in found])


def listed(words: Sequence[str]) -> str:
    """List words, at most as many as fit in a line."""
    rest = len(words) - MOST_NAMES
    if rest <= 1:  # a last name is no longer than its count
        return ", ".join(words)
    return f"{', '.join(words[:MOST_NAMES])} and {rest} more"


def _steps(steps: Iterable[str]) -> str:
    return "".join(f"  Next: {step}\n" for step in steps)


def _source_steps(drifts: Sequence[NodeDrift], total: int, view: View) -> Iterator[str]:
    """Yield what to do next about the nodes of the source section."""
    new = [drift for drift in drifts if drift.is_unrecorded]
    settled = (State.MISSING, State.OK)
    changed = [drift for drift in drifts if drift.source and drift.state not in settled]
    states = {drift.state for drift in drifts}
    gated = [drift for drift in changed if drift.node in view.gated]
    free = [drift for drift in changed if drift.node not in view.gated]
    if gated:
        yield f"change the texts, or say why they are still true; {_sync(gated)} --reason TEXT"
    if free:
        yield f"check that the graph still describes the code, then {_sync(free)}"
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


def drift_data(  # noqa: PLR0913
    drifts: Sequence[NodeDrift],
    view: View = STANDARD,
    *,
    scope: str,
    files: list[str] | None,
    notes: Sequence[str],
    differences: Differences | None = None,
) -> DriftDocument:
    """Return drift as data; the summary always counts all nodes."""
    from yg.render.shapes.drift import DriftDocument

    shown = _shown(drifts, view)
    return DriftDocument(
        scope=scope,
        files=files,
        nodes=_nodes(shown if view.limit is None else ordered(shown, view.limit), differences),
        summary=counts_data(drifts),
        uncommitted=view.uncommitted,
        notes=list(notes),
    )


def checked_data(drifts: Sequence[NodeDrift]) -> CheckedDrift:
    """Return the drift of all mapped nodes as data."""
    from yg.render.shapes.drift import CheckedDrift

    return CheckedDrift(nodes=_nodes(drifts), summary=counts_data(drifts))


def _nodes(
    drifts: Iterable[NodeDrift], differences: Differences | None = None
) -> list[DriftingNode]:
    from yg.render.shapes.drift import DriftingNode

    return [
        DriftingNode(
            node=drift.node,
            state=drift.state,
            reason=drift.reason or None,
            baseline=drift.has_baseline,
            source=_sources(drift, differences),
            graph=_graph_files(drift, differences),
        )
        for drift in drifts
    ]


def counts_data(drifts: Sequence[NodeDrift]) -> DriftSummary:
    """Return the number of nodes in each state."""
    from yg.render.shapes.drift import DriftSummary, TolerableFiles

    found = {state.value.replace("-", "_"): count for state, count in counts(drifts).items()}
    kinds = tolerated_counts(drifts)
    return DriftSummary(**found, tolerated=TolerableFiles(**kinds) if kinds else UNSET)


def _sources(drift: NodeDrift, differences: Differences | None) -> list[ChangedSourceRecord]:
    from yg.render.shapes.drift import ChangedName, ChangedSourceRecord, MentionRecord

    return [
        ChangedSourceRecord(
            path=change.path,
            how=change.how,
            to=change.to or None,
            kind=change.kind,
            names=[
                ChangedName(
                    name=name.name, change=name.change, before=name.before, after=name.after
                )
                for name in change.names
            ],
            mentions=[
                MentionRecord(file=mention.file, names=list(mention.names))
                for mention in change.mentions
            ]
            or UNSET,
            difference=_difference(drift, change, differences),
        )
        for change in drift.source
    ]


def _graph_files(drift: NodeDrift, differences: Differences | None) -> list[ChangedFileRecord]:
    from yg.render.shapes.drift import ChangedFileRecord

    return [
        ChangedFileRecord(
            path=change.path,
            how=change.how,
            to=change.to or None,
            difference=_difference(drift, change, differences),
        )
        for change in drift.graph
    ]


def _difference(
    drift: NodeDrift, change: Change, differences: Differences | None
) -> DifferenceRecord | UnsetType:
    from yg.render.shapes.drift import DifferenceRecord

    if differences is None:
        return UNSET
    found = differences[drift.node, change.path]
    return DifferenceRecord(
        diff=difference_text(found), commit=found.commit or None, note=found.note or None
    )


def reviews_text(node: str, reviews: Sequence[Review]) -> str:
    """Write the reviews of a node, the newest last."""
    lines = [f"Reviews of {visible(node)}:"]
    for review in reviews:
        names = f" ({listed([visible(name) for name in review.names])})" if review.names else ""
        what = f"{review.kind}{names}" if review.kind else "graph"
        lines.append(f"  {what}: {visible(one_line(review.reason))}")
    return "".join(f"{line}\n" for line in (*lines, *([] if reviews else ["  (none)"])))


def reviews_data(node: str, reviews: Sequence[Review], notes: Sequence[str]) -> ReviewsDocument:
    """Return the reviews of a node as data."""
    from yg.render.shapes.drift import ReviewRecord, ReviewsDocument

    return ReviewsDocument(
        node=node,
        reviews=[
            ReviewRecord(reason=review.reason, kind=review.kind, names=list(review.names))
            for review in reviews
        ],
        notes=list(notes),
    )


_SHORT = 8


def sync_text(results: Sequence[Synced], removed: Sequence[Edit], palette: Palette) -> str:
    """Write which baselines were recorded, which were removed, and which failed."""
    lines = []
    for result in results:
        if result.failure:
            what = "Needs a reason:" if result.needs_reason else "Failed:"
            lines.append(f"{palette.red(what)} {visible(result.node)}: {visible(result.failure)}")
        elif result.is_changed and not result.has_same_files:
            lines.append(f"Synchronized: {visible(result.node)}")
            lines.append(f"  {_recorded(result)}")
    lines += [f"Removed: {visible(edit.path)}" for edit in removed if isinstance(edit, Delete)]
    described = sum(result.is_changed and result.has_same_files for result in results)
    if described:
        lines.append(f"Facts about the code recorded: {counted(described, 'node')}")
    unchanged = sum(not result.is_changed and not result.failure for result in results)
    if unchanged:
        lines.append(f"Unchanged: {counted(unchanged, 'node')}")
    return "".join(f"{line}\n" for line in lines)


def _recorded(result: Synced) -> str:
    before, after = _short(result.before), _short(result.after)
    if before != after:
        return f"Hash: {before} -> {after}"
    return "Contracts of other repositories recorded"


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


def _status(result: Synced) -> SyncStatus:
    if result.failure:
        return "needs-reason" if result.needs_reason else "failed"
    return "synchronized" if result.is_changed else "unchanged"
