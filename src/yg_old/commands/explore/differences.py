"""Compare two states of a graph: what was added, removed and changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict

from yg_old.commands.explore.document import (
    ChangedEdge,
    ChangedThing,
    PackageChange,
    RevisionComparison,
    ShownGraph,
)
from yg_old.commands.validate import Validation, validation_of
from yg_old.kernel.compare import Alteration
from yg_old.kernel.export import EdgeKind, VertexKind
from yg_old.kernel.issue import Verdict

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from yg_old.commands.explore.document import ShownEdge, ShownNode, StoredPackage, StoredThing
    from yg_old.commands.explore.stored import Store
    from yg_old.commands.issues import IssueRecord

Key = tuple[VertexKind, str]


class Moved(Struct, frozen=True):
    """The old and the new name of a node, an aspect or a flow."""

    kind: VertexKind
    old: str
    new: str


class GraphState(Struct, frozen=True, kw_only=True):
    """One state of a graph; its texts and blocks are places in the store."""

    graph: ShownGraph
    packages: list[StoredPackage]
    things: list[StoredThing]
    issues: Validation


NO_STATE = GraphState(
    graph=ShownGraph(kind="none", nodes=[], edges=[], skipped=[]),
    packages=[],
    things=[],
    issues=validation_of(Verdict("", 0, ())),
)


def comparison(  # noqa: PLR0913
    store: Store,
    then: GraphState,
    now: GraphState,
    moved: Iterable[Moved],
    *,
    since: str,
    commit: str,
    notes: list[str],
) -> RevisionComparison:
    """Return what differs between two states of a graph."""
    old_names = {(pair.kind, pair.new): pair.old for pair in moved}
    return RevisionComparison(
        since=since,
        commit=commit,
        graph=then.graph,
        things=list(_things(store, then, now, old_names)),
        edges=list(_edges(then.graph, now.graph, old_names)),
        packages=list(_packages(store, then, now, old_names)),
        appeared=_only_first(now.issues.issues, then.issues.issues),
        gone=_only_first(then.issues.issues, now.issues.issues),
        notes=notes,
    )


def _things(
    store: Store, then: GraphState, now: GraphState, old_names: dict[Key, str]
) -> Iterator[ChangedThing]:
    """Yield the nodes, aspects and flows that differ, by kind and path."""
    before, after = _declared(then.graph), _declared(now.graph)
    old_texts, new_texts = _texts(store, then), _texts(store, now)
    moved = {(kind, old) for (kind, _), old in old_names.items()}
    kinds = list(VertexKind)
    for key in sorted({*before, *after}, key=lambda key: (kinds.index(key[0]), key[1])):
        kind, path = key
        was = old_names.get(key, "")
        old_key = (kind, was or path)
        if key not in after and key in moved:
            continue  # listed under its new name
        if old_key not in before:
            yield _thing(key, Alteration.ADDED)
        elif key not in after:
            yield _thing(key, Alteration.REMOVED)
        else:
            fields = [*_differing(before[old_key], after[key])]
            fields += _differing(old_texts.get(old_key, {}), new_texts.get(key, {}))
            if fields or was:
                yield _thing(key, Alteration.CHANGED, was, fields)


def _thing(key: Key, change: Alteration, was: str = "", fields: Iterable[str] = ()) -> ChangedThing:
    return ChangedThing(kind=key[0], path=key[1], was=was, change=change, fields=list(fields))


def _declared(graph: ShownGraph) -> dict[Key, dict[str, Any]]:
    """Return the fields of everything that is declared, by kind and path."""
    own = (node for node in graph.nodes if not node.repository)
    nodes = (node for node in own if node.presence != "missing")
    return {(node.kind, node.path): {**asdict(node), "path": ""} for node in nodes}


def _texts(store: Store, state: GraphState) -> dict[Key, dict[str, Any]]:
    """Return the texts of everything, by name; line endings do not count."""
    return {
        (thing.kind, thing.path): {
            text.name: (text.body.replace("\r\n", "\n"), text.fault)
            for text in (store.texts[place] for place in thing.texts)
        }
        for thing in state.things
    }


def _differing(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    names = dict.fromkeys((*after, *before))
    return [name for name in names if before.get(name) != after.get(name)]


def _edges(then: ShownGraph, now: ShownGraph, old_names: dict[Key, str]) -> Iterator[ChangedEdge]:
    """Yield the relations that differ, by source; a moved end is the same end."""
    new_names = {(kind, old): new for (kind, new), old in old_names.items()}
    before, after = _relations(then, new_names), _relations(now, {})
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if old != new:
            change = Alteration.CHANGED
            if old is None or new is None:
                change = Alteration.ADDED if old is None else Alteration.REMOVED
            source, target, kind, name = key
            yield ChangedEdge(
                source=source, target=target, kind=EdgeKind(kind), type=name, change=change
            )


def _relations(
    graph: ShownGraph, names: dict[Key, str]
) -> dict[tuple[str, str, str, str], list[Hashable]]:
    """Return the details of the relations between nodes, by their ends and types."""

    def path(node: ShownNode) -> str:
        return names.get((node.kind, node.path), node.path)

    found: dict[tuple[str, str, str, str], list[Hashable]] = {}
    for edge in graph.edges:
        if edge.kind in (EdgeKind.RELATION, EdgeKind.EVENT):
            ends = path(graph.nodes[edge.source]), path(graph.nodes[edge.target])
            key = (*ends, edge.kind.value, edge.type or edge.kind.value)
            found.setdefault(key, []).append(_details(edge))
    return found


def _details(edge: ShownEdge) -> Hashable:
    return (tuple(edge.consumes or ()), edge.failure, edge.event)


def _packages(
    store: Store, then: GraphState, now: GraphState, old_names: dict[Key, str]
) -> Iterator[PackageChange]:
    """Yield the packages that differ, by node."""
    before = {package.node: package.blocks for package in then.packages}
    after = {package.node: package.blocks for package in now.packages}
    moved = {old for (kind, _), old in old_names.items() if kind is VertexKind.NODE}
    for node in sorted({*(path for path in before if path not in moved), *after}):
        was = old_names.get((VertexKind.NODE, node), "")
        old, new = before.get(was or node), after.get(node)
        if _contents(store, old) != _contents(store, new):
            yield PackageChange(node=node, was=was, before=old, after=new)


def _contents(store: Store, places: list[int] | None) -> list[Hashable]:
    return [store.content(place) for place in places or ()]


def _only_first(first: Iterable[IssueRecord], second: Iterable[IssueRecord]) -> list[IssueRecord]:
    """Return the issues that only the first has; where in its file one is does not count."""
    known = Counter(_issue_key(issue) for issue in second)
    found = []
    for issue in first:
        key = _issue_key(issue)
        if known[key]:
            known[key] -= 1
        else:
            found.append(issue)
    return found


def _issue_key(issue: IssueRecord) -> Hashable:
    return (issue.code, issue.subject, issue.message, issue.file)
