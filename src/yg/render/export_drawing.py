"""What drawings of a graph have in common: nested boxes, and how each kind of thing looks."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.export import EdgeKind, Presence, VertexKind
from yg.render.plain import one_line, visible

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


LONGEST = 60  # characters of a name or a label; a picture is no place for more


class Colours(Struct, frozen=True):
    """The inside, the border and the letters of a box."""

    fill: str
    line: str
    text: str = "#0f172a"


_TYPES = (
    Colours("#dbeafe", "#1d4ed8"),
    Colours("#dcfce7", "#15803d"),
    Colours("#fef3c7", "#b45309"),
    Colours("#fce7f3", "#be185d"),
    Colours("#ede9fe", "#6d28d9"),
    Colours("#cffafe", "#0e7490"),
    Colours("#ffedd5", "#c2410c"),
    Colours("#ecfccb", "#4d7c0f"),
)
_ASPECT = Colours("#f8fafc", "#94a3b8")
_FLOW = Colours("#ecfeff", "#0e7490")
_BLACKBOX = Colours("#475569", "#0f172a", "#ffffff")
_ABSENT = Colours("#fef2f2", "#dc2626", "#991b1b")


class Style:
    """How the vertices of one Export look: types keep their colours in every part of a graph."""

    def __init__(self, export: Export) -> None:
        self._order = {name: at for at, name in enumerate(export.types)}

    def colours(self, vertex: Vertex) -> Colours:
        """Choose the colours of a vertex."""
        if vertex.presence is not Presence.PRESENT:
            return _ABSENT
        if vertex.blackbox:
            return _BLACKBOX
        if vertex.kind is not VertexKind.NODE:
            return _ASPECT if vertex.kind is VertexKind.ASPECT else _FLOW
        return _TYPES[self._order[vertex.type] % len(_TYPES)]


def title(vertex: Vertex) -> str:
    """Name a vertex for people."""
    return short(vertex.name) or short(vertex.path) or "?"


def remark(vertex: Vertex) -> str:
    """Tell in a few words what a vertex is, and what is wrong with it."""
    said = [short(vertex.type) or vertex.kind.value]
    if vertex.presence is not Presence.PRESENT:
        said.append(vertex.presence.value)
    if vertex.blackbox:
        said.append("blackbox")
    if vertex.budget not in ("", "ok"):
        said.append(f"{vertex.tokens} tokens" if vertex.tokens else "too large")
    if vertex.drift not in ("", "ok"):
        said.append(vertex.drift)
    return ", ".join(said)


def label(edge: Edge) -> str:
    """Write beside an edge what its look alone does not tell."""
    match edge.kind:
        case EdgeKind.RELATION | EdgeKind.EVENT:
            return short(f"{edge.type} {edge.event}")
        case EdgeKind.HAS_ASPECT | EdgeKind.PARTICIPATES:
            return ""  # what stands at the other end says it
        case _:
            return edge.kind.value


def short(text: str) -> str:
    """Put text on one line that fits into a picture."""
    line = visible(one_line(text)).strip()
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
