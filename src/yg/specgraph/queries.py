"""What a Spec Graph answers to the questions of every kind; each imports what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.face import Face

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from yg.kernel.dependencies import DependencyTree
    from yg.kernel.export import Export
    from yg.kernel.face import Depth, Measure
    from yg.kernel.find import Catalogue
    from yg.kernel.impact import NodeImpact
    from yg.kernel.issue import Finding
    from yg.kernel.outline import Outline
    from yg.kernel.package import Document
    from yg.kernel.plan import Plan
    from yg.kernel.rule import Rule
    from yg.kernel.snapshot import Snapshot
    from yg.kernel.sources import Sources
    from yg.kernel.status import Status
    from yg.kernel.verdict import Verdict
    from yg.specgraph.context import Context
    from yg.specgraph.graph import Graph


def _read(snapshot: Snapshot) -> Graph:
    from yg.specgraph.read import read

    return read(snapshot)


def _find(graph: Graph, _sources: Sources, name: str) -> str:
    from yg.specgraph.names import node_named

    return node_named(graph, name).id


def _scope(graph: Graph, name: str) -> str:
    from yg.specgraph.names import listed_id

    return listed_id(graph, name)


def _listed(graph: Graph) -> Iterable[str]:
    return graph.references


def _skipped(graph: Graph, within: str) -> Sequence[Finding]:
    from yg.specgraph.skipped import skipped

    return skipped(graph, within)


def _own(graph: Graph, node_id: str) -> Sequence[Document]:
    from yg.specgraph.find import own_documents

    return own_documents(graph, node_id)


def _package(graph: Graph, node_id: str, depth: Depth | None) -> Context:
    from yg.specgraph.assemble import assemble
    from yg.specgraph.context import USUAL_DEPTH

    return assemble(graph, node_id, USUAL_DEPTH if depth is None else depth)


def _validate(graph: Graph, _sources: Sources, _measure: Measure | None) -> Verdict:
    from yg.specgraph.validate import validate

    return validate(graph)


def _within(graph: Graph, verdict: Verdict, scope: str) -> Verdict:
    from yg.specgraph.validate import within

    return within(graph, verdict, scope)


def _rules() -> Sequence[Rule[Graph]]:
    from yg.specgraph.rules import RULES

    return RULES


def _outline(graph: Graph, root: str, depth: int | None) -> Outline:
    from yg.specgraph.outline import outline

    return outline(graph, root, depth)


def _dependencies(graph: Graph, node_id: str, depth: int | None) -> DependencyTree:
    from yg.specgraph.deps import dependency_tree

    return dependency_tree(graph, node_id, depth)


def _impact(graph: Graph, node_id: str) -> NodeImpact:
    from yg.specgraph.impact import node_impact

    return node_impact(graph, node_id)


def _plan(graph: Graph, only: Collection[str] | None) -> Plan:
    from yg.specgraph.plan import plan_of

    return plan_of(graph, only)


def _needed(graph: Graph, node_id: str) -> frozenset[str]:
    from yg.specgraph.plan import needed_for

    return needed_for(graph, node_id)


def _status(graph: Graph) -> Status:
    from yg.specgraph.status import status_of

    return status_of(graph)


def _catalogue(graph: Graph) -> Catalogue:
    from yg.specgraph.find import catalogue

    return catalogue(graph)


def _export(graph: Graph, repository: str) -> Export:
    from yg.specgraph.export import export_of

    return export_of(graph, repository)


def _sized(graph: Graph, export: Export, _measure: Measure | None) -> Export:
    from yg.specgraph.export import with_budgets

    return with_budgets(export, graph)


FACE = Face(
    read=_read,
    find=_find,
    scope=_scope,
    listed=_listed,
    skipped=_skipped,
    own=_own,
    package=_package,
    validate=_validate,
    within=_within,
    rules=_rules,
    outline=_outline,
    dependencies=_dependencies,
    impact=_impact,
    plan=_plan,
    needed=_needed,
    status=_status,
    catalogue=_catalogue,
    export=_export,
    sized=_sized,
)
