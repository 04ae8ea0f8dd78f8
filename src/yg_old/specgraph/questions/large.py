"""The nodes whose contexts exceed the limit.

After a change of texts, only the contexts that quote them are measured again: the index keeps what
the others were measured from. A change of links, types or the set of nodes measures all of them.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg_old.kernel.codec import Codec
from yg_old.specgraph.context.sizes import Sizes
from yg_old.specgraph.model import LinkKind
from yg_old.specgraph.questions.impact import nodes_reached

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg_old.specgraph.graph import SpecGraph


class Measured(Struct, frozen=True):
    """The state of a graph whose contexts were measured."""

    structure: bytes  # a digest of the ids, types and links of all nodes; empty if there is none
    nodes: dict[str, bytes]  # a digest of each node; empty if there is none
    large: frozenset[str]  # the nodes whose contexts exceed the limit


MEASURED: Codec[Measured] = Codec(Measured)
_ANY: Codec[Any] = Codec(Any)


def large_contexts(graph: SpecGraph) -> Mapping[str, int]:
    """Return the sizes of the contexts over the limit by node, in the order of ids.

    These are lower bounds, unless a tokenizer counts.
    """
    if graph.budget.tokenizer:
        return _large_among(graph, graph.nodes)
    found: dict[str, int] = {}

    def measure(old: Measured | None) -> Measured:
        state = state_of(graph)
        found.update(_large_among(graph, to_measure(graph, old, state)))
        return Measured(*state, frozenset(found))

    graph.snapshot.revise("large contexts", MEASURED, measure)
    return found


def state_of(graph: SpecGraph) -> tuple[bytes, dict[str, bytes]]:
    """Return the digests of the structure of a graph and of its nodes."""
    structure = [(node.id, node.type, node.links) for node in graph.nodes.values()]
    return _digest(structure), {node_id: _digest(node) for node_id, node in graph.nodes.items()}


def _digest(value: object) -> bytes:
    """Return a digest of a value; empty if MessagePack cannot hold its texts or numbers."""
    data = _ANY.encode(value)
    return b"" if data is None else blake2b(data, digest_size=16).digest()


def to_measure(
    graph: SpecGraph, old: Measured | None, state: tuple[bytes, Mapping[str, bytes]]
) -> Iterable[str]:
    """Return the nodes whose contexts may exceed the limit, in the order of ids."""
    structure, nodes = state
    if old is None or not structure or old.structure != structure:
        return graph.nodes
    changed = [name for name, now in nodes.items() if not now or old.nodes.get(name) != now]
    # The text of a node is also quoted below those that it supersedes.
    below = (to for name in changed for to in graph.nodes[name].targets(LinkKind.SUPERSEDES))
    quoting = [*changed, *below]
    return sorted(old.large.union(quoting, nodes_reached(graph, quoting)) & graph.nodes.keys())


def _large_among(graph: SpecGraph, node_ids: Iterable[str]) -> dict[str, int]:
    sizes = Sizes(graph)
    found = {node_id: sizes.tokens(graph.nodes[node_id]) for node_id in node_ids}
    return {node_id: tokens for node_id, tokens in found.items() if tokens > sizes.limit}
