"""Walks over directed graphs of ids, none of them recursive.

A graph is a mapping from each id to the ids it points at; ids that are not keys are ignored.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


# Steps spent on looking for a shorter cycle than the first one found. Groups of up to some 1,400
# nodes are always searched completely; of larger ones the best cycle found by then is taken.
SEARCH_STEPS = 2_000_000


def inverted(edges: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Turn edges round: return who leads to each node, in order."""
    found: dict[str, list[str]] = {}
    for source, targets in edges.items():
        for target in targets:
            found.setdefault(target, []).append(source)
    return found


def cyclic_groups(edges: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return every group of ids that reach one another, each sorted, ordered by first id."""
    groups = (tuple(sorted(group)) for group in _components(edges))
    return tuple(sorted(group for group in groups if len(group) > 1 or group[0] in edges[group[0]]))


def gathered(edges: Mapping[str, Sequence[str]], own: Mapping[str, int]) -> dict[str, int]:
    """Return for each id the union of what it and all that it reaches own.

    A set is written as a number, one bit for each member: a union then costs next to nothing, so
    that the sets of a whole graph are had in one pass.
    """
    found: dict[str, int] = {}
    for group in _components(edges):  # what a group points at comes before it
        union = 0
        for node in group:
            union |= own.get(node, 0)
            for target in edges[node]:
                union |= found.get(target, 0)
        found.update(dict.fromkeys(group, union))
    return found


def positions(members: int) -> Iterator[int]:
    """Yield the positions of the bits of a set that is written as a number, in order."""
    while members:
        last = members & -members
        yield last.bit_length() - 1
        members ^= last


def _components(edges: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
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

    Of a group so large that finding it takes too many steps, the shortest one found.
    """
    members = set(group)
    inner = {node: [to for to in sorted(edges[node]) if to in members] for node in sorted(group)}
    best: tuple[str, ...] = ()
    steps = 0
    for start in inner:
        found, taken = _cycle_through(inner, start, len(best))
        steps += taken
        if found:
            best = found
        if len(best) == 1 or (best and steps > SEARCH_STEPS):
            break
    smallest = best.index(min(best))
    return best[smallest:] + best[:smallest]


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
                return _way_back(came_from, start, node), steps
            if target not in came_from:
                came_from[target] = node
                queue.append((target, length + 1))
    return (), steps


def _way_back(came_from: Mapping[str, str], start: str, end: str) -> tuple[str, ...]:
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


def reached(
    edges: Mapping[str, Iterable[str]], starts: Iterable[str], steps: int | None = None
) -> set[str]:
    """Return the starts and all that some number of steps leads to; without one, any number."""
    found = set(starts)
    border = list(found)
    while border and steps != 0:
        ahead = {to for each in border for to in edges.get(each, ())}
        border = list(ahead - found)
        found |= ahead
        steps = None if steps is None else steps - 1
    return found


MOST_SHOWN = 40  # links of a cycle that are written out


def written_out(cycle: Sequence[str]) -> str:
    """Write a cycle as links from its first member back to it, a long one without its middle."""
    links = [*cycle, cycle[0]]
    if len(cycle) > MOST_SHOWN:
        half = MOST_SHOWN // 2
        links[half:-half] = [f".. {len(links) - MOST_SHOWN} more .."]
    return " -> ".join(links)


def others(group: Sequence[str], cycle: Sequence[str]) -> tuple[str, ...]:
    """Tell how many more are in the group that a cycle was found in."""
    rest = len(group) - len(cycle)
    return (f"{rest} more in the same tangle of cycles.",) if rest else ()
