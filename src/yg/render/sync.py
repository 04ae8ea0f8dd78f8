"""What a synchronisation did, as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.edit import Delete
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.edit import Edit
    from yg.render.plain import Palette
    from yg.yggdrasil.baseline import Baseline
    from yg.yggdrasil.sync import Synced

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
