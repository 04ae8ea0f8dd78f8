"""The editions of Yggdrasil side by side: one model, and all in which 0.x differs from 2.x."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.package import BlockKind
from yg.yggdrasil.model import DESCRIPTION_FILE
from yg.yggdrasil.resolve import (
    Effective,
    Reason,
    Source,
    ancestors,
    declared_aspects,
    declared_ids,
    inherited_flows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Flow, Node


class Edition(Struct, frozen=True, kw_only=True):
    """The recipe by which packages of an edition are made."""

    artifact_names: Callable[[Graph, Node], tuple[str, ...]]
    offered_names: Callable[[Graph, Node], tuple[str, ...]]  # what a dependent sees of a node
    effective_aspects: Callable[[Graph, Node], tuple[Effective, ...]]
    effective_ids: Callable[[Graph, Node], frozenset[str]]  # of the same aspects, and quicker
    flows_of: Callable[[Graph, str], tuple[Flow, ...]]
    order: tuple[BlockKind, ...]
    shows_declaration: bool  # whether a node's YAML file stands in its own package
    skips_ancestors: bool  # whether a relation to an ancestor quotes nothing
    tells_of_missing_targets: bool  # whether a missing target is a line, not an error
    refuses_on_any_error: bool  # or only on those of the node itself


def description_first(names: Iterable[str]) -> tuple[str, ...]:
    """Order files by name, the description before all others."""
    return tuple(sorted(names, key=lambda name: (name != DESCRIPTION_FILE, name)))


def _configured(graph: Graph, node: Node) -> tuple[str, ...]:
    present = set(node.files)
    return tuple(name for name in graph.config.artifacts if name in present)


def _offered(graph: Graph, node: Node) -> tuple[str, ...]:
    every = _configured(graph, node)
    types = graph.config.artifacts
    return tuple(name for name in every if types[name].in_relations) or every


V2 = Edition(
    artifact_names=_configured,
    offered_names=_offered,
    effective_aspects=declared_aspects,
    effective_ids=declared_ids,
    flows_of=inherited_flows,
    order=(
        BlockKind.GLOBAL,
        BlockKind.HIERARCHY,
        BlockKind.OWN,
        BlockKind.TARGET,
        BlockKind.ASPECT,
        BlockKind.DEPENDENCY,
        BlockKind.EVENT,
        BlockKind.FLOW,
    ),
    shows_declaration=True,
    skips_ancestors=True,
    tells_of_missing_targets=False,
    refuses_on_any_error=True,
)


def _every_file(_graph: Graph, node: Node) -> tuple[str, ...]:
    return description_first(node.files)


def _tagged(graph: Graph, node: Node) -> tuple[Effective, ...]:
    """Return the aspects whose tag the node carries or, if they propagate, an ancestor."""
    carriers = [(Reason(Source.HIERARCHY, each.path), each) for each in ancestors(graph, node.path)]
    found = []
    for aspect in graph.aspects:
        above = carriers if aspect.propagates else []
        because = [reason for reason, each in above if aspect.tag in each.aspect_ids]
        if aspect.tag in node.aspect_ids:
            because.append(Reason(Source.OWN))
        if because:
            found.append(Effective(aspect, tuple(because)))
    return tuple(found)


def _tagged_ids(graph: Graph, node: Node) -> frozenset[str]:
    return frozenset(each.aspect.id for each in _tagged(graph, node))


def _listing_it(graph: Graph, path: str) -> tuple[Flow, ...]:
    return graph.flows_by_participant.get(path, ())


V0 = Edition(
    artifact_names=_every_file,
    offered_names=_every_file,
    effective_aspects=_tagged,
    effective_ids=_tagged_ids,
    flows_of=_listing_it,
    order=(
        BlockKind.GLOBAL,
        BlockKind.HIERARCHY,
        BlockKind.OWN,
        BlockKind.DEPENDENCY,
        BlockKind.ASPECT,
        BlockKind.FLOW,
        BlockKind.TARGET,
    ),
    shows_declaration=False,
    skips_ancestors=False,
    tells_of_missing_targets=True,
    refuses_on_any_error=False,
)
