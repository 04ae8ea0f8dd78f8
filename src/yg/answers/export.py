"""The `export` command: the graph, or the neighbourhood of a node, for other programs."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from yg.answers.answer import STANDARD, Answer, warnings
from yg.kernel.export import VertexKind, identity, neighbourhood
from yg.render.export_dot import export_dot
from yg.render.export_mermaid import export_mermaid
from yg.render.export_tables import edges_csv, export_cypher, export_data, export_graphml, nodes_csv
from yg.render.issues import skipped_data, skipped_text

if TYPE_CHECKING:
    from yg.answers.answer import Hashing
    from yg.kernel.export import Export
    from yg.kernel.issue import Finding
    from yg.workspace import OpenWorkspace

FORMS = ("json", "mermaid", "dot", "graphml", "csv", "cypher")
EDGES = "csv-edges"  # the second table of the CSV form


def export(  # noqa: PLR0913
    workspace: OpenWorkspace,
    *,
    node: str | None = None,
    depth: int = 1,
    repository: str = "",
    drift: bool | None = None,
    code: bool = False,
    hashing: Hashing = STANDARD,
) -> Answer:
    """Export the graph, or the nodes within `depth` steps of a node.

    `repository` is the prefix of all ids. `drift` None includes drift if there are baselines.
    `code` marks the relations that imports back, and adds the imports without a relation.
    """
    bare = _bare(workspace, node, depth, repository, code=code)
    notes: tuple[str, ...] = ()
    if _has_baselines(workspace) if drift is None else drift:
        bare, notes = _add_drift(workspace, bare, hashing)
    whole = cache(lambda: workspace.queries.with_sizes(bare))
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
            "csv": lambda _palette: nodes_csv(whole()),
            EDGES: lambda _palette: edges_csv(bare),
            "cypher": lambda _palette: export_cypher(whole()),
        },
        form="json",
        notes=lambda palette: skipped_text(missing, palette) + warnings(notes)(palette),
    )


def _bare(
    workspace: OpenWorkspace, node: str | None, depth: int, repository: str, *, code: bool
) -> Export:
    """Export the declarations, without drift and sizes."""
    name = repository or repository_name(workspace)
    found = workspace.queries.export(name)
    if code:
        workspace.require(workspace.format.has_owners, "imports (--code)")
        from yg.yggdrasil.evidence import read_imports
        from yg.yggdrasil.export import with_code

        found = with_code(found, read_imports(workspace.graph, workspace.sources))
    if node is None:
        return found
    return neighbourhood(found, identity(name, VertexKind.NODE, workspace.find(node)), depth)


def repository_name(workspace: OpenWorkspace) -> str:
    """Return the name in the configuration, which is the same in every clone, or the directory."""
    declared = workspace.graph.config.name if workspace.format.has_aspects else ""
    return declared or os.path.basename(workspace.root) or "repository"


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

    wanted = {vertex.path for vertex in export.vertices if vertex.kind is VertexKind.NODE}
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
