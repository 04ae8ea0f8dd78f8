"""What is known of each node to somebody who looks for one by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import UnreadableError
from yg.kernel.find import Card
from yg.kernel.issue import Finding, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node

RESPONSIBILITY_FILE = "responsibility.md"


def cards(graph: Graph, unread: list[Finding]) -> Iterator[Card]:
    """Yield a card for each node; a text that cannot be read is added to `unread`."""
    for node in graph.nodes:
        try:
            text = _responsibility(graph, node)
        except UnreadableError as error:
            unread.append(Finding(node.path, error.message, Place(error.path)))
            text = ""
        yield Card(path=node.path, name=node.name, type=node.type.text, responsibility=text)


def _responsibility(graph: Graph, node: Node) -> str:
    """Return the text that tells what a node is for: its first artifact, if no other does."""
    names = graph.edition.artifact_names(graph, node)
    name = RESPONSIBILITY_FILE if RESPONSIBILITY_FILE in names else "".join(names[:1])
    return graph.snapshot.text(f"{node.directory}/{name}").value if name else ""
