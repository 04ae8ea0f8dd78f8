"""Finding nodes: by id, by words, and ids close to a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import NotFoundError
from yg_old.kernel.find import SearchedText
from yg_old.kernel.package import Document
from yg_old.text import paths
from yg_old.text.suggest import Suggester, did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode


def node_named(graph: SpecGraph, name: str) -> SpecNode:
    """Return a node; one that cannot be read counts as missing."""
    node = graph.get(name)
    if node is None:
        raise _not_found(graph, name)
    return node


def listed_id(graph: SpecGraph, name: str) -> str:
    """Return the id of a listed node, whether or not it can be read."""
    if name not in graph.references:
        raise _not_found(graph, name)
    return name


def _not_found(graph: SpecGraph, name: str) -> NotFoundError:
    hint = did_you_mean(nearest(name, graph.references)) or "'yg tree' lists all nodes."
    if name in graph.references:
        hint = "Its file could not be read; 'yg validate' tells why."
    return NotFoundError(f"Node not found: {name}", hint=hint)


def advice_on(ids: Iterable[str]) -> Callable[[str], tuple[str, ...]]:
    """Return a function that suggests ids close to a missing one."""
    near = Suggester(ids)

    def advice(missing: str) -> tuple[str, ...]:
        question = did_you_mean(near(missing))
        return (question,) if question else ()

    return advice


def entries(graph: SpecGraph) -> list[SearchedText]:
    """Return the file of each readable node as a document to search."""
    return [
        SearchedText(
            kind="node",
            path=node.id,
            document=paths.name_of(node.file),
            file=node.file,
            name=node.title or node.id,
            key="title",
        )
        for node in graph.nodes.values()
    ]


def own_documents(graph: SpecGraph, node_id: str) -> tuple[Document, ...]:
    """Return the file of a node as a document."""
    file = graph.references[node_id].file
    return (Document(paths.name_of(file), graph.snapshot.text(file)),)
