"""Rules about links: what they may lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.cycles import others, written_out
from yg.kernel.digraph import shortest_cycle
from yg.kernel.issue import Finding, Place, Severity
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

    from yg.kernel.fields import Word
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
            for word in node.linked(kind):
                if word.text not in graph.references:
                    message = f"{kind} '{word}', which graph.json does not list"
                    yield Finding(node.id, message, node.place(word), advise(word.text))
        linked = {word.text for words in node.links.values() for word in words}
        for pin in node.pins:
            if pin.id.text not in graph.references and pin.id.text not in linked:
                message = f"pins '{pin.id}', which graph.json does not list"
                yield Finding(node.id, message, node.place(pin.id), advise(pin.id.text))


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
            for word in node.linked(kind):
                if word.text == node.id:
                    yield Finding(node.id, f"{kind} itself", node.place(word))


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
        word = next(w for w in first.links[LinkKind.DEPENDS_ON] if w.text == cycle[1])
        message = f"depends_on cycle: {written_out(cycle)}"
        yield Finding(first.id, message, first.place(word), others(group, cycle), group)


@rule("E110", "layer-depends-on-feature", Severity.ERROR)
def layer_depends_on_feature(graph: Graph) -> Iterator[Finding]:
    """No layer depends on a feature.

    Why: layers are what features stand on; turned round, everything stands on everything.
    Fix: move what the layer needs into a layer or a foundation, or turn the link round.
    Example:
        {"id": "DATA", "type": "layer", "links": {"depends_on": ["AUTH"]}}    # E110: a feature
    """
    for node, word, target in _dependencies(graph, LAYER):
        if target.type == FEATURE:
            message = f"the layer depends on the feature '{word}'"
            yield Finding(node.id, message, node.place(word), (), (target.id,))


@rule("E111", "foundation-dependency", Severity.ERROR)
def foundation_dependency(graph: Graph) -> Iterator[Finding]:
    """Foundations depend only on decisions, policies and other foundations.

    Why: foundations come first; whatever they need has to be there before anything is built.
    Fix: depend on the decision behind it, or turn the link round.
    Example:
        {"id": "FND-1", "type": "foundation", "links": {"depends_on": ["AUTH-01"]}}    # E111
    """
    for node, word, target in _dependencies(graph, FOUNDATION):
        if target.type in TYPES and target.type not in (DECISION, POLICY, FOUNDATION):
            message = f"the foundation depends on '{word}', which is of type {target.type}"
            yield Finding(node.id, message, node.place(word), (), (target.id,))


@rule("E115", "missing-root", Severity.ERROR)
def missing_root(graph: Graph) -> Iterator[Finding]:
    """If `graph.json` has a `root`, it is a node that it lists.

    Why: readers and tools begin there.
    Fix: correct the id, or leave `root` out.
    Example:
        {"specgraphVersion": "1.0.0", "root": "SHOP", "nodes": []}    # E115: no node SHOP
    """
    root = graph.index.root
    if root is not None and root.text not in graph.references:
        message = f"the root '{root}' is not listed"
        place = Place(graph.file, root.line, root.column)
        yield Finding(INDEX_FILE, message, place, Adviser(graph.references)(root.text))


def _dependencies(graph: Graph, node_type: str) -> Iterator[tuple[Node, Word, Node]]:
    """Yield what nodes of one type depend on, as far as it is there."""
    for node in graph.nodes.values():
        if node.type == node_type:
            for word in node.linked(LinkKind.DEPENDS_ON):
                target = graph.nodes.get(word.text)
                if target is not None and target is not node:
                    yield node, word, target
