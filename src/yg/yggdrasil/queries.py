"""Queries to Yggdrasil graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import OldEditionError
from yg.yggdrasil.model import CONFIG_FILE
from yg.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Self

    from yg.kernel.dependencies import DependencyTree
    from yg.kernel.export import Export
    from yg.kernel.find import Catalogue
    from yg.kernel.impact import NodeImpact
    from yg.kernel.issue import Finding
    from yg.kernel.overview import Outline, Status
    from yg.kernel.package import Document
    from yg.kernel.plan import Plan
    from yg.kernel.queries import Depth
    from yg.kernel.rule import Rule
    from yg.kernel.snapshot import Snapshot
    from yg.kernel.sources import Sources
    from yg.kernel.verdict import Verdict
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.package import Package
    from yg.yggdrasil.survey import Survey


class YggdrasilQueries:
    """Queries to a graph of the 2.x edition; each imports what it needs."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @classmethod
    def read(cls, snapshot: Snapshot) -> Self:
        """Open the graph in a snapshot; the 1.x layout is refused."""
        from yg.yggdrasil.read_v2 import read

        is_old = snapshot.kind(f"{FOLDER}/config.yaml") is not None
        if is_old and snapshot.kind(f"{FOLDER}/{CONFIG_FILE}") is None:
            raise OldEditionError(
                f"the graph in {FOLDER}/ has the 1.x layout (config.yaml)",
                hint="Bring it up to date with 'yg init --upgrade'.",
            )
        return cls(read(snapshot))

    @staticmethod
    def rules() -> Sequence[Rule[Survey]]:
        """Return the rules that graphs of this kind are checked by."""
        from yg.yggdrasil.validate import RULES

        return RULES

    def find(self, sources: Sources, name: str) -> str:
        """Return the node that a name typed by a person means, if it can be read."""
        from yg.yggdrasil.names import node_named

        return node_named(self.graph, sources, name).path

    def scope(self, name: str) -> str:
        """Return the node, or the part that leads to nodes, that a typed name means."""
        from yg.yggdrasil.names import directory_named

        return directory_named(self.graph, name)

    def all_ids(self) -> Iterable[str]:
        """List every node in order, readable or not, without reading any."""
        return self.graph.nodes.ids()

    def skipped(self, within: str) -> Sequence[Finding]:
        """Return what could not be read within a scope."""
        from yg.yggdrasil.collection import skipped

        return skipped(self.graph.nodes, within)

    def own_documents(self, path: str) -> Sequence[Document]:
        """Return the documents of a node itself."""
        from yg.yggdrasil.find import own_documents

        return own_documents(self.graph, self._node(path))

    def package(self, path: str, _depth: Depth | None) -> Package:
        """Assemble the context of a node to a depth; None for the usual one."""
        from yg.yggdrasil.assemble import assemble

        return assemble(self.graph, self._node(path))

    def validate(self, sources: Sources) -> Verdict:
        """Check the graph."""
        from yg.yggdrasil.validate import validate

        return validate(self.graph, sources)

    def restrict(self, verdict: Verdict, scope: str) -> Verdict:
        """Keep what concerns a scope."""
        from yg.yggdrasil.validate import restrict

        return restrict(self.graph, verdict, scope)

    def outline(self, root: str, depth: int | None) -> Outline:
        """List the nodes as a tree from a scope, so many levels deep."""
        from yg.yggdrasil.overview import outline

        return outline(self.graph, root, depth)

    def dependencies(self, path: str, depth: int | None) -> DependencyTree:
        """Follow what a node needs, so many levels deep."""
        from yg.yggdrasil.deps import RelationClass, dependency_tree

        return dependency_tree(self.graph, path, depth, RelationClass.ALL)

    def impact(self, path: str) -> NodeImpact:
        """Find what a change to a node can reach."""
        from yg.yggdrasil.impact import node_impact

        return node_impact(self.graph, self._node(path))

    def plan(self, only: Collection[str] | None) -> Plan:
        """Order some nodes, or all, by what they need."""
        from yg.yggdrasil.deps import plan_of

        return plan_of(self.graph, only)

    def needed(self, path: str) -> frozenset[str]:
        """Return a node and everything it needs to be built."""
        from yg.yggdrasil.deps import needed_for

        return needed_for(self.graph, path)

    def status(self) -> Status:
        """Count what the graph holds."""
        from yg.yggdrasil.overview import status_of

        return status_of(self.graph).numbers

    def catalogue(self) -> Catalogue:
        """Return what a search for nodes by words looks at."""
        from yg.yggdrasil.find import catalogue

        return catalogue(self.graph)

    def export(self, repository: str) -> Export:
        """Return the graph as declared, under a name for the repository."""
        from yg.yggdrasil.export import export_of

        return export_of(self.graph, repository)

    def with_sizes(self, export: Export) -> Export:
        """Add the sizes of packages to an export, and what budgets say of them."""
        from yg.yggdrasil.export import with_budgets

        return with_budgets(export, self.graph)

    def _node(self, path: str) -> Node:
        node = self.graph.nodes.get(path)
        if node is None:
            raise ValueError(path)  # only nodes that were found are asked about
        return node


class Yggdrasil0xQueries(YggdrasilQueries):
    """Queries to a graph of the 0.x edition."""

    @classmethod
    def read(cls, snapshot: Snapshot) -> Self:
        """Open the graph in a snapshot."""
        from yg.yggdrasil.read_v0 import read

        return cls(read(snapshot))

    @staticmethod
    def rules() -> Sequence[Rule[Survey]]:
        """Return the rules that graphs of this kind are checked by."""
        from yg.yggdrasil.validate import RULES_V0

        return RULES_V0
