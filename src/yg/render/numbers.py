"""The state of a graph of any kind as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.render.plain import visible
from yg.render.status import counted_types
from yg.render.validate import counts_text

if TYPE_CHECKING:
    from yg.kernel.status import Share, Status
    from yg.kernel.verdict import Verdict


def numbers_text(status: Status, verdict: Verdict) -> str:
    """Write what the graph holds, and how much of it is as it should be."""
    types = counted_types(status.types)
    links = ", ".join(f"{count} {visible(kind)}" for kind, count in status.links)
    lines = [
        f"Graph: {visible(status.name)}",
        f"Nodes: {status.nodes}{f' ({types})' if types else ''}",
        f"Links: {links or 0}",
        f"Validation: {counts_text(verdict)}",
        *(["Quality:"] if status.shares else []),
        *(f"  {_share(each)}" for each in status.shares),
    ]
    return "".join(f"{line}\n" for line in lines)


def _share(each: Share) -> str:
    return f"{each.what}: {each.have}/{each.of} {each.means}"


def numbers_data(status: Status, verdict: Verdict) -> dict[str, Any]:
    """Return the state of a graph as plain data."""
    return {
        "name": status.name,
        "nodes": status.nodes,
        "types": dict(status.types),
        "links": dict(status.links),
        "quality": [
            {"what": each.what, "have": each.have, "of": each.of, "means": each.means}
            for each in status.shares
        ],
        "errors": verdict.errors,
        "warnings": verdict.warnings,
    }
