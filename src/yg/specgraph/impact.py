"""What a change to a node can reach: those who need it, name it, or stand under its guidance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.impact import Dependent, Guided, NodeImpact, Tie, dependents
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import DOWNSTREAM, LAYER, UPSTREAM, LinkKind
from yg.specgraph.resolve import contents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg.specgraph.graph import Graph


def node_impact(graph: Graph, node_id: str) -> NodeImpact:
    """Find every node whose context changes, at some depth, when a node changes."""
    direct = _pointing(graph, node_id, UPSTREAM)
    transitive = dependents(_incoming(graph), node_id, (each.node for each in direct))
    needing = (
        node_id,
        *(each.node for each in direct),
        *(each.node for each in transitive),
    )
    return NodeImpact(
        node=node_id,
        direct=direct,
        transitive=transitive,
        named_by=_pointing(graph, node_id, DOWNSTREAM),
        guided=_guided(graph, node_id, needing),
        descendants=tuple(sorted(_below(graph, [node_id]).keys() - {node_id})),
    )


def _pointing(graph: Graph, node_id: str, kinds: Iterable[LinkKind]) -> tuple[Dependent, ...]:
    """Return the nodes with links of some kinds to a node."""
    found: dict[str, list[Tie]] = {}
    for kind in kinds:
        for each in graph.sources(kind, node_id):
            if each != node_id:
                found.setdefault(each, []).append(Tie(kind))
    return tuple(Dependent(each, tuple(ties)) for each, ties in sorted(found.items()))


def _incoming(graph: Graph) -> Mapping[str, list[str]]:
    """Return the nodes that need each node, in the order of ids."""
    found: dict[str, dict[str, None]] = {}
    for node in graph.nodes.values():
        for kind in UPSTREAM:
            for target in node.targets(kind):
                found.setdefault(target, {})[node.id] = None
    return {target: list(nodes) for target, nodes in found.items()}


def _guided(graph: Graph, node_id: str, needing: tuple[str, ...]) -> tuple[Guided, ...]:
    """Return the nodes over which the node, or one that needs it, has a say: the nearest way.

    A guiding node brings what it needs along, so whatever needs the node guides in its name.
    """
    found: dict[str, str] = {}
    for each in needing:
        for target in graph.nodes[each].targets(LinkKind.CONSTRAINS):
            found.setdefault(target, f"constrained by {each}")
    for each, via in _below(graph, found).items():
        found.setdefault(each, f"inherited via {via}")
    for each, group in _below(graph, needing[1:]).items():
        if each != group:
            found.setdefault(each, f"member of {group}")
    for each, layer in _standing_on(graph, _handing_on(graph, needing)).items():
        found.setdefault(each, f"via layer {layer}")
    reached = sorted(each for each in found if each in graph.nodes and each != node_id)
    return tuple(Guided(each, (found[each],)) for each in reached)


def _below(graph: Graph, node_ids: Iterable[str]) -> dict[str, str]:
    """Return nodes and what they contain that could be read, each with the one it was met from."""
    below = contents(graph, node_ids)
    return {each: via for each, via in below.items() if each in graph.nodes}


def _handing_on(graph: Graph, needing: Iterable[str]) -> list[str]:
    """Return the layers among some nodes, and those that hand guidance of these nodes on."""
    guides = guidance_of(graph).union(needing)
    chosen = set(needing)
    return [
        each
        for each, node in graph.nodes.items()
        if node.type == LAYER and (each in chosen or guidance_of(graph).of_layer[each] & guides)
    ]


def _standing_on(graph: Graph, layers: Iterable[str]) -> dict[str, str]:
    """Return the nodes that stand on some layers, each with the nearest of these."""
    found: dict[str, str] = {}
    waiting = [(each, each) for each in layers]
    for each, layer in waiting:  # grows while it is read
        node = graph.nodes[each]
        members = node.targets(LinkKind.CONTAINS) if node.is_group else ()
        for above in (*graph.dependents(each), *members):
            if above in graph.nodes and above not in found:
                found[above] = layer
                waiting.append((above, layer))
    return found
