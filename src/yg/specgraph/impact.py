"""The nodes that a change to a node affects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.impact import Dependent, Guided, NodeImpact, Tie, dependents
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import DOWNSTREAM, LAYER, UPSTREAM, LinkKind
from yg.specgraph.resolve import contents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg.specgraph.graph import SpecGraph


def node_impact(graph: SpecGraph, node_id: str) -> NodeImpact:
    """Find every node whose context changes, at some depth, when a node changes."""
    direct = _pointing(graph, node_id, UPSTREAM)
    transitive = dependents(_incoming(graph), node_id, (dependent.node for dependent in direct))
    needing = (
        node_id,
        *(dependent.node for dependent in direct),
        *(dependent.node for dependent in transitive),
    )
    return NodeImpact(
        node=node_id,
        direct=direct,
        transitive=transitive,
        named_by=_pointing(graph, node_id, DOWNSTREAM),
        guided=_guided(graph, node_id, needing),
        descendants=tuple(sorted(_below(graph, [node_id]).keys() - {node_id})),
    )


def _pointing(graph: SpecGraph, node_id: str, kinds: Iterable[LinkKind]) -> tuple[Dependent, ...]:
    """Return the nodes with links of some kinds to a node."""
    found: dict[str, list[Tie]] = {}
    for kind in kinds:
        for source in graph.sources(kind, node_id):
            if source != node_id:
                found.setdefault(source, []).append(Tie(kind))
    return tuple(Dependent(source, tuple(ties)) for source, ties in sorted(found.items()))


def _incoming(graph: SpecGraph) -> Mapping[str, list[str]]:
    """Return the nodes that need each node, in the order of ids."""
    found: dict[str, dict[str, None]] = {}
    for node in graph.nodes.values():
        for kind in UPSTREAM:
            for target in node.targets(kind):
                found.setdefault(target, {})[node.id] = None
    return {target: list(nodes) for target, nodes in found.items()}


def _guided(graph: SpecGraph, node_id: str, needing: tuple[str, ...]) -> tuple[Guided, ...]:
    """Return the nodes that the node, or one that needs it, guides, with the nearest reason.

    A context includes what its guides need, so the guides that need the node count too.
    """
    found: dict[str, str] = {}
    for other in needing:
        for target in graph.nodes[other].targets(LinkKind.CONSTRAINS):
            found.setdefault(target, f"constrained by {other}")
    for other, via in _below(graph, found).items():
        found.setdefault(other, f"inherited via {via}")
    for other, group in _below(graph, needing[1:]).items():
        if other != group:
            found.setdefault(other, f"member of {group}")
    for other, layer in _with_layers(graph, _layers_passing_on(graph, needing)).items():
        found.setdefault(other, f"via layer {layer}")
    reached = sorted(other for other in found if other in graph.nodes and other != node_id)
    return tuple(Guided(other, (found[other],)) for other in reached)


def _below(graph: SpecGraph, node_ids: Iterable[str]) -> dict[str, str]:
    """Return readable nodes and their contents, each with the given node it was reached from."""
    below = contents(graph, node_ids)
    return {other: via for other, via in below.items() if other in graph.nodes}


def _layers_passing_on(graph: SpecGraph, needing: Iterable[str]) -> list[str]:
    """Return the layers among some nodes, and the layers that pass on their guidance."""
    guides = guidance_of(graph).union(needing)
    chosen = set(needing)
    return [
        layer
        for layer, node in graph.nodes.items()
        if node.type == LAYER and (layer in chosen or guidance_of(graph).of_layer[layer] & guides)
    ]


def _with_layers(graph: SpecGraph, layers: Iterable[str]) -> dict[str, str]:
    """Return the nodes that have some of the layers, each with the nearest one."""
    found: dict[str, str] = {}
    waiting = [(layer, layer) for layer in layers]
    for current, layer in waiting:  # grows while it is read
        node = graph.nodes[current]
        members = node.targets(LinkKind.CONTAINS) if node.is_group else ()
        for above in (*graph.dependents(current), *members):
            if above in graph.nodes and above not in found:
                found[above] = layer
                waiting.append((above, layer))
    return found
