"""The dependency tree of a node, in which every node is expanded once."""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from yg_old.kernel.document import Count, File, Positive, Record, Text, about, known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Repeat(StrEnum):
    """Where a repeated node is expanded."""

    ABOVE = "see above"
    BELOW = "see below"


class Edge(Struct, frozen=True):
    """An outgoing edge of a node, as declared."""

    kind: str
    target: str
    required_by: tuple[str, ...] = ()  # the groups around the node that have it, if not the node


class Target(Struct, frozen=True, kw_only=True):
    """State of the node that an edge points at."""

    is_blackbox: bool | None = None  # None: this kind of graph has no blackboxes
    is_broken: bool = False  # missing or unreadable
    is_bad: bool = False  # exists, but is unreadable
    is_external: bool = False  # a node of another repository


class Dependency(Record, frozen=True, kw_only=True):
    """One relation or link of the node, or of something it needs."""

    HIDDEN = ("is_last", "repeat", "is_bad")

    level: Annotated[Positive, about("How many relations or links away from the node it is.")]
    kind: Annotated[Text, about("The type of the relation or link that leads to it.")] = field(
        name="type"
    )
    path: Annotated[Text, about("The path or id of the node that it names.")] = field(name="target")
    blackbox: Annotated[
        bool | UnsetType, about("Whether the target is a blackbox; absent in Spec Graphs.")
    ] = UNSET
    resolved: Annotated[bool, about("Whether the target exists and could be read.")] = True
    external: Annotated[
        Literal[True] | UnsetType,
        about("Present if the target is a node of another repository: IMPORT::NODE."),
    ] = UNSET
    repeated: Annotated[
        bool, about("Whether the dependencies of the target are listed at another entry for it.")
    ] = False
    required_by: Annotated[
        Annotated[tuple[Text, ...], Meta(min_length=1)] | UnsetType,
        about("In Spec Graphs: the groups around the node that have the link, if not the node."),
    ] = UNSET
    imports: Annotated[
        Count | UnsetType, about("With --code: how many imports back the relation.")
    ] = UNSET
    is_last: bool  # of its siblings
    repeat: Repeat | None = None
    is_bad: bool = False  # the target exists, but is unreadable


class ImportPlace(Record, frozen=True, kw_only=True):
    """One import."""

    file: File
    line: Annotated[Positive, about("The line of the import.")]


class ImportingNode(Record, frozen=True, kw_only=True):
    """Another node, and the imports that lead to it or come from it."""

    node: Annotated[Text, about("The path of the other node.")]
    places: Annotated[
        tuple[ImportPlace, ...], Meta(min_length=1), about("The imports, by file and line.")
    ]


class DependencyTree(Struct, frozen=True):
    """The root node and the lines below it, in order."""

    root: str
    is_blackbox: bool | None
    lines: tuple[Dependency, ...]


class Needs(Struct, frozen=True):
    """Functions to walk a graph: the edges of a node and the state of a target."""

    edges: Callable[[str], Sequence[Edge]]
    target: Callable[[str], Target]


def dependency_tree(needs: Needs, root: str, depth: int | None) -> DependencyTree:
    """Follow the edges from a node, up to a depth if one is given."""
    nearest = None if depth is None else _levels(needs, root, depth)
    lines = tuple(_lines(needs, root, depth, nearest))
    return DependencyTree(root, needs.target(root).is_blackbox, lines)


def _lines(
    needs: Needs, root: str, depth: int | None, nearest: dict[str, int] | None
) -> Iterator[Dependency]:
    """Walk depth first; expand a node at its first line or, with a limit, at its nearest."""
    opened = {root}
    waiting = _stacked(needs, root, 1) if depth is None or depth > 0 else []
    while waiting:
        edge, level, is_last = waiting.pop()
        path = edge.target
        target = needs.target(path)
        is_here = path not in opened and (nearest is None or level == nearest[path])
        repeat = None
        if not is_here:
            repeat = Repeat.ABOVE if path in opened else Repeat.BELOW
        yield Dependency(
            level=level,
            kind=edge.kind,
            path=path,
            blackbox=known(target.is_blackbox),
            resolved=not target.is_broken,
            external=target.is_external or UNSET,
            repeated=repeat is not None,
            required_by=edge.required_by or UNSET,
            is_last=is_last,
            repeat=repeat,
            is_bad=target.is_bad,
        )
        if is_here:
            opened.add(path)
            if not target.is_broken and (depth is None or level < depth):
                waiting.extend(_stacked(needs, path, level + 1))


def _stacked(needs: Needs, path: str, level: int) -> list[tuple[Edge, int, bool]]:
    """Return the edges of a node in reverse order, for a stack."""
    edges = needs.edges(path)
    last = len(edges) - 1
    return [(edge, level, at == last) for at, edge in enumerate(edges)][::-1]


def _levels(needs: Needs, root: str, depth: int) -> dict[str, int]:
    """Return the smallest level of every node within a depth."""
    levels = {root: 0}
    queue = deque([root])
    while queue:
        path = queue.popleft()
        if levels[path] >= depth:
            continue
        for edge in needs.edges(path):
            if edge.target not in levels:
                levels[edge.target] = levels[path] + 1
                if not needs.target(edge.target).is_broken:
                    queue.append(edge.target)
    return levels
