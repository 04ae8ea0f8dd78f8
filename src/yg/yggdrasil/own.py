"""What a node says of itself: the file that declares it, and its artifacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.package import Document
from yg.yggdrasil.resolve import artifact_names

if TYPE_CHECKING:
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


def own_documents(graph: Graph, node: Node) -> tuple[Document, ...]:
    """Return the files of a node: its declaration, then its artifacts in their order."""
    names = (node.declared_in, *artifact_names(graph, node))
    return tuple(Document(name, graph.snapshot.text(f"{node.directory}/{name}")) for name in names)
