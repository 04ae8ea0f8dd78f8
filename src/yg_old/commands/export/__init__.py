"""`yg export`: the graph, or the neighbourhood of a node, for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from yg_old.commands.command import Command, standard_notes, warnings
from yg_old.commands.export.dot import export_dot
from yg_old.commands.export.mermaid import export_mermaid
from yg_old.commands.export.tables import (
    EDGE_COLUMNS,
    EDGES,
    NODES,
    TABLES,
    TEXT_COLUMNS,
    TEXTS,
    edges_csv,
    export_cypher,
    export_graphml,
    node_columns,
    nodes_csv,
    texts_csv,
    tokenizer_of,
)
from yg_old.commands.exporting import declared, skipped
from yg_old.commands.issues import SkippedEntries, skipped_data
from yg_old.commands.request import Depth, Operand, Option, Output, Request, Revision, Tokenizer
from yg_old.kernel.document import Document, Text, about
from yg_old.kernel.errors import UnreadableError, UsageError
from yg_old.kernel.export import (
    Export,
    ExportEdge,
    ExportText,
    Presence,
    Vertex,
    VertexKind,
    identity,
    neighbourhood,
    own_vertices,
)

if TYPE_CHECKING:
    from yg_old.commands.command import Run
    from yg_old.commands.explore.document import ExplorerDocument
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace

PICTURES = ("mermaid", "dot")
JSON, CSV, HTML, SQL, PARQUET = "json", "csv", "html", "sql", "parquet"
TABULAR = (CSV, PARQUET)


class ExportRequest(Request["Exported"], frozen=True, kw_only=True):
    """What to export, and in which form."""

    node: Annotated[
        str | None,
        Operand("NODE", "export only the neighbourhood of this node", option="--node"),
    ] = None
    depth: Annotated[
        Depth | None, Option(metavar="N", help="maximum distance from the node (default 1)")
    ] = None
    table: Annotated[
        str | None,
        Option(choices=TABLES, help="table to write as csv or parquet (default nodes)"),
    ] = None
    texts: Annotated[bool, Option(help="sql: include the texts of nodes")] = False
    repository: Annotated[
        str | None,
        Option(metavar="NAME", help="prefix of ids (default: the name of the graph)"),
    ] = None
    drift: Annotated[
        bool | None,
        Option(help="include drift (default: yes, except in diagrams)", can_negate=True),
    ] = None
    code: Annotated[
        bool,
        Option(help="mark relations that imports back, and add imports without a relation"),
    ] = False
    at: Revision = None
    tokenizer: Tokenizer = None
    diff: Annotated[
        str | None,
        Option(metavar="REV", help="html: show also what differs from this revision"),
    ] = None
    output: Output = None
    format: str = JSON

    def check(self) -> None:
        """Refuse options that do not go with the form or with each other."""
        if self.depth is not None and self.node is None:
            raise UsageError("--depth requires a node", hint="Add --node NODE.")
        if self.table is not None and self.format not in TABULAR:
            raise UsageError("--table requires --format csv or parquet")
        if self.texts and self.format != SQL:
            hint = "Otherwise choose --table texts."
            raise UsageError("--texts requires --format sql", hint=hint)
        if self.format == PARQUET and self.output is None:
            raise UsageError("--format parquet requires a file", hint="Add -o FILE.")
        if self.format == SQL and self.node is not None:
            raise UsageError("--format sql replaces the whole graph; leave out the node")
        if self.drift and self.at is not None:
            raise UsageError("--drift reads the work tree and cannot be combined with --at")
        if self.format == HTML and (self.node or self.code or self.repository):
            message = "--format html shows the whole graph; leave out --node and other filters"
            raise UsageError(message)
        if self.diff is not None and self.format != HTML:
            raise UsageError("--diff requires --format html")
        if self.repository == "":
            raise UsageError("empty repository name")

    @property
    def form(self) -> str:
        """The form of the table that is asked for."""
        return f"{self.format}-{self.table or NODES}" if self.format in TABULAR else ""

    @property
    def has_texts(self) -> bool:
        """Whether texts of nodes are exported."""
        return self.texts or self.table == TEXTS

    @property
    def wants_drift(self) -> bool | None:
        """Whether to include drift; None if the kind of graph decides."""
        if self.drift is not None:
            return self.drift
        return False if self.format in PICTURES or self.table in (EDGES, TEXTS) else None


class Exported(Document, frozen=True, kw_only=True, tag="yg-export/1"):
    """What `yg export --json` prints: the graph as nodes and edges."""

    HIDDEN = ("export", "commit", "texts", "unread")
    HIDING = ("nodes",)

    graph: Annotated[Text, about("The kind of graph it was made from.")]
    repository: Annotated[Text, about("The prefix of all ids.")]
    nodes: Annotated[
        tuple[Vertex, ...], about("Nodes, then aspects, then flows, each in the order of paths.")
    ]
    tokenizer: Annotated[
        Text | UnsetType, about("The tokenizer that counted tokens; absent if they are estimated.")
    ] = UNSET
    edges: Annotated[
        tuple[ExportEdge, ...], about("Every connection between them, in the order of ids.")
    ]
    skipped: SkippedEntries
    notes: Annotated[tuple[Text, ...], about("Warnings about drift.")] = ()
    export: Export
    commit: str = ""
    texts: tuple[ExportText, ...] | None = None  # None: not asked for
    unread: tuple[str, ...] = ()  # warnings about texts

    @property
    def form(self) -> str:
        """The form that is shown unless another one is asked for."""
        return JSON


def ask(run: Run, request: ExportRequest) -> Exported | ExplorerDocument:
    """Export the graph, or the nodes within some steps of a node; or the data of the page."""
    workspace = run.workspace
    if request.format == HTML:
        from yg_old.commands.explore.data import explore

        return explore(workspace, since=request.diff, on_file=run.on_file)
    export = _declared(workspace, request)
    notes: tuple[str, ...] = ()
    wants_drift = request.wants_drift
    if _has_baselines(workspace) if wants_drift is None else wants_drift:
        export, notes = _add_drift(run, export)
    if request.table not in (EDGES, TEXTS):
        export = workspace.queries.with_sizes(export)
    texts, unread = _texts(workspace, export) if request.has_texts else (None, ())
    return replace(
        exported(export, workspace.format.name),
        skipped=skipped_data(skipped(workspace)),
        notes=notes,
        commit=workspace.commit,
        texts=texts,
        unread=unread,
    )


def exported(export: Export, graph: str) -> Exported:
    """Return the document of an export; `graph` is the kind of graph."""
    return Exported(
        graph=graph,
        repository=export.repository,
        nodes=export.vertices,
        tokenizer=tokenizer_of(export) or UNSET,
        edges=export.edges,
        skipped=[],
        export=export,
    )


def _texts(
    workspace: OpenWorkspace, export: Export
) -> tuple[tuple[ExportText, ...], tuple[str, ...]]:
    """Return the texts of all nodes, and warnings about those that cannot be read."""
    found, notes = [], []
    for vertex in own_vertices(export):
        if vertex.kind is VertexKind.NODE and vertex.presence is Presence.PRESENT:
            for document in workspace.queries.own_texts(vertex.path):
                try:
                    text = document.source.value
                except UnreadableError as error:
                    notes.append(f"{error.message}; its text is left out")
                else:
                    found.append(
                        ExportText(
                            repository=export.repository,
                            node=vertex.id,
                            name=document.name,
                            text=text,
                        )
                    )
    return tuple(found), tuple(notes)


def _declared(workspace: OpenWorkspace, request: ExportRequest) -> Export:
    """Export the declarations, without drift and sizes."""
    name = request.repository or workspace.repository_name
    found = declared(workspace, name, code=request.code)
    if request.node is None:
        return found
    center = identity(name, VertexKind.NODE, workspace.find(request.node))
    return neighbourhood(found, center, 1 if request.depth is None else request.depth)


def _has_baselines(workspace: OpenWorkspace) -> bool:
    return workspace.format.has_drift and not workspace.commit


def _add_drift(run: Run, export: Export) -> tuple[Export, tuple[str, ...]]:
    """Add drift to an export; return it with the warnings."""
    workspace = run.workspace
    workspace.require_yggdrasil("drift (--drift)")
    workspace.require_baselines()
    from yg_old.commands.drift.find import find_drift, left_out
    from yg_old.yggdrasil.drift.tracking import mapped_nodes
    from yg_old.yggdrasil.questions.export import with_drift

    wanted = {vertex.path for vertex in own_vertices(export) if vertex.kind is VertexKind.NODE}
    nodes = [node for node in mapped_nodes(workspace.graph) if node.path in wanted]
    found = find_drift(workspace, nodes, run.on_file)
    known = set(left_out(workspace))  # already reported as skipped
    return with_drift(export, found.drifts), tuple(
        note for note in found.notes if note not in known
    )


def _mermaid(document: Exported, _palette: Palette) -> str:
    return export_mermaid(document.export)


def _dot(document: Exported, _palette: Palette) -> str:
    return export_dot(document.export)


def _graphml(document: Exported, _palette: Palette) -> str:
    return export_graphml(document.export)


def _cypher(document: Exported, _palette: Palette) -> str:
    return export_cypher(document.export)


def _sql(document: Exported, _palette: Palette) -> str:
    from yg_old.commands.export.sql import export_sql

    return export_sql(
        document.export, graph=document.graph, commit=document.commit, texts=document.texts
    )


def _html(document: ExplorerDocument, _palette: Palette) -> str:
    from yg_old.commands.explore.page import page_text

    return page_text(document)


def _nodes_csv(document: Exported, _palette: Palette) -> str:
    return nodes_csv(document.export)


def _edges_csv(document: Exported, _palette: Palette) -> str:
    return edges_csv(document.export)


def _texts_csv(document: Exported, _palette: Palette) -> str:
    return texts_csv(document.texts or ())


def _nodes_parquet(document: Exported) -> bytes:
    from yg_old.commands.export.parquet import parquet_table

    return parquet_table(node_columns(document.export), own_vertices(document.export))


def _edges_parquet(document: Exported) -> bytes:
    from yg_old.commands.export.parquet import parquet_table

    return parquet_table(EDGE_COLUMNS, document.export.edges)


def _texts_parquet(document: Exported) -> bytes:
    from yg_old.commands.export.parquet import parquet_table

    return parquet_table(TEXT_COLUMNS, document.texts or ())


def _notes(document: Document, palette: Palette) -> str:
    """Write what could not be read, and warnings."""
    if not isinstance(document, Exported):
        return ""  # the page shows them
    skipped = standard_notes(replace(document, notes=()), palette)
    return skipped + warnings((*document.notes, *document.unread), palette)


COMMAND = Command(
    request=ExportRequest,
    documents=(Exported,),
    ask=ask,
    forms={
        "mermaid": _mermaid,
        "dot": _dot,
        "graphml": _graphml,
        "cypher": _cypher,
        SQL: _sql,
        HTML: _html,
        f"{CSV}-{NODES}": _nodes_csv,
        f"{CSV}-{EDGES}": _edges_csv,
        f"{CSV}-{TEXTS}": _texts_csv,
    },
    files={
        f"{PARQUET}-{NODES}": _nodes_parquet,
        f"{PARQUET}-{EDGES}": _edges_parquet,
        f"{PARQUET}-{TEXTS}": _texts_parquet,
    },
    formats=(JSON, *PICTURES, "graphml", CSV, "cypher", SQL, PARQUET, HTML),
    notes=_notes,
)
