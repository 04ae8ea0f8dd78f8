"""Rules about links: what they may lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.digraph import others, shortest_cycle, written_out
from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule
from yg.specgraph.model import (
    DECISION,
    FEATURE,
    FOUNDATION,
    LAYER,
    POLICY,
    TYPES,
    LinkKind,
)
from yg.specgraph.nearby import Adviser
from yg.specgraph.places import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node


@rule("E107", "broken-link", Severity.ERROR)
def broken_link(graph: Graph) -> Iterator[Finding]:
    """Every link, and every pin, names a node that `graph.json` lists.

    A link to a node that is listed but cannot be read is not told here: the node's own error is.

    Why: the context of the node has a hole where the target should be.
    Fix: correct the id, or add the missing node.
    Example:
        "links": {"depends_on": ["DEC-AUHT-01"]}    # E107: did you mean 'DEC-AUTH-01'?
    """
    advise = Adviser(graph.references)
    for node in graph.nodes.values():
        for kind in node.links:
            for each in node.targets(kind):
                if each not in graph.references:
                    message = f"{kind} '{each}', which graph.json does not list"
                    place = graph.place(node, "links", kind, each)
                    yield Finding(node.id, message, place, advise(each))
        linked = {each for ids in node.links.values() for each in ids}
        for each in dict.fromkeys(pin.id for pin in node.pins):
            if each not in graph.references and each not in linked:
                message = f"pins '{each}', which graph.json does not list"
                place = graph.place(node, "pins", each, "id")
                yield Finding(node.id, message, place, advise(each))


@rule("E108", "self-link", Severity.ERROR)
def self_link(graph: Graph) -> Iterator[Finding]:
    """No node has a link to itself.

    Why: it says nothing, and a node that depends on itself can never be begun.
    Fix: remove the link, or name the node that was meant.
    Example:
        {"id": "AUTH-01", "links": {"depends_on": ["AUTH-01"]}}    # E108
    """
    for node in graph.nodes.values():
        for kind in node.links:
            if node.id in node.links[kind]:
                place = graph.place(node, "links", kind, node.id)
                yield Finding(node.id, f"{kind} itself", place)


@rule("E109", "dependency-cycle", Severity.ERROR)
def dependency_cycle(graph: Graph) -> Iterator[Finding]:
    """Links of the kind `depends_on` form no cycle.

    Cycles of other links are allowed.

    Why: in a cycle there is no node to begin with.
    Fix: turn one link round, or move what both need to a third node.
    Example:
        AUTH-01 depends_on AUTH-02, AUTH-02 depends_on AUTH-01    # E109
    """
    for group in graph.dependency_cycles:
        if len(group) == 1:
            continue  # it depends on itself, of which E108 tells
        edges = {
            each: [to for to in graph.nodes[each].targets(LinkKind.DEPENDS_ON) if to != each]
            for each in group
        }
        cycle = shortest_cycle(edges, group)
        first = graph.nodes[cycle[0]]
        message = f"depends_on cycle: {written_out(cycle)}"
        place = graph.place(first, "links", LinkKind.DEPENDS_ON, cycle[1])
        yield Finding(first.id, message, place, others(group, cycle), group)


@rule("E110", "layer-depends-on-feature", Severity.ERROR)
def layer_depends_on_feature(graph: Graph) -> Iterator[Finding]:
    """No layer depends on a feature.

    Why: layers are what features stand on; turned round, everything stands on everything.
    Fix: move what the layer needs into a layer or a foundation, or turn the link round.
    Example:
        {"id": "DATA", "type": "layer", "links": {"depends_on": ["AUTH"]}}    # E110: a feature
    """
    for node, target in _dependencies(graph, LAYER):
        if target.type == FEATURE:
            message = f"the layer depends on the feature '{target.id}'"
            place = graph.place(node, "links", LinkKind.DEPENDS_ON, target.id)
            yield Finding(node.id, message, place, (), (target.id,))


@rule("E111", "foundation-dependency", Severity.ERROR)
def foundation_dependency(graph: Graph) -> Iterator[Finding]:
    """Foundations depend only on decisions, policies and other foundations.

    Why: foundations come first; whatever they need has to be there before anything is built.
    Fix: depend on the decision behind it, or turn the link round.
    Example:
        {"id": "FND-1", "type": "foundation", "links": {"depends_on": ["AUTH-01"]}}    # E111
    """
    for node, target in _dependencies(graph, FOUNDATION):
        if target.type in TYPES and target.type not in (DECISION, POLICY, FOUNDATION):
            message = f"the foundation depends on '{target.id}', which is of type {target.type}"
            place = graph.place(node, "links", LinkKind.DEPENDS_ON, target.id)
            yield Finding(node.id, message, place, (), (target.id,))


@rule("E115", "missing-root", Severity.ERROR)
def missing_root(graph: Graph) -> Iterator[Finding]:
    """If `graph.json` has a `root`, it is a node that it lists.

    Why: readers and tools begin there.
    Fix: correct the id, or leave `root` out.
    Example:
        {"specgraphVersion": "1.0.0", "root": "SHOP", "nodes": []}    # E115: no node SHOP
    """
    root = graph.index.root
    if root and root not in graph.references:
        message = f"the root '{root}' is not listed"
        place = graph.files.place(graph.file, "root")
        yield Finding(INDEX_FILE, message, place, Adviser(graph.references)(root))


def _dependencies(graph: Graph, node_type: str) -> Iterator[tuple[Node, Node]]:
    """Yield what nodes of one type depend on, as far as it is there."""
    for node in graph.nodes.values():
        if node.type == node_type:
            targets = (graph.nodes.get(each) for each in node.targets(LinkKind.DEPENDS_ON))
            yield from ((node, each) for each in targets if each is not None)
