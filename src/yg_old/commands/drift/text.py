"""The text of `yg drift`, and what other commands say about drift."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import to_builtins

from yg_old.code.change_class import ChangeClass, NameChangeKind
from yg_old.code.parts import FILE
from yg_old.commands.drift.steps import Steps
from yg_old.kernel.palette import visible
from yg_old.text.escapes import escape_controls, one_line
from yg_old.text.plural import and_more, listed
from yg_old.yggdrasil.drift.states import How, SourceChange, State, tolerated_counts
from yg_old.yggdrasil.places import is_graph_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from yg_old.code.change_class import NameChange, PartChange
    from yg_old.commands.drift.documents import Drift, Reviews, View
    from yg_old.kernel.palette import Palette
    from yg_old.yggdrasil.drift.states import Change, Difference, DriftSummary, NodeDrift


_LABELS = {
    State.MISSING: "[missing]",
    State.UNMATERIALIZED: "[unmat.]",
    State.OK: "[ok]",
    State.UNKNOWN: "[unknown]",
}
_DRIFT = "[drift]"
_IN_SOURCE = (State.SOURCE, State.FULL, State.MISSING, State.UNMATERIALIZED, State.OK)
_IN_GRAPH = (State.GRAPH, State.FULL, State.UNKNOWN, State.OK)
_SHARED = 3  # a graph file that drifts more nodes is written once for them
MOST_CHANGED = 5  # public names in the line of a file, and as many other parts
_HEADINGS = 2  # lines of a unified diff


def drift_text(drift: Drift, palette: Palette) -> str:
    """Write the drift of nodes in sections, or with the difference of each changed file."""
    return _differences(drift, palette) if drift.view.show else _sections(drift, palette)


def _sections(drift: Drift, palette: Palette) -> str:
    """Write source drift, graph drift and the summary."""
    view, total = drift.view, len(drift.drifts)
    shown = _not_hidden(drift.drifts, view)
    source = [node for node in shown if node.state in _IN_SOURCE]
    graph = [node for node in shown if node.state in _IN_GRAPH]
    note = f" ({total - len(shown)} hidden)" if view.drifted_only else ""
    steps = Steps(drift.drifts, view)
    rest = _uncommitted_text(drift.uncommitted) + _tolerance_text(shown, view)
    return "\n".join(
        [
            _section("Source drift", source, view, _source_entries, palette)
            + _steps(steps.about_sources(source)),
            _section("Graph drift", graph, view, _graph_entries, palette)
            + _steps(steps.about_graph(graph)),
            f"Summary: {summary_text(drift.summary)}{note}\n{rest}",
        ]
    )


def _differences(drift: Drift, palette: Palette) -> str:
    """Write every changed file with its difference from the baseline, and the summary."""
    nodes = _not_hidden(drift.drifts, drift.view)
    shown = [node for node in nodes if node.state is not State.OK or node.source]
    kept = _ordered(shown, drift.view.limit)
    parts = []
    above: set[Difference] = set()
    for node in kept:
        files = [
            _shown_change(change, above, palette)
            for change in (*_without_targets(node.source), *node.graph)
        ]
        parts.append(_shown_node(node, palette) + "\n".join(files))
    if len(kept) < len(shown):
        parts.append(f"{and_more(len(shown) - len(kept))}\n")
    return "\n".join([*parts, f"Summary: {summary_text(drift.summary)}\n"])


def _shown_node(drift: NodeDrift, palette: Palette) -> str:
    note = "  no baseline" if drift.is_unrecorded else ""
    note += f"  cannot tell: {visible(drift.reason)}" if drift.reason else ""
    return f"{_label(drift, palette)} {visible(drift.node)}{note}\n"


def _shown_change(change: Change, above: set[Difference], palette: Palette) -> str:
    """Write one file; a graph file that several nodes track is written once."""
    lines = [change_text(change)]
    if difference := change.difference:
        if difference.note:
            lines.append(f"  {visible(difference.note)}")
        if difference.diff and difference in above:
            lines.append("  see above")
        else:
            lines += _diff_lines(change, difference.diff, palette)
            above.add(difference)
    return "".join(f"{line}\n" for line in lines)


def _diff_lines(change: Change, diff: str, palette: Palette) -> Iterator[str]:
    """Yield the lines of a unified diff for a terminal: coloured, and safe to print.

    That of a contract is indented, so that programs which apply patches ignore it.
    """
    is_file = isinstance(change, SourceChange) or is_graph_file(change.path)
    for number, line in enumerate(diff.split("\n")[:-1]):
        painted = _paint(escape_controls(line), palette, is_heading=number < _HEADINGS)
        yield painted if is_file else f"  {painted}"


def _paint(line: str, palette: Palette, *, is_heading: bool) -> str:
    if is_heading:
        return palette.bold(line)
    paints = {"+": palette.added, "-": palette.removed, "@": palette.place}
    paint = paints.get(line[:1])
    return paint(line) if paint else line


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


def shown_nodes(drifts: Sequence[NodeDrift], view: View) -> tuple[NodeDrift, ...]:
    """Return the nodes to list, at most as many as wanted."""
    shown = _not_hidden(drifts, view)
    return tuple(shown if view.limit is None else _ordered(shown, view.limit))


def _not_hidden(drifts: Sequence[NodeDrift], view: View) -> Sequence[NodeDrift]:
    return [drift for drift in drifts if not view.drifted_only or drift.state is not State.OK]


def summary_text(summary: DriftSummary) -> str:
    """Write the number of nodes in each state in one line."""
    states = to_builtins(summary)
    files = states.pop("tolerated", {})
    tolerated = ", ".join(
        f"{count} {'file' if count == 1 else 'files'} {kind}" for kind, count in files.items()
    )
    notes = {State.OK: f" ({tolerated})"} if tolerated else {}
    if "not-tracked" in states:
        states["not tracked"] = states.pop("not-tracked")
    return ", ".join(f"{count} {state}{notes.get(state, '')}" for state, count in states.items())


def _uncommitted_text(count: int | None) -> str:
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
    entries: Callable[[Sequence[NodeDrift], Sequence[NodeDrift], View, Palette], Iterator[str]],
    palette: Palette,
) -> str:
    shown = _ordered(drifts, view.limit)
    lines = list(entries(shown, drifts, view, palette))
    rest = len(drifts) - len(shown)
    if rest:
        lines.append(f"  {and_more(rest)}")
    return "".join(f"{line}\n" for line in (f"{title}:", *(lines or ["  (none)"])))


def _ordered(drifts: Sequence[NodeDrift], limit: int | None) -> Sequence[NodeDrift]:
    """Put nodes without a baseline last; with a limit, drifted nodes come before the others."""
    if limit is None:
        return sorted(drifts, key=lambda drift: drift.is_unrecorded)
    return sorted(drifts, key=lambda drift: (drift.state is State.OK, drift.is_unrecorded))[:limit]


def _source_entries(
    shown: Sequence[NodeDrift], _drifts: Sequence[NodeDrift], _view: View, palette: Palette
) -> Iterator[str]:
    for drift in shown:
        note = "  no baseline" if drift.is_unrecorded else ""
        note = " (not recorded)" if drift.is_not_recorded else note
        if drift.state is State.OK and drift.source:
            found = tolerated_counts([drift])
            note = f" ({', '.join(f'{count} {kind}' for kind, count in found.items())})"
        yield f"  {_label(drift, palette)} {visible(drift.node)}{note}"
        if drift.state is not State.OK:
            yield from map(_change_line, _without_targets(drift.source))


def _without_targets(changes: Sequence[SourceChange]) -> list[SourceChange]:
    """Return the changes without the new places of moved files, which their old places name."""
    targets = {change.to for change in changes}
    return [change for change in changes if change.path not in targets]


def _graph_entries(
    shown: Sequence[NodeDrift], drifts: Sequence[NodeDrift], view: View, palette: Palette
) -> Iterator[str]:
    """Yield each node once: below files that it shares with several others, or above its own."""
    by_node = {drift.node: drift for drift in shown}
    grouped: set[str] = set()
    for changes, nodes in _groups(drifts).items():
        grouped.update(nodes)
        members = [by_node[node] for node in nodes if node in by_node]
        if members:
            yield from (f"  {change_text(change)}: {len(nodes)} nodes" for change in changes)
            yield from _members(members, changes, view, palette)
    for drift in shown:
        if drift.node not in grouped:
            note = f"  cannot tell: {visible(drift.reason)}" if drift.reason else ""
            yield f"  {_label(drift, palette)} {visible(drift.node)}{note}"
            yield from map(_change_line, drift.graph)


def _members(
    drifts: Sequence[NodeDrift], shared: Sequence[Change], view: View, palette: Palette
) -> Iterator[str]:
    """Yield the nodes that share changes; those in which there is nothing to read are counted."""
    aside = [
        drift
        for drift in drifts
        if drift.node in view.textless and len(drift.graph) == len(shared) and not drift.source
    ]
    if len(aside) <= _SHARED:
        aside = []
    counted_ones = {drift.node for drift in aside}
    for drift in drifts:
        if drift.node not in counted_ones:
            yield f"    {_label(drift, palette)} {visible(drift.node)}"
            rest = (change for change in drift.graph if change not in shared)
            yield from (f"      {change_text(change)}" for change in rest)
    if aside:
        names = listed([visible(drift.node) for drift in aside])
        what = f"{len(aside)} nodes without a text of their own: {names}"
        yield f"    {_label(aside[0], palette)} {what}"


def _groups(drifts: Sequence[NodeDrift]) -> dict[tuple[Change, ...], list[str]]:
    """Group the nodes that have the same changes in common with others, if there are several."""
    counts = Counter(change for drift in drifts for change in drift.graph)
    groups: dict[tuple[Change, ...], list[str]] = {}
    for drift in drifts:
        shared = tuple(change for change in drift.graph if counts[change] > _SHARED)
        if shared:
            groups.setdefault(shared, []).append(drift.node)
    several = [group for group in groups.items() if len(group[1]) > _SHARED]
    return dict(sorted(several, key=lambda group: [change.path for change in group[0]]))


def _label(drift: NodeDrift, palette: Palette) -> str:
    paint = palette.dim if drift.state is State.OK else palette.red
    return paint(_LABELS.get(drift.state, _DRIFT))


def _change_line(change: Change) -> str:
    return f"    {change_text(change)}"


def change_text(change: Change) -> str:
    """Write a changed file with what happened to it."""
    note = " (not part of the package here)" if change.is_outside else ""
    return f"{visible(change.path)} ({_what_changed(change)}){note}"


def _what_changed(change: Change) -> str:
    """Write what happened to a file: its class with names and parts, or the kind of change.

    All parts of a new file are new, so they are not listed.
    """
    how = f"moved to {visible(change.to)}" if change.to else change.how.replace("-", " ")
    if not isinstance(change, SourceChange) or change.how is How.UNTRACKED:
        return how
    if change.kind is ChangeClass.UNKNOWN or (change.to and change.kind is ChangeClass.COSMETIC):
        return how
    has_both = change.how is How.CHANGED or bool(change.to)  # an old content and a new one
    said = [] if change.how is How.CHANGED else [how]
    names = _named(sorted(change.names, key=lambda name: name.change is NameChangeKind.ADDED))
    if has_both or names:
        said.append(f"{change.kind}{names or _named(change.parts)}")
    if has_both and names:
        public = {name.name for name in change.names}
        rest = [part for part in change.parts if part.name not in public]
        said += [f"{ChangeClass.BODY}{_named(rest)}"] if rest else []
    said += [
        f"{visible(mention.file)} mentions {listed([visible(name) for name in mention.names])}"
        for mention in change.mentions or ()
    ]
    return "; ".join(said)


def _named(changes: Sequence[NameChange | PartChange]) -> str:
    """List what changed, as in `: a, b changed, c added`; nothing if nothing did."""
    kinds = list(dict.fromkeys(each.change for each in changes))
    found = sorted(changes, key=lambda each: (kinds.index(each.change), each.name == FILE))
    shown: dict[NameChangeKind, list[str]] = {}
    for each in found[:MOST_CHANGED]:
        shown.setdefault(each.change, []).append(visible(each.name))
    words = ", ".join(f"{', '.join(names)} {change}" for change, names in shown.items())
    rest = len(found) - MOST_CHANGED
    more = f" and {rest} more" if rest > 0 else ""
    return f": {words}{more}" if words else ""


def _steps(steps: Iterable[str]) -> str:
    return "".join(f"  Next: {step}\n" for step in steps)


def drifted_lines(drifts: Sequence[NodeDrift]) -> list[str]:
    """Return a line for each node that differs from its baseline, or has none."""
    return [
        f"{visible(drift.node)} {drift.state}{' (no baseline)' if drift.is_unrecorded else ''}"
        for drift in drifts
        if drift.state is not State.OK
    ]


def reviews_text(document: Reviews) -> str:
    """Write the reviews of a node, the newest last."""
    lines = [f"Reviews of {visible(document.node)}:"]
    for review in document.reviews:
        names = f" ({listed([visible(name) for name in review.names])})" if review.names else ""
        what = f"{review.kind}{names}" if review.kind else "graph"
        lines.append(f"  {what}: {visible(one_line(review.reason))}")
    return "".join(f"{line}\n" for line in (*lines, *([] if document.reviews else ["  (none)"])))
