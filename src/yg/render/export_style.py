"""What the pictures of an Export have in common: words, colours, and what is worth a remark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.export import EdgeKind, Presence, VertexKind
from yg.render.plain import one_line, visible

if TYPE_CHECKING:
    from yg.kernel.export import Edge, Export, Vertex

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
