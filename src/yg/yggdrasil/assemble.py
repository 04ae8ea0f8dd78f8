"""Assembles the context package of a node: five steps, one walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.package import Block, BlockKind, Document, Package
from yg.yggdrasil.model import DESCRIPTION_FILE, NODE_FILE, RelationKind
from yg.yggdrasil.resolve import ancestors, effective_aspects, expanded, flows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Flow, Node, Relation
    from yg.yggdrasil.resolve import Effective


def assemble(graph: Graph, node: Node) -> Package:
    """Collect everything a reader needs to work on a node, and nothing else."""
    return Package(
        path=node.path,
        name=node.name,
        type=node.type.text,
        blocks=tuple(_blocks(graph, node)),
        budget=graph.config.quality.budget,
    )


def _blocks(graph: Graph, node: Node) -> Iterator[Block]:
    above = ancestors(graph, node.path)
    yield _global(graph)
    yield from (_hierarchy(graph, each) for each in above)
    yield _own(graph, node)
    if node.mapping:
        yield _target(node)
    yield from (_aspect(graph, node, each) for each in effective_aspects(graph, node))
    known = {each.path for each in above}
    for relation in node.relations:
        if relation.kind.is_structural:
            yield from _dependency(graph, relation, known)
    for relation in node.relations:
        if not relation.kind.is_structural:
            yield _event(graph, relation)
    yield from (_flow(graph, node, each) for each in flows_of(graph, node.path))


def _global(graph: Graph) -> Block:
    return Block(
        kind=BlockKind.GLOBAL,
        subject=graph.config.name,
        opening=(f"**Project:** {graph.config.name}",),
        because=("configuration",),
    )


def _hierarchy(graph: Graph, node: Node) -> Block:
    documents = tuple(_artifacts(graph, node))
    return Block(
        kind=BlockKind.HIERARCHY,
        subject=node.path,
        attributes=_given(
            ("path", f"{node.path}/"), ("aspects", ",".join(expanded(graph, node.aspect_ids)))
        ),
        documents=documents,
        decided_by=(node.file, *_files(documents)),
        because=(f"hierarchy from {node.path}",),
    )


def _own(graph: Graph, node: Node) -> Block:
    documents = (_document(graph, node.directory, NODE_FILE), *_artifacts(graph, node))
    return Block(
        kind=BlockKind.OWN,
        subject=node.path,
        attributes=_given(("aspects", ",".join(expanded(graph, node.aspect_ids)))),
        documents=documents,
        decided_by=_files(documents),
        because=("own",),
    )


def _target(node: Node) -> Block:
    return Block(
        kind=BlockKind.TARGET,
        subject=node.path,
        attributes=(("paths", ", ".join(word.text for word in node.mapping)),),
        because=("own",),
    )


def _aspect(graph: Graph, node: Node, effective: Effective) -> Block:
    aspect = effective.aspect
    documents = tuple(_document(graph, aspect.directory, name) for name in aspect.files)
    exceptions = (
        text for use in node.aspects if use.aspect.text == aspect.id for text in use.exceptions
    )
    stability = (f"**Stability tier:** {aspect.stability}",) if aspect.stability else ()
    return Block(
        kind=BlockKind.ASPECT,
        subject=aspect.id,
        attributes=(("name", aspect.name), ("id", aspect.id)),
        documents=documents,
        closing=(
            *stability,
            *(f"**Exception for this node:** {_line(text)}" for text in exceptions),
        ),
        decided_by=(aspect.file, *_files(documents)),
        because=effective.because,
    )


def _dependency(graph: Graph, relation: Relation, known: set[str]) -> Iterator[Block]:
    """Quote what the target offers, unless it is an ancestor and stands in the package already."""
    target = graph.nodes.get(relation.target.text)
    lines = _annotations(relation)
    is_known = relation.target.text in known
    if target is None or (is_known and not lines):
        return
    documents = () if is_known else tuple(_offered(graph, target))
    yield Block(
        kind=BlockKind.DEPENDENCY,
        subject=target.path,
        attributes=_given(
            ("target", target.path),
            ("type", relation.kind),
            ("consumes", ", ".join(relation.consumes)),
            ("failure", relation.failure),
        ),
        opening=lines,
        documents=documents,
        decided_by=_files(documents),
        because=(f"relation {relation.kind} {target.path}",),
    )


def _event(graph: Graph, relation: Relation) -> Block:
    path = relation.target.text
    target = graph.nodes.get(path)
    event = relation.event_name or (target.name if target else path)
    if relation.kind is RelationKind.EMITS:
        lines = (f"Target: {path}", f"You publish {_line(event)}.")
    else:
        lines = (f"Source: {path}", f"You listen for {_line(event)}.")
    consumes = ", ".join(relation.consumes)
    return Block(
        kind=BlockKind.EVENT,
        subject=path,
        attributes=_given(
            ("target", path),
            ("type", relation.kind),
            ("event-name", event),
            ("consumes", consumes),
        ),
        opening=(*lines, *((f"Consumes: {_line(consumes)}",) if consumes else ())),
        because=(f"relation {relation.kind} {path}",),
    )


def _flow(graph: Graph, node: Node, flow: Flow) -> Block:
    names = sorted(flow.files, key=lambda name: (name != DESCRIPTION_FILE, name))
    documents = tuple(_document(graph, flow.directory, name) for name in names)
    listed = [each.path for each in (*ancestors(graph, node.path), node)]
    because = tuple(
        "own" if path == node.path else f"hierarchy from {path}"
        for path in listed
        if path in flow.participants
    )
    return Block(
        kind=BlockKind.FLOW,
        subject=flow.id,
        attributes=_given(
            ("name", flow.name), ("aspects", ",".join(expanded(graph, flow.aspect_ids)))
        ),
        documents=documents,
        decided_by=(flow.file, *_files(documents)),
        because=because,
    )


def _artifacts(graph: Graph, node: Node) -> Iterator[Document]:
    """Yield the artifacts a node has, in the order of the configuration."""
    present = set(node.files)
    for name in graph.config.artifacts:
        if name in present:
            yield _document(graph, node.directory, name)


def _offered(graph: Graph, target: Node) -> Iterable[Document]:
    """Return what a dependent sees of a node: its relation artifacts, or else all it has."""
    every = tuple(_artifacts(graph, target))
    offered = tuple(each for each in every if graph.config.artifacts[each.name].in_relations)
    return offered or every


def _annotations(relation: Relation) -> tuple[str, ...]:
    consumes = f"Consumes: {_line(', '.join(relation.consumes))}" if relation.consumes else ""
    failure = f"On failure: {_line(relation.failure)}" if relation.failure else ""
    return tuple(line for line in (consumes, failure) if line)


def _document(graph: Graph, directory: str, name: str) -> Document:
    return Document(name, graph.snapshot.text(f"{directory}/{name}"))


def _files(documents: Iterable[Document]) -> tuple[str, ...]:
    return tuple(document.source.path for document in documents)


def _given(*attributes: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in attributes if value)


def _line(text: str) -> str:
    """Keep what stands on one line on one line."""
    return text if text.isprintable() else " ".join(text.split())
