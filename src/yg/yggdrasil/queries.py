"""What a Yggdrasil graph answers to the questions of every kind; each imports what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.kernel.errors import OldEditionError
from yg.kernel.face import Face
from yg.yggdrasil.model import CONFIG_FILE
from yg.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from yg.kernel.dependencies import DependencyTree
    from yg.kernel.export import Export
    from yg.kernel.face import Depth, Measure
    from yg.kernel.find import Catalogue
    from yg.kernel.impact import NodeImpact
    from yg.kernel.issue import Finding
    from yg.kernel.outline import Outline
    from yg.kernel.package import Document, Package
    from yg.kernel.plan import Plan
    from yg.kernel.rule import Rule
    from yg.kernel.snapshot import Snapshot
    from yg.kernel.sources import Sources
    from yg.kernel.status import Status
    from yg.kernel.verdict import Verdict
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.survey import Survey


def _read(snapshot: Snapshot) -> Graph:
    from yg.yggdrasil.read_v2 import read

    is_old = snapshot.kind(f"{FOLDER}/config.yaml") is not None
    if is_old and snapshot.kind(f"{FOLDER}/{CONFIG_FILE}") is None:
        raise OldEditionError(
            f"the graph in {FOLDER}/ has the 1.x layout (config.yaml)",
            hint="Bring it up to date with 'yg init --upgrade'.",
        )
    return read(snapshot)


def _read_v0(snapshot: Snapshot) -> Graph:
    from yg.yggdrasil.read_v0 import read

    return read(snapshot)


def _find(graph: Graph, sources: Sources, name: str) -> str:
    from yg.yggdrasil.names import node_named

    return node_named(graph, sources, name).path


def _scope(graph: Graph, name: str) -> str:
    from yg.yggdrasil.names import directory_named

    return directory_named(graph, name)


def _listed(graph: Graph) -> Iterable[str]:
    return graph.nodes.ids()


def _skipped(graph: Graph, within: str) -> Sequence[Finding]:
    from yg.yggdrasil.skipped import skipped

    return skipped(graph.nodes, within)


def _own(graph: Graph, path: str) -> Sequence[Document]:
    from yg.yggdrasil.own import own_documents

    return own_documents(graph, _node(graph, path))


def _package(graph: Graph, path: str, _depth: Depth | None) -> Package:
    from yg.yggdrasil.assemble import assemble

    return assemble(graph, _node(graph, path))


def _validate(graph: Graph, sources: Sources, measure: Measure | None) -> Verdict:
    from yg.yggdrasil.validate import validate

    return validate(graph, sources, measure)


def _within(graph: Graph, verdict: Verdict, scope: str) -> Verdict:
    from yg.yggdrasil.validate import within

    return within(graph, verdict, scope)


def _rules() -> Sequence[Rule[Survey]]:
    from yg.yggdrasil.rules.every import RULES

    return RULES


def _rules_v0() -> Sequence[Rule[Survey]]:
    from yg.yggdrasil.rules.every import RULES_V0

    return RULES_V0


def _outline(graph: Graph, root: str, depth: int | None) -> Outline:
    from yg.yggdrasil.outline import outline

    return outline(graph, root, depth)


def _dependencies(graph: Graph, path: str, depth: int | None) -> DependencyTree:
    from yg.yggdrasil.deps import RelationClass, dependency_tree

    return dependency_tree(graph, path, depth, RelationClass.ALL)


def _impact(graph: Graph, path: str) -> NodeImpact:
    from yg.yggdrasil.impact import node_impact

    return node_impact(graph, _node(graph, path))


def _plan(graph: Graph, only: Collection[str] | None) -> Plan:
    from yg.yggdrasil.plan import plan_of

    return plan_of(graph, only)


def _needed(graph: Graph, path: str) -> frozenset[str]:
    from yg.yggdrasil.plan import needed_for

    return needed_for(graph, path)


def _status(graph: Graph) -> Status:
    from yg.yggdrasil.status import status_of

    return status_of(graph).numbers


def _catalogue(graph: Graph) -> Catalogue:
    from yg.yggdrasil.find import catalogue

    return catalogue(graph)


def _export(graph: Graph, repository: str) -> Export:
    from yg.yggdrasil.export import export_of

    return export_of(graph, repository)


def _sized(graph: Graph, export: Export, measure: Measure | None) -> Export:
    from yg.yggdrasil.export import with_budgets

    return with_budgets(export, graph, measure)


def _node(graph: Graph, path: str) -> Node:
    node = graph.nodes.get(path)
    if node is None:
        raise ValueError(path)  # only nodes that were found are asked about
    return node


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
FACE_V0 = replace(FACE, read=_read_v0, rules=_rules_v0)
