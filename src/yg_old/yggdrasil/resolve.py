"""Traversals of a graph: ancestors, artifacts, flows, and the aspects that apply to a node.

The settings of `Edition` select between the rules of 0.x and 2.x.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.package import Document
from yg_old.text import paths
from yg_old.yggdrasil.graph import Implied
from yg_old.yggdrasil.model import DESCRIPTION_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.yggdrasil.decisions import Decision
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Aspect, Flow, Node


def ancestors(graph: Graph, path: str) -> tuple[Node, ...]:
    """Return the nodes above a path, root first; directories without a node are skipped."""
    above = (graph.nodes.get(ancestor) for ancestor in paths.lineage(path))
    return tuple(node for node in above if node is not None)


def children(graph: Graph) -> dict[str, dict[str, None]]:
    """Return, for each directory, its subdirectories that are nodes or contain nodes."""
    found: dict[str, dict[str, None]] = {}
    for path in graph.nodes.all:
        for above in reversed(paths.lineage(path)):
            siblings = found.setdefault(above, {})
            if path in siblings:
                break
            siblings[path] = None
            path = above  # noqa: PLW2901
    return found


def artifact_names(graph: Graph, node: Node) -> tuple[str, ...]:
    """Return the names of a node's artifacts, in order."""
    if not graph.edition.configures_artifacts:
        return description_first(node.files)
    present = set(present_names(node))
    return tuple(name for name in graph.config.artifacts if name in present)


def present_names(node: Node) -> tuple[str, ...]:
    """Return the names of the files of a node, and of those that documents stand for."""
    return (*node.files, *(source.artifact.text for source in node.artifact_sources))


def own_artifact_names(graph: Graph, node: Node) -> tuple[str, ...]:
    """Return the names of a node's artifacts that are files in its directory, in order."""
    names = artifact_names(graph, node)
    if not node.artifact_sources:
        return names
    elsewhere = {source.artifact.text for source in node.artifact_sources}
    return tuple(name for name in names if name not in elsewhere)


def artifact(graph: Graph, node: Node, name: str) -> Document:
    """Return an artifact of a node: a file in its directory, or the document that stands for it."""
    for source in node.artifact_sources:
        if source.artifact.text == name:
            return graph.documents.quoted(source.document.text, name)
    return Document(name, graph.snapshot.text(f"{node.directory}/{name}"))


def artifacts(graph: Graph, node: Node) -> tuple[Document, ...]:
    """Return the artifacts of a node, in order."""
    return tuple(artifact(graph, node, name) for name in artifact_names(graph, node))


def is_drafted(graph: Graph, node: Node) -> bool:
    """Return whether a node has texts, and all of them are drafts."""
    texts = artifacts(graph, node)
    return bool(texts) and all(document.source.is_draft for document in texts)


def documents(graph: Graph, part: Node | Aspect) -> tuple[Document, ...]:
    """Return the documents outside the graph that a node or an aspect lists, in order."""
    return tuple(graph.documents.quoted(document.text) for document in part.documents)


def node_texts(graph: Graph, node: Node) -> tuple[Document, ...]:
    """Return the artifacts of a node, and then its documents."""
    return (*artifacts(graph, node), *documents(graph, node))


def aspect_texts(graph: Graph, aspect: Aspect) -> tuple[Document, ...]:
    """Return the texts of an aspect in its directory, and then its documents."""
    return (*files_of(graph, aspect, aspect.files), *documents(graph, aspect))


def files_of(
    graph: Graph, part: Node | Aspect | Flow, names: Iterable[str]
) -> tuple[Document, ...]:
    """Return files in the directory of a part of the graph."""
    text = graph.snapshot.text
    return tuple(Document(name, text(f"{part.directory}/{name}")) for name in names)


def decisions(graph: Graph, part: Node | Aspect) -> tuple[Decision, ...]:
    """Return the decisions that a node or an aspect lists, the newest first."""
    numbers = sorted((int(number.text) for number in part.decisions), reverse=True)
    found = (graph.decisions.get(number) for number in numbers)
    return tuple(decision for decision in found if decision is not None)


def offered_names(graph: Graph, node: Node) -> tuple[str, ...]:
    """Return the names of the artifacts that dependents of a node see."""
    names = artifact_names(graph, node)
    if not graph.edition.configures_artifacts:
        return names
    types = graph.config.artifacts
    return tuple(name for name in names if types[name].in_relations) or names


