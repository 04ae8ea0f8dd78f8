"""The search index over the nodes of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import UnreadableError
from yg.kernel.find import GIST, NO_TEXT, Card, Catalogue
from yg.kernel.issue import Finding, Place
from yg.kernel.package import Document
from yg.yggdrasil.model import RESPONSIBILITY_FILE
from yg.yggdrasil.resolve import artifact_names

if TYPE_CHECKING:
    from yg.kernel.find import Gist
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


def catalogue(graph: Graph) -> Catalogue:
    """Return a card for each node, and a finding for each text that cannot be read."""
    cards, unread = [], []
    for node in graph.nodes:
        try:
            about = _responsibility(graph, node)
        except UnreadableError as error:
            unread.append(Finding(node.path, error.message, Place(error.path)))
            about = NO_TEXT
        cards.append(Card(path=node.path, name=node.name, type=node.type.text, about=about))
    return Catalogue(tuple(cards), tuple(unread))


def _responsibility(graph: Graph, node: Node) -> Gist:
    """Return the gist of a node's responsibility, or of its first artifact if it has none."""
    names = artifact_names(graph, node)
    name = RESPONSIBILITY_FILE if RESPONSIBILITY_FILE in names else "".join(names[:1])
    return graph.snapshot.text(f"{node.directory}/{name}").made(GIST) if name else NO_TEXT


def own_documents(graph: Graph, node: Node) -> tuple[Document, ...]:
    """Return the documents of a node: its declaration, then its artifacts in order."""
    names = (node.declared_in, *artifact_names(graph, node))
    return tuple(Document(name, graph.snapshot.text(f"{node.directory}/{name}")) for name in names)
