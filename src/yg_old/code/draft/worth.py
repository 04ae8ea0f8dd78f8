"""Which nodes there is most to say about: those to describe first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Undescribed(Struct, frozen=True, kw_only=True):
    """A node that nobody has described yet."""

    path: str
    lines: int  # of its source files
    neighbours: int  # nodes that it has relations with, in either direction

    @property
    def worth(self) -> int:
        """How much there is to say about it."""
        return self.lines * self.neighbours


def neighbours(targets: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """Return the nodes that each node has relations with, from the targets of all nodes."""
    found: dict[str, set[str]] = {path: set() for path in targets}
    for path, others in targets.items():
        for other in others:
            if other != path and other in found:
                found[path].add(other)
                found[other].add(path)
    return found


def most_to_say(
    nodes: Iterable[Undescribed], commits: Mapping[str, int]
) -> tuple[Undescribed, ...]:
    """Order nodes: those with most to say first, of equal ones those that change most."""
    return tuple(
        sorted(
            nodes,
            key=lambda node: (-node.worth, -commits.get(node.path, 0), -node.lines, node.path),
        )
    )
