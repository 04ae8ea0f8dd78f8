"""Rules about guidance that is contradictory or superseded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.kernel.suggest import listing
from yg.specgraph.conflicts import overlapping_policies
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import LinkKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.specgraph.graph import SpecGraph
    from yg.specgraph.guidance import Guidance


@rule("W101", "ambiguous-decisions", Severity.WARNING)
def ambiguous_decisions(graph: SpecGraph) -> Iterator[Finding]:
    """No node gets two decisions of the same category from its layers.

    A superseded decision does not count if the decision that supersedes it also reaches the node.

    Why: the context does not say which of the decisions to follow.
    Fix: let one decision supersede the others, or move one of them to a separate layer.
    Example:
        layer DATA contains DEC-SQL and DEC-NOSQL, both of category stack    # W101 for its users
    """
    guidance = guidance_of(graph)
    messages: dict[int, tuple[str, ...]] = {}  # cached, since most nodes share their layers
    for node in graph.nodes.values():
        passed_on = guidance.left_of_layers(node.id)
        if passed_on not in messages:
            messages[passed_on] = tuple(_competing(guidance, passed_on))
        for message in messages[passed_on]:
            yield Finding(node.id, message, Place(node.file))


def _competing(guidance: Guidance, passed_on: int) -> Iterator[str]:
    """Yield a message for each category with more than one decision."""
    for category, decisions in guidance.categories.items():
        competing = passed_on & decisions
        if competing.bit_count() > 1:
            names = guidance.listing(competing)
            yield f"several decisions about {category} from its layers: {names}"


@rule("W102", "policy-overlap", Severity.WARNING)
def policy_overlap(graph: SpecGraph) -> Iterator[Finding]:
    """No statement is a hard policy in one node and a soft policy in another.

    White space and case are ignored.

    Why: readers of the soft policy do not know that the statement is mandatory.
    Fix: keep one of the policies, and let it constrain the targets of the others.
    Example:
        POL-1 (hard): "Pages load in a second."  POL-2 (soft): "Pages load in a second."    # W102
    """
    for hard, soft in overlapping_policies(graph.nodes.values()):
        first = soft[0]
        place = graph.place(first, "severity")
        names = listing([policy.id for policy in hard])
        message = f"is soft, but the same statement is hard in {names}"
        also = tuple(policy.id for policy in (*hard, *soft[1:]))
        yield Finding(first.id, message, place, (), also)


@rule("W103", "superseded-in-use", Severity.WARNING)
def superseded_in_use(graph: SpecGraph) -> Iterator[Finding]:
    """No node depends on a superseded node, unless it is superseded itself.

    Why: the superseded node no longer applies, so work based on it goes in the wrong direction.
    Fix: depend on the node that supersedes it.
    Example:
        DEC-2 supersedes DEC-1, AUTH-01 depends_on DEC-1    # W103 on AUTH-01
    """
    superseded = {
        node_id: (listing(others), (node_id, *others))
        for node_id in graph.nodes
        if (others := graph.superseders(node_id))
    }
    for node in graph.nodes.values():
        if node.id in superseded:
            continue
        for target in node.targets(LinkKind.DEPENDS_ON):
            if target in superseded:
                by, also = superseded[target]
                message = f"depends on '{target}', which is superseded by {by}"
                place = graph.place(node, "links", LinkKind.DEPENDS_ON, target)
                yield Finding(node.id, message, place, (), also)
