"""`yg impact`: show what a change to a node, an aspect or a flow, or all changes, can affect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from yg_old.commands.build_context import writer_of
from yg_old.commands.command import JSON, PAGE, TEXT, Command, Tool, warnings
from yg_old.commands.impact.diff import (
    AskedOwner,
    ImpactOfChanges,
    asked_owners,
    diff_markdown,
    diff_text,
    impact_of_changes,
)
from yg_old.commands.impact.node import ImpactOfNode, impact_of_node, node_text
from yg_old.commands.impact.packages import simulated_package
from yg_old.commands.impact.request import ImpactRequest
from yg_old.commands.issues import skipped_data, skipped_lines
from yg_old.commands.request import HEAD
from yg_old.commands.since import changes_since
from yg_old.kernel.inventory_names import SEPARATOR
from yg_old.text.paths import ROOT
from yg_old.workspace.past import queries_at, staged_queries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Run
    from yg_old.commands.impact.parts import ImpactOfAspect, ImpactOfFlow
    from yg_old.kernel.dependencies import ImportingNode
    from yg_old.kernel.document import Document
    from yg_old.kernel.impact import NodeImpact
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import NodeDrift

    Simulated = ImpactOfNode | ImpactOfAspect | ImpactOfFlow
    Impact = Simulated | ImpactOfChanges


def ask(run: Run, request: ImpactRequest) -> Impact:
    """Find the nodes that a change affects."""
    if request.diff is not None:
        return _changes(run.workspace, request)
    workspace, note = _planned(run.workspace, request)
    impact = _affected(workspace, request)
    if not request.simulates:
        return impact
    simulated = _simulated(run, workspace, request, impact)
    return replace(simulated, notes=(*(simulated.notes or ()), *filter(None, (note,))))


def _planned(workspace: OpenWorkspace, request: ImpactRequest) -> tuple[OpenWorkspace, str]:
    """Return the workspace after a planned change, and a note on the patch."""
    if request.patch is None:
        return workspace, ""
    from yg_old.kernel.patch import apply_patch

    prefix = f"{workspace.git_prefix}/" if workspace.git_prefix else ""

    def place(path: str) -> str | None:
        return path.removeprefix(prefix) if path.startswith(prefix) else None

    data = request.patch.encode("utf-8", "surrogateescape")
    patched = apply_patch(data, workspace.snapshot, workspace.format.folder, place)
    planned = workspace.with_buffers(patched.files) if patched.files else workspace
    return planned, patched.note


def _affected(workspace: OpenWorkspace, request: ImpactRequest) -> Simulated:
    """Find the nodes affected by a change to a node, an aspect or a flow."""
    if request.aspect is not None:
        return _aspect_impact(workspace, request.aspect)
    if request.flow is not None:
        return _flow_impact(workspace, request.flow)
    name = request.node or ""
    if request.file is not None:
        from yg_old.commands.build_context.nodes import owner_of

        name = owner_of(workspace, request.file)
    is_counted = not request.declared and _reads_code(workspace)
    users: tuple[ImportingNode, ...] | None = None
    if is_counted and request.method:
        users = _users(workspace, name, request.method)
    using = frozenset(user.node for user in users or ())
    found = _node_impact(workspace, name, request.method or "", using)
    importing: tuple[ImportingNode, ...] | UnsetType = UNSET
    if users is not None:
        related = {dependent.node for dependent in found.direct}
        importing = tuple(user for user in users if user.node not in related)
    elif is_counted or request.code:
        importing = _importing(workspace, found.node)
    return impact_of_node(
        found,
        skipped_data(workspace.skipped()),
        importing=importing,
        is_counted=is_counted,
        is_used=bool(using),
        every=request.all,
    )


def _reads_code(workspace: OpenWorkspace) -> bool:
    """Return whether the configuration says that the code is compared with the relations."""
    return workspace.format.has_drift and workspace.graph.config.code is not None


def _users(workspace: OpenWorkspace, name: str, method: str) -> tuple[ImportingNode, ...] | None:
    """Return the nodes whose code names a part of a node; None if the code has no such part."""
    from yg_old.workspace.results import code_table
    from yg_old.yggdrasil.code.evidence import read_imports, users_of
    from yg_old.yggdrasil.code.uses import NodeUses

    if SEPARATOR in name and _is_external(workspace, name):
        return None
    table = code_table(workspace)
    imports = read_imports(workspace.graph, workspace.sources)
    imports.owners = table.owners
    return users_of(NodeUses(imports, table), imports, workspace.node(name).path, method)


def _node_impact(
    workspace: OpenWorkspace, name: str, method: str, using: frozenset[str]
) -> NodeImpact:
    if SEPARATOR in name and _is_external(workspace, name):
        from yg_old.yggdrasil.inventories.relations import known_target
        from yg_old.yggdrasil.questions.impact import external_impact

        return external_impact(workspace.graph, known_target(workspace.graph, name), method)
    if not method:
        return workspace.queries.impact(workspace.find(name))
    workspace.require_yggdrasil("a method (--method)")
    from yg_old.yggdrasil.questions.impact import node_impact

    return node_impact(workspace.graph, workspace.node(name), method, using)


def _is_external(workspace: OpenWorkspace, name: str) -> bool:
    """Return whether a name with colons is not that of a node here."""
    return workspace.format.has_drift and workspace.graph.nodes.reading(name) is None


def _importing(workspace: OpenWorkspace, node: str) -> tuple[ImportingNode, ...]:
    """Return the nodes that import a node and have no relation to it."""
    workspace.require_yggdrasil("imports (--code)")
    from yg_old.yggdrasil.code.evidence import importers, read_imports

    return importers(read_imports(workspace.graph, workspace.sources), node)


def _aspect_impact(workspace: OpenWorkspace, name: str) -> ImpactOfAspect:
    workspace.require_yggdrasil("an aspect (--aspect)")
    from yg_old.commands.impact.parts import find_aspect, impact_of_aspect
    from yg_old.yggdrasil.questions.impact import aspect_impact

    found = aspect_impact(workspace.graph, find_aspect(workspace, name))
    return impact_of_aspect(found, skipped_data(workspace.skipped()))


def _flow_impact(workspace: OpenWorkspace, name: str) -> ImpactOfFlow:
    workspace.require_yggdrasil("a flow (--flow)")
    from yg_old.commands.impact.parts import find_flow, impact_of_flow
    from yg_old.yggdrasil.questions.impact import flow_impact

    found = flow_impact(workspace.graph, find_flow(workspace, name))
    return impact_of_flow(found, skipped_data(workspace.skipped()))


def _changes(workspace: OpenWorkspace, request: ImpactRequest) -> ImpactOfChanges:
    """Find the nodes affected by all changes since a commit, or only by the staged ones."""
    queries = staged_queries(workspace) if request.staged else workspace.queries
    since = request.diff or HEAD
    found, notes = changes_since(workspace, queries, since, staged=request.staged)
    document = impact_of_changes(
        found,
        writer_of(workspace) if request.show else None,
        skipped_data((*queries.unread_configuration(), *queries.skipped(ROOT))),
        tokenizer=queries.tokenizer,
    )
    return replace(document, remarks=notes, owners=_owners(workspace, found.affected))


def _owners(
    workspace: OpenWorkspace, affected: Sequence[str]
) -> tuple[AskedOwner, ...] | UnsetType:
    """Return whom to ask about the affected nodes; nothing without CODEOWNERS."""
    if not workspace.format.is_yggdrasil:
        return UNSET
    from yg_old.workspace.code_owners import owners_of_nodes, people

    asked = people(workspace)
    return UNSET if asked is None else asked_owners(owners_of_nodes(workspace, asked, affected))


def _simulated(
    run: Run, workspace: OpenWorkspace, request: ImpactRequest, impact: Simulated
) -> Simulated:
    """Compare the packages of all affected nodes with a commit, or with those before a patch.

    Raise RefusedError on errors.
    """
    if workspace.format.refuses_errors:
        from yg_old.commands.refusal import refuse_errors

        refuse_errors(workspace, "no simulation", impact.affected, is_lenient=request.lenient)
    if request.patch is not None and request.since is None:
        then, reason = run.workspace.queries, ""
    else:
        then, reason = queries_at(workspace, request.since)
    shifts = list(workspace.queries.compare(then, impact.affected))
    drifts: dict[str, NodeDrift] | None = None
    notes: tuple[str, ...] = ()
    if workspace.format.is_yggdrasil and not workspace.commit:
        drifts, notes = _drifts(run, workspace, impact.affected)
    write = writer_of(workspace) if request.show else None
    target = impact.node if isinstance(impact, ImpactOfNode) else ""
    return replace(
        impact,
        packages=tuple(
            simulated_package(
                shift,
                "" if reason else target,
                drifts,
                write,
                has_contracts=workspace.format.is_yggdrasil,
            )
            for shift in shifts
        ),
        no_baseline=reason or UNSET,
        tokenizer=workspace.tokenizer or UNSET,
        notes=notes,
    )


def _drifts(
    run: Run, workspace: OpenWorkspace, affected: Sequence[str]
) -> tuple[dict[str, NodeDrift], tuple[str, ...]]:
    """Compare the mapped files of all affected nodes with their baselines."""
    from yg_old.commands.drift.find import find_drift

    every = map(workspace.graph.nodes.get, affected)
    nodes = [node for node in every if node and node.mapping]
    found = find_drift(workspace, nodes, run.on_file)
    return {drift.node: drift for drift in found.drifts}, tuple(found.notes)


def text(impact: Impact, _palette: Palette) -> str:
    """Write what a change affects."""
    if isinstance(impact, ImpactOfNode):
        return node_text(impact)
    if isinstance(impact, ImpactOfChanges):
        return diff_text(impact)
    from yg_old.commands.impact.parts import ImpactOfAspect, aspect_text, flow_text

    return aspect_text(impact) if isinstance(impact, ImpactOfAspect) else flow_text(impact)


def markdown(impact: Any, _palette: Palette) -> str:
    """Write the impact of all changes as Markdown; requests for anything else are refused it."""
    return diff_markdown(impact)


def notes(impact: Impact, palette: Palette) -> str:
    """Write the notes of a simulation, or the entries that were skipped."""
    if isinstance(impact, ImpactOfChanges) or impact.notes is UNSET:
        return skipped_lines(impact.skipped, palette)
    return warnings(impact.notes, palette)


def remarks(impact: Impact, palette: Palette) -> str:
    """Write warnings about the files and the commit that were compared."""
    return warnings(impact.remarks, palette) if isinstance(impact, ImpactOfChanges) else ""


def _documents() -> tuple[type[Document], ...]:
    from yg_old.commands.impact.parts import ImpactOfAspect, ImpactOfFlow

    return ImpactOfNode, ImpactOfAspect, ImpactOfFlow, ImpactOfChanges


COMMAND = Command(
    request=ImpactRequest,
    documents=_documents,  # aspects and flows are not needed for other kinds of graphs
    title="What `yg impact --json` prints: what a change can reach.",
    ask=ask,
    text=text,
    forms={"markdown": markdown},
    formats=(TEXT, JSON, "markdown"),
    notes=notes,
    remarks=remarks,
    tool=Tool(
        title="Show what a change affects",
        when="Use before changing an interface that others use, and before finishing: returns what "
        "is affected by a change to one node, aspect or flow, or by all changes since a commit.",
        when_in_specs="Use before changing a node: returns the nodes whose context holds it.",
        limit=PAGE,
        levels_in_specs=1,
    ),
)
