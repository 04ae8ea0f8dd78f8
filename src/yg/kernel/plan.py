"""The order in which nodes can be built: stages, each after all that it needs."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    Order = Mapping[str, Sequence[str]]


class Plan(Struct, frozen=True, kw_only=True):
    """Stages of nodes that can be built side by side, and the longest chain through them."""

    stages: tuple[tuple[str, ...], ...]
    critical: tuple[str, ...]
    left_out: tuple[tuple[str, int], ...]  # how many nodes there are, by why they are left out

    @property
    def total(self) -> int:
        """How many nodes are to be built."""
        return sum(map(len, self.stages))


def plan_of(
    needs: Order, chosen: Collection[str], left_out: Iterable[tuple[str, int]] = ()
) -> Plan | None:
    """Order the chosen nodes by what each needs; None when needs form a cycle.

    Order passes through nodes that are not chosen. Every need is a node that has needs itself.
    """
    levels = _levels(needs, chosen)
    if levels is None:
        return None
    stages: list[list[str]] = [[] for _ in range(max(levels.values(), default=0))]
    for path in sorted(chosen):
        stages[levels[path] - 1].append(path)
    return Plan(
        stages=tuple(map(tuple, stages)),
        critical=_critical(needs, levels, chosen),
        left_out=tuple(left_out),
    )


def needed_for(needs: Order, path: str) -> frozenset[str]:
    """Return a node and everything it needs, directly or not."""
    seen = {path}
    waiting = [path]
    while waiting:
        for target in needs.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return frozenset(seen)


def _levels(needs: Order, chosen: Collection[str]) -> dict[str, int] | None:
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
    return levels if done == len(needs) else None


def _critical(needs: Order, levels: Mapping[str, int], chosen: Collection[str]) -> tuple[str, ...]:
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
