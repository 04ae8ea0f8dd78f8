"""The `export` command: the graph, or the neighbourhood of a node, for other programs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from yg.answers.answer import STANDARD, Answer, warnings
from yg.kernel.errors import UnreadableError
from yg.kernel.export import (
    ExportText,
    Presence,
    VertexKind,
    identity,
    neighbourhood,
    own_vertices,
)
from yg.render.export_dot import export_dot
from yg.render.export_mermaid import export_mermaid
from yg.render.export_tables import (
    EDGE_COLUMNS,
    EDGES,
    NODES,
    TEXT_COLUMNS,
    TEXTS,
    edges_csv,
    export_cypher,
    export_data,
    export_graphml,
    node_columns,
    nodes_csv,
    texts_csv,
)
from yg.render.issues import skipped_data, skipped_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.answers.answer import Hashing
    from yg.kernel.export import Export
    from yg.kernel.issue import Finding
    from yg.render.export_tables import Item
    from yg.workspace import OpenWorkspace

FORMS = ("json", "mermaid", "dot", "graphml", "csv", "cypher", "sql", "parquet")


def form_of_table(form: str, table: str) -> str:
    """Return the name of the form of an answer with one table, of `csv` or `parquet`."""
    return f"{form}-{table}"


def export(  # noqa: PLR0913
    workspace: OpenWorkspace,
    *,
    node: str | None = None,
    depth: int = 1,
    repository: str = "",
    drift: bool | None = None,
    code: bool = False,
    texts: bool = False,
    hashing: Hashing = STANDARD,
) -> Answer:
    """Export the graph, or the nodes within `depth` steps of a node.

    `repository` is the prefix of all ids. `drift` None includes drift if there are baselines.
    `code` marks the relations that imports back, and adds the imports without a relation. `texts`
    includes the texts of nodes in SQL, and reports those that cannot be read.
    """
    bare = _bare(workspace, node, depth, repository, code=code)
    notes: tuple[str, ...] = ()
    if _has_baselines(workspace) if drift is None else drift:
        bare, notes = _add_drift(workspace, bare, hashing)
    whole = cache(lambda: workspace.queries.with_sizes(bare))
    read_texts = cache(lambda: _texts(workspace, bare))
    missing = skipped(workspace)
    return Answer(
        data=lambda: export_data(
            whole(),
            graph=workspace.format.name,
            skipped=skipped_data(missing),
            notes=notes,
        ),
        forms={
            "mermaid": lambda _palette: export_mermaid(whole()),
            "dot": lambda _palette: export_dot(whole()),
            "graphml": lambda _palette: export_graphml(whole()),
            "cypher": lambda _palette: export_cypher(whole()),
            "sql": lambda _palette: _sql(workspace, whole(), read_texts()[0] if texts else None),
            form_of_table("csv", NODES): lambda _palette: nodes_csv(whole()),
            form_of_table("csv", EDGES): lambda _palette: edges_csv(bare),
            form_of_table("csv", TEXTS): lambda _palette: texts_csv(read_texts()[0]),
        },
        form="json",
        files={
            form_of_table("parquet", NODES): lambda: _parquet(
                node_columns(whole()), own_vertices(whole())
            ),
            form_of_table("parquet", EDGES): lambda: _parquet(EDGE_COLUMNS, bare.edges),
            form_of_table("parquet", TEXTS): lambda: _parquet(TEXT_COLUMNS, read_texts()[0]),
        },
        notes=lambda palette: (
            skipped_text(missing, palette)
            + warnings((*notes, *(read_texts()[1] if texts else ())))(palette)
        ),
    )


def _sql(workspace: OpenWorkspace, export: Export, texts: Sequence[ExportText] | None) -> str:
    from yg.render.export_sql import export_sql

    return export_sql(export, graph=workspace.format.name, commit=workspace.commit, texts=texts)


def _parquet(columns: Sequence[str], items: Iterable[Item]) -> bytes:
    from yg.render.export_parquet import parquet_table

    return parquet_table(columns, items)


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


def _bare(
    workspace: OpenWorkspace, node: str | None, depth: int, repository: str, *, code: bool
) -> Export:
    """Export the declarations, without drift and sizes."""
    name = repository or workspace.repository_name
    found = declared(workspace, name, code=code)
    if node is None:
        return found
    return neighbourhood(found, identity(name, VertexKind.NODE, workspace.find(node)), depth)


def declared(workspace: OpenWorkspace, repository: str, *, code: bool) -> Export:
    """Export all declarations; with `code`, compare the relations with the imports."""
    found = workspace.queries.export(repository)
    if not code:
        return found
    workspace.require(workspace.format.has_owners, "imports (--code)")
    from yg.yggdrasil.evidence import read_imports
    from yg.yggdrasil.export import with_code

    return with_code(found, read_imports(workspace.graph, workspace.sources))


def _has_baselines(workspace: OpenWorkspace) -> bool:
    return workspace.format.has_drift and not workspace.commit


def _add_drift(
    workspace: OpenWorkspace, export: Export, hashing: Hashing
) -> tuple[Export, tuple[str, ...]]:
    """Add drift to an export; return it with the warnings."""
    workspace.require(workspace.format.has_owners, "drift (--drift)")
    workspace.require_baselines()
    from yg.answers.drift import find_drift, left_out
    from yg.yggdrasil.drift import mapped_nodes
    from yg.yggdrasil.export import with_drift

    wanted = {vertex.path for vertex in own_vertices(export) if vertex.kind is VertexKind.NODE}
    nodes = [node for node in mapped_nodes(workspace.graph) if node.path in wanted]
    found = find_drift(workspace, nodes, hashing, may_migrate=False)
    known = set(left_out(workspace))  # already reported as skipped
    return with_drift(export, found.drifts), tuple(
        note for note in found.notes if note not in known
    )


def skipped(workspace: OpenWorkspace) -> list[Finding]:
    """Return findings about nodes, aspects and flows that could not be read."""
    found = list(workspace.skipped())
    if workspace.format.has_aspects:
        from yg.yggdrasil.collection import skipped as unread

        for collection in (workspace.graph.aspects, workspace.graph.flows):
            found += unread(collection)
    return found
