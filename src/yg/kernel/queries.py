"""Queries: what can be asked of a graph of any kind.

Kinds of graphs share no model. They share these queries, and the values that answer them. A node is
named by its path or its id, whichever its kind of graph has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Self

    from yg.kernel.dependencies import DependencyTree
    from yg.kernel.export import Export
    from yg.kernel.find import Catalogue
    from yg.kernel.impact import NodeImpact
    from yg.kernel.issue import Finding
    from yg.kernel.overview import Outline, Status
    from yg.kernel.package import Document, Measured
    from yg.kernel.plan import Plan
    from yg.kernel.rule import Rule
    from yg.kernel.snapshot import Snapshot
    from yg.kernel.sources import Sources
    from yg.kernel.verdict import Verdict

    Depth = int | str  # a number of levels, or a word for all of them


class Queries(Protocol):
    """Queries to one graph. A name of nothing in it raises NotFoundError."""

    graph: Any  # for code that knows its kind

    @classmethod
    def read(cls, snapshot: Snapshot) -> Self:
        """Open the graph in a snapshot."""

    @staticmethod
    def rules() -> Sequence[Rule[Any]]:
        """Return the rules that graphs of this kind are checked by."""

    def find(self, sources: Sources, name: str, /) -> str:
        """Return the node that a name typed by a person means, if it can be read."""

    def scope(self, name: str, /) -> str:
        """Return the node, or the part that leads to nodes, that a typed name means."""

    def all_ids(self) -> Iterable[str]:
        """List every node in order, readable or not, without reading any."""

    def skipped(self, within: str, /) -> Sequence[Finding]:
        """Return what could not be read within a scope."""

    def own_documents(self, node: str, /) -> Sequence[Document]:
        """Return the documents of a node itself."""

    def package(self, node: str, depth: Depth | None, /) -> Measured:
        """Assemble the context of a node to a depth; None for the usual one."""

    def validate(self, sources: Sources, /) -> Verdict:
        """Check the graph."""

    def restrict(self, verdict: Verdict, scope: str, /) -> Verdict:
        """Keep what concerns a scope."""

    def outline(self, root: str, depth: int | None, /) -> Outline:
        """List the nodes as a tree from a scope, so many levels deep."""

    def dependencies(self, node: str, depth: int | None, /) -> DependencyTree:
        """Follow what a node needs, so many levels deep."""

    def impact(self, node: str, /) -> NodeImpact:
        """Find what a change to a node can reach."""

    def plan(self, only: Collection[str] | None, /) -> Plan:
        """Order some nodes, or all, by what they need."""

    def needed(self, node: str, /) -> frozenset[str]:
        """Return a node and everything it needs to be built."""

    def status(self) -> Status:
        """Count what the graph holds."""

    def catalogue(self) -> Catalogue:
        """Return what a search for nodes by words looks at."""

    def export(self, repository: str, /) -> Export:
        """Return the graph as declared, under a name for the repository."""

    def with_sizes(self, export: Export, /) -> Export:
        """Add the sizes of packages to an export, and what budgets say of them."""
