"""The warnings of a context: what its reader has to know about the graph it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.specgraph.conflicts import competing_decisions, overlapping_policies
from yg.specgraph.document import collapsed, listed
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import DECISION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node
    from yg.specgraph.resolve import Missing
    from yg.specgraph.surroundings import Guide


def caveats(
    graph: Graph,
    included: Sequence[Node],  # the target among them
    guides: Mapping[str, Guide],
    missing: Sequence[Missing],
) -> Iterator[str]:
    """Yield every warning but the one about the target itself, in their order."""
    for each in missing:
        yield f"Missing target: {each.source} {each.edge_type} {collapsed(each.target)}."
    for group in sorted(
        {graph.cycle_of[each.id] for each in included if each.id in graph.cycle_of}
    ):
        yield f"depends_on cycle among: {listed(group)}."
    yield from _contradictions(graph, guides)
    for decision in sorted(node.id for node in included if _lacks_rationale(node)):
        yield f"Decision {decision} has no metadata.rationale."
    for group in guidance_of(graph).supersession_cycles:
        if sum(each in guides for each in group) > 1:
            yield f"Supersedes cycle: {listed(group)}."


def _contradictions(graph: Graph, guides: Mapping[str, Guide]) -> Iterator[str]:
    handed_on = (graph.nodes[each] for each, guide in guides.items() if guide.via_layers)
    decisions = competing_decisions(node for node in handed_on if node.type == DECISION)
    for category, ids in decisions.items():
        yield f"Ambiguous propagated decisions in category '{collapsed(category)}': {listed(ids)}."
    for hard, soft in overlapping_policies(graph.nodes[each] for each in guides):
        first, second = (listed(node.id for node in each) for each in (hard, soft))
        yield f"Hard policies {first} override soft policies {second} (same statement)."


def _lacks_rationale(node: Node) -> bool:
    return node.type == DECISION and not node.rationale
