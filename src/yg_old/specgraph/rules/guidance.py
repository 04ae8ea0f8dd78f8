"""Rules about guidance that is contradictory or superseded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.specgraph.context.conflicts import overlapping_policies
from yg_old.specgraph.context.guidance import guidance_of
from yg_old.specgraph.model import DECISION, POLICY, LinkKind
from yg_old.text.plural import counted
from yg_old.text.suggest import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.context.guidance import Guidance
    from yg_old.specgraph.graph import SpecGraph


@rule("W101", "ambiguous-decisions", Severity.WARNING)
def ambiguous_decisions(graph: SpecGraph) -> Iterator[Finding]:
    """No node gets two decisions of the same category from its layers.

    A superseded decision does not count if the decision that supersedes it also reaches the node,
    or is the node. The warning is on the first of the decisions.

    Why: the context does not say which of the decisions to follow.
    Fix: let one decision supersede the others, or move one of them to a separate layer.
    Example:
        layer DATA contains DEC-SQL and DEC-NOSQL, both of category stack    # W101 for its users
    """
    guidance = guidance_of(graph)
    reached: dict[tuple[str, int], list[str]] = {}  # by category and set of decisions
    for node in graph.nodes.values():
        passed_on = guidance.left(node.id) & guidance.reaching(node.id)
        for category in _competing(guidance, passed_on):
            if node.type != DECISION or node.category != category:
                decisions = passed_on & guidance.categories[category]
                reached.setdefault((category, decisions), []).append(node.id)
    for (category, decisions), node_ids in reached.items():
        first, *rest = guidance.members(decisions)
        names = guidance.listing(decisions & ~guidance.bits[first])
        message = (
            f"competes with {names} about {category} "
            f"in {counted(len(node_ids), 'node')}: {listing(node_ids, SHOWN_NODES)}"
        )
        place = graph.place(graph.nodes[first], "category")
        yield Finding(first, message, place, (), (*rest, *node_ids))


SHOWN_NODES = 3


def _competing(guidance: Guidance, passed_on: int) -> Iterator[str]:
    """Yield the categories with more than one decision."""
    for category, decisions in guidance.categories.items():
        if (passed_on & decisions).bit_count() > 1:
            yield category


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


@rule("W107", "policy-without-reach", Severity.WARNING)
def policy_without_reach(graph: SpecGraph) -> Iterator[Finding]:
    """Every policy constrains something.

    A policy applies to the targets of its `constrains` links, to what they contain, and to the
    users of layers among them. It does not apply to its neighbours in a group or layer. A policy
    with an error in its file is not checked.

    Why: the policy is in no context as guidance, so nobody follows it.
    Fix: add the nodes, features or layers that it applies to under `links.constrains`.
    Example:
        {"id": "POL-1", "type": "policy", "links": {}}    # W107
    """
    for node in graph.nodes.values():
        is_idle = node.type == POLICY and not set(node.targets(LinkKind.CONSTRAINS)) - {node.id}
        if is_idle and not graph.readings[node.id].notes:
            yield Finding(node.id, "the policy constrains nothing", Place(node.file))
