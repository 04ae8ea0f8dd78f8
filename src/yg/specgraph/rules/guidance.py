"""Rules about guidance: what tells nodes two things at once, or what no longer holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.kernel.suggest import listing
from yg.specgraph.conflicts import competing_decisions, overlapping_policies
from yg.specgraph.model import DECISION, LinkKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.specgraph.graph import Graph


@rule("W101", "ambiguous-decisions", Severity.WARNING)
def ambiguous_decisions(graph: Graph) -> Iterator[Finding]:
    """No node gets two decisions of the same category from its layers.

    A decision that another one supersedes does not count where both reach the node.

    Why: the reader of the node's context cannot tell which of the decisions to follow.
    Fix: let one decision supersede the others, or give the node's needs a layer of their own.
    Example:
        layer DATA contains DEC-SQL and DEC-DOCUMENTS, both of category stack    # W101 above it
    """
    known: dict[int, tuple[tuple[str, tuple[str, ...]], ...]] = {}
    for node in graph.nodes.values():
        guides = graph.guidance.left_of_layers(node.id)
        if guides not in known:
            known[guides] = tuple(_competing(graph, guides))
        for message, ids in known[guides]:
            yield Finding(node.id, message, Place(node.file), (), ids)


def _competing(graph: Graph, guides: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a message for each category of which there are several decisions, and those."""
    nodes = (graph.nodes[each] for each in graph.guidance.members(guides))
    decisions = competing_decisions(node for node in nodes if node.type == DECISION)
    for category, ids in decisions.items():
        yield f"decisions about {category} reach it through layers: {listing(ids)}", ids


@rule("W102", "policy-overlap", Severity.WARNING)
def policy_overlap(graph: Graph) -> Iterator[Finding]:
    """No statement is a hard policy here and a soft one there.

    White space and the case of letters make no difference.

    Why: whoever meets the soft one believes that it may be bent.
    Fix: keep one of the policies, and let it constrain what the others did.
    Example:
        POL-1 (hard): "Pages load in a second."  POL-2 (soft): "Pages load in a second."    # W102
    """
    for hard, soft in overlapping_policies(graph.nodes.values()):
        first = soft[0]
        place = first.place(first.severity) if first.severity else Place(first.file)
        names = listing(each.id for each in hard)
        message = f"is soft, but the same statement is hard in {names}"
        yield Finding(first.id, message, place, (), tuple(each.id for each in (*hard, *soft[1:])))


@rule("W103", "superseded-in-use", Severity.WARNING)
def superseded_in_use(graph: Graph) -> Iterator[Finding]:
    """Nothing depends on a node that another one supersedes, unless it is superseded itself.

    Why: work goes on along lines that have been given up.
    Fix: depend on the node that supersedes it.
    Example:
        DEC-2 supersedes DEC-1, AUTH-01 depends_on DEC-1    # W103 on AUTH-01
    """
    for node in graph.nodes.values():
        if graph.superseders(node.id):
            continue
        for word in node.linked(LinkKind.DEPENDS_ON):
            by = graph.superseders(word.text)
            if by and word.text in graph.nodes and word.text != node.id:
                message = f"depends on '{word}', which {listing(by)} supersedes"
                yield Finding(node.id, message, node.place(word), (), (word.text, *by))
