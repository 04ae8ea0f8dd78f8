"""What a node needs, and what that needs: a tree in which every node is opened once."""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Repeat(StrEnum):
    """Where a node is opened that is not opened here."""

    ABOVE = "see above"
    BELOW = "see below"


class Edge(Struct, frozen=True):
    """One way on from a node, as its author declared it."""

    kind: str
    target: str


class Target(Struct, frozen=True, kw_only=True):
    """What is known of a node that an edge leads to."""

    is_blackbox: bool | None = None  # None: there are no blackboxes in this kind of graph
    is_broken: bool = False  # it does not exist or could not be read
    is_bad: bool = False  # it exists, but could not be read


class Dependency(Struct, frozen=True):
    """One line of the tree."""

    level: int
    kind: str
    path: str
    is_blackbox: bool | None
    is_last: bool  # of its siblings
    repeat: Repeat | None
    is_broken: bool = False
    is_bad: bool = False


class DependencyTree(Struct, frozen=True):
    """The node asked about, and the lines below it in order."""

    root: str
    is_blackbox: bool | None
    lines: tuple[Dependency, ...]


class Needs(Struct, frozen=True):
    """How to walk a graph: the edges of a node, and what is known of a target."""

    edges: Callable[[str], Sequence[Edge]]
    target: Callable[[str], Target]


def dependency_tree(needs: Needs, root: str, depth: int | None) -> DependencyTree:
    """Follow edges from a node; without a depth, to their end."""
    nearest = None if depth is None else _levels(needs, root, depth)
    lines = tuple(_lines(needs, root, depth, nearest))
    return DependencyTree(root, needs.target(root).is_blackbox, lines)


def _lines(
    needs: Needs, root: str, depth: int | None, nearest: dict[str, int] | None
) -> Iterator[Dependency]:
    """Walk depth first; a node is opened where it is met first or, with a limit, nearest."""
    opened = {root}
    waiting = _waiting(needs, root, 1) if depth is None or depth > 0 else []
    while waiting:
        edge, level, is_last = waiting.pop()
        path = edge.target
        target = needs.target(path)
        is_here = path not in opened and (nearest is None or level == nearest[path])
        repeat = None
        if not is_here:
            repeat = Repeat.ABOVE if path in opened else Repeat.BELOW
        yield Dependency(
            level,
            edge.kind,
            path,
            is_blackbox=target.is_blackbox,
            is_last=is_last,
            repeat=repeat,
            is_broken=target.is_broken,
            is_bad=target.is_bad,
        )
        if is_here:
            opened.add(path)
            if not target.is_broken and (depth is None or level < depth):
                waiting.extend(_waiting(needs, path, level + 1))


def _waiting(needs: Needs, path: str, level: int) -> list[tuple[Edge, int, bool]]:
    """Return the edges of a node, the first one last, ready for a stack."""
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
