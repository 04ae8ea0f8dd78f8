"""The texts of a graph that can be searched, and the documents of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from yg_old.kernel.find import DECISION, SearchedText, Texts
from yg_old.kernel.snapshot import given_text
from yg_old.text.escapes import one_line
from yg_old.text.paths import name_of
from yg_old.yggdrasil.collection import skipped, unread_configuration
from yg_old.yggdrasil.inventories.relations import find, split, users
from yg_old.yggdrasil.inventory_copies import is_import_file
from yg_old.yggdrasil.model import Flow
from yg_old.yggdrasil.parts import PartKind
from yg_old.yggdrasil.resolve import (
    decision_documents,
    description_first,
    documents,
    files_of,
    node_texts,
    own_artifact_names,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.package import Document
    from yg_old.kernel.snapshot import Text
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Aspect, Node


def texts(graph: Graph) -> Texts:
    """Return all declarations and texts, and findings about declarations that cannot be read."""
    collections = (graph.nodes, graph.aspects, graph.flows)
    unread = [finding for collection in collections for finding in skipped(collection)]
    return Texts(_entries(graph), (*unread_configuration(graph.config_reading), *unread))


def _entries(graph: Graph) -> Iterator[SearchedText]:
    outside: set[str] = set()  # documents that are listed already
    for node in graph.nodes:
        files = own_artifact_names(graph, node)
        if not graph.edition.configures_artifacts:
            files = _texts(graph, node, files)
        yield from _documents(PartKind.NODE, node.path, node, files)
        yield from _outside(graph, PartKind.NODE, node.path, node, outside)
    for aspect in graph.aspects:
        files, path = _texts(graph, aspect, aspect.files), f"aspects/{aspect.id}"
        yield from _documents(PartKind.ASPECT, path, aspect, files)
        yield from _outside(graph, PartKind.ASPECT, path, aspect, outside)
    for flow in graph.flows:
        files = _texts(graph, flow, description_first(flow.files))
        yield from _documents(PartKind.FLOW, f"flows/{flow.id}", flow, files)
    yield from imported_texts(graph)
    if graph.edition.configures_artifacts:
        for decision in graph.decisions:
            yield SearchedText(
                kind=DECISION,
                path=f"decision {decision.number}",
                document=name_of(decision.file),
                file=decision.file,
            )


def _outside(
    graph: Graph, kind: PartKind, path: str, part: Node | Aspect, known: set[str]
) -> Iterator[SearchedText]:
    """Yield the documents outside the graph that nothing else has listed before."""
    for reference in part.references:
        found = graph.documents.reference(reference.text)
        if found.name not in known:
            known.add(found.name)
            yield SearchedText(kind=kind, path=path, document=found.name, file=found.path)


def imported_texts(graph: Graph) -> Iterator[SearchedText]:
    """Yield what the imports say about the nodes that external relations name."""
    for target in sorted(users(graph)):
        node, imported = find(graph, target), graph.inventories.get(split(target)[0])
        if node is None or imported is None:
            continue
        file, kind = imported.file, PartKind.NODE
        yield SearchedText(
            kind=kind, path=target, document=name_of(file), file=file, name=node.name or target
        )
        for name in () if node.contracts is UNSET else node.contracts:
            yield SearchedText(kind=kind, path=target, document=name, file=file)


def searched_text(graph: Graph, entry: SearchedText) -> Text:
    """Return the text of an entry; of a node of another repository, from its import."""
    node = find(graph, entry.path) if is_import_file(entry.file) else None
    if node is None and entry.document.startswith(f"{entry.file}#"):
        section = graph.documents.text(graph.documents.reference(entry.document))
        return given_text(entry.file, section.in_place)
    if node is None:
        return graph.snapshot.text(entry.file)
    if not entry.name:
        contracts = {} if node.contracts is UNSET else node.contracts
        return given_text(entry.file, contracts.get(entry.document, ""))
    # One line, at the place that the node has in the file.
    imported = graph.inventories.get(split(entry.path)[0])
    above = imported.lines[node.path] - 1 if imported else 0
    line = f"name: {one_line(node.name)} ({one_line(node.type)}): {one_line(node.summary)}"
    return given_text(entry.file, "\n" * above + line)


def _texts(graph: Graph, part: Node | Aspect | Flow, files: Iterable[str]) -> tuple[str, ...]:
    """Return the files that are not binary; packages leave those out too."""
    text = graph.snapshot.text
    return tuple(name for name in files if not text(f"{part.directory}/{name}").binary_size)


def _documents(
    kind: PartKind, path: str, part: Node | Aspect | Flow, files: Iterable[str]
) -> Iterator[SearchedText]:
    """Yield the declaration of a part and its texts."""
    yield SearchedText(
        kind=kind, path=path, document=part.declared_in, file=part.file, name=part.name or path
    )
    for name in files:
        yield SearchedText(kind=kind, path=path, document=name, file=f"{part.directory}/{name}")


def own_documents(graph: Graph, node: Node) -> tuple[Document, ...]:
    """Return the declaration of a node, its artifacts in order, its documents and decisions."""
    declaration = files_of(graph, node, (node.declared_in,))
    return (*declaration, *node_texts(graph, node), *decision_documents(graph, node))


def content_documents(graph: Graph, part: Aspect | Flow) -> tuple[Document, ...]:
    """Return the documents of an aspect or a flow: its declaration, then its description."""
    found = files_of(graph, part, (part.declared_in, *description_first(part.files)))
    if isinstance(part, Flow):
        return found
    return (*found, *documents(graph, part), *decision_documents(graph, part))
