"""Assemble the context of a node to a depth, in one walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import astuple

from yg_old.kernel.errors import UsageError
from yg_old.specgraph.context.conflicts import warnings_of
from yg_old.specgraph.context.context import FULL, USUAL_DEPTH, Context, PrunedGuidance
from yg_old.specgraph.context.entry import Affected, IncludedNode
from yg_old.specgraph.context.surroundings import Surroundings
from yg_old.specgraph.find import node_named
from yg_old.specgraph.model import DOWNSTREAM, POLICY, LinkKind, Section, Strictness
from yg_old.specgraph.resolve import walk

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from yg_old.specgraph.context.layers import PreparedLayers
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode
    from yg_old.specgraph.resolve import Walk, Watch

_SECTIONS = {section: at for at, section in enumerate(Section)}
_STRICTNESS = {Strictness.HARD.value: 0, Strictness.SOFT.value: 1}
LAST = len(_STRICTNESS)  # policies of no known severity


def _ignore(_nodes: list[str]) -> None:
    """Let the walk go on."""


def assemble(
    graph: SpecGraph,
    target_id: str,
    depth: int | str = USUAL_DEPTH,
    watch: Watch = _ignore,
    layers: PreparedLayers | None = None,
) -> Context:
    """Assemble the context of a node to a depth: a number of levels, or `full`.

    `watch` is told of the nodes that the walk finds, and may raise to end it. `layers` is faster
    for many nodes, but does not know all source files.
    """
    limit = _limit(depth)
    target = node_named(graph, target_id)
    around = Surroundings(graph, target, layers)
    beside = (*around.guides, *around.concepts, *around.prerequisites)
    watch(list(around.groups))
    walked = walk(graph, target, beside, around.ancestors, limit, watch)
    included = dict.fromkeys((*around.groups, *walked.levels))
    shown = included.keys() | {target_id}
    entries = tuple(
        sorted(
            (_entry(around, walked, node_id, shown, limit) for node_id in included),
            key=document_order,
        )
    )
    affected = tuple(_affected(graph, target, included))
    missing = tuple(sorted(set(walked.missing), key=astuple))
    pruned = tuple(PrunedGuidance(node_id, by) for node_id, by in around.pruned.items())
    nodes = (target, *(entry.node for entry in entries))
    return Context(
        target=target,
        depth=depth,
        entries=entries,
        superseding=_absent(graph, graph.superseders(target_id), shown),
        verified_by=_verifying_nodes(graph, target),
        affected=affected,
        missing=missing,
        pruned=pruned,
        warnings=tuple(warnings_of(graph, nodes, around.guides, missing, pruned)),
        source_files=_files(graph, target, entries, affected, pruned),
        budget=graph.budget,
    )


def _limit(depth: int | str) -> int | None:
    """Return a depth as a number of levels, None for no limit."""
    if depth == FULL:
        return None
    if isinstance(depth, int) and not isinstance(depth, bool) and depth >= 1:
        return depth
    raise UsageError(f"expected a number >= 1 or '{FULL}' as depth, got '{depth}'")


def _entry(
    around: Surroundings, walked: Walk, node_id: str, shown: Container[str], limit: int | None
) -> IncludedNode:
    """Return the entry of a node, with all reasons for it."""
    guide = around.guides.get(node_id)
    layer = around.layers.get(node_id)
    arrivals = tuple(walked.arrivals.get(node_id, ()))
    is_walk_target = any(source == around.target.id for source, _ in arrivals)
    foundation_of = around.prerequisites.get(node_id, ())
    hops = around.ancestors.get(node_id, 0)
    is_from_layers_alone = guide and not (
        guide.is_direct or guide.via_targets or is_walk_target or foundation_of or hops
    )
    node, superseders = around.graph.nodes[node_id], around.graph.superseders(node_id)
    return IncludedNode(
        node=node,
        section=node.section,
        level=walked.levels.get(node_id, 1),
        is_direct=guide.is_direct if guide else False,
        is_walk_target=is_walk_target,
        precedence=guide.distance if guide and is_from_layers_alone else 0,
        via_targets=guide.via_targets if guide else (),
        via_layers=guide.via_layers if guide else (),
        foundation_of=foundation_of,
        needed_by=around.required.get(node_id, ()) if limit != 1 else (),
        superseded_by=superseders,
        superseding=_absent(around.graph, superseders, shown) if superseders else (),
        arrivals=arrivals,
        hops=hops,
        layer=layer,
    )


def _absent(graph: SpecGraph, ids: Iterable[str], shown: Container[str]) -> tuple[SpecNode, ...]:
    """Return the nodes that are not in the document."""
    return tuple(graph.nodes[node_id] for node_id in ids if node_id not in shown)


def document_order(entry: IncludedNode) -> tuple[int, int, int, int, str]:
    """Order by section and level; hard policies come first.

    In the namespace ancestors come first, then layers, then other groups.
    """
    section, node = _SECTIONS[entry.section], entry.node
    if entry.section is not Section.NAMESPACE:
        strictness = _STRICTNESS.get(node.severity, LAST) if node.type == POLICY else 0
        return section, strictness, entry.level, entry.precedence, node.id
    if entry.hops:
        return section, 0, entry.hops, 0, node.id
    if entry.layer:
        return section, 1, entry.layer.distance, 0, node.id
    return section, 2, entry.level, 0, node.id


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


def _files(
    graph: SpecGraph,
    target: SpecNode,
    entries: Sequence[IncludedNode],
    affected: Sequence[Affected],
    pruned: Sequence[PrunedGuidance],
) -> tuple[str, ...]:
    """Return the files that the context was made from, sorted."""
    superseding = (*graph.superseders(target.id), *(by for e in entries for by in e.superseded_by))
    on_paths = (node_id for entry in entries if entry.layer for node_id in entry.layer.passed)
    guides = (guide for item in pruned for guide in (item.id, *item.superseded_by))
    nodes = (
        target,
        *(entry.node for entry in entries),
        *(item.node for item in affected),
        *(graph.nodes[node_id] for node_id in (*superseding, *on_paths, *guides)),
    )
    return tuple(sorted({graph.file, *(node.file for node in nodes)}))
