"""How do other programs get the graph? An export of all of it, or of what lies around a node."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.answers.answer import warnings as warnings_text
from yg.answers.drifting import STANDARD, left_out, look
from yg.answers.skipped import skipped
from yg.formats import YGGDRASIL
from yg.kernel.errors import UsageError
from yg.kernel.export import VertexKind, identity
from yg.kernel.neighbourhood import neighbourhood
from yg.render.export_csv import edges_csv, nodes_csv
from yg.render.export_cypher import export_cypher
from yg.render.export_dot import export_dot
from yg.render.export_graphml import export_graphml
from yg.render.export_mermaid import export_mermaid
from yg.render.export_table import export_data
from yg.render.issues import skipped_data, skipped_text
from yg.yggdrasil.drift import mapped_nodes
from yg.yggdrasil.export import export_of, with_budgets, with_drift

if TYPE_CHECKING:
    from yg.answers.drifting import Hashing
    from yg.kernel.export import Export
    from yg.kernel.package import Package
    from yg.workspace import Workspace

FORMS = ("json", "mermaid", "dot", "graphml", "csv", "cypher")
EDGES = "csv-edges"  # the second table of the CSV form


def export(  # noqa: PLR0913
    workspace: Workspace,
    *,
    node: str | None = None,
    depth: int = 1,
    repository: str = "",
    drift: bool | None = None,
    hashing: Hashing = STANDARD,
) -> Answer:
    """Export the graph under a name for the repository; without one, under the project's.

    Drift is told where there are baselines, unless it is asked for or declined.
    """
    bare = _bare(workspace, node, depth, repository)
    notes: tuple[str, ...] = ()
    if _has_baselines(workspace) if drift is None else drift:
        bare, notes = _drifted(workspace, bare, hashing)
    whole = cache(lambda: with_budgets(bare, workspace.graph, workspace.measure or _tokens))
    missing = [
        finding
        for shelf in (workspace.graph.nodes, workspace.graph.aspects, workspace.graph.flows)
        for finding in skipped(shelf)
    ]
    return Answer(
        schema="export",
        data=lambda: {
            **export_data(whole()),
            "skipped": skipped_data(missing),
            "notes": list(notes),
        },
        forms={
            "mermaid": lambda _palette: export_mermaid(whole()),
            "dot": lambda _palette: export_dot(whole()),
            "graphml": lambda _palette: export_graphml(whole()),
            "csv": lambda _palette: nodes_csv(whole()),
            EDGES: lambda _palette: edges_csv(bare),
            "cypher": lambda _palette: export_cypher(whole()),
        },
        form="json",
        notes=lambda palette: skipped_text(missing, palette) + warnings_text(notes)(palette),
    )


def _tokens(package: Package) -> int:
    return package.tokens


def _bare(workspace: Workspace, node: str | None, depth: int, repository: str) -> Export:
    """Export what is declared, without anything that has to be worked out."""
    name = repository or workspace.graph.config.name
    if not name:
        hint = "Give one with --repository, or a 'name' in the configuration."
        raise UsageError("the repository has no name to tell its nodes from others", hint=hint)
    found = export_of(workspace.graph, workspace.format.name, name)
    if node is None:
        return found
    return neighbourhood(found, identity(name, VertexKind.NODE, workspace.node_path(node)), depth)


def _has_baselines(workspace: Workspace) -> bool:
    return workspace.format is YGGDRASIL and not workspace.commit


def _drifted(
    workspace: Workspace, export: Export, hashing: Hashing
) -> tuple[Export, tuple[str, ...]]:
    """Add drift, and tell what is to be said of it."""
    workspace.require_baselines()
    wanted = {each.path for each in export.vertices if each.kind is VertexKind.NODE}
    nodes = [node for node in mapped_nodes(workspace.graph) if node.path in wanted]
    found = look(workspace, nodes, hashing, may_migrate=False)
    known = set(left_out(workspace))  # told as skipped already
    return with_drift(export, found.drifts), tuple(n for n in found.notes if n not in known)
