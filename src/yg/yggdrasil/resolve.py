"""Traversals of a graph: ancestors, artifacts, flows, and the aspects that apply to a node."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.text import paths
from yg.yggdrasil.model import DESCRIPTION_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Aspect, Flow, Node


def ancestors(graph: Graph, path: str) -> tuple[Node, ...]:
    """Return the nodes above a path, root first; directories without a node are skipped."""
    if path == paths.ROOT:
        return ()
    parent, nodes, known = paths.parent(path), graph.nodes, graph.known_ancestors
    if parent not in known:  # siblings share them
        above = paths.lineage(path)
        known[parent] = tuple([nodes[place] for place in above if place in nodes])
    return known[parent]


def artifact_names(graph: Graph, node: Node) -> tuple[str, ...]:
    """Return the names of a node's artifacts, in the order of the configuration."""
    files = frozenset(node.files)
    return tuple([name for name in graph.config.artifacts if name in files])


def offered_names(graph: Graph, node: Node) -> tuple[str, ...]:
    """Return the names of the artifacts that dependents of a node see."""
    names = artifact_names(graph, node)
    artifacts = graph.config.artifacts
    return tuple([name for name in names if artifacts[name].included_in_relations]) or names


def description_first(names: Iterable[str]) -> tuple[str, ...]:
    """Sort file names, the description first."""
    return tuple(sorted(names, key=lambda name: (name != DESCRIPTION_FILE, name)))


def flows_of(graph: Graph, path: str) -> tuple[Flow, ...]:
    """Return the flows that list a node or an ancestor of it, by directory."""
    listed = graph.flows_by_participant
    places = [*[node.path for node in ancestors(graph, path)], path]
    found = {flow.path: flow for place in places for flow in listed.get(place, ())}
    return tuple([flow for _, flow in sorted(found.items())]) if found else ()


# Expansions that are kept for other nodes: all short ones, and a few long ones, so that memory
# does not grow with the square of the aspects.
SHORT = 50  # pairs
MOST_LONG = 100


class Source(StrEnum):
    """The kind of declaration that applies an aspect to a node."""

    HIERARCHY = "hierarchy"
    OWN = "own"
    FLOW = "flow"
    IMPLIED = "implied"


_TEMPLATES = {
    Source.HIERARCHY: "hierarchy from {}",
    Source.OWN: "own",
    Source.FLOW: "flow {}",
    Source.IMPLIED: "implied by {}",
}


class Reason(Struct, frozen=True):
    """One declaration that applies an aspect to a node."""

    source: Source
    name: str = ""  # the ancestor, flow or aspect that declares it

    def __str__(self) -> str:
        return _TEMPLATES[self.source].format(self.name)


class Effective(Struct, frozen=True):
    """An aspect that applies to a node, and the reasons why it does."""

    aspect: Aspect
    reasons: tuple[Reason, ...]


def effective_aspects(graph: Graph, node: Node) -> tuple[Effective, ...]:
    """Return the aspects of a node in package order: its ancestors', its own, its flows'."""
    reasons: dict[str, dict[Reason, None]] = {}
    for declared, ids in aspect_lists(graph, node):
        for aspect_id, implied_by in expansion(graph, ids):
            reason = Reason(Source.IMPLIED, implied_by) if implied_by else declared
            reasons.setdefault(aspect_id, {})[reason] = None
    return tuple(
        [Effective(graph.aspects[aspect_id], tuple(given)) for aspect_id, given in reasons.items()]
    )


def aspect_lists(graph: Graph, node: Node) -> Iterator[tuple[Reason, tuple[str, ...]]]:
    """Yield the lists of aspect ids that apply to a node, in package order, and why they do."""
    for above in ancestors(graph, node.path):
        if above.aspects:
            yield Reason(Source.HIERARCHY, above.path), above.aspect_ids
    if node.aspects:
        yield Reason(Source.OWN), node.aspect_ids
    for flow in flows_of(graph, node.path):
        if flow.aspects:
            yield Reason(Source.FLOW, flow.path), flow.aspect_ids


def expansion(graph: Graph, ids: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Follow `implies` depth first from some aspects; each is visited once for each way to it.

    Return pairs of an aspect and the aspect that implies it, which is empty for the given ones.
    """
    known = graph.known_expansions
    found = known.get(ids)
    if found is None:
        found = tuple(dict.fromkeys(_expansion(graph, ids)))
        if len(found) <= SHORT or len(known) < MOST_LONG:
            known[ids] = found
    return found


def _expansion(graph: Graph, ids: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    visited: set[str] = set()
    pending = [(aspect_id, "") for aspect_id in reversed(ids)]
    while pending:
        step = pending.pop()
        aspect = graph.aspects.get(step[0])
        if aspect is None:
            continue
        yield step
        if aspect.path not in visited:
            visited.add(aspect.path)
            pending += [(word.text, aspect.path) for word in reversed(aspect.implies)]


def expanded(graph: Graph, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return aspect ids and all ids they imply, depth first, without duplicates."""
    return tuple(dict.fromkeys(aspect_id for aspect_id, _ in expansion(graph, ids)))


def subjects_of(graph: Graph, path: str) -> frozenset[str]:
    """Return the subjects of issues that touch the package of a node.

    These are the node, its ancestors, its targets, its aspects and its flows. A flow that cannot
    be read may list the node, so it touches every package.
    """
    nodes = graph.nodes
    found = {"yg-config.yaml", path, *paths.lineage(path)}
    ids: list[str] = []
    for carrier in (*paths.lineage(path), path):
        if carrier in nodes:
            ids += nodes[carrier].aspect_ids
    for flow in flows_of(graph, path):
        found.add(f"flows/{flow.path}")
        ids += flow.aspect_ids
    if path in nodes:
        found.update(relation.target.text for relation in nodes[path].relations)
    for aspect_id in (*ids, *expanded(graph, tuple(ids))):
        found.add(f"aspects/{aspect_id}")
        if aspect_id in graph.aspects:
            found.update(f"aspects/{word.text}" for word in graph.aspects[aspect_id].implies)
    flows = f"{graph.folder}/flows"
    found.update(
        directory.removeprefix(f"{graph.folder}/")
        for directory in graph.unread
        if paths.is_inside(directory, flows)
    )
    return frozenset(found)
