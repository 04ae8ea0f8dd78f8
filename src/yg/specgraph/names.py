"""Names of nodes as people type them: ids, and no other spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import NotFoundError
from yg.kernel.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node


def node_named(graph: Graph, name: str) -> Node:
    """Return a node that can be read; one that cannot is taken as missing."""
    node = graph.get(name)
    if node is None:
        raise _not_found(graph, name)
    return node


def listed_id(graph: Graph, name: str) -> str:
    """Return the id of a node that graph.json lists, whether or not it can be read."""
    if name not in graph.references:
        raise _not_found(graph, name)
    return name


def _not_found(graph: Graph, name: str) -> NotFoundError:
    hint = did_you_mean(nearest(name, graph.references)) or "'yg tree' lists all nodes."
    if name in graph.references:
        hint = "Its file could not be read; 'yg validate' tells why."
    return NotFoundError(f"Node not found: {name}", hint=hint)
