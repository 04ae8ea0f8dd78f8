"""The build order of nodes, in stages: dependencies come in earlier stages."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    Order = Mapping[str, Sequence[str]]


class Plan(Struct, frozen=True, kw_only=True):
    """Stages of nodes that can be built in parallel, and the critical path."""

    stages: tuple[tuple[str, ...], ...]
    critical: tuple[str, ...]
    left_out: tuple[tuple[str, int], ...]  # number of nodes by the reason they are left out

    @property
    def total(self) -> int:
        """The number of nodes to build."""
        return sum(map(len, self.stages))


def plan_of(
    needs: Order, chosen: Collection[str], left_out: Iterable[tuple[str, int]] = ()
) -> Plan | None:
    """Order the chosen nodes by their dependencies; return None if these form a cycle.

    Dependencies through nodes that are not chosen count too. Every target must be a key of `needs`.
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
    """Return a node and its direct and indirect dependencies."""
    seen = {path}
    waiting = [path]
    while waiting:
        for target in needs.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return frozenset(seen)


def _levels(needs: Order, chosen: Collection[str]) -> dict[str, int] | None:
    """Assign each chosen node a level above its chosen dependencies (Kahn's algorithm)."""
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
        for dependent in needed_by[path]:
            levels[dependent] = max(levels[dependent], levels[path])
            waits[dependent] -= 1
            if not waits[dependent]:
                ready.append(dependent)
    return levels if done == len(needs) else None


def _critical(needs: Order, levels: Mapping[str, int], chosen: Collection[str]) -> tuple[str, ...]:
    """Return a longest chain of chosen nodes, in build order."""
    last = max(levels.values(), default=0)
    path = min((node for node in chosen if levels[node] == last), default=None)
    chain: list[str] = []
    while path is not None:
        if path in chosen:
            chain.append(path)
        wanted = levels[path] - (path in chosen)
        path = min(
            (node for node in needs[path] if wanted and levels[node] == wanted), default=None
        )
    return tuple(reversed(chain))
