"""What is known of each node to somebody who looks for one by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import UnreadableError
from yg.kernel.find import Card, Catalogue
from yg.kernel.issue import Finding, Place
from yg.kernel.package import Document
from yg.yggdrasil.resolve import artifact_names

if TYPE_CHECKING:
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


RESPONSIBILITY_FILE = "responsibility.md"


def catalogue(graph: Graph) -> Catalogue:
    """Make a card for each node; a text that cannot be read is told, and is empty there."""
    cards, unread = [], []
    for node in graph.nodes:
        try:
            text = _responsibility(graph, node)
        except UnreadableError as error:
            unread.append(Finding(node.path, error.message, Place(error.path)))
            text = ""
        cards.append(Card(path=node.path, name=node.name, type=node.type.text, about=text))
    return Catalogue(tuple(cards), tuple(unread))


def _responsibility(graph: Graph, node: Node) -> str:
    """Return the text that tells what a node is for: its first artifact, if no other does."""
    names = artifact_names(graph, node)
    name = RESPONSIBILITY_FILE if RESPONSIBILITY_FILE in names else "".join(names[:1])
    return graph.snapshot.text(f"{node.directory}/{name}").value if name else ""


def own_documents(graph: Graph, node: Node) -> tuple[Document, ...]:
    """Return the files of a node: its declaration, then its artifacts in their order."""
    names = (node.declared_in, *artifact_names(graph, node))
    return tuple(Document(name, graph.snapshot.text(f"{node.directory}/{name}")) for name in names)
