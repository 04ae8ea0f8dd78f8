"""Queries on Yggdrasil graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import OldEditionError
from yg_old.version import HIGHEST_FORMAT, is_newer
from yg_old.yggdrasil.model import CONFIG_FILE
from yg_old.yggdrasil.places import FOLDER

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
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node
    from yg_old.yggdrasil.package.blocks import ContextPackage
    from yg_old.yggdrasil.rules.survey import Survey


class YggdrasilQueries:
    """Queries on a graph of the 2.x edition; each method imports what it needs."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def tokenizer(self) -> str:
        """The tokenizer that counts tokens; empty if they are estimated."""
        return self.graph.budget.tokenizer

    @classmethod
    def read(cls, snapshot: Snapshot, tokenizer: str | None = None) -> Self:
        """Open the graph in a snapshot; raise OldEditionError for the 1.x layout or format 4."""
        from yg_old.yggdrasil.later_formats import refuse_another_model
        from yg_old.yggdrasil.read.v2 import read

        is_old = snapshot.kind(f"{FOLDER}/config.yaml") is not None
        if is_old and snapshot.kind(f"{FOLDER}/{CONFIG_FILE}") is None:
            raise OldEditionError(
                f"the graph in {FOLDER}/ has the 1.x layout (config.yaml)",
                hint="Bring it up to date with 'yg init --upgrade'.",
            )
        graph = read(snapshot, tokenizer)
        refuse_another_model(graph)
        return cls(graph)

    @staticmethod
    def rules() -> Sequence[Rule[Survey]]:
        """Return the rules for this edition."""
        from yg_old.yggdrasil.rules.check import RULES

        return RULES

    def find(self, sources: Sources, name: str) -> str:
        """Return the path of the node with a name that a user typed."""
        from yg_old.yggdrasil.names import node_named

        return node_named(self.graph, sources, name).path

    def scope(self, name: str) -> str:
        """Return the path of the node, or of the directory with nodes, that a user typed."""
        from yg_old.yggdrasil.names import directory_named

        return directory_named(self.graph, name)

    def all_ids(self) -> Iterable[str]:
        """Return the paths of all nodes, sorted, valid or not, without reading them."""
        return self.graph.nodes.ids()

    def unread_configuration(self) -> Sequence[Finding]:
        """Return the first problem of the configuration, if it could not be read as a whole."""
        from yg_old.yggdrasil.collection import unread_configuration

        return unread_configuration(self.graph.config_reading)

    def skipped(self, within: str) -> Sequence[Finding]:
        """Return a finding for each declaration in a scope that could not be read."""
        from yg_old.yggdrasil.collection import skipped

        return skipped(self.graph.nodes, within)

    def own_documents(self, path: str) -> Sequence[Document]:
        """Return the node's own documents."""
        from yg_old.yggdrasil.questions.find import own_documents

        return own_documents(self.graph, self._node(path))

    def own_texts(self, path: str) -> Sequence[Document]:
        """Return the node's artifacts and documents."""
        from yg_old.yggdrasil.resolve import node_texts

        return node_texts(self.graph, self._node(path))

    def package(self, path: str, _depth: Depth | None) -> ContextPackage:
        """Assemble the context package of a node; the depth is not used."""
        from yg_old.yggdrasil.package.assemble import assemble

        return assemble(self.graph, self._node(path))

    @staticmethod
    def part_kinds() -> Sequence[str]:
        """Return the kinds of blocks, as users type them."""
        from yg_old.yggdrasil.block_kind import KIND_WORDS

        return KIND_WORDS

    def view(self, packages: Sequence[ContextPackage], view: PackageView) -> ContextPackage:
        """Combine packages into one, and leave out parts of it."""
        from yg_old.yggdrasil.package.view import view_of

        return view_of(self.graph, packages, view)

    def packages(self) -> Iterator[ContextPackage]:
        """Assemble the packages of all valid nodes; they share blocks."""
        from yg_old.yggdrasil.package.assemble import Assembler

        return map(Assembler(self.graph).package, self.graph.nodes)

    def notes(self) -> Sequence[str]:
        """Return a note if the graph has a newer format than this program."""
        version = self.graph.config.version
        if not is_newer(version):
            return ()
        return (f"the graph has format {version}; this yg knows formats up to {HIGHEST_FORMAT}",)

    def levels(self) -> Sequence[Rule[Survey]]:
        """Return the rules with the levels of the configuration."""
        from yg_old.yggdrasil.levels import configured

        return configured(self.rules(), self.graph.config)

    def validate(self, sources: Sources) -> Verdict:
        """Check the graph."""
        from yg_old.yggdrasil.rules.check import validate

        return validate(self.graph, sources)

    def issues_in_steps(self, sources: Sources) -> Steps[tuple[Issue, ...]]:
        """Check the graph with pauses, and return its issues."""
        from yg_old.yggdrasil.rules.check import issues_in_steps

        return issues_in_steps(self.graph, sources)

    def restrict(self, verdict: Verdict, scope: str) -> Verdict:
        """Keep the issues of a scope."""
        from yg_old.yggdrasil.rules.check import restrict

        return restrict(self.graph, verdict, scope)

    def outline(self, root: str, depth: int | None) -> Outline:
        """Return the tree of nodes below a scope, down to a depth."""
        from yg_old.yggdrasil.questions.overview import outline

        return outline(self.graph, root, depth)

    def dependencies(self, path: str, depth: int | None) -> DependencyTree:
        """Return the tree of a node's dependencies, down to a depth."""
        from yg_old.yggdrasil.questions.deps import RelationClass, dependency_tree

        return dependency_tree(self.graph, path, depth, RelationClass.ALL)

    def impact(self, path: str) -> NodeImpact:
        """Return the nodes that a change to a node can affect."""
        from yg_old.yggdrasil.questions.impact import node_impact

        return node_impact(self.graph, self._node(path))

    def compare(self, then: Self, nodes: Iterable[str]) -> Iterator[Shift]:
        """Compare the packages of some nodes with those of an earlier graph."""
        from yg_old.yggdrasil.questions.compare import Comparison

        return map(Comparison(then.graph, self.graph).shift, nodes)

    def diff(self, then: Self, sources: Sources, files: Sequence[str], since: str) -> DiffImpact:
        """Return what changed files affect, sources and files of the graph."""
        from yg_old.yggdrasil.owners import Ownership
        from yg_old.yggdrasil.questions.compare import diff_impact

        return diff_impact(then.graph, self.graph, Ownership(self.graph, sources), files, since)

    def changed(
        self, _then: Callable[[], Self], sources: Sources, files: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the nodes that own some changed files or have them in their directory."""
        from yg_old.yggdrasil.owners import Ownership
        from yg_old.yggdrasil.questions.compare import changed_nodes

        return changed_nodes(self.graph, Ownership(self.graph, sources), files)

    def plan(
        self, only: Collection[str] | None, *, unmapped: bool = False, lenient: bool = False
    ) -> Plan:
        """Return the build order of some nodes, or of all."""
        from yg_old.yggdrasil.questions.deps import plan_of

        return plan_of(self.graph, only, unmapped=unmapped, lenient=lenient)

    def needed(self, path: str) -> frozenset[str]:
        """Return a node and its transitive structural dependencies."""
        from yg_old.yggdrasil.questions.deps import needed_for

        return needed_for(self.graph, path)

    def status(self) -> Status:
        """Return the counts of the graph."""
        from yg_old.yggdrasil.questions.overview import status_of

        return status_of(self.graph).numbers

    def texts(self) -> Texts:
        """Return the texts that can be searched."""
        from yg_old.yggdrasil.questions.find import texts

        return texts(self.graph)

    def searched_text(self, entry: SearchedText) -> Text:
        """Return one of the texts that can be searched."""
        from yg_old.yggdrasil.questions.find import searched_text

        return searched_text(self.graph, entry)

    def export(self, repository: str) -> Export:
        """Return the graph as an export, under a name for the repository."""
        from yg_old.yggdrasil.questions.export import export_of

        return export_of(self.graph, repository)

    def with_sizes(self, export: Export) -> Export:
        """Add package sizes and budget states to an export."""
        from yg_old.yggdrasil.questions.export import with_budgets

        return with_budgets(export, self.graph)

    def _node(self, path: str) -> Node:
        node = self.graph.nodes.get(path)
        if node is None:
            raise ValueError(path)  # callers pass paths returned by `find`
        return node


class Yggdrasil0xQueries(YggdrasilQueries):
    """Queries on a graph of the 0.x edition."""

    @classmethod
    def read(cls, snapshot: Snapshot, tokenizer: str | None = None) -> Self:
        """Open the graph in a snapshot."""
        from yg_old.yggdrasil.read.v0 import read

        return cls(read(snapshot, tokenizer))

    @staticmethod
    def rules() -> Sequence[Rule[Survey]]:
        """Return the rules for this edition."""
        from yg_old.yggdrasil.rules.check import RULES_V0

        return RULES_V0