def decision_documents(graph: Graph, part: Node | Aspect) -> tuple[Document, ...]:
    """Return the decisions that a node or an aspect lists in full, the newest first."""
    text = graph.snapshot.text
    found = decisions(graph, part) if part.decisions else ()
    return tuple(
        Document(decision.file, text(decision.file), reference=decision.file) for decision in found
    )


def referring_parts(graph: Graph) -> dict[str, tuple[str, ...]]:
    """Return the nodes, and aspects as `aspects/ID`, that refer to each file outside the graph."""
    found: dict[str, dict[str, None]] = {}
    for node in graph.nodes:
        for file in _referred_files(graph, node):
            found.setdefault(file, {})[node.path] = None
    for aspect in graph.aspects:
        for file in _referred_files(graph, aspect):
            found.setdefault(file, {})[f"aspects/{aspect.id}"] = None
    return {file: tuple(parts) for file, parts in found.items()}


def _referred_files(graph: Graph, part: Node | Aspect) -> Iterator[str]:
    for reference in part.references:
        yield graph.documents.reference(reference.text).path
    for number in part.decisions:
        yield from graph.decisions.files.get(int(number.text), ())[:1]


def description_first(names: Iterable[str]) -> tuple[str, ...]:
    """Sort file names, the description first."""
    return tuple(sorted(names, key=lambda name: (name != DESCRIPTION_FILE, name)))


def flows_of(graph: Graph, path: str) -> tuple[Flow, ...]:
    """Return the flows that apply to a node, sorted by id."""
    flows = graph.flows_by_participant
    if not graph.edition.inherits_flows:
        return flows.get(path, ())
    participants = (*paths.lineage(path), path)
    found = {flow.id: flow for participant in participants for flow in flows.get(participant, ())}
    return tuple(flow for _, flow in sorted(found.items()))


def expansion(graph: Graph, ids: Iterable[str]) -> tuple[Implied, ...]:
    """Follow `implies` depth first from some aspects, visiting each aspect once."""
    key = tuple(ids)
    if key not in graph.expansions:
        graph.expansions[key] = tuple(dict.fromkeys(_expansion(graph, key)))
    return graph.expansions[key]


def _expansion(graph: Graph, ids: tuple[str, ...]) -> Iterator[Implied]:
    seen: set[str] = set()
    pending = [Implied(aspect_id, "") for aspect_id in reversed(ids)]
    while pending:
        step = pending.pop()
        aspect = graph.aspects.get(step.id)
        if aspect is None:
            continue
        yield step
        if step.id not in seen:
            seen.add(step.id)
            pending.extend(Implied(word.text, step.id) for word in reversed(aspect.implies))


def expanded(graph: Graph, ids: Iterable[str]) -> tuple[str, ...]:
    """Return aspect ids and all ids they imply, depth first, without duplicates."""
    key = tuple(ids)
    if key not in graph.expanded:
        graph.expanded[key] = tuple(dict.fromkeys(step.id for step in expansion(graph, key)))
    return graph.expanded[key]


def _implied_ids(graph: Graph, ids: Iterable[str]) -> Iterator[str]:
    """Yield every id that valid aspects imply, whether or not it is valid itself."""
    for aspect_id in expanded(graph, ids):
        aspect = graph.aspects.get(aspect_id)
        if aspect is not None:
            yield from (word.text for word in aspect.implies)


def named_aspects(graph: Graph, path: str) -> tuple[str, ...]:
    """Return every aspect id that is declared for a node or implied, valid or not."""
    carriers = (*ancestors(graph, path), *filter(None, (graph.nodes.get(path),)))
    declared = [aspect_id for carrier in carriers for aspect_id in carrier.aspect_ids]
    for flow in flows_of(graph, path):
        declared += flow.aspect_ids
    return tuple(dict.fromkeys((*declared, *_implied_ids(graph, declared))))


class Source(StrEnum):
    """The kind of declaration that applies an aspect to a node."""

    HIERARCHY = "hierarchy"
    OWN = "own"
    FLOW = "flow"
    IMPLIED = "implied"


