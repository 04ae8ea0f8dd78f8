"""Rules about guidance: what tells nodes two things at once, or what no longer holds."""

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

    from yg.specgraph.graph import Graph
    from yg.specgraph.guidance import Guidance


@rule("W101", "ambiguous-decisions", Severity.WARNING)
def ambiguous_decisions(graph: Graph) -> Iterator[Finding]:
    """No node gets two decisions of the same category from its layers.

    A decision that another one supersedes does not count where both reach the node.

    Why: the reader of the node's context cannot tell which of the decisions to follow.
    Fix: let one decision supersede the others, or give the node's needs a layer of their own.
    Example:
        layer DATA contains DEC-SQL and DEC-DOCUMENTS, both of category stack    # W101 above it
    """
    guidance = guidance_of(graph)
    told: dict[int, tuple[str, ...]] = {}  # most nodes share their layers, and so their decisions
    for node in graph.nodes.values():
        handed_on = guidance.left_of_layers(node.id)
        if handed_on not in told:
            told[handed_on] = tuple(_competing(guidance, handed_on))
        for message in told[handed_on]:
            yield Finding(node.id, message, Place(node.file))


def _competing(guidance: Guidance, handed_on: int) -> Iterator[str]:
    """Name the decisions of each category that are several in one set."""
    for category, decisions in guidance.categories.items():
        competing = handed_on & decisions
        if competing.bit_count() > 1:
            names = guidance.listing(competing)
            yield f"decisions about {category} reach it through layers: {names}"


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
        place = graph.place(first, "severity")
        names = listing([each.id for each in hard])
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
    superseded = {
        each: (listing(others), (each, *others))
        for each in graph.nodes
        if (others := graph.superseders(each))
    }
    for node in graph.nodes.values():
        if node.id in superseded:
            continue
        for each in node.targets(LinkKind.DEPENDS_ON):
            if each in superseded:
                by, also = superseded[each]
                message = f"depends on '{each}', which is superseded by {by}"
                place = graph.place(node, "links", LinkKind.DEPENDS_ON, each)
                yield Finding(node.id, message, place, (), also)
