"""What the front page of a graph says, from its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.front_page import AspectName, TopNode, page_text
from yg_old.text.excerpt import first_sentence
from yg_old.text.paths import ROOT, name_of
from yg_old.text.sentences import HEADING
from yg_old.yggdrasil.model import DESCRIPTION_FILE, RESPONSIBILITY_FILE
from yg_old.yggdrasil.resolve import artifact, artifact_names, children

if TYPE_CHECKING:
    from yg_old.kernel.package import Document
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node

DESCRIBING = (RESPONSIBILITY_FILE, DESCRIPTION_FILE)


def front_page(graph: Graph) -> str:
    """Return the page without the state of the code; empty if there is nothing to say yet."""
    nodes = top_nodes(graph)
    if not nodes or not graph.config.name:
        return ""
    return page_text(graph.config.name, summary_of(graph, ROOT), nodes, aspect_names(graph))


def top_nodes(graph: Graph) -> tuple[TopNode, ...]:
    """Return the nodes at the top of a graph, by path."""
    below = children(graph)
    return tuple(
        TopNode(
            path=path,
            summary=summary_of(graph, path),
            children=tuple(sorted(map(name_of, below.get(path, ())))),
        )
        for path in sorted(below.get(ROOT, ()))
    )


def aspect_names(graph: Graph) -> tuple[AspectName, ...]:
    """Return the aspects of a graph, by id."""
    return tuple(AspectName(id=aspect.id, name=aspect.name) for aspect in graph.aspects)


def summary_of(graph: Graph, path: str) -> str:
    """Return the first sentence of a node's responsibility; empty if nobody has written it."""
    node = graph.nodes.get(path)
    return first_sentence(responsibility_of(graph, node)) if node else ""


def responsibility_of(graph: Graph, node: Node) -> str:
    """Return the text that says what a node does; empty if nobody has written it."""
    name = next((name for name in DESCRIBING if name in artifact_names(graph, node)), "")
    return _body(written_text(artifact(graph, node, name))) if name else ""


def written_text(document: Document) -> str:
    """Return a text; empty if it is a draft or cannot be read, which validation reports."""
    try:
        source = document.source
        return "" if source.is_draft else source.value.replace("\r\n", "\n")
    except UnreadableError:
        return ""


def _body(text: str) -> str:
    """Return a text without the heading that it begins with."""
    first, _, rest = text.strip().partition("\n")
    return rest.strip() if HEADING.match(first) else text.strip()
