"""Layout and style shared by the drawings of an Export: nesting, colours and labels."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.export import Backing, EdgeKind, Presence, VertexKind
from yg_old.kernel.package import unit_of
from yg_old.kernel.palette import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.export import Export, ExportEdge, Vertex


DEEPEST = 20  # deepest level to indent, so that a long chain of frames stays linear in size


class Part(Enum):
    """The kind of a drawing step."""

    FRAME = auto()  # opens the frame around the contents of a vertex
    BOX = auto()
    END = auto()  # closes the frame


class Step(Struct, frozen=True):
    """One line of a nested drawing."""

    part: Part
    vertex: Vertex
    indentation: str


class Nesting(Struct, frozen=True):
    """The drawing steps in nested order, and the edges not shown by nesting."""

    steps: tuple[Step, ...]
    edges: tuple[ExportEdge, ...]


def nested(export: Export) -> Nesting:
    """Nest every vertex in the first container that reaches it.

    Containers may share members and may contain one another; every vertex is drawn once. A
    container that has edges of its own is drawn both as a frame and as a box.
    """
    containers = _container_edges(export)
    shown = tuple(edge for edge in export.edges if containers.get(edge.target) != edge)
    connected = {end for edge in shown for end in (edge.source, edge.target)}
    return Nesting(tuple(_steps(export, containers, connected)), shown)


def _container_edges(export: Export) -> dict[str, ExportEdge]:
    """Return, by vertex, the edge from its container; cycles are broken."""
    inside: dict[str, list[ExportEdge]] = {}
    for edge in export.edges:
        if edge.kind is EdgeKind.CONTAINS:
            inside.setdefault(edge.source, []).append(edge)
    containers: dict[str, ExportEdge] = {}
    seen: set[str] = set()
    for start in _roots_first(export, inside):
        stack = [] if start in seen else [start]
        seen.add(start)
        while stack:
            for edge in inside.get(stack.pop(), ()):
                if edge.target not in seen:
                    seen.add(edge.target)
                    containers[edge.target] = edge
                    stack.append(edge.target)
    return containers


def _roots_first(export: Export, inside: dict[str, list[ExportEdge]]) -> Iterator[str]:
    """Yield the vertices without a container, then the rest, for containers in a cycle."""
    contained = {edge.target for edges in inside.values() for edge in edges}
    ids = [vertex.id for vertex in export.vertices]
    yield from (id_ for id_ in ids if id_ not in contained)
    yield from (id_ for id_ in ids if id_ in contained)


def _steps(
    export: Export, containers: dict[str, ExportEdge], connected: set[str]
) -> Iterator[Step]:
    inside: dict[str, list[Vertex]] = {}
    for vertex in export.vertices:
        if vertex.id in containers:
            inside.setdefault(containers[vertex.id].source, []).append(vertex)
    roots = [vertex for vertex in export.vertices if vertex.id not in containers]
    stack = [(vertex, 1, False) for vertex in reversed(roots)]
    while stack:
        vertex, level, is_end = stack.pop()
        indentation = "  " * min(level, DEEPEST)
        if is_end:
            yield Step(Part.END, vertex, indentation)
            continue
        children = inside.get(vertex.id, [])
        if children:
            yield Step(Part.FRAME, vertex, indentation)
            stack.append((vertex, level, True))
            stack.extend((child, level + 1, False) for child in reversed(children))
        if not children or vertex.id in connected:
            inner = "  " * min(level + 1, DEEPEST) if children else indentation
            yield Step(Part.BOX, vertex, inner)


LONGEST = 60  # maximum length of a name or a label, in characters


class Colours(Struct, frozen=True):
    """The fill, border and text colours of a box."""

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
_ELSEWHERE = Colours("#ffffff", "#64748b", "#334155")  # a node of another repository


class Style:
    """The looks of vertices; a type has the same colour in an export of any part of the graph."""

    def __init__(self, export: Export) -> None:
        self._repository = export.repository
        self._order = {name: index for index, name in enumerate(export.types)}

    def colours(self, vertex: Vertex) -> Colours:
        """Return the colours of a vertex."""
        if vertex.presence is not Presence.PRESENT:
            return _ABSENT
        if vertex.repository != self._repository:
            return _ELSEWHERE
        if vertex.blackbox:
            return _BLACKBOX
        if vertex.kind is not VertexKind.NODE:
            return _ASPECT if vertex.kind is VertexKind.ASPECT else _FLOW
        return _TYPES[self._order[vertex.type] % len(_TYPES)]

    def remark(self, vertex: Vertex) -> str:
        """Return the type of a vertex, its repository if that is another one, and its problems."""
        parts = [short(vertex.type) or vertex.kind.value]
        if vertex.repository != self._repository:
            parts.append(f"in {short(vertex.repository)}")
        if vertex.presence is not Presence.PRESENT:
            parts.append(vertex.presence.value)
        if vertex.blackbox:
            parts.append("blackbox")
        if vertex.budget not in ("", "ok"):
            size = f"{vertex.tokens} {unit_of(vertex.tokenizer)}"
            parts.append(size if vertex.tokens else "too large")
        if vertex.drift not in ("", "ok"):
            parts.append(vertex.drift)
        return ", ".join(parts)


def title(vertex: Vertex) -> str:
    """Return the display name of a vertex."""
    return short(vertex.name) or short(vertex.path) or "?"


def label(edge: ExportEdge) -> str:
    """Return the label of an edge; empty where the line style is enough."""
    match edge.kind:
        case EdgeKind.RELATION | EdgeKind.EVENT:
            mark = ", no import" if edge.code is Backing.NOT_IMPORTED else ""
            return short(f"{edge.type} {edge.event}".rstrip() + mark)
        case EdgeKind.IMPORT:
            return "imports, undeclared"
        case EdgeKind.HAS_ASPECT | EdgeKind.PARTICIPATES:
            return ""  # the vertex at the other end is label enough
        case _:
            return edge.kind.value


def short(text: str) -> str:
    """Shorten text to one line that fits in a drawing."""
    line = visible(one_line(text)).strip()
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
