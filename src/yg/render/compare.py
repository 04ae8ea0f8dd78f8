"""Packages then and now, and what a set of changes reaches: text, Markdown and data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.escapes import escape_controls
from yg.render.impact import section
from yg.render.package import package_text
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.yggdrasil.compare import ChangedFile, DiffImpact, Shift
    from yg.yggdrasil.drift import NodeDrift

UNCOVERED = "no graph coverage"


def simulation_text(
    shifts: Sequence[Shift], target: str, drifts: dict[str, NodeDrift], *, show: bool
) -> str:
    """Write how the packages of affected nodes differ from the baseline."""
    parts = []
    for shift in shifts:
        lines = [f"  {visible(shift.node)}:"]
        if target and shift.sees_change_of(target):
            lines.append(f"    + Changed dependency interface: {visible(target)}")
        lines.append(f"    Budget: {budget(shift)}")
        lines.append(f"    Mapped files (on-disk): {_mapped(drifts.get(shift.node))}")
        difference = _shown_diff(shift) if show else ""
        parts.append("".join(f"{line}\n" for line in lines) + difference)
    return "Changes in context packages:\n" + ("".join(parts) or "  (none)\n")


def budget(shift: Shift) -> str:
    """Write the size of a package then and now."""
    then = str(shift.then.tokens) if shift.then else "none"
    if shift.now is None:
        return f"{then} -> none"
    if not shift.is_changed:
        then = str(shift.now.tokens)  # line endings of a checkout are no difference
    return f"{then} -> {shift.now.tokens} tokens ({shift.now.status})"


def _mapped(drift: NodeDrift | None) -> str:
    if drift is None:
        return "no mapping"
    if not drift.has_baseline:
        return f"{drift.state} (no baseline)"
    if drift.source:
        files = ", ".join(visible(change.path) for change in drift.source)
        return f"drift (Changed files: {files})"
    return "missing" if drift.state == "missing" else "ok"


def package_diff(shift: Shift) -> str:
    """Write the difference of two packages as a unified diff."""
    from difflib import unified_diff

    then, now = (
        package_text(package).removesuffix("\n").split("\n") if package else []
        for package in (shift.then, shift.now)
    )
    node = visible(shift.node)
    lines = unified_diff(then, now, f"then/{node}", f"now/{node}", lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _shown_diff(shift: Shift) -> str:
    """Write the difference of two packages for people: control characters are escapes."""
    return escape_controls(package_diff(shift))


def shift_data(shift: Shift, target: str, drift: NodeDrift | None, *, show: bool) -> dict[str, Any]:
    """Return the difference of one package as plain data."""
    return {
        "node": shift.node,
        "changed": shift.is_changed,
        "interface_changed": bool(target) and shift.sees_change_of(target),
        "tokens_then": shift.then.tokens if shift.then else None,
        "tokens_now": shift.now.tokens if shift.now else None,
        "status": shift.now.status if shift.now else None,
        "mapped_files": _mapped(drift),
        "diff": package_diff(shift) if show else None,
    }


def diff_text(impact: DiffImpact, *, show: bool) -> str:
    """Write what a set of changes reaches."""
    count = len(impact.sources) + len(impact.graph_files)
    sections = [
        section("Changed sources", (_source(each) for each in impact.sources)),
        section("Changed graph files", map(visible, impact.graph_files)),
        section("Changed packages", (f"{visible(s.node)}: {budget(s)}" for s in impact.shifts)),
        section(
            "Reached through relations",
            (f"{visible(each.node)} <- {visible(each.by)}" for each in impact.reached),
        ),
    ]
    differences = "".join(_shown_diff(each) for each in impact.shifts) if show else ""
    head = f"Impact of {count} changed files since {visible(impact.since)}:\n"
    return f"{head}\n{''.join(sections)}{differences}\nTotal scope: {_scope(impact)}\n"


def _source(each: ChangedFile) -> str:
    owner = visible(each.owner.node) if each.owner else UNCOVERED
    return f"{visible(each.path)} -> {owner}"


def _scope(impact: DiffImpact) -> str:
    nodes, changed = len(impact.affected), len(impact.changed)
    return f"{nodes} nodes ({changed} changed, {nodes - changed} reached)"


def diff_markdown(impact: DiffImpact, *, show: bool) -> str:
    """Write what a set of changes reaches as a comment for a pull request."""
    count = len(impact.sources) + len(impact.graph_files)
    parts = [
        "## What this change reaches",
        f"{count} changed files since {_cell(impact.since)}, {_scope(impact)}.",
        _table(("Source", "Owner"), ((_cell(each.path), _owner(each)) for each in impact.sources)),
        _listing("Graph files", impact.graph_files),
        _table(("Package", "Tokens"), ((_cell(each.node), budget(each)) for each in impact.shifts)),
        _table(
            ("Reached", "Through"), ((_cell(each.node), _cell(each.by)) for each in impact.reached)
        ),
    ]
    if show:
        parts += [_fenced(_shown_diff(each)) for each in impact.shifts]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(titles: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {left} | {right} |" for left, right in rows]
    if not lines:
        return ""
    return "\n".join([f"| {titles[0]} | {titles[1]} |", "| --- | --- |", *lines])


def _owner(each: ChangedFile) -> str:
    return _cell(each.owner.node) if each.owner else UNCOVERED


def _listing(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"{title}:", "", *(f"- {_cell(item)}" for item in items)]) if items else ""


def _cell(text: str) -> str:
    """Write text so that Markdown takes none of it for markup."""
    shown = visible(text).replace("|", "\\|")
    ticks = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _fenced(text: str) -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}diff\n{text}{fence}"


def _longest_run(text: str) -> int:
    """Return how many backticks stand in a row at most."""
    longest = 0
    while "`" * (longest + 1) in text:
        longest += 1
    return longest


def diff_data(impact: DiffImpact, *, show: bool) -> dict[str, Any]:
    """Return what a set of changes reaches as plain data."""
    return {
        "mode": "diff",
        "since": impact.since,
        "sources": [
            {"path": each.path, "node": each.owner.node if each.owner else None}
            for each in impact.sources
        ],
        "graph_files": list(impact.graph_files),
        "packages": [
            {
                "node": each.node,
                "tokens_then": each.then.tokens if each.then else None,
                "tokens_now": each.now.tokens if each.now else None,
                "status": each.now.status if each.now else None,
                "diff": package_diff(each) if show else None,
            }
            for each in impact.shifts
        ],
        "reached": [{"node": each.node, "by": each.by} for each in impact.reached],
        "changed": list(impact.changed),
        "affected": list(impact.affected),
    }
