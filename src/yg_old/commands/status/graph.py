"""The status of a graph of any kind: its numbers, and how many issues it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from yg_old.commands.issues import Errors, Warnings, counts_text
from yg_old.kernel.document import Count, Record, Text, about
from yg_old.kernel.overview import Status
from yg_old.kernel.palette import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg_old.kernel.document import Document
    from yg_old.kernel.issue import Verdict
    from yg_old.kernel.overview import Share


class CheckedGraph(Status, frozen=True, kw_only=True):
    """The numbers of a graph, and how many issues it has."""

    HIDDEN: ClassVar[tuple[str, ...]] = ("following",)

    errors: Errors
    warnings: Warnings
    following: int  # issues that follow from another one


class Difference(Record, frozen=True, kw_only=True):
    """A number that differs."""

    name: Annotated[Text, about("The key of the number in this document, such as `links.uses`.")]
    then: Annotated[Count, about("The number at the commit; 0 if it was not there.")]
    now: Annotated[Count, about("The number of today.")]


class Since(Record, frozen=True, kw_only=True):
    """What differs from a commit."""

    revision: Annotated[Text, about("The commit to compare with, as given.")]
    commit: Annotated[Text, about("Its id.")]
    added: Annotated[tuple[Text, ...], about("The nodes that it does not have, sorted.")]
    removed: Annotated[tuple[Text, ...], about("The nodes that only it has, sorted.")]
    differences: Annotated[
        tuple[Difference, ...], about("The numbers that differ, in the order of this document.")
    ]


class GraphStatus(CheckedGraph, frozen=True, kw_only=True, tag="yg-graph-status/1"):
    """What `yg status --json` prints for a Spec Graph: the graph in numbers."""

    since: Annotated[
        Since | UnsetType, about("What differs from a commit; only with `--since`.")
    ] = UNSET


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
