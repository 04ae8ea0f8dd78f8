"""The build order of nodes, in stages: dependencies come in earlier stages."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from yg_old.kernel.codec import Codec
from yg_old.kernel.digraph import components, inverted
from yg_old.kernel.document import Record, Text, about
from yg_old.kernel.issue import Finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    Order = Mapping[str, Sequence[str]]


class Unordered(Record, frozen=True):
    """A node that has no place in the order."""

    node: Annotated[Text, about("The node.")]
    reason: Annotated[Text, about("Why it has none.")]


class Plan(Struct, frozen=True, kw_only=True):
    """Stages of nodes that can be built in parallel, and the critical path."""

    stages: tuple[tuple[str, ...], ...]
    critical: tuple[str, ...]
    left_out: tuple[tuple[str, int], ...]  # number of nodes by the reason they are left out
    cycles: tuple[tuple[str, ...], ...] = ()  # nodes of one stage that need each other
    unordered: tuple[Unordered, ...] = ()

    @property
    def total(self) -> int:
        """The number of nodes to build."""
        return sum(map(len, self.stages))


# The plan of a whole graph, and findings about nodes that are not in it.
PLANNED: Codec[tuple[Plan, tuple[Finding, ...]]] = Codec(tuple[Plan, tuple[Finding, ...]])


def plan_of(
    needs: Order,
    chosen: Collection[str],
    left_out: Iterable[tuple[str, int]] = (),
    unordered: Iterable[Unordered] = (),
) -> Plan:
    """Order the chosen nodes by their dependencies; nodes that need each other share a stage.

    Dependencies through nodes that are not chosen count too. Every target must be a key of `needs`.
    """
    groups = [tuple(sorted(group)) for group in components(needs)]
    levels = _levels(needs, groups, chosen)
    stages: list[list[str]] = [[] for _ in range(max(levels.values(), default=0))]
    for path in sorted(chosen):
        stages[levels[path] - 1].append(path)
    cycles = (tuple(path for path in group if path in chosen) for group in groups)
    return Plan(
        stages=tuple(map(tuple, stages)),
        critical=_critical(needs, groups, levels, chosen),
        left_out=tuple(left_out),
        cycles=tuple(sorted(group for group in cycles if len(group) > 1)),
        unordered=tuple(unordered),
    )


def unordered(needs: Order, faulty: Mapping[str, str]) -> dict[str, str]:
    """Return the reason for each node that has no place in the order, sorted.

    These are the faulty nodes, with their reasons, and all nodes that need one of them.
    """
    needed_by = inverted(needs)
    reasons = dict(sorted(faulty.items()))
    waiting = deque(reasons)
    while waiting:
        path = waiting.popleft()
        for dependent in needed_by.get(path, ()):
            if dependent not in reasons:
                reasons[dependent] = f"needs '{path}', which is left out"
                waiting.append(dependent)
    return dict(sorted(reasons.items()))


def without(needs: Order, removed: Collection[str]) -> dict[str, Sequence[str]]:
    """Remove nodes that none of the others needs."""
    return {path: targets for path, targets in needs.items() if path not in removed}


def needed_for(needs: Order, paths: Iterable[str]) -> frozenset[str]:
    """Return some nodes and their direct and indirect dependencies."""
    seen = set(paths)
    waiting = list(seen)
    while waiting:
        for target in needs.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return frozenset(seen)


def _levels(
    needs: Order, groups: Iterable[Sequence[str]], chosen: Collection[str]
) -> dict[str, int]:
    """Assign each group a level above its dependencies, one higher if it has chosen nodes."""
    levels: dict[str, int] = {}
    for group in groups:  # targets of a group come before it
        below = (levels.get(target, 0) for path in group for target in needs[path])
        level = max(below, default=0) + any(path in chosen for path in group)
        levels.update(dict.fromkeys(group, level))
    return levels


def _critical(
    needs: Order,
    groups: Iterable[tuple[str, ...]],
    levels: Mapping[str, int],
    chosen: Collection[str],
) -> tuple[str, ...]:
    """Return a longest chain of chosen nodes, in build order; one of each group."""
    group_of = {path: group for group in groups for path in group}
    last = max(levels.values(), default=0)
    path = min((node for node in chosen if levels[node] == last), default=None)
    chain: list[str] = []
    while path is not None:
        group = group_of[path]
        inside = set(group)
        built = [node for node in group if node in chosen]
        if built:
            chain.append(path if path in chosen else built[0])
        wanted = levels[path] - bool(built)
        targets = (target for node in group for target in needs[node])
        path = min(
            (node for node in targets if wanted and levels[node] == wanted and node not in inside),
            default=None,
        )
    return tuple(reversed(chain))
