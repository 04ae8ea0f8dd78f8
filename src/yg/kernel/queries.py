"""A face: the questions that every kind of graph answers, as a record of functions.

Kinds of graphs share no model. What they share is what can be asked of them, and the values that
they answer with. A node is named by its path or its id, whichever its kind of graph has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from yg.kernel.dependencies import DependencyTree
    from yg.kernel.export import Export
    from yg.kernel.find import Catalogue
    from yg.kernel.impact import NodeImpact
    from yg.kernel.issue import Finding
    from yg.kernel.outline import Outline
    from yg.kernel.package import Document, Measured, Package
    from yg.kernel.plan import Plan
    from yg.kernel.rule import Rule
    from yg.kernel.snapshot import Snapshot
    from yg.kernel.sources import Sources
    from yg.kernel.status import Status
    from yg.kernel.verdict import Verdict

    Depth = int | str  # a number of levels, or a word for all of them
    Measure = Callable[[Package], int]

G = TypeVar("G")


class Face(Struct, Generic[G], frozen=True, kw_only=True):
    """What can be asked of a graph of one kind."""

    read: Callable[[Snapshot], G]
    # Names as people type them. Nothing of that name is a NotFoundError.
    find: Callable[[G, Sources, str], str]  # a node that can be read
    scope: Callable[[G, str], str]  # a node, or what leads to nodes
    listed: Callable[[G], Iterable[str]]  # every node in order, readable or not; none is read
    skipped: Callable[[G, str], Sequence[Finding]]  # what could not be read, within a scope
    # Questions.
    own: Callable[[G, str], Sequence[Document]]  # what a node says of itself
    package: Callable[[G, str, Depth | None], Measured]  # to a depth; None for the usual one
    validate: Callable[[G, Sources, Measure | None], Verdict]
    within: Callable[[G, Verdict, str], Verdict]  # what of a verdict concerns a scope
    rules: Callable[[], Sequence[Rule[Any]]]
    outline: Callable[[G, str, int | None], Outline]  # from a scope, so many levels deep
    dependencies: Callable[[G, str, int | None], DependencyTree]
    impact: Callable[[G, str], NodeImpact]
    plan: Callable[[G, Collection[str] | None], Plan]  # of some nodes; None for all
    needed: Callable[[G, str], frozenset[str]]  # a node, and what it needs to be built
    status: Callable[[G], Status]
    catalogue: Callable[[G], Catalogue]  # of all nodes, to look for some by words
    export: Callable[[G, str], Export]  # as declared, under a name for the repository
    sized: Callable[[G, Export, Measure | None], Export]  # with what budgets say of packages
