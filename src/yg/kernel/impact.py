"""The impact of a change to a node: its direct and transitive dependents."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Tie(Struct, frozen=True):
    """A dependency of one node on another."""

    kind: str
    consumes: tuple[str, ...] = ()  # empty: everything the other node offers


class Dependent(Struct, frozen=True):
    """A node that depends on the target directly, and how."""

    node: str
    ties: tuple[Tie, ...]


class Reached(Struct, frozen=True):
    """A node that depends on the target indirectly."""

    node: str
    by: str  # the node it depends on directly, one step nearer to the target
    links: int  # nodes on the shortest path, from a direct dependent to this one
    opening: tuple[str, ...]  # the first two nodes of that path


class EventLink(Struct, frozen=True):
    """A node that shares an event with the target."""

    node: str
    kind: str  # what the other node does
    event: str


class AncestorLink(Struct, frozen=True):
    """A relation of another node to an ancestor of the target."""

    node: str
    kind: str
    ancestor: str


class Guided(Struct, frozen=True):
    """A node that is guided by the target or by a dependent of it, and the reasons."""

    node: str
    reasons: tuple[str, ...]


class Sharing(Struct, frozen=True):
    """Another node that has some of the target's aspects."""

    node: str
    aspects: tuple[str, ...]


class NodeImpact(Struct, frozen=True, kw_only=True):
    """The impact of a change to a node; None for parts its kind of graph does not have."""

    node: str
    direct: tuple[Dependent, ...]
    transitive: tuple[Reached, ...]
    descendants: tuple[str, ...]  # nodes below it or belonging to it
    named_by: tuple[Dependent, ...] | None = None  # nodes that refer to it without depending on it
    guided: tuple[Guided, ...] | None = None
    method: str | None = None  # the method that changes; empty for the whole node
    consumed: tuple[str, ...] = ()  # what other nodes consume of it by name
    events: tuple[EventLink, ...] | None = None
    through_ancestors: tuple[AncestorLink, ...] | None = None
    flows: tuple[str, ...] | None = None
    aspects: tuple[str, ...] | None = None
    sharing: tuple[Sharing, ...] | None = None

    @property
    def affected(self) -> tuple[str, ...]:
        """All affected nodes, sorted; an ancestor or a shared aspect alone does not count."""
        found = {
            *(dependent.node for dependent in self.direct),
            *(reached.node for reached in self.transitive),
            *(link.node for link in self.events or ()),
            *(dependent.node for dependent in self.named_by or ()),
            *(guided.node for guided in self.guided or ()),
            *self.descendants,
        }
        return tuple(sorted(found - {self.node}))


def dependents(
    incoming: Mapping[str, Sequence[str]], target: str, direct: Iterable[str]
) -> tuple[Reached, ...]:
    """Return the indirect dependents of a target, found breadth first, sorted."""
    start = sorted(direct)
    ways: dict[str, tuple[int, tuple[str, ...]]] = {path: (1, (path,)) for path in start}
    found: dict[str, Reached] = {}
    queue = deque(start)
    while queue:
        path = queue.popleft()
        links, opening = ways[path]
        for source in incoming.get(path, ()):
            if source not in ways and source != target:
                ways[source] = links + 1, (*opening, source)[:2]
                found[source] = Reached(source, path, *ways[source])
                queue.append(source)
    return tuple(reached for _, reached in sorted(found.items()))
