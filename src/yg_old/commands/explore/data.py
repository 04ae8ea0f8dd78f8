"""The data of the explorer: all that its page shows of a graph."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import replace

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import facts_of
from yg_old.commands.build_context import commit_options
from yg_old.commands.code_blocks import with_code_blocks
from yg_old.commands.command import Run, no_progress
from yg_old.commands.explore import document as shapes
from yg_old.commands.explore.differences import NO_STATE, GraphState, Moved, comparison
from yg_old.commands.explore.stored import (
    Store,
    shown_graph,
    stored_context,
    stored_package,
    with_guides,
)
from yg_old.commands.exporting import declared, skipped
from yg_old.commands.issues import skipped_data
from yg_old.commands.stale import all_marked
from yg_old.commands.validate import Validation, validation_of
from yg_old.disk.git.changed_files import head_state
from yg_old.disk.git.process import commit_of
from yg_old.kernel.errors import NoGraphError, OldEditionError, RefusedError
from yg_old.kernel.export import VertexKind
from yg_old.kernel.package import STANDARD_BUDGET, Document
from yg_old.version import __version__
from yg_old.workspace import results
from yg_old.workspace.code_owners import owners_of_nodes, people
from yg_old.workspace.opening import open_workspace
from yg_old.yggdrasil.drift.states import State
from yg_old.yggdrasil.questions.layers import type_layers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from msgspec import UnsetType

    from yg_old.commands.coverage import CoverageReport
    from yg_old.commands.drift.documents import Drift
    from yg_old.commands.explore.document import (
        ExplorerDocument,
        RepositoryRecord,
        RevisionComparison,
        ShownFile,
        ShownGraph,
        ShownNode,
        StoredPackage,
        StoredThing,
    )
    from yg_old.commands.review.documents import NodeReview
    from yg_old.workspace.opened import OpenWorkspace


def explore(
    workspace: OpenWorkspace,
    *,
    since: str | None = None,
    on_file: Callable[[int, int], None] = no_progress,
) -> ExplorerDocument:
    """Return the data of the page; with `since`, also what differs from that revision."""
    kind, store = workspace.format, Store()
    has_drift = kind.has_drift and not workspace.commit
    drift = _drift(workspace, on_file) if has_drift else UNSET
    state = _state(workspace, store, _drifted(drift))
    coverage, files = _coverage(workspace) if kind.is_yggdrasil else (UNSET, [])
    shown = _with_guides(workspace, state.graph)
    changes = UNSET if since is None else _changes(workspace, store, state, since)
    return shapes.ExplorerDocument(
        version=__version__,
        repository=_repository(workspace),
        offers=shapes.Offers(
            aspects=kind.is_yggdrasil,
            owners=kind.is_yggdrasil,
            drift=drift is not UNSET,
            refuses=kind.refuses_errors,
        ),
        graph=_with_lines(
            workspace, files, _with_switches(workspace, _with_owners(workspace, shown))
        ),
        layers=[*type_layers(workspace.graph.config.node_types)] if kind.is_yggdrasil else [],
        plan=_plan(workspace),
        issues=state.issues,
        drift=drift,
        review=_review(workspace) if _drifted(drift) else [],
        coverage=coverage,
        files=files,
        package=_package_form(workspace),
        options=commit_options(workspace),
        budget=_budget(workspace),
        packages=state.packages,
        things=state.things,
        changes=changes,
        texts=store.texts,
        blocks=store.blocks,
        notes=[*workspace.graph_notes],
    )


def _state(
    workspace: OpenWorkspace, store: Store, drifted: Collection[str] | None = None
) -> GraphState:
    """Return what a comparison needs of one state of the graph.

    `drifted` are the nodes that differ from their baselines; None if that is not known.
    """
    packages = _stored_packages(workspace, store, drifted)
    return GraphState(
        graph=_graph(workspace),
        packages=packages,
        things=list(_things(workspace, store, packages)),
        issues=_issues(workspace),
    )


def _changes(
    workspace: OpenWorkspace, store: Store, now: GraphState, since: str
) -> RevisionComparison:
    commit = commit_of(workspace.root, since)
    then, moved, notes = NO_STATE, [], []
    try:
        past = open_workspace(
            workspace.root,
            commit,
            workspace.format.name,
            uses_index=False,
            tokenizer=workspace.tokenizer,
        )
        then = _state(past, store)
        moved = _moved(past, workspace)
    except (NoGraphError, OldEditionError) as error:
        notes = [f"nothing to compare with: {error.message}, so all of the graph counts as new"]
    return comparison(store, then, now, moved, since=since, commit=commit, notes=notes)


def _moved(then: OpenWorkspace, now: OpenWorkspace) -> list[Moved]:
    """Return the nodes, aspects and flows that have another name now."""
    if not now.format.is_yggdrasil:
        return []
    from yg_old.yggdrasil.questions.identity import renamed

    pairs = renamed(then.graph, now.graph)
    return [Moved(VertexKind(pair.kind), pair.old, pair.new) for pair in pairs]


def _graph(workspace: OpenWorkspace) -> ShownGraph:
    """Return the nodes, aspects and flows of a graph, and what connects them."""
    export = declared(workspace, workspace.repository_name, code=_reads_code(workspace))
    missing = skipped_data(skipped(workspace))
    return shown_graph(export, workspace.format.name, missing, _external_names(workspace))


def _external_names(workspace: OpenWorkspace) -> dict[tuple[str, str], str]:
    """Return the names of the nodes of other repositories, by repository and path there."""
    if not workspace.format.is_yggdrasil:
        return {}
    from yg_old.yggdrasil.inventories.relations import place_of, users

    return {place_of(workspace.graph, target): target for target in sorted(users(workspace.graph))}


def _reads_code(workspace: OpenWorkspace) -> bool:
    """Whether the configuration asks to compare relations with imports, and there is code."""
    has_code = workspace.format.is_yggdrasil and not workspace.commit
    return has_code and workspace.graph.config.code is not None


def _with_guides(workspace: OpenWorkspace, shown: ShownGraph) -> ShownGraph:
    """Add the nodes that guide each node of a Spec Graph."""
    if not workspace.format.is_specgraph:
        return shown
    from yg_old.specgraph.context.guidance import guidance_of

    guidance = guidance_of(workspace.specs)
    guides = {node_id: guidance.left(node_id) for node_id in guidance.graph.nodes}
    return with_guides(shown, guides, guidance.members)


def _with_switches(workspace: OpenWorkspace, shown: ShownGraph) -> ShownGraph:
    """Add which nodes of an Yggdrasil graph have `drift: off`."""
    if not workspace.format.is_yggdrasil:
        return shown
    off = {node.path for node in workspace.graph.nodes if not node.has_drift}
    nodes = [
        replace(node, drift="off") if node.kind is VertexKind.NODE and node.path in off else node
        for node in shown.nodes
    ]
    return replace(shown, nodes=nodes)


def _with_lines(
    workspace: OpenWorkspace, files: Sequence[ShownFile], shown: ShownGraph
) -> ShownGraph:
    """Add how many lines of code each node has, if the graph is compared with the code."""
    if not workspace.format.is_yggdrasil or workspace.graph.config.code is None:
        return shown
    lines: Counter[str] = Counter()
    for file in files:
        if file.node and ending(file.path) in ENDINGS:
            facts = facts_of(workspace.sources, file.path)
            lines[file.node] += facts.lines if facts else 0
    nodes = [
        replace(node, lines=lines[node.path])
        if node.kind is VertexKind.NODE and node.repository is UNSET and lines[node.path]
        else node
        for node in shown.nodes
    ]
    return replace(shown, nodes=nodes)


def _with_owners(workspace: OpenWorkspace, shown: ShownGraph) -> ShownGraph:
    """Add whom to ask about each node, if the repository has a CODEOWNERS file."""
    asked = people(workspace) if workspace.format.is_yggdrasil else None
    if asked is None:
        return shown
    own = [
        node.path
        for node in shown.nodes
        if node.kind is VertexKind.NODE and node.repository is UNSET
    ]
    owners = owners_of_nodes(workspace, asked, own)

    def owned(node: ShownNode) -> ShownNode:
        is_own = node.kind is VertexKind.NODE and node.repository is UNSET
        names = owners.get(node.path) if is_own else ()
        return replace(node, owners=[*names]) if names else node

    return replace(shown, nodes=[owned(node) for node in shown.nodes])


def _issues(workspace: OpenWorkspace) -> Validation:
    """Return all issues of the graph as data."""
    return validation_of(results.verdict(workspace))


def _repository(workspace: OpenWorkspace) -> RepositoryRecord:
    name = workspace.repository_name
    if workspace.commit:
        return shapes.RepositoryRecord(name=name, commit=workspace.commit, dirty=False)
    commit, dirty = head_state(workspace.root) or (None, None)
    return shapes.RepositoryRecord(name=name, commit=commit, dirty=dirty)


def _plan(workspace: OpenWorkspace) -> list[str]:
    """Return the nodes in build order; those that have no place in it come last."""
    try:
        plan = workspace.queries.plan(None, unmapped=True)
    except RefusedError:
        plan = workspace.queries.plan(None, unmapped=True, lenient=True)
    ordered = [node for stage in plan.stages for node in stage]
    return [*ordered, *(left.node for left in plan.unordered)]


def _drift(workspace: OpenWorkspace, on_file: Callable[[int, int], None]) -> Drift | UnsetType:
    """Return the drift; nothing if the configuration prevents it, which the issues say."""
    from yg_old.commands.drift import DriftRequest, drift

    run = Run(lambda _kind: workspace, on_file=on_file, may_migrate=False)
    try:
        return drift(run, DriftRequest())
    except RefusedError:
        return UNSET


def _review(workspace: OpenWorkspace) -> list[NodeReview]:
    """Return the sentences to check, by node."""
    from yg_old.commands.review import ReviewRequest, review_drift

    run = Run(lambda _kind: workspace, may_migrate=False)
    return list(review_drift(run, ReviewRequest()).nodes)


def _drifted(drift: Drift | UnsetType) -> Collection[str] | None:
    """Return the nodes that differ from their baselines; None if they were not compared."""
    if drift is UNSET:
        return None
    return {node.node for node in drift.nodes if node.has_baseline and node.state is not State.OK}


def _coverage(workspace: OpenWorkspace) -> tuple[CoverageReport | UnsetType, list[ShownFile]]:
    """Return the coverage, if the configuration allows it, and the owner of each file."""
    from yg_old.commands.coverage import CoverageRequest, ask, counted_files
    from yg_old.yggdrasil.owners import Ownership

    found: CoverageReport | UnsetType = UNSET
    try:
        found = ask(Run(lambda _kind: workspace), CoverageRequest())
    except RefusedError:
        pass  # the issues say why
    ownership = Ownership(workspace.graph, workspace.sources)
    owners = ((file, ownership.get_listed(file)) for file in sorted(counted_files(workspace)))
    files = [
        shapes.ShownFile(path=file, node=owner.node if owner else "") for file, owner in owners
    ]
    return found, files


def _package_form(workspace: OpenWorkspace) -> str:
    """Return how the page joins the parts of a package."""
    return workspace.format.style if workspace.format.is_yggdrasil else "sections"


def _stored_packages(
    workspace: OpenWorkspace, store: Store, drifted: Collection[str] | None
) -> list[StoredPackage]:
    """Store the packages of all readable nodes."""
    form, packages = _package_form(workspace), workspace.queries.packages()
    if form == "sections":
        return [stored_context(store, context) for context in _any(packages)]
    patterns = workspace.graph.config.quality.cut_first
    marked = with_code_blocks(workspace, all_marked(workspace, _any(packages), drifted))
    return [stored_package(store, package, form, patterns) for package in marked]


def _any(values: Iterable[Any]) -> Iterable[Any]:
    """Let the kind of graph decide the class of its packages."""
    return values


def _budget(workspace: OpenWorkspace) -> shapes.StoredBudget:
    is_own = workspace.format.is_yggdrasil
    budget = workspace.graph.config.quality.budget if is_own else STANDARD_BUDGET
    return shapes.StoredBudget(
        tokenizer=workspace.tokenizer, warning=budget.warning, error=budget.error
    )


def _things(
    workspace: OpenWorkspace, store: Store, packages: Iterable[StoredPackage]
) -> Iterator[StoredThing]:
    """Yield the texts of every node, aspect and flow that can be read.

    Those of a node of another repository are in an import.
    """
    queries = workspace.queries
    for package in packages:
        yield _thing(store, VertexKind.NODE, package.node, queries.own_documents(package.node))
    if not workspace.format.is_yggdrasil:
        return
    from yg_old.yggdrasil.questions.find import content_documents, imported_texts, searched_text

    graph = workspace.graph
    for target, entries in groupby(imported_texts(graph), key=lambda entry: entry.path):
        texts = (Document(entry.document, searched_text(graph, entry)) for entry in entries)
        yield _thing(store, VertexKind.NODE, target, texts)
    for aspect in graph.aspects:
        yield _thing(store, VertexKind.ASPECT, aspect.id, content_documents(graph, aspect))
    for flow in graph.flows:
        yield _thing(store, VertexKind.FLOW, flow.id, content_documents(graph, flow))


def _thing(store: Store, kind: VertexKind, path: str, documents: Iterable[Document]) -> StoredThing:
    texts = [store.document(document) for document in documents]
    return shapes.StoredThing(kind=kind, path=path, texts=texts)
