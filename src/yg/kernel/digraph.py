"""Algorithms on directed graphs of ids, without recursion.

A graph is a mapping from each id to the ids it points at; ids that are not keys are ignored.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from yg.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


# Limit on the search for a shorter cycle. Groups of up to about 1,400 nodes are always searched
# completely; for larger ones, the shortest cycle found within the limit is used.
SEARCH_STEPS = 2_000_000


def cyclic_groups(edges: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of ids that reach one another, each sorted, ordered by first id."""
    with_targets = {node: targets for node, targets in edges.items() if targets}
    groups = (tuple(sorted(group)) for group in components(with_targets))
    return tuple(sorted(group for group in groups if len(group) > 1 or group[0] in edges[group[0]]))


def components(edges: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Yield the strongly connected components (Tarjan's algorithm with its own stack)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    on_stack: set[str] = set()
    stack: list[str] = []
    for start in edges:
        if start in index:
            continue
        work = [(start, iter(edges[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in edges:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(edges[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    yield _take_until(node, stack, on_stack)


def _take_until(node: str, stack: list[str], on_stack: set[str]) -> list[str]:
    group: list[str] = []
    while not group or group[-1] != node:
        group.append(stack.pop())
    on_stack.difference_update(group)
    return group


def shortest_cycle(edges: Mapping[str, Sequence[str]], group: Sequence[str]) -> tuple[str, ...]:
    """Return a shortest cycle of a cyclic group, each id once, its smallest id first.

    For a very large group, return the shortest cycle found within SEARCH_STEPS.
    """
    members = set(group)
    inner = {node: [to for to in sorted(edges[node]) if to in members] for node in sorted(group)}
    is_ring = sum(map(len, inner.values())) == len(inner)  # it has no other cycle
    best: tuple[str, ...] = ()
    steps = 0
    for start in inner:
        found, taken = _cycle_through(inner, start, len(best))
        steps += taken
        if found:
            best = found
        if len(best) == 1 or (best and (is_ring or steps > SEARCH_STEPS)):
            break
    smallest = best.index(min(best))
    return best[smallest:] + best[:smallest]


def inner_edges(
    edges: Mapping[str, Sequence[str]], group: Sequence[str], cycle: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield the edges inside a cyclic group, which are all on cycles; those of `cycle` first."""
    first = list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
    yield from first
    members, seen = set(group), set(first)
    for source in group:
        for target in sorted(members.intersection(edges[source])):
            if (source, target) not in seen:
                yield source, target


def _cycle_through(
    edges: Mapping[str, Sequence[str]], start: str, shorter_than: int
) -> tuple[tuple[str, ...], int]:
    """Search breadth first for a cycle through `start`; 0 for `shorter_than` means any length."""
    came_from: dict[str, str] = {}
    queue = deque([(start, 1)])
    steps = 0
    while queue:
        node, length = queue.popleft()
        if shorter_than and length >= shorter_than:
            break
        for target in edges[node]:
            steps += 1
            if target == start:
                return _path_back(came_from, start, node), steps
            if target not in came_from:
                came_from[target] = node
                queue.append((target, length + 1))
    return (), steps


def _path_back(came_from: Mapping[str, str], start: str, end: str) -> tuple[str, ...]:
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


MOST_SHOWN = 40  # links of a cycle in a message


def written_out(cycle: Sequence[str]) -> str:
    """Format a cycle as `a -> b -> a`; omit the middle of a long one."""
    links = [*cycle, cycle[0]]
    if len(cycle) > MOST_SHOWN:
        half = MOST_SHOWN // 2
        links[half:-half] = [f".. {len(links) - MOST_SHOWN} more .."]
    return " -> ".join(links)


def others(group: Sequence[str], cycle: Sequence[str], noun: str) -> tuple[str, ...]:
    """Return a line on how many more ids are on cycles that share an id with this one."""
    rest = len(group) - len(cycle)
    be = "is" if rest == 1 else "are"
    return (f"{counted(rest, f'more {noun}')} {be} on cycles that meet this one.",) if rest else ()
