"""How the vertices of an Export stand inside one another in a picture."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.export import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.export import Edge, Export, Vertex

DEEPEST = 20  # levels that are indented, so that a long chain of frames stays linear


class Part(Enum):
    """What a picture shows of a vertex, one after the other."""

    FRAME = auto()  # the frame around all that it contains, which comes next
    BOX = auto()
    END = auto()  # of its frame


class Step(Struct, frozen=True):
    """One line of a nested picture."""

    part: Part
    vertex: Vertex
    indentation: str


class Nesting(Struct, frozen=True):
    """The vertices in nested order, and the edges that are left to be drawn."""

    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]


def nested(export: Export) -> Nesting:
    """Put every vertex into the first that contains it; whatever has a frame and edges has both.

    Groups may share members and may contain one another: every vertex is shown once.
    """
    held = _held(export)
    shown = tuple(edge for edge in export.edges if held.get(edge.target) != edge)
    joined = {end for edge in shown for end in (edge.source, edge.target)}
    return Nesting(tuple(_steps(export, held, joined)), shown)


def _held(export: Export) -> dict[str, Edge]:
    """Return the one edge that puts each vertex into a frame; no vertex gets into itself."""
    inside: dict[str, list[Edge]] = {}
    for edge in export.edges:
        if edge.kind is EdgeKind.CONTAINS:
            inside.setdefault(edge.source, []).append(edge)
    held: dict[str, Edge] = {}
    seen: set[str] = set()
    for start in _tops_first(export, inside):
        waiting = [] if start in seen else [start]
        seen.add(start)
        while waiting:
            for edge in inside.get(waiting.pop(), ()):
                if edge.target not in seen:
                    seen.add(edge.target)
                    held[edge.target] = edge
                    waiting.append(edge.target)
    return held


def _tops_first(export: Export, inside: dict[str, list[Edge]]) -> Iterator[str]:
    """Yield what nothing contains, and then the rest, for groups that contain one another."""
    contained = {edge.target for edges in inside.values() for edge in edges}
    every = [vertex.id for vertex in export.vertices]
    yield from (each for each in every if each not in contained)
    yield from (each for each in every if each in contained)


def _steps(export: Export, held: dict[str, Edge], joined: set[str]) -> Iterator[Step]:
    inside: dict[str, list[Vertex]] = {}
    for vertex in export.vertices:
        if vertex.id in held:
            inside.setdefault(held[vertex.id].source, []).append(vertex)
    tops = [vertex for vertex in export.vertices if vertex.id not in held]
    waiting = [(vertex, 1, False) for vertex in reversed(tops)]
    while waiting:
        vertex, level, is_end = waiting.pop()
        indentation = "  " * min(level, DEEPEST)
        if is_end:
            yield Step(Part.END, vertex, indentation)
            continue
        below = inside.get(vertex.id, [])
        if below:
            yield Step(Part.FRAME, vertex, indentation)
            waiting.append((vertex, level, True))
            waiting.extend((each, level + 1, False) for each in reversed(below))
        if not below or vertex.id in joined:
            inner = "  " * min(level + 1, DEEPEST) if below else indentation
            yield Step(Part.BOX, vertex, inner)
