"""Render package differences and the impact of a diff as text, Markdown and data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from yg.kernel.escapes import escape_controls
from yg.kernel.plural import counted
from yg.render.impact import section
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from yg.kernel.compare import ChangedFile, ChangedNode, DiffImpact, Renamed, Shift
    from yg.render.shapes.impact import DiffImpactDocument, SimulatedPackage
    from yg.render.shapes.issues import Skipped
    from yg.yggdrasil.drift import NodeDrift

    PackageWriter = Callable[[Any], str]

UNCOVERED = "no graph coverage"


def simulation_text(
    shifts: Sequence[Shift],
    target: str,
    drifts: Mapping[str, NodeDrift] | None,
    write: PackageWriter | None,
) -> str:
    """Write how the packages of affected nodes differ from those of a commit.

    `drifts` is None if nodes own no files. With `write`, the differences are shown.
    """
    parts = []
    for shift in shifts:
        lines = [f"  {visible(shift.node)}:"]
        if target and shift.sees_change_of(target):
            what = "Changed text" if drifts is None else "Changed dependency interface"
            lines.append(f"    + {what}: {visible(target)}")
        lines.append(f"    Budget: {budget(shift)}")
        if drifts is not None:
            lines.append(f"    Mapped files (on-disk): {_mapped(drifts.get(shift.node))}")
        difference = _shown_diff(shift, write) if write else ""
        parts.append("".join(f"{line}\n" for line in lines) + difference)
    return "Changes in context packages:\n" + ("".join(parts) or "  (none)\n")


def budget(shift: Shift) -> str:
    """Write the old and the new size of a package."""
    then = str(shift.then.tokens) if shift.then else "none"
    if shift.now is None:
        return f"{then} -> none"
    if not shift.is_changed:
        then = str(shift.now.tokens)  # sizes may differ by line endings, which do not count
    return f"{then} -> {shift.now.tokens} {shift.now.budget.unit} ({shift.now.status})"


def _mapped(drift: NodeDrift | None) -> str:
    if drift is None:
        return "no mapping"
    if drift.reason:
        return f"unknown ({visible(drift.reason)})"
    if not drift.has_baseline:
        return f"{drift.state} (no baseline)"
    if drift.source and drift.state not in ("missing", "ok"):
        files = ", ".join(visible(change.path) for change in drift.source)
        return f"drift (Changed files: {files})"
    return "missing" if drift.state == "missing" else "ok"


def package_diff(shift: Shift, write: PackageWriter) -> str:
    """Write a unified diff of the old and the new package."""
    from difflib import unified_diff

    then, now = (
        write(package).removesuffix("\n").split("\n") if package else []
        for package in (shift.then, shift.now)
    )
    was, node = visible(shift.was or shift.node), visible(shift.node)
    lines = unified_diff(then, now, f"then/{was}", f"now/{node}", lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _shown_diff(shift: Shift, write: PackageWriter) -> str:
    """Write the diff with control characters escaped, for terminals."""
    return escape_controls(package_diff(shift, write))


def shift_data(
    shift: Shift,
    target: str,
    drifts: Mapping[str, NodeDrift] | None,
    write: PackageWriter | None,
) -> SimulatedPackage:
    """Return the change of one package as data."""
    from yg.render.shapes.impact import SimulatedPackage

    return SimulatedPackage(
        node=shift.node,
        changed=shift.is_changed,
        interface_changed=bool(target) and shift.sees_change_of(target),
        tokens_then=shift.then.tokens if shift.then else None,
        tokens_now=shift.now.tokens if shift.now else None,
        status=shift.now.status if shift.now else None,
        mapped_files=UNSET if drifts is None else _mapped(drifts.get(shift.node)),
        diff=package_diff(shift, write) if write else None,
    )


def diff_text(impact: DiffImpact, write: PackageWriter | None = None) -> str:
    """Write the impact of a diff; with `write`, also how packages differ."""
    count = len(impact.sources) + len(impact.graph_files)
    graph_files = section("Changed graph files", map(visible, impact.graph_files))
    reached = (f"{visible(node.node)} <- {visible(node.by)}" for node in impact.reached)
    if impact.nodes is not None:
        packages = {shift.node: f": {budget(shift)}" for shift in impact.shifts}
        sections = [
            graph_files,
            section("Changed nodes", (_node(node, packages) for node in impact.nodes)),
            section("Reached through links", reached),
        ]
    else:
        sections = [
            section("Changed sources", map(_source, impact.sources)),
            graph_files,
            section("Moved", map(_moved, impact.moved)) if impact.moved else "",
            section("Changed packages", (_package(shift) for shift in impact.shifts)),
            section("Reached through relations", reached),
        ]
    differences = "".join(_shown_diff(shift, write) for shift in impact.shifts) if write else ""
    head = f"Impact of {counted(count, 'changed file')} since {visible(impact.since)}:\n"
    return f"{head}\n{''.join(sections)}{differences}\nTotal scope: {_scope(impact)}\n"


def _node(changed: ChangedNode, packages: Mapping[str, str]) -> str:
    return f"{visible(changed.node)} ({changed.how}){packages.get(changed.node, '')}"


def _source(file: ChangedFile) -> str:
    owner = visible(file.owner.node) if file.owner else UNCOVERED
    return f"{visible(file.path)} -> {owner}"


def _moved(pair: Renamed) -> str:
    return f"{pair.kind} {visible(pair.old)} -> {visible(pair.new)}"


def _package(shift: Shift) -> str:
    was = f" (was {visible(shift.was)})" if shift.was else ""
    return f"{visible(shift.node)}{was}: {budget(shift)}"


def _scope(impact: DiffImpact) -> str:
    nodes, changed = len(impact.affected), len(impact.changed)
    return f"{counted(nodes, 'node')} ({changed} changed, {nodes - changed} reached)"


def diff_markdown(impact: DiffImpact, write: PackageWriter | None = None) -> str:
    """Write the impact of a diff as Markdown, for a pull request comment."""
    count = len(impact.sources) + len(impact.graph_files)
    parts = [
        "## What this change reaches",
        f"{counted(count, 'changed file')} since {_cell(impact.since)}, {_scope(impact)}.",
        _table(("Source", "Owner"), ((_cell(file.path), _owner(file)) for file in impact.sources)),
        _listing("Graph files", impact.graph_files),
        _table(("Node", "Change"), ((_cell(node.node), node.how) for node in impact.nodes or ())),
        _table(("Moved", "To"), ((_cell(pair.old), _cell(pair.new)) for pair in impact.moved)),
        _table(
            ("Package", "Tokens"), ((_cell(shift.node), budget(shift)) for shift in impact.shifts)
        ),
        _table(
            ("Reached", "Through"), ((_cell(node.node), _cell(node.by)) for node in impact.reached)
        ),
    ]
    if write:
        parts += [_fenced(_shown_diff(shift, write)) for shift in impact.shifts]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(titles: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {left} | {right} |" for left, right in rows]
    if not lines:
        return ""
    return "\n".join([f"| {titles[0]} | {titles[1]} |", "| --- | --- |", *lines])


def _owner(file: ChangedFile) -> str:
    return _cell(file.owner.node) if file.owner else UNCOVERED


def _listing(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"{title}:", "", *(f"- {_cell(item)}" for item in items)]) if items else ""


def _cell(text: str) -> str:
    """Write text as a Markdown code span that fits in a table cell."""
    shown = visible(text).replace("|", "\\|")
    ticks = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _fenced(text: str) -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}diff\n{text}{fence}"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    longest = 0
    while "`" * (longest + 1) in text:
        longest += 1
    return longest


def diff_data(
    impact: DiffImpact,
    skipped: list[Skipped],
    write: PackageWriter | None = None,
    *,
    tokenizer: str = "",
) -> DiffImpactDocument:
    """Return the impact of a diff as data."""
    from yg.render.shapes.impact import (
        ChangedNodeRecord,
        ChangedPackage,
        ChangedSource,
        DiffImpactDocument,
        MovedEntry,
        ReachedNode,
    )

    return DiffImpactDocument(
        since=impact.since,
        sources=[
            ChangedSource(path=file.path, node=file.owner.node if file.owner else None)
            for file in impact.sources
        ],
        graph_files=list(impact.graph_files),
        nodes=(
            [ChangedNodeRecord(node=changed.node, change=changed.how) for changed in impact.nodes]
            if impact.nodes is not None
            else UNSET
        ),
        moved=[MovedEntry(kind=pair.kind, old=pair.old, new=pair.new) for pair in impact.moved],
        packages=[
            ChangedPackage(
                node=shift.node,
                tokens_then=shift.then.tokens if shift.then else None,
                tokens_now=shift.now.tokens if shift.now else None,
                status=shift.now.status if shift.now else None,
                diff=package_diff(shift, write) if write else None,
            )
            for shift in impact.shifts
        ],
        tokenizer=tokenizer or UNSET,
        reached=[ReachedNode(node=node.node, by=node.by) for node in impact.reached],
        changed=list(impact.changed),
        affected=list(impact.affected),
        skipped=skipped,
    )
