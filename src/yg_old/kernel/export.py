"""Export: a graph of any kind as vertices and edges, for other programs."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.digraph import reached
from yg_old.kernel.document import Count, Record, Text, about, one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


# Written out, so that the export of a Spec Graph does not import Yggdrasil graphs.
DRIFT = ("source-drift", "graph-drift", "full-drift", "missing", "unmaterialized", "ok", "unknown")
CHANGES = ("cosmetic", "docs", "imports", "body", "signature", "unknown")


class VertexKind(StrEnum):
    """Kinds of vertices, in the order in which they are exported."""

    NODE = "node"
    ASPECT = "aspect"
    FLOW = "flow"


class EdgeKind(StrEnum):
    """Kinds of edges."""

    CONTAINS = "contains"
    RELATION = "relation"  # the source cannot be built without the target
    EVENT = "event"
    HAS_ASPECT = "has-aspect"
    IMPLIES = "implies"
    PARTICIPATES = "participates"
    IMPORT = "import"  # of code, without a relation


class Presence(StrEnum):
    """Whether a vertex exists, is unreadable, or is only referred to."""

    PRESENT = "present"
    UNREADABLE = "unreadable"
    MISSING = "missing"


class Backing(StrEnum):
    """What the imports of the code say about a relation."""

    UNKNOWN = ""  # they were not read, or the edge is not a relation
    IMPORTED = "imported"
    NOT_IMPORTED = "not-imported"
    UNDECLARED = "undeclared"  # an import without a relation


class Vertex(Record, frozen=True, kw_only=True):
    """One node, aspect or flow."""

    HIDDEN = ("tokenizer",)

    id: Annotated[
        Text,
        about(
            "Its id, unique among all repositories: repository, kind and path with colons between "
            "them."
        ),
    ]
    repository: Annotated[Text, about("The repository it is of.")]
    kind: Annotated[VertexKind, about("The kind of vertex.")]
    path: Annotated[Text, about("Its path or id inside the graph.")]
    name: Annotated[str, about("Its display name.")]
    type: Annotated[
        str, about("The type of a node; empty for aspects and flows, and where nothing is known.")
    ] = ""
    presence: Annotated[
        Presence, about("Whether it exists, could not be read, or is only referenced.")
    ] = Presence.PRESENT
    description: Annotated[str, about("Its description, if declared; otherwise empty.")] = ""
    category: Annotated[str, about("The subject of a decision.")] = ""
    severity: Annotated[str, about("How strict a policy is.")] = ""
    stability: Annotated[str, about("How firmly an aspect holds, if it says so.")] = ""
    blackbox: Annotated[bool, about("Whether it is a blackbox.")] = False
    aspects: Annotated[
        tuple[str, ...],
        about("The ids of the aspects that apply to a node, wherever they are declared."),
    ] = ()
    mapping: Annotated[
        tuple[str, ...], about("The files and directories that a node describes, as declared.")
    ] = ()
    excluded: Annotated[
        tuple[str, ...], about("The patterns of files that the mapping leaves out, as declared.")
    ] = ()
    tokens: Annotated[
        Count | None,
        about(
            "The size of a node's package in tokens, estimated or counted; null when there is none "
            "or it was not computed."
        ),
    ] = None
    tokenizer: str = ""  # that counted its tokens; empty: their number is an estimate
    budget: Annotated[
        str,
        one_of("", "ok", "warning", "error"),
        about("That size compared with the budget; empty when there is none."),
    ] = ""
    drift: Annotated[
        str,
        one_of("", *DRIFT),
        about(
            "The state of a node compared with its baseline; empty if it was not checked or has "
            "no mapping."
        ),
    ] = ""
    change: Annotated[
        str,
        one_of("", *CHANGES),
        about(
            "The highest class of the changes of a node's sources since its baseline, also of "
            "tolerated ones; empty if none changed."
        ),
    ] = ""


class ExportEdge(Record, frozen=True, kw_only=True):
    """One connection between two of the nodes."""

    id: Annotated[
        Text,
        about(
            "Its id: source, type and target with spaces between them, and a number if there are "
            "several."
        ),
    ] = ""
    source: Annotated[Text, about("The id of the node it leads from.")] = ""
    target: Annotated[Text, about("The id of the node it leads to.")] = ""
    kind: Annotated[EdgeKind, about("The kind of connection.")]
    type: Annotated[
        str, about("The type of a relation or an event as declared; otherwise the kind once more.")
    ]
    consumes: Annotated[
        tuple[str, ...], about("The methods of the target that the source uses, as declared.")
    ] = ()
    failure: Annotated[
        str, about("The behaviour of the source when the target fails, as declared.")
    ] = ""
    event: Annotated[str, about("The name of the event, as declared.")] = ""
    exceptions: Annotated[
        tuple[str, ...], about("In which ways the source deviates from an aspect, as declared.")
    ] = ()
    code: Annotated[
        Backing,
        about(
            "With --code: whether the code imports the target of a relation, or imports it without "
            "a relation; otherwise empty."
        ),
    ] = Backing.UNKNOWN
    repository: Annotated[Text, about("The repository of the source.")] = ""
    target_repository: Annotated[Text, about("The repository of the target.")] = ""


class ExportText(Struct, frozen=True, kw_only=True):
    """A text of a node; its fields are the columns of the text table."""

    repository: str
    node: str  # its id
    name: str
    text: str


class Export(Struct, frozen=True, kw_only=True):
    """A graph or a part of one; both ends of every edge are in it."""

    repository: str
    types: tuple[str, ...]  # of all nodes of the graph, in the graph's own order
    vertices: tuple[Vertex, ...]
    edges: tuple[ExportEdge, ...]


def own_vertices(export: Export) -> tuple[Vertex, ...]:
    """Return the vertices of the exported repository, without those of others it relies on."""
    return tuple(v for v in export.vertices if v.repository == export.repository)


def other_vertices(export: Export) -> tuple[Vertex, ...]:
    """Return the vertices of other repositories that the exported one relies on."""
    return tuple(v for v in export.vertices if v.repository != export.repository)


def identity(repository: str, kind: VertexKind, path: str) -> str:
    """Return an id that is unique across repositories.

    It has three parts separated by colons, without whitespace and unprintable characters.
    """
    return f"{_encoded(repository)}:{kind}:{_encoded(path)}"


def _encoded(text: str) -> str:
    """Percent-encode the characters that an id must not contain."""
    return "".join(letter if _is_plain(letter) else _percent(letter) for letter in text)


def _is_plain(letter: str) -> bool:
    return letter.isprintable() and letter not in " :%"


def _percent(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))


def linked(export: Export, edges: Iterable[ExportEdge]) -> Export:
    """Replace the edges, and sort them by id."""
    return replace(export, edges=tuple(sorted(edges, key=lambda edge: edge.id)))


def updated(export: Export, change: Callable[[Vertex], Vertex]) -> Export:
    """Apply a function to every vertex."""
    return replace(export, vertices=tuple(map(change, export.vertices)))


def between(source: Vertex, target: Vertex, edge: ExportEdge) -> ExportEdge:
    """Set the ends of an edge and their repositories."""
    return replace(
        edge,
        source=source.id,
        target=target.id,
        repository=source.repository,
        target_repository=target.repository,
    )


class ExportBuilder:
    """Builder of an Export; a vertex that is linked but never added is missing."""

    def __init__(self, repository: str, types: Iterable[str]) -> None:
        self._repository = repository
        self._types = tuple(types)
        self._vertices: dict[str, Vertex] = {}
        self._edges: list[ExportEdge] = []
        self._numbers: Counter[str] = Counter()

    def vertex(self, kind: VertexKind, path: str, repository: str = "") -> Vertex:
        """Return a vertex, of another repository if one is named.

        A new one counts as missing until it is added.
        """
        owner = repository or self._repository
        name = identity(owner, kind, path)
        if name not in self._vertices:
            self._vertices[name] = Vertex(
                id=name,
                repository=owner,
                kind=kind,
                path=path,
                name=path,
                presence=Presence.MISSING,
            )
        return self._vertices[name]

    def add(self, vertex: Vertex) -> None:
        """Add or replace a vertex."""
        self._vertices[vertex.id] = vertex

    def link(self, source: Vertex, target: Vertex, edge: ExportEdge) -> None:
        """Add an edge; number the repeats of the same type between the same ends."""
        name = f"{source.id} {_encoded(edge.type)} {target.id}"
        self._numbers[name] += 1
        number = self._numbers[name]
        name = name if number == 1 else f"{name} {number}"
        self._edges.append(between(source, target, replace(edge, id=name)))

    def finished(self) -> Export:
        """Return the Export: vertices sorted by kind and path, edges by id.

        Of each kind, those of other repositories come last.
        """
        order = sorted(self._vertices.values(), key=self._place)
        return Export(
            repository=self._repository,
            types=self._types,
            vertices=tuple(order),
            edges=tuple(sorted(self._edges, key=lambda edge: edge.id)),
        )

    def _place(self, vertex: Vertex) -> tuple[int, bool, str, str]:
        kind = tuple(VertexKind).index(vertex.kind)
        return kind, vertex.repository != self._repository, vertex.path, vertex.repository


_STEPS = (EdgeKind.CONTAINS, EdgeKind.RELATION, EdgeKind.EVENT, EdgeKind.IMPORT)
_BELONGINGS = (EdgeKind.HAS_ASPECT, EdgeKind.IMPLIES, EdgeKind.PARTICIPATES)


def neighbourhood(export: Export, start: str, depth: int) -> Export:
    """Keep the vertices within some steps of one, with their parents, aspects and flows.

    A step follows a relation in either direction, or goes to a parent or a child. Aspects and
    flows are not followed any further, because they would connect everything.
    """
    steps = _ends(export, _STEPS)
    near = reached(_grouped((*steps, *_reversed(steps))), (start,), depth)
    framed = reached(_grouped(_reversed(_ends(export, (EdgeKind.CONTAINS,)))), near)
    kept = reached(_grouped(_ends(export, _BELONGINGS)), framed)
    return replace(
        export,
        vertices=tuple(vertex for vertex in export.vertices if vertex.id in kept),
        edges=tuple(e for e in export.edges if e.source in kept and e.target in kept),
    )


def _ends(export: Export, kinds: Iterable[EdgeKind]) -> list[tuple[str, str]]:
    wanted = frozenset(kinds)
    return [(edge.source, edge.target) for edge in export.edges if edge.kind in wanted]


def _reversed(ends: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(target, source) for source, target in ends]


def _grouped(ends: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for source, target in ends:
        found.setdefault(source, []).append(target)
    return found
