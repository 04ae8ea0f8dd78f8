"""The order in which nodes can be built: stages, each after all that it needs."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from yg.kernel.errors import RefusedError
from yg.kernel.value import value

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from yg.yggdrasil.graph import Graph


@value(kw_only=True)
class Plan:
    """Stages of nodes that can be built side by side, and the longest chain through them."""

    stages: tuple[tuple[str, ...], ...]
    critical: tuple[str, ...]
    blackboxes: int  # left out: they are what they are
    unmapped: int  # left out: there is nothing to build

    @property
    def total(self) -> int:
        """How many nodes are to be built."""
        return sum(map(len, self.stages))


def plan_of(graph: Graph, only: Collection[str] | None = None) -> Plan:
    """Order the mapped nodes that are no blackboxes; `only` keeps some of them.

    Order passes through nodes that are left out for another reason than being a blackbox.
    """
    every = tuple(graph.nodes)
    buildable = (node.path for node in every if node.mapping and not node.is_blackbox)
    chosen = frozenset(path for path in buildable if only is None or path in only)
    needs = _needs(graph)
    levels = _levels(needs, chosen)
    stages: list[list[str]] = [[] for _ in range(max(levels.values(), default=0))]
    for path in sorted(chosen):
        stages[levels[path] - 1].append(path)
    return Plan(
        stages=tuple(map(tuple, stages)),
        critical=_critical(needs, levels, chosen),
        blackboxes=sum(node.is_blackbox for node in every),
        unmapped=sum(not node.mapping and not node.is_blackbox for node in every),
    )


def needed_for(graph: Graph, path: str) -> frozenset[str]:
    """Return a node and everything it needs, directly or not."""
    needs = _needs(graph)
    seen = {path}
    waiting = [path]
    while waiting:
        for target in needs.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return frozenset(seen)


def _needs(graph: Graph) -> dict[str, tuple[str, ...]]:
    """Return what each node needs to be built, blackboxes left out on both sides."""
    nodes = {node.path: node for node in graph.nodes if not node.is_blackbox}
    return {
        path: tuple(
            dict.fromkeys(
                each.target.text
                for each in node.relations
                if each.kind.is_structural and each.target.text in nodes
            )
        )
        for path, node in nodes.items()
    }


def _levels(needs: Mapping[str, Sequence[str]], chosen: Collection[str]) -> dict[str, int]:
    """Give each chosen node a number above those of all chosen ones it needs (Kahn)."""
    waits = {path: len(targets) for path, targets in needs.items()}
    needed_by: dict[str, list[str]] = {path: [] for path in needs}
    for path, targets in needs.items():
        for target in targets:
            needed_by[target].append(path)
    levels = dict.fromkeys(needs, 0)
    ready = deque(path for path, count in waits.items() if not count)
    done = 0
    while ready:
        path = ready.popleft()
        done += 1
        levels[path] += path in chosen
        for each in needed_by[path]:
            levels[each] = max(levels[each], levels[path])
            waits[each] -= 1
            if not waits[each]:
                ready.append(each)
    if done < len(needs):
        hint = "'yg validate' writes every cycle out (E010)."
        raise RefusedError("there is no order: structural relations form a cycle", hint=hint)
    return levels


def _critical(
    needs: Mapping[str, Sequence[str]], levels: Mapping[str, int], chosen: Collection[str]
) -> tuple[str, ...]:
    """Return a longest chain of chosen nodes, what is built first in front."""
    last = max(levels.values(), default=0)
    path = min((each for each in chosen if levels[each] == last), default=None)
    chain: list[str] = []
    while path is not None:
        if path in chosen:
            chain.append(path)
        wanted = levels[path] - (path in chosen)
        path = min(
            (each for each in needs[path] if wanted and levels[each] == wanted), default=None
        )
    return tuple(reversed(chain))
