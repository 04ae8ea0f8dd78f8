"""The state of a Spec Graph in numbers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from yg.kernel.codec import Codec
from yg.kernel.overview import Share, Status
from yg.specgraph.model import DECISION, TYPES, LinkKind

if TYPE_CHECKING:
    from yg.specgraph.graph import Graph


STATUS: Codec[Status] = Codec(Status)


def status_of(graph: Graph) -> Status:
    """Return the counts of a graph, from the index if possible."""
    return graph.recall("status", STATUS, lambda: _count(graph))


def _count(graph: Graph) -> Status:
    nodes = tuple(graph.nodes.values())
    types = Counter(node.type for node in nodes)
    order = dict.fromkeys((*TYPES, *sorted(types)))
    links = {kind: sum(len(node.targets(kind)) for node in nodes) for kind in LinkKind}
    return Status(
        name=_name(graph),
        nodes=len(nodes),
        types=tuple((name, types[name]) for name in order if types[name]),
        links=tuple((kind.value, count) for kind, count in links.items() if count),
        shares=_shares(graph),
    )


def _name(graph: Graph) -> str:
    root = graph.index.root
    version = graph.index.version
    return " ".join(
        ["Spec Graph", *filter(None, (version,)), *((f"with root {root}",) if root else ())]
    )


def _shares(graph: Graph) -> tuple[Share, ...]:
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