_TEMPLATES = {
    Source.HIERARCHY: "hierarchy from {}",
    Source.OWN: "own",
    Source.FLOW: "flow {}",
    Source.IMPLIED: "implied by {}",
}


class Reason(Struct, frozen=True):
    """One declaration that applies an aspect to a node."""

    source: Source
    name: str = ""  # the ancestor, flow or aspect that declares it

    @property
    def is_flow(self) -> bool:
        """Whether the declaration is a flow's."""
        return self.source is Source.FLOW

    def __str__(self) -> str:
        return _TEMPLATES[self.source].format(self.name)


class Effective(Struct, frozen=True):
    """An aspect that applies to a node, and the reasons why it does."""

    aspect: Aspect
    reasons: tuple[Reason, ...]


def effective_aspects(graph: Graph, node: Node) -> tuple[Effective, ...]:
    """Return the aspects that apply to a node, in package order."""
    return _tagged(graph, node) if graph.edition.has_tags else _declared_aspects(graph, node)


def effective_ids(graph: Graph, node: Node) -> frozenset[str]:
    """Return the ids of the aspects that apply to a node; faster than `effective_aspects`."""
    if graph.edition.has_tags:
        return frozenset(effective.aspect.id for effective in _tagged(graph, node))
    return _declared_ids(graph, node)


def _tagged(graph: Graph, node: Node) -> tuple[Effective, ...]:
    """Return the aspects whose tag is on the node or, if they propagate, on an ancestor."""
    carriers = [
        (Reason(Source.HIERARCHY, ancestor.path), ancestor)
        for ancestor in ancestors(graph, node.path)
    ]
    found = []
    for aspect in graph.aspects:
        above = carriers if aspect.propagates else []
        reasons = [reason for reason, carrier in above if aspect.tag in carrier.aspect_ids]
        if aspect.tag in node.aspect_ids:
            reasons.append(Reason(Source.OWN))
        if reasons:
            found.append(Effective(aspect, tuple(reasons)))
    return tuple(found)


def _declared_ids(graph: Graph, node: Node) -> frozenset[str]:
    """Return the ids of `_declared_aspects`; the ids of ancestors are cached."""
    known, ids = graph.declared_ids, frozenset[str]()
    for path in (*paths.lineage(node.path), node.path):
        if path not in known:
            lists = tuple(_declared(graph, path))
            known[path] = _with_lists(graph, ids, lists) if lists else ids
        ids = known[path]
    return ids


def _with_lists(
    graph: Graph, ids: frozenset[str], lists: tuple[tuple[str, ...], ...]
) -> frozenset[str]:
    """Add the aspects of some lists; nodes with the same ones share a set, which may be large."""
    known = graph.joined_ids
    if (ids, lists) not in known:
        known[ids, lists] = ids.union(*(expanded(graph, declared) for declared in lists))
    return known[ids, lists]


def _declared(graph: Graph, path: str) -> Iterator[tuple[str, ...]]:
    """Yield the lists of aspect ids that the node at a path and its flows declare."""
    node = graph.nodes.get(path)
    if node is not None and node.aspects:
        yield node.aspect_ids
    for flow in graph.flows_by_participant.get(path, ()):
        yield flow.aspect_ids


def _declared_aspects(graph: Graph, node: Node) -> tuple[Effective, ...]:
    """Return the aspects of a node: its own, its ancestors', its flows' and implied ones."""
    reasons: dict[str, dict[Reason, None]] = {}
    for declared, ids in declarations(graph, node):
        for step in expansion(graph, ids):
            reason = Reason(Source.IMPLIED, step.by) if step.by else declared
            reasons.setdefault(step.id, {})[reason] = None
    found = ((graph.aspects.get(aspect_id), tuple(given)) for aspect_id, given in reasons.items())
    return tuple(Effective(aspect, given) for aspect, given in found if aspect is not None)


def declarations(graph: Graph, node: Node) -> Iterator[tuple[Reason, tuple[str, ...]]]:
    """Yield the lists of aspect ids that apply to a node, in package order, and why they do."""
    for above in ancestors(graph, node.path):
        yield Reason(Source.HIERARCHY, above.path), above.aspect_ids
    yield Reason(Source.OWN), node.aspect_ids
    for flow in flows_of(graph, node.path):
        yield Reason(Source.FLOW, flow.id), flow.aspect_ids
