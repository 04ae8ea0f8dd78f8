"""What a node needs, and what that needs: a tree in which every node is opened once."""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING

from yg.kernel.value import value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node, Relation


class RelationClass(StrEnum):
    """Which relations to follow."""

    STRUCTURAL = "structural"
    EVENT = "event"
    ALL = "all"

    def covers(self, relation: Relation) -> bool:
        """Tell whether a relation belongs to this class."""
        wanted = RelationClass.STRUCTURAL if relation.kind.is_structural else RelationClass.EVENT
        return self in (RelationClass.ALL, wanted)


class Repeat(StrEnum):
    """Where a node is opened that is not opened here."""

    ABOVE = "see above"
    BELOW = "see below"


@value
class Dependency:
    """One line of the tree."""

    level: int
    kind: str
    path: str
    is_blackbox: bool
    is_last: bool  # of its siblings
    repeat: Repeat | None
    is_broken: bool = False  # the target does not exist or could not be read
    is_bad: bool = False  # it exists, but could not be read


@value
class DependencyTree:
    """The node asked about, and the lines below it in order."""

    root: Node
    lines: tuple[Dependency, ...]


def dependency_tree(
    graph: Graph, root: Node, depth: int | None, only: RelationClass
) -> DependencyTree:
    """Follow relations from a node; without a depth, to their end."""
    nearest = None if depth is None else _levels(graph, root, depth, only)
    return DependencyTree(root, tuple(_lines(graph, root, depth, only, nearest)))


def _lines(
    graph: Graph,
    root: Node,
    depth: int | None,
    only: RelationClass,
    nearest: dict[str, int] | None,
) -> Iterator[Dependency]:
    """Walk depth first; a node is opened where it is met first or, with a limit, nearest."""
    opened = {root.path}
    waiting = _relations(root, only, 1) if depth is None or depth > 0 else []
    while waiting:
        relation, level, is_last = waiting.pop()
        path = relation.target.text
        node = graph.nodes.get(path)
        is_here = path not in opened and (nearest is None or level == nearest[path])
        repeat = None
        if not is_here:
            repeat = Repeat.ABOVE if path in opened else Repeat.BELOW
        yield Dependency(
            level,
            str(relation.kind),
            path,
            is_blackbox=node is not None and node.is_blackbox,
            is_last=is_last,
            repeat=repeat,
            is_broken=node is None,
            is_bad=node is None and graph.nodes.reading(path) is not None,
        )
        if is_here:
            opened.add(path)
            if node is not None and (depth is None or level < depth):
                waiting.extend(_relations(node, only, level + 1))


def _relations(node: Node, only: RelationClass, level: int) -> list[tuple[Relation, int, bool]]:
    """Return the relations of a node, the first one last, ready for a stack."""
    chosen = [relation for relation in node.relations if only.covers(relation)]
    last = len(chosen) - 1
    return [(relation, level, at == last) for at, relation in enumerate(chosen)][::-1]


def _levels(graph: Graph, root: Node, depth: int, only: RelationClass) -> dict[str, int]:
    """Return the smallest level of every node within a depth."""
    levels = {root.path: 0}
    queue = deque([root])
    while queue:
        node = queue.popleft()
        if levels[node.path] >= depth:
            continue
        for relation, _, _ in reversed(_relations(node, only, 0)):
            path = relation.target.text
            if path not in levels:
                levels[path] = levels[node.path] + 1
                target = graph.nodes.get(path)
                if target is not None:
                    queue.append(target)
    return levels
