"""Queries to Spec Graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.text.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Self

    from yg_old.kernel.compare import DiffImpact, Shift
    from yg_old.kernel.dependencies import DependencyTree
    from yg_old.kernel.export import Export
    from yg_old.kernel.find import SearchedText, Texts
    from yg_old.kernel.impact import NodeImpact
    from yg_old.kernel.issue import Finding, Issue, Verdict
    from yg_old.kernel.overview import Outline, Status
    from yg_old.kernel.package import Document
    from yg_old.kernel.plan import Plan
    from yg_old.kernel.queries import Depth
    from yg_old.kernel.rule import Rule
    from yg_old.kernel.snapshot import Snapshot, Text
    from yg_old.kernel.sources import Sources
    from yg_old.kernel.steps import Steps
    from yg_old.kernel.view import PackageView
    from yg_old.specgraph.context.context import Context
    from yg_old.specgraph.context.package import ContextView
    from yg_old.specgraph.graph import SpecGraph


class SpecGraphQueries:
    """Queries to a Spec Graph; each imports what it needs."""

    def __init__(self, graph: SpecGraph) -> None:
        self.graph = graph

    @property
    def tokenizer(self) -> str:
        """The tokenizer that counts tokens; empty if they are estimated."""
        return self.graph.budget.tokenizer

    @classmethod
    def read(cls, snapshot: Snapshot, tokenizer: str | None = None) -> Self:
        """Open the graph in a snapshot."""
        from yg_old.specgraph.read.reader import read

        return cls(read(snapshot, tokenizer))

    @staticmethod
    def rules() -> Sequence[Rule[SpecGraph]]:
        """Return the rules for Spec Graphs."""
        from yg_old.specgraph.rules.check import RULES

        return RULES

    def find(self, _sources: Sources, name: str) -> str:
        """Return the readable node for a name that a user typed."""
        from yg_old.specgraph.find import node_named

        return node_named(self.graph, name).id

    def scope(self, name: str) -> str:
        """Return the node for a name that a user typed."""
        from yg_old.specgraph.find import listed_id

        return listed_id(self.graph, name)

    def all_ids(self) -> Iterable[str]:
        """List all nodes in order, readable or not, without reading them."""
        return self.graph.references

    @staticmethod
    def unread_configuration() -> Sequence[Finding]:
        """Return nothing: a problem of graph.json is among what was skipped."""
        return ()

    def skipped(self, within: str) -> Sequence[Finding]:
        """Return findings about nodes in a scope that cannot be read."""
        from yg_old.specgraph.questions.overview import skipped

        return skipped(self.graph, within)

    def own_documents(self, node_id: str) -> Sequence[Document]:
        """Return the documents of a node."""
        from yg_old.specgraph.find import own_documents

        return own_documents(self.graph, node_id)

    def own_texts(self, node_id: str) -> Sequence[Document]:
        """Return the file of a node, which holds its texts."""
        return self.own_documents(node_id)

    def package(self, node_id: str, depth: Depth | None) -> Context:
        """Assemble the context of a node to a depth; None means the default depth."""
        from yg_old.specgraph.context.assemble import assemble
        from yg_old.specgraph.context.context import USUAL_DEPTH

        return assemble(self.graph, node_id, USUAL_DEPTH if depth is None else depth)

    @staticmethod
    def part_kinds() -> Sequence[str]:
        """Return the kinds of sections that can be selected."""
        from yg_old.specgraph.context.view import kinds

        return kinds()

    def view(self, packages: Sequence[Context], view: PackageView) -> ContextView:
        """Combine the contexts of some nodes, and leave out parts of them."""
        from yg_old.specgraph.context.view import view_of

        return view_of(packages, view)

    def packages(self) -> Iterator[Context]:
        """Assemble the contexts of all readable nodes to the default depth."""
        return (self.package(node_id, None) for node_id in self.graph.nodes)

    def notes(self) -> Sequence[str]:
        """Return no notes."""
        return ()

    def levels(self) -> Sequence[Rule[SpecGraph]]:
        """Return the rules; no setting changes their levels."""
        return self.rules()

    def validate(self, _sources: Sources) -> Verdict:
        """Check the graph."""
        from yg_old.specgraph.rules.check import validate

        return validate(self.graph)

    def issues_in_steps(self, _sources: Sources) -> Steps[tuple[Issue, ...]]:
        """Check the graph with pauses, and return its issues."""
        from yg_old.specgraph.rules.check import issues_in_steps

        return issues_in_steps(self.graph)

    def restrict(self, verdict: Verdict, scope: str) -> Verdict:
        """Keep the issues that concern a scope."""
        from yg_old.specgraph.rules.check import within

        return within(self.graph, verdict, scope)

    def outline(self, root: str, depth: int | None) -> Outline:
        """List the nodes of a scope as a tree, down to a depth."""
        from yg_old.specgraph.questions.overview import outline

        return outline(self.graph, root, depth)

    def dependencies(self, node_id: str, depth: int | None) -> DependencyTree:
        """Return the dependency tree of a node, down to a depth."""
        from yg_old.specgraph.questions.deps import dependency_tree

        return dependency_tree(self.graph, node_id, depth)

    def impact(self, node_id: str) -> NodeImpact:
        """Return the nodes that a change to a node affects."""
        from yg_old.specgraph.questions.impact import node_impact

        return node_impact(self.graph, node_id)

    def compare(self, then: Self, nodes: Iterable[str]) -> Iterator[Shift]:
        """Compare the contexts of some nodes with those of an earlier graph."""
        from yg_old.specgraph.questions.compare import shifts

        return shifts(then.graph, self.graph, nodes)

    def diff(self, then: Self, _sources: Sources, files: Sequence[str], since: str) -> DiffImpact:
        """Return what changed files of the graph affect."""
        from yg_old.specgraph.questions.compare import diff_impact

        return diff_impact(then.graph, self.graph, files, since)

    def changed(
        self, then: Callable[[], Self], _sources: Sources, files: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the nodes whose file or entry in graph.json has changed, and which remain."""
        from yg_old.specgraph.questions.compare import remaining_nodes

        return remaining_nodes(lambda: then().graph, self.graph, files)

    def plan(
        self,
        only: Collection[str] | None,
        *,
        unmapped: bool = False,  # noqa: ARG002  # nodes have no source files: all are included
        lenient: bool = False,
    ) -> Plan:
        """Order some nodes, or all, by their dependencies."""
        from yg_old.specgraph.questions.deps import plan_of

        return plan_of(self.graph, only, lenient=lenient)

    def needed(self, node_id: str) -> frozenset[str]:
        """Return a node and all its dependencies."""
        from yg_old.specgraph.questions.deps import needed_for

        return needed_for(self.graph, node_id)

    def status(self) -> Status:
        """Count the contents of the graph."""
        from yg_old.specgraph.questions.overview import status_of

        return status_of(self.graph)

    def texts(self) -> Texts:
        """Return the texts that can be searched."""
        from yg_old.kernel.find import Texts
        from yg_old.specgraph.find import entries

        return Texts(entries(self.graph), tuple(self.skipped(ROOT)))

    def searched_text(self, entry: SearchedText) -> Text:
        """Return one of the texts that can be searched."""
        return self.graph.snapshot.text(entry.file)

    def export(self, repository: str) -> Export:
        """Export the graph under a name for the repository."""
        from yg_old.specgraph.questions.export import export_of

        return export_of(self.graph, repository)

    def with_sizes(self, export: Export) -> Export:
        """Add budget states to an export."""
        from yg_old.specgraph.questions.export import with_budgets

        return with_budgets(export, self.graph)
