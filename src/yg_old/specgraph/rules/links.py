"""Rules about links and their targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.digraph import others, shortest_cycle, written_out
from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.specgraph.find import advice_on
from yg_old.specgraph.model import (
    DECISION,
    FEATURE,
    FOUNDATION,
    LAYER,
    POLICY,
    TYPES,
    LinkKind,
)
from yg_old.specgraph.places import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode


@rule("E107", "broken-link", Severity.ERROR)
def broken_link(graph: SpecGraph) -> Iterator[Finding]:
    """Every link and every pin refers to a node listed in `graph.json`.

    If the target is listed but cannot be read, only the error of the target is reported.

    Why: the target is missing from the context of the node.
    Fix: correct the id, or add the missing node.
    Example:
        "links": {"depends_on": ["DEC-AUHT-01"]}    # E107: did you mean 'DEC-AUTH-01'?
    """
    advice = advice_on(graph.references)
    for node in graph.nodes.values():
        for kind in node.links:
            for target in node.targets(kind):
                if target not in graph.references:
                    message = f"{kind} '{target}', which is not listed in graph.json"
                    place = graph.place(node, "links", kind, target)
                    yield Finding(node.id, message, place, advice(target))
        linked = {target for targets in node.links.values() for target in targets}
        for source in dict.fromkeys(pin.id for pin in node.pins):
            if source not in graph.references and source not in linked:
                message = f"pins '{source}', which is not listed in graph.json"
                place = graph.place(node, "pins", source, "id")
                yield Finding(node.id, message, place, advice(source))


@rule("E108", "self-link", Severity.ERROR)
def self_link(graph: SpecGraph) -> Iterator[Finding]:
    """No node links to itself.

    Why: the link adds nothing, and a node that depends on itself can never be started.
    Fix: remove the link, or use the id of the node you meant.
    Example:
        {"id": "AUTH-01", "links": {"depends_on": ["AUTH-01"]}}    # E108
    """
    for node in graph.nodes.values():
        for kind in node.links:
            if node.id in node.links[kind]:
                place = graph.place(node, "links", kind, node.id)
                yield Finding(node.id, f"{kind} itself", place)


@rule("E109", "dependency-cycle", Severity.ERROR)
def dependency_cycle(graph: SpecGraph) -> Iterator[Finding]:
    """`depends_on` links do not form a cycle.

    Other links may form cycles.

    Why: in a cycle, no node can be built first.
    Fix: reverse one link, or move the shared part to a third node.
    Example:
        AUTH-01 depends_on AUTH-02, AUTH-02 depends_on AUTH-01    # E109
    """
    for group in graph.dependency_cycles:
        if len(group) == 1:
            continue  # E108 reports a node that depends on itself
        edges = {
            node_id: [
                target
                for target in graph.nodes[node_id].targets(LinkKind.DEPENDS_ON)
                if target != node_id
            ]
            for node_id in group
        }
        cycle = shortest_cycle(edges, group)
        first = graph.nodes[cycle[0]]
        message = f"depends_on cycle: {written_out(cycle)}"
        place = graph.place(first, "links", LinkKind.DEPENDS_ON, cycle[1])
        advice = (_REVERSE_LINK, *others(group, cycle, "node"))
        yield Finding(first.id, message, place, advice, group)


_REVERSE_LINK = "Reverse one link of the cycle, or move the shared part to a third node."


@rule("E110", "layer-depends-on-feature", Severity.ERROR)
def layer_depends_on_feature(graph: SpecGraph) -> Iterator[Finding]:
    """No layer depends on a feature.

    Why: features are built on layers; a layer that depends on a feature reverses this order.
    Fix: move the part that the layer needs to a layer or a foundation, or reverse the link.
    Example:
        {"id": "DATA", "type": "layer", "links": {"depends_on": ["AUTH"]}}    # E110
    """
    for node, target in _dependencies(graph, LAYER):
        if target.type == FEATURE:
            message = f"the layer depends on the feature '{target.id}'"
            place = graph.place(node, "links", LinkKind.DEPENDS_ON, target.id)
            yield Finding(node.id, message, place, (), (target.id,))


@rule("E111", "foundation-dependency", Severity.ERROR)
def foundation_dependency(graph: SpecGraph) -> Iterator[Finding]:
    """Foundations depend only on decisions, policies and other foundations.

    Why: foundations are built first, so they cannot depend on nodes that are built later.
    Fix: depend on the underlying decision instead, or reverse the link.
    Example:
        {"id": "FND-1", "type": "foundation", "links": {"depends_on": ["AUTH-01"]}}    # E111
    """
    for node, target in _dependencies(graph, FOUNDATION):
        if target.type in TYPES and target.type not in (DECISION, POLICY, FOUNDATION):
            message = f"the foundation depends on '{target.id}', which is of type {target.type}"
            place = graph.place(node, "links", LinkKind.DEPENDS_ON, target.id)
            yield Finding(node.id, message, place, (), (target.id,))


@rule("E115", "missing-root", Severity.ERROR)
def missing_root(graph: SpecGraph) -> Iterator[Finding]:
    """If `graph.json` has a `root`, that node is listed in `nodes`.

    Why: readers and tools start at the root.
    Fix: correct the id, or remove `root`.
    Example:
        {"specgraphVersion": "1.0.0", "root": "SHOP", "nodes": []}    # E115: SHOP is not in 'nodes'
    """
    root = graph.index.root
    if root and root not in graph.references:
        message = f"root '{root}' is not listed in 'nodes'"
        place = graph.files.place(graph.file, "root")
        yield Finding(INDEX_FILE, message, place, advice_on(graph.references)(root))


@rule("W108", "orphan-node", Severity.WARNING)
def orphan_node(graph: SpecGraph) -> Iterator[Finding]:
    """Every node has a link, or is the target of one.

    A policy without a link is reported as W107 only; a node with an error in its file, as that.

    Why: a node without links is in no context but its own.
    Fix: link it: let a feature contain it, or let the nodes that need it depend on it.
    Example:
        {"id": "AUTH-09", "type": "behavior", "links": {}}    # W108 unless others link to it
    """
    linked = {to for node in graph.nodes.values() for ids in node.links.values() for to in ids}
    for node in graph.nodes.values():
        is_linked = node.links or node.id in linked
        if not is_linked and node.type != POLICY and not graph.readings[node.id].notes:
            yield Finding(node.id, "has no link, and no node links to it", Place(node.file))


def _dependencies(graph: SpecGraph, node_type: str) -> Iterator[tuple[SpecNode, SpecNode]]:
    """Yield each node of one type with each existing node it depends on."""
    for node in graph.nodes.values():
        if node.type == node_type:
            targets = (graph.nodes.get(target) for target in node.targets(LinkKind.DEPENDS_ON))
            yield from ((node, target) for target in targets if target is not None)
