"""The tree of a Spec Graph, its counts, and its nodes that cannot be read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import UNSET

from yg_old.kernel.codec import Codec
from yg_old.kernel.dependencies import Edge, Needs, Target, dependency_tree
from yg_old.kernel.overview import Outline, OutlineEntry, Share, Status, TreeNode
from yg_old.specgraph.model import DECISION, TYPES, LinkKind, NoteKind
from yg_old.specgraph.resolve import contents
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.dependencies import Dependency
    from yg_old.kernel.issue import Finding
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode


def outline(graph: SpecGraph, root: str = paths.ROOT, depth: int | None = None) -> Outline:
    """List a node, or all nodes, with their contents; each is expanded once."""
    if root == paths.ROOT and depth is None:
        return graph.once(_whole_outline)
    return _outline(graph, root, depth)


def _whole_outline(graph: SpecGraph) -> Outline:
    return _outline(graph, paths.ROOT, None)


def _outline(graph: SpecGraph, root: str, depth: int | None) -> Outline:
    return Outline(
        root=root,
        links="links",
        one_link="link",
        shows_names=True,
        entries=tuple(_entries(graph, root, depth)),
    )


def _entries(graph: SpecGraph, root: str, depth: int | None) -> Iterator[OutlineEntry]:
    tops = graph.once(_tops) if root == paths.ROOT else []

    def inside(node_id: str) -> list[Edge]:
        below = tops if node_id == paths.ROOT else _members(graph, node_id)
        return [Edge(LinkKind.CONTAINS, member) for member in below]

    tree = dependency_tree(Needs(inside, lambda _: Target()), root, depth)
    if root == paths.ROOT:
        yield OutlineEntry(path=root, label=f"{graph.folder}/", level=0, is_last=True)
    else:
        yield _entry(graph, root)
    yield from (_entry(graph, line.path, line) for line in tree.lines)


def _entry(graph: SpecGraph, node_id: str, line: Dependency | None = None) -> OutlineEntry:
    node = graph.get(node_id)
    return OutlineEntry(
        path=node_id,
        label=node_id,
        level=line.level if line else 0,
        is_last=line.is_last if line else True,
        node=None if node is None else _described(node, line),
        is_bad=node is None,
        repeat=line.repeat if line else None,
    )


def _described(node: SpecNode, line: Dependency | None) -> TreeNode:
    return TreeNode(
        path=node.id,
        level=line.level if line else 0,
        name=node.title,
        type=node.type,
        relations=sum(len(node.targets(kind)) for kind in node.links),
        repeated=True if line and line.repeat else UNSET,
    )


def _members(graph: SpecGraph, node_id: str) -> list[str]:
    """Return the listed nodes that a node contains, in the order of its file."""
    node = graph.get(node_id)
    inside = node.targets(LinkKind.CONTAINS) if node else ()
    return [member for member in inside if member in graph.references]


def _tops(graph: SpecGraph) -> list[str]:
    """Return the roots of the tree: nodes that nothing contains, and one of each other cycle."""
    every = graph.references
    tops = [node_id for node_id in every if not set(graph.parents(node_id)) - {node_id}]
    seen = set(contents(graph, tops))
    for node_id in every:
        if node_id not in seen:
            tops.append(node_id)
            seen.update(contents(graph, [node_id], seen))
    return tops


STATUS: Codec[Status] = Codec(Status)


def status_of(graph: SpecGraph) -> Status:
    """Return the counts of a graph, from the index if possible."""
    return graph.recall("status", STATUS, lambda: _count(graph))


def _count(graph: SpecGraph) -> Status:
    nodes = tuple(graph.nodes.values())
    types = Counter(node.type for node in nodes)
    order = dict.fromkeys((*TYPES, *sorted(types)))
    links = {kind: sum(len(node.targets(kind)) for node in nodes) for kind in LinkKind}
    return Status(
        name=_name(graph),
        nodes=len(nodes),
        types={name: types[name] for name in order if types[name]},
        links={kind.value: count for kind, count in links.items() if count},
        shares=_shares(graph),
    )


def _name(graph: SpecGraph) -> str:
    root = graph.index.root
    version = graph.index.version
    return " ".join(
        ["Spec Graph", *filter(None, (version,)), *((f"with root {root}",) if root else ())]
    )


def _shares(graph: SpecGraph) -> tuple[Share, ...]:
    nodes = graph.nodes.values()
    decisions = [node for node in nodes if node.type == DECISION]
    checkable = [node for node in nodes if not node.is_group]
    return (
        Share(
            "Rationale",
            sum(bool(node.rationale.strip()) for node in decisions),
            len(decisions),
            "decisions have a rationale",
        ),
        Share(
            "Verification",
            sum(bool(node.verification) for node in checkable),
            len(checkable),
            "nodes can be verified",
        ),
        Share(
            "Namespace",
            sum(bool(graph.parents(node.id)) for node in checkable),
            len(checkable),
            "nodes are contained in another",
        ),
    )


def skipped(graph: SpecGraph, within: str = paths.ROOT) -> list[Finding]:
    """Return one finding for each node that cannot be read."""
    if not graph.references:
        notes = (note for note in graph.index.notes if note.kind is NoteKind.INDEX)
        return [note.finding for note in notes][:1]
    if within == paths.ROOT:
        return graph.once(_all_skipped)
    return _skipped_among(graph, sorted(contents(graph, [within])))


def _all_skipped(graph: SpecGraph) -> list[Finding]:
    return _skipped_among(graph, graph.references)


def _skipped_among(graph: SpecGraph, chosen: Iterable[str]) -> list[Finding]:
    found = (_why(graph, node_id) for node_id in chosen if graph.get(node_id) is None)
    return [finding for finding in found if finding]


def _why(graph: SpecGraph, node_id: str) -> Finding | None:
    """Return the first finding about the file of a node, or about its entry in graph.json."""
    reading = graph.reading(node_id)
    notes = (*(reading.notes if reading else ()), *graph.index.notes)
    return next((note.finding for note in notes if note.finding.subject == node_id), None)
