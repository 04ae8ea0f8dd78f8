"""Rules about cycles: what needs itself can neither be built nor read to an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.cycles import others, written_out
from yg.kernel.digraph import cyclic_groups, shortest_cycle
from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.survey import Survey


@rule("E010", "structural-cycle", Severity.ERROR)
def structural_cycle(survey: Survey) -> Iterator[Finding]:
    """Structural relations (uses, calls, extends, implements) form no cycle.

    A cycle that passes through a blackbox node is tolerated: nothing is built from that node.

    Why: in a cycle there is no order in which nodes can be built, and no first contract.
    Fix: turn one relation round, replace it by an event, or move what both need to a third node.
    Example:
        # orders: calls payments; payments: calls orders
        orders -> payments -> orders    # E010
    """
    nodes = {node.path: node for node in survey.nodes if not node.is_blackbox}
    edges = {path: node.structural_targets for path, node in nodes.items()}
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first, second = nodes[cycle[0]], cycle[1 % len(cycle)]
        relation = next(
            each
            for each in first.relations
            if each.kind.is_structural and each.target.text == second
        )
        message = f"structural cycle: {written_out(cycle)}"
        yield Finding(
            first.path, message, first.place(relation.target), others(group, cycle), group
        )


@rule("E017", "aspect-implies-cycle", Severity.ERROR)
def aspect_implies_cycle(survey: Survey) -> Iterator[Finding]:
    """Aspects do not imply one another in a circle.

    Why: every aspect of the circle means all of them, so that their difference says nothing.
    Fix: take one `implies` out of the circle, or make the aspects one.
    Example:
        # aspects/audit: implies logging; aspects/logging: implies audit
        audit -> logging -> audit    # E017
    """
    aspects = {aspect.id: aspect for aspect in survey.aspects}
    edges = {each: [word.text for word in aspect.implies] for each, aspect in aspects.items()}
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first, second = aspects[cycle[0]], cycle[1 % len(cycle)]
        word = next(word for word in first.implies if word.text == second)
        message = f"aspects imply one another: {written_out(cycle)}"
        subject = f"aspects/{first.id}"
        yield Finding(subject, message, first.place(word), others(group, cycle))
