"""An Export: a graph of any kind as vertices and edges, for other programs to take."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.kernel.digraph import reached

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class VertexKind(StrEnum):
    """What a vertex stands for; vertices come in this order."""

    NODE = "node"
    ASPECT = "aspect"
    FLOW = "flow"


class EdgeKind(StrEnum):
    """What an edge says of its ends."""

    CONTAINS = "contains"
    RELATION = "relation"  # the source cannot be built without the target
    EVENT = "event"
    HAS_ASPECT = "has-aspect"
    IMPLIES = "implies"
    PARTICIPATES = "participates"


class Presence(StrEnum):
    """Whether the thing itself is there, or only somebody who names it."""

    PRESENT = "present"
    UNREADABLE = "unreadable"
    MISSING = "missing"


class Vertex(Struct, frozen=True, kw_only=True):
    """One thing of a graph; its fields are the columns of a table of them."""

    id: str
    repository: str
    kind: VertexKind
    path: str
    name: str
    type: str = ""
    presence: Presence = Presence.PRESENT
    description: str = ""
    category: str = ""  # of a decision
    severity: str = ""  # of a policy
    stability: str = ""  # of an aspect
    blackbox: bool = False
    aspects: tuple[str, ...] = ()  # that apply to it, wherever they are declared
    mapping: tuple[str, ...] = ()
    tokens: int | None = None  # None: there is no package, or its size was not worked out
    budget: str = ""
    drift: str = ""


class Edge(Struct, frozen=True, kw_only=True):
    """One connection; its fields are the columns of a table of them."""

    id: str = ""  # this and the ends are given by the draft that the edge is put in
    source: str = ""
    target: str = ""
    kind: EdgeKind
    type: str  # of relations and events as declared; otherwise the kind once more
    consumes: tuple[str, ...] = ()
    failure: str = ""
    event: str = ""
    exceptions: tuple[str, ...] = ()


class Export(Struct, frozen=True, kw_only=True):
    """A graph, or a part of one, that stands for itself: every edge has both its ends in it."""

    repository: str
    types: tuple[str, ...]  # of all nodes of the graph, in the graph's own order
    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]


def identity(repository: str, kind: VertexKind, path: str) -> str:
    """Name a thing so that no other thing of any repository has that name.

    A name has three parts with colons between them, no white space and nothing unprintable.
    """
    return f"{_encoded(repository)}:{kind}:{_encoded(path)}"


def _encoded(text: str) -> str:
    """Write what would not do in a name as it is written in a URL."""
    return "".join(each if _is_plain(each) else _percent(each) for each in text)


def _is_plain(letter: str) -> bool:
    return letter.isprintable() and letter not in " :%"


def _percent(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))


def updated(export: Export, change: Callable[[Vertex], Vertex]) -> Export:
    """Replace every vertex by what is known of it now."""
    return replace(export, vertices=tuple(map(change, export.vertices)))


class Draft:
    """Collects an Export; what is named but never added stays in it as missing."""

    def __init__(self, repository: str, types: Iterable[str]) -> None:
        self._repository = repository
        self._types = tuple(types)
        self._vertices: dict[str, Vertex] = {}
        self._edges: list[Edge] = []
        self._numbers: Counter[str] = Counter()

    def vertex(self, kind: VertexKind, path: str) -> Vertex:
        """Return the vertex of a thing as far as it is known; a new one is missing."""
        name = identity(self._repository, kind, path)
        if name not in self._vertices:
            self._vertices[name] = Vertex(
                id=name,
                repository=self._repository,
                kind=kind,
                path=path,
                name=path,
                presence=Presence.MISSING,
            )
        return self._vertices[name]

    def add(self, vertex: Vertex) -> None:
        """Put in what is known of a vertex."""
        self._vertices[vertex.id] = vertex

    def link(self, source: Vertex, target: Vertex, edge: Edge) -> None:
        """Put in an edge; of those that say the same of the same ends, the later get numbers."""
        name = f"{source.id} {_encoded(edge.type)} {target.id}"
        self._numbers[name] += 1
        number = self._numbers[name]
        name = name if number == 1 else f"{name} {number}"
        self._edges.append(replace(edge, id=name, source=source.id, target=target.id))

    def finished(self) -> Export:
        """Return the Export, vertices by kind and path, edges by id."""
        kinds = tuple(VertexKind)
        order = sorted(self._vertices.values(), key=lambda v: (kinds.index(v.kind), v.path))
        return Export(
            repository=self._repository,
            types=self._types,
            vertices=tuple(order),
            edges=tuple(sorted(self._edges, key=lambda edge: edge.id)),
        )


_STEPS = (EdgeKind.CONTAINS, EdgeKind.RELATION, EdgeKind.EVENT)
_BELONGINGS = (EdgeKind.HAS_ASPECT, EdgeKind.IMPLIES, EdgeKind.PARTICIPATES)


def neighbourhood(export: Export, start: str, depth: int) -> Export:
    """Keep what lies within some steps of a vertex, and what that stands in or belongs to.

    A step leads along a relation in either direction, to a parent or to a child. Aspects and flows
    are kept with the nodes that have them but lead no further: they would join everything.
    """
    steps = _ends(export, _STEPS)
    near = reached(_grouped((*steps, *_turned(steps))), (start,), depth)
    framed = reached(_grouped(_turned(_ends(export, (EdgeKind.CONTAINS,)))), near)
    kept = reached(_grouped(_ends(export, _BELONGINGS)), framed)
    return replace(
        export,
        vertices=tuple(each for each in export.vertices if each.id in kept),
        edges=tuple(e for e in export.edges if e.source in kept and e.target in kept),
    )


def _ends(export: Export, kinds: Iterable[EdgeKind]) -> list[tuple[str, str]]:
    wanted = frozenset(kinds)
    return [(edge.source, edge.target) for edge in export.edges if edge.kind in wanted]


def _turned(ends: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(target, source) for source, target in ends]


def _grouped(ends: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for source, target in ends:
        found.setdefault(source, []).append(target)
    return found
