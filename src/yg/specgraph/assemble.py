"""Assemble the context of a node to a depth, in one walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import astuple

from yg.kernel.errors import UsageError
from yg.specgraph.conflicts import warnings_of
from yg.specgraph.context import (
    CONSTRAINS,
    CONTAINS,
    FULL,
    INHERITED,
    LAYER_DEPENDENCY,
    LAYER_GUIDANCE,
    PREREQUISITE,
    USUAL_DEPTH,
    Affected,
    Context,
    IncludedNode,
    Pruned,
)
from yg.specgraph.document import listed
from yg.specgraph.find import node_named
from yg.specgraph.model import DOWNSTREAM, LinkKind, Section
from yg.specgraph.resolve import walk
from yg.specgraph.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.specgraph.graph import SpecGraph
    from yg.specgraph.model import SpecNode
    from yg.specgraph.resolve import Walk

_SECTIONS = list(Section)


def assemble(graph: SpecGraph, target_id: str, depth: int | str = USUAL_DEPTH) -> Context:
    """Assemble the context of a node to a depth: a number of levels, or `full`."""
    limit = _limit(depth)
    target = node_named(graph, target_id)
    around = Surroundings(graph, target)
    beside = (*around.guides, *around.concepts, *around.prerequisites)
    walked = walk(graph, target, beside, limit)
    included = dict.fromkeys((*around.groups, *walked.levels))
    entries = sorted((_entry(around, walked, node_id) for node_id in included), key=_order)
    affected = tuple(_affected(graph, target, included))
    missing = tuple(sorted(set(walked.missing), key=astuple))
    pruned = tuple(Pruned(graph.nodes[node_id], by) for node_id, by in around.pruned.items())
    return Context(
        target=target,
        depth=depth,
        entries=tuple(entries),
        verified_by=_verifying_nodes(graph, target),
        affected=affected,
        missing=missing,
        pruned=pruned,
        warnings=(
            *_superseded(graph, target),
            *warnings_of(
                graph, (target, *(entry.node for entry in entries)), around.guides, missing
            ),
        ),
        source_files=_files(graph, target, entries, affected, pruned),
        budget=graph.budget,
    )


def _limit(depth: int | str) -> int | None:
    """Return a depth as a number of levels, None for no limit."""
    if depth == FULL:
        return None
    if isinstance(depth, int) and not isinstance(depth, bool) and depth >= 1:
        return depth
    raise UsageError(
        f"'{depth}' is no depth", hint=f"Give a whole number from 1 upwards, or '{FULL}'."
    )


def _entry(around: Surroundings, walked: Walk, node_id: str) -> IncludedNode:
    """Return the entry of a node, with all reasons for it."""
    guide = around.guides.get(node_id)
    layer = around.layers.get(node_id)
    arrivals = tuple(walked.arrivals.get(node_id, ()))
    is_walk_target = any(source == around.target.id for source, _ in arrivals)
    required_by = around.prerequisites.get(node_id, ())
    hops = around.ancestors.get(node_id, 0)
    is_from_layers_alone = guide and not (
        guide.is_direct or guide.via_targets or is_walk_target or required_by or hops
    )
    return IncludedNode(
        node=around.graph.nodes[node_id],
        level=walked.levels.get(node_id, 1),
        reasons=tuple(sorted({*(kind for _, kind in arrivals), *_reasons(around, node_id)})),
        is_direct=guide.is_direct if guide else False,
        is_walk_target=is_walk_target,
        precedence=guide.distance if guide and is_from_layers_alone else 0,
        via_targets=guide.via_targets if guide else (),
        via_layers=guide.via_layers if guide else (),
        required_by=required_by,
        superseded_by=around.graph.superseders(node_id),
        arrivals=arrivals,
        hops=hops,
        path=layer.path if layer else (),
    )


def _reasons(around: Surroundings, node_id: str) -> Iterator[str]:
    """Yield the reasons for a node besides the links of the walk."""
    if guide := around.guides.get(node_id):
        if guide.is_direct:
            yield CONSTRAINS
        if guide.via_targets:
            yield INHERITED
        if guide.via_layers:
            yield LAYER_GUIDANCE
    if node_id in around.ancestors:
        yield CONTAINS
    if node_id in around.layers:
        yield LAYER_DEPENDENCY
    if node_id in around.prerequisites:
        yield PREREQUISITE


def _order(entry: IncludedNode) -> tuple[int, int, int, str]:
    """Order by section; in the namespace ancestors come first, then layers, then other groups."""
    section = _SECTIONS.index(entry.section)
    if entry.section is not Section.NAMESPACE:
        return section, entry.level, entry.precedence, entry.node.id
    if entry.hops:
        return section, 0, entry.hops, entry.node.id
    if entry.path:
        return section, 1, len(entry.path), entry.node.id
    return section, 2, entry.level, entry.node.id


def _affected(graph: SpecGraph, target: SpecNode, included: dict[str, None]) -> Iterator[Affected]:
    """Yield the targets of downstream links of the target that are not entries."""
    edges: dict[str, list[str]] = {}
    for kind in sorted(DOWNSTREAM):
        for other in target.targets(kind):
            edges.setdefault(other, []).append(kind.value)
    for other in sorted(edges.keys() - included.keys() - {target.id}):
        if other in graph.nodes:
            yield Affected(graph.nodes[other], tuple(edges[other]))


def _verifying_nodes(graph: SpecGraph, target: SpecNode) -> tuple[SpecNode, ...]:
    ids = (node_id for node_id in target.targets(LinkKind.VERIFIED_BY) if node_id != target.id)
    return tuple(graph.nodes[node_id] for node_id in ids if node_id in graph.nodes)


def _superseded(graph: SpecGraph, target: SpecNode) -> Iterator[str]:
    if by := graph.superseders(target.id):
        yield f"Target superseded by {listed(by)}."


def _files(
    graph: SpecGraph,
    target: SpecNode,
    entries: Sequence[IncludedNode],
    affected: Sequence[Affected],
    pruned: Sequence[Pruned],
) -> tuple[str, ...]:
    """Return the files that the context was made from, sorted."""
    superseding = (*graph.superseders(target.id), *(by for e in entries for by in e.superseded_by))
    on_paths = (node_id for entry in entries for node_id in entry.path)
    superseding_guides = (by for item in pruned for by in item.superseded_by)
    nodes = (
        target,
        *(entry.node for entry in entries),
        *(item.node for item in affected),
        *(item.node for item in pruned),
        *(graph.nodes[node_id] for node_id in (*superseding, *on_paths, *superseding_guides)),
    )
    return tuple(sorted({graph.file, *(node.file for node in nodes)}))
