"""What a change to a node can reach: who depends on it, directly and through others."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Tie(Struct, frozen=True):
    """One way in which a node depends on another."""

    kind: str
    consumes: tuple[str, ...] = ()  # empty: everything the other one offers


class Dependent(Struct, frozen=True):
    """A node that depends on the target itself, and how."""

    node: str
    ties: tuple[Tie, ...]


class Reached(Struct, frozen=True):
    """A node that depends on the target through others."""

    node: str
    by: str  # the node that it depends on itself, one step nearer to the target
    links: int  # nodes on the shortest way, from a direct dependent to this one
    opening: tuple[str, ...]  # the first two of them


class EventLink(Struct, frozen=True):
    """A node that shares an event with the target."""

    node: str
    kind: str  # what the other node does
    event: str


class Guided(Struct, frozen=True):
    """A node over which the target, or something that depends on it, has a say, and why."""

    node: str
    because: tuple[str, ...]


class Sharing(Struct, frozen=True):
    """Another node to which some of the target's aspects apply."""

    node: str
    aspects: tuple[str, ...]


class NodeImpact(Struct, frozen=True, kw_only=True):
    """What a change to a node can reach; None for what its kind of graph has no word for."""

    node: str
    direct: tuple[Dependent, ...]
    transitive: tuple[Reached, ...]
    descendants: tuple[str, ...]  # what is below the node, or belongs to it
    named_by: tuple[Dependent, ...] | None = None  # those that point at it without needing it
    guided: tuple[Guided, ...] | None = None
    method: str | None = None  # the only thing of the node that changes; empty for any
    events: tuple[EventLink, ...] | None = None
    flows: tuple[str, ...] | None = None
    aspects: tuple[str, ...] | None = None
    sharing: tuple[Sharing, ...] | None = None

    @property
    def affected(self) -> tuple[str, ...]:
        """Every node that is reached, sorted; merely sharing an aspect does not count."""
        found = {
            *(each.node for each in self.direct),
            *(each.node for each in self.transitive),
            *(each.node for each in self.events or ()),
            *(each.node for each in self.named_by or ()),
            *(each.node for each in self.guided or ()),
            *self.descendants,
        }
        return tuple(sorted(found - {self.node}))


def dependents(
    incoming: Mapping[str, Sequence[str]], target: str, direct: Iterable[str]
) -> tuple[Reached, ...]:
    """Follow edges backwards, breadth first, from the nodes given; sorted."""
    start = sorted(direct)
    ways: dict[str, tuple[int, tuple[str, ...]]] = {path: (1, (path,)) for path in start}
    found: dict[str, Reached] = {}
    queue = deque(start)
    while queue:
        path = queue.popleft()
        links, opening = ways[path]
        for each in incoming.get(path, ()):
            if each not in ways and each != target:
                ways[each] = links + 1, (*opening, each)[:2]
                found[each] = Reached(each, path, *ways[each])
                queue.append(each)
    return tuple(reached for _, reached in sorted(found.items()))
