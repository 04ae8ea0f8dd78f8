"""The status of a graph of any kind: its numbers, and how many issues it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import asdict

from yg.commands.issues import Errors, Warnings, counts_text
from yg.kernel.overview import Status
from yg.kernel.palette import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg.kernel.document import Document
    from yg.kernel.issue import Verdict
    from yg.kernel.overview import Share


class CheckedGraph(Status, frozen=True, kw_only=True):
    """The numbers of a graph, and how many issues it has."""

    HIDDEN: ClassVar[tuple[str, ...]] = ("following",)

    errors: Errors
    warnings: Warnings
    following: int  # issues that follow from another one


class GraphStatus(CheckedGraph, frozen=True, kw_only=True, tag="yg-graph-status/1"):
    """What `yg status --json` prints for a Spec Graph: the graph in numbers."""


def checked(numbers: Document, verdict: Verdict) -> dict[str, Any]:
    """Return the fields with which a document about a graph begins."""
    return {
        **asdict(numbers),
        "errors": verdict.errors,
        "warnings": verdict.warnings,
        "following": verdict.following,
    }


def graph_text(graph: CheckedGraph) -> str:
    """Write the counts, the issues and the quality of a graph."""
    types = counted_types(graph.types)
    links = ", ".join(f"{count} {visible(kind)}" for kind, count in graph.links.items())
    lines = [
        f"Graph: {visible(graph.name)}",
        f"Nodes: {graph.nodes}{f' ({types})' if types else ''}",
        f"Links: {links or 0}",
        f"Validation: {counts_text(graph)}",
        *(["Quality:"] if graph.shares else []),
        *(f"  {_share(share)}" for share in graph.shares),
    ]
    return "".join(f"{line}\n" for line in lines)


def _share(share: Share) -> str:
    return f"{share.what}: {share.have}/{share.of} {share.means}"


def counted_types(types: Mapping[str, int]) -> str:
    """Write the number of nodes of each type."""
    return ", ".join(f"{count} {_plural(visible(name), count)}" for name, count in types.items())


def _plural(name: str, count: int) -> str:
    if count == 1:
        return name
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"
