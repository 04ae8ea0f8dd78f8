"""The walks over a graph: ancestors, artifacts, flows, and the aspects that apply to a node.

What differs between the editions of Yggdrasil is decided here, as `Edition` says.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths
from yg.yggdrasil.graph import Implied
from yg.yggdrasil.model import DESCRIPTION_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Aspect, Flow, Node


def ancestors(graph: Graph, path: str) -> tuple[Node, ...]:
    """Return the nodes above a path, the root first; directories that are no nodes left out."""
    above = (graph.nodes.get(each) for each in paths.lineage(path))
    return tuple(node for node in above if node is not None)


def children(graph: Graph) -> dict[str, dict[str, None]]:
    """Return the directories below each directory that are nodes or lead to nodes."""
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
    """Return the names of a node's artifacts, in their order."""
    if not graph.edition.configures_artifacts:
        return description_first(node.files)
    present = set(node.files)
    return tuple(name for name in graph.config.artifacts if name in present)


def offered_names(graph: Graph, node: Node) -> tuple[str, ...]:
    """Return the names of the artifacts that a dependent sees of a node."""
    every = artifact_names(graph, node)
    if not graph.edition.configures_artifacts:
        return every
    types = graph.config.artifacts
    return tuple(name for name in every if types[name].in_relations) or every


def description_first(names: Iterable[str]) -> tuple[str, ...]:
    """Order files by name, the description before all others."""
    return tuple(sorted(names, key=lambda name: (name != DESCRIPTION_FILE, name)))


def flows_of(graph: Graph, path: str) -> tuple[Flow, ...]:
    """Return the flows that reach a node, in the order of their directories."""
    listed = graph.flows_by_participant
    if not graph.edition.passes_flows_on:
        return listed.get(path, ())
    found = {
        flow.id: flow for each in (*paths.lineage(path), path) for flow in listed.get(each, ())
    }
    return tuple(flow for _, flow in sorted(found.items()))


def expansion(graph: Graph, ids: Iterable[str]) -> tuple[Implied, ...]:
    """Walk depth first through `implies`, each aspect's own implications once."""
    known = tuple(ids)
    if known not in graph.expansions:
        graph.expansions[known] = tuple(dict.fromkeys(_expansion(graph, known)))
    return graph.expansions[known]


def _expansion(graph: Graph, ids: tuple[str, ...]) -> Iterator[Implied]:
    seen: set[str] = set()
    waiting = [Implied(each, "") for each in reversed(ids)]
    while waiting:
        step = waiting.pop()
        aspect = graph.aspects.get(step.id)
        if aspect is None:
            continue
        yield step
        if step.id not in seen:
            seen.add(step.id)
            waiting.extend(Implied(word.text, step.id) for word in reversed(aspect.implies))


def expanded(graph: Graph, ids: Iterable[str]) -> tuple[str, ...]:
    """Return aspect ids with all they imply, depth first, each once."""
    return tuple(dict.fromkeys(step.id for step in expansion(graph, ids)))


def _implied_ids(graph: Graph, ids: Iterable[str]) -> Iterator[str]:
    """Yield every id that readable aspects imply, whether or not it can be read itself."""
    for each in expanded(graph, ids):
        aspect = graph.aspects.get(each)
        if aspect is not None:
            yield from (word.text for word in aspect.implies)


def named_aspects(graph: Graph, path: str) -> tuple[str, ...]:
    """Return every aspect id that is declared for a node or implied, readable or not."""
    carriers = (*ancestors(graph, path), *filter(None, (graph.nodes.get(path),)))
    declared = [each for carrier in carriers for each in carrier.aspect_ids]
    for flow in flows_of(graph, path):
        declared += flow.aspect_ids
    return tuple(dict.fromkeys((*declared, *_implied_ids(graph, declared))))


class Source(StrEnum):
    """What can bring an aspect to a node."""

    HIERARCHY = "hierarchy"
    OWN = "own"
    FLOW = "flow"
    IMPLIED = "implied"


_WORDS = {
    Source.HIERARCHY: "hierarchy from {}",
    Source.OWN: "own",
    Source.FLOW: "flow {}",
    Source.IMPLIED: "implied by {}",
}


class Reason(Struct, frozen=True):
    """One declaration that brings an aspect to a node."""

    source: Source
    name: str = ""  # the ancestor, flow or aspect that declares it

    @property
    def is_flow(self) -> bool:
        """Whether a flow brings it."""
        return self.source is Source.FLOW

    def __str__(self) -> str:
        return _WORDS[self.source].format(self.name)


class Effective(Struct, frozen=True):
    """An aspect that applies to a node, and every declaration that brought it there."""

    aspect: Aspect
    reasons: tuple[Reason, ...]


def effective_aspects(graph: Graph, node: Node) -> tuple[Effective, ...]:
    """Return the aspects that apply to a node, in the order of its package."""
    return _tagged(graph, node) if graph.edition.has_tags else _declared_aspects(graph, node)


def effective_ids(graph: Graph, node: Node) -> frozenset[str]:
    """Return the ids of the aspects that apply to a node, which are found more quickly."""
    if graph.edition.has_tags:
        return frozenset(each.aspect.id for each in _tagged(graph, node))
    return _declared_ids(graph, node)


def _tagged(graph: Graph, node: Node) -> tuple[Effective, ...]:
    """Return the aspects whose tag the node carries or, if they propagate, an ancestor."""
    carriers = [(Reason(Source.HIERARCHY, each.path), each) for each in ancestors(graph, node.path)]
    found = []
    for aspect in graph.aspects:
        above = carriers if aspect.propagates else []
        reasons = [reason for reason, each in above if aspect.tag in each.aspect_ids]
        if aspect.tag in node.aspect_ids:
            reasons.append(Reason(Source.OWN))
        if reasons:
            found.append(Effective(aspect, tuple(reasons)))
    return tuple(found)


def _declared_ids(graph: Graph, node: Node) -> frozenset[str]:
    """Return the ids of `_declared_aspects`; what nodes inherit is put together once."""
    known, ids = graph.declared_ids, frozenset[str]()
    for path in (*paths.lineage(node.path), node.path):
        if path not in known:
            known[path] = ids.union(*(expanded(graph, each) for each in _declared(graph, path)))
        ids = known[path]
    return ids


def _declared(graph: Graph, path: str) -> Iterator[tuple[str, ...]]:
    """Yield the lists of aspects that are declared at one path, by its node and its flows."""
    node = graph.nodes.get(path)
    if node is not None and node.aspects:
        yield node.aspect_ids
    for flow in graph.flows_by_participant.get(path, ()):
        yield flow.aspect_ids


def _declared_aspects(graph: Graph, node: Node) -> tuple[Effective, ...]:
    """Return the aspects of a node: from its ancestors, itself, its flows, and implied ones."""
    reasons: dict[str, dict[Reason, None]] = {}
    for declared, ids in _declarations(graph, node):
        for step in expansion(graph, ids):
            reason = Reason(Source.IMPLIED, step.by) if step.by else declared
            reasons.setdefault(step.id, {})[reason] = None
    found = ((graph.aspects.get(each), tuple(why)) for each, why in reasons.items())
    return tuple(Effective(aspect, why) for aspect, why in found if aspect is not None)


def _declarations(graph: Graph, node: Node) -> Iterator[tuple[Reason, tuple[str, ...]]]:
    for above in ancestors(graph, node.path):
        yield Reason(Source.HIERARCHY, above.path), above.aspect_ids
    yield Reason(Source.OWN), node.aspect_ids
    for flow in flows_of(graph, node.path):
        yield Reason(Source.FLOW, flow.id), flow.aspect_ids
