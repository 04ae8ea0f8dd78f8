"""What is known of each node to somebody who looks for one, and its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.find import Card, Catalogue, gist_of
from yg.kernel.package import Document

if TYPE_CHECKING:
    from yg.specgraph.graph import Graph


def catalogue(graph: Graph) -> Catalogue:
    """Make a card for each node: its id, its title, and what it says."""
    return Catalogue(
        tuple(
            Card(path=node.id, name=node.title or node.id, type=node.type, about=gist_of(node.text))
            for node in graph.nodes.values()
        )
    )


def own_documents(graph: Graph, node_id: str) -> tuple[Document, ...]:
    """Return the file of a node, as it is."""
    file = graph.references[node_id].file
    return (Document(paths.name_of(file), graph.snapshot.text(file)),)
