"""Queries: the interface to a graph of any kind, and what each kind supports.

The kinds of graphs share these queries and their results, but no model. A node is identified by its
path or its id, depending on the kind of graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

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
    from yg_old.kernel.package import Budget, Document, Measured
    from yg_old.kernel.plan import Plan
    from yg_old.kernel.rule import Rule
    from yg_old.kernel.snapshot import Snapshot, Text
    from yg_old.kernel.sources import Sources
    from yg_old.kernel.steps import Steps
    from yg_old.kernel.view import PackageView

    Depth = int | str  # a number of levels, or 'full'


class AnyGraph(Protocol):
    """What graphs of all kinds have in common, but for what Queries asks them."""

    @property
    def configured_budget(self) -> Budget:
        """The budget of packages, as the graph configures it."""


class Queries(Protocol):
    """Queries to one graph. An unknown name raises NotFoundError."""

    @property
    def graph(self) -> AnyGraph:
        """The graph; OpenWorkspace returns those of a kind with their types."""

    @property
    def tokenizer(self) -> str:
        """The tokenizer that counts tokens; empty if they are estimated."""

    @classmethod
    def read(cls, snapshot: Snapshot, tokenizer: str | None = None) -> Self:
        """Open the graph in a snapshot; None: its configuration names the tokenizer."""

    @staticmethod
    def rules() -> Sequence[Rule[Any]]:
        """Return the rules for graphs of this kind."""

    def find(self, sources: Sources, name: str, /) -> str:
        """Return the readable node for a name that a user typed."""

    def scope(self, name: str, /) -> str:
        """Return the node, or the directory of nodes, for a name that a user typed."""

    def all_ids(self) -> Iterable[str]:
        """List all nodes in order, readable or not, without reading them."""

    def unread_configuration(self) -> Sequence[Finding]:
        """Return the first problem of the configuration, if it could not be read as a whole."""

    def skipped(self, within: str, /) -> Sequence[Finding]:
        """Return findings about nodes in a scope that could not be read."""

    def own_documents(self, node: str, /) -> Sequence[Document]:
        """Return the documents of a node, without inherited ones."""

    def own_texts(self, node: str, /) -> Sequence[Document]:
        """Return the texts of a node; of its files only those that are more than a declaration."""

    def package(self, node: str, depth: Depth | None, /) -> Measured:
        """Assemble the package of a node; None means the default depth."""

    @staticmethod
    def part_kinds() -> Sequence[str]:
        """Return the kinds of parts of a package that can be selected."""

    def view(self, packages: Sequence[Any], view: PackageView, /) -> Measured:
        """Combine the packages of some nodes into one, and leave out parts of it."""

    def packages(self) -> Iterator[Measured]:
        """Assemble the packages of all readable nodes, in order."""

    def notes(self) -> Sequence[str]:
        """Return notes for the user about the graph as a whole."""

    def levels(self) -> Sequence[Rule[Any]]:
        """Return the rules with the levels that the graph sets for them."""

    def validate(self, sources: Sources, /) -> Verdict:
        """Check the graph."""

    def issues_in_steps(self, sources: Sources, /) -> Steps[tuple[Issue, ...]]:
        """Check the graph with pauses, and return its issues."""

    def restrict(self, verdict: Verdict, scope: str, /) -> Verdict:
        """Keep the issues that concern a scope."""

    def outline(self, root: str, depth: int | None, /) -> Outline:
        """List the nodes of a scope as a tree, up to a depth."""

    def dependencies(self, node: str, depth: int | None, /) -> DependencyTree:
        """Return the dependency tree of a node, up to a depth."""

    def impact(self, node: str, /) -> NodeImpact:
        """Return the impact of a change to a node."""

    def compare(self, then: Self, nodes: Iterable[str], /) -> Iterator[Shift]:
        """Compare the packages of some nodes with those of an earlier state of the graph."""

    def diff(self, then: Self, sources: Sources, files: Sequence[str], /, since: str) -> DiffImpact:
        """Return what changed files affect; `then` is the graph at the commit `since`."""

    def changed(
        self, then: Callable[[], Self], sources: Sources, files: Sequence[str], /
    ) -> tuple[str, ...]:
        """Return the readable nodes that changed files belong to, in order."""

    def plan(
        self, only: Collection[str] | None, /, *, unmapped: bool = False, lenient: bool = False
    ) -> Plan:
        """Order some nodes, or all, by their dependencies.

        `unmapped` includes nodes without source files; `lenient` leaves out nodes that have no
        place in the order.
        """

    def needed(self, node: str, /) -> frozenset[str]:
        """Return a node and all its dependencies."""

    def status(self) -> Status:
        """Count the contents of the graph."""

    def texts(self) -> Texts:
        """Return the texts that can be searched, without reading them."""

    def searched_text(self, entry: SearchedText, /) -> Text:
        """Return one of the texts that can be searched."""

    def export(self, repository: str, /) -> Export:
        """Export the graph under a name for the repository."""

    def with_sizes(self, export: Export, /) -> Export:
        """Add package sizes and budget states to an export."""


class Format(Struct, frozen=True, kw_only=True):
    """A kind of graph."""

    name: str
    folder: str  # the directory that holds the graph
    marker: str  # a path that exists in every repository of this kind
    trace: str = ""  # a path that identifies a graph without its marker
    style: str  # the default format of its packages
    is_yggdrasil: bool = False  # whether nodes have aspects and flows, and own source files
    is_specgraph: bool = False  # whether each node is a JSON file, which commands can edit
    has_index: bool = False  # whether results are cached between runs
    has_depths: bool = False  # whether packages can be limited in depth
    has_drift: bool = False  # whether source files are compared with baselines
    has_stamps: bool = False  # whether packages contain a timestamp
    refuses_errors: bool = False  # whether errors prevent packages
    load: Callable[[], type[Queries]]  # imports the implementation on first use

    @property
    def queries(self) -> type[Queries]:
        """The class that queries such a graph."""
        return self.load()
