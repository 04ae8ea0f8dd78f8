"""Rules about cycles: what needs itself can neither be built nor read to an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.digraph import cyclic_groups, shortest_cycle
from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.yggdrasil.survey import Survey

MOST_SHOWN = 40  # links of a cycle that are written out


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
    edges = {
        path: [each.target.text for each in node.relations if each.kind.is_structural]
        for path, node in nodes.items()
    }
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first, second = nodes[cycle[0]], cycle[1 % len(cycle)]
        relation = next(
            each
            for each in first.relations
            if each.kind.is_structural and each.target.text == second
        )
        message = f"structural cycle: {_written_out(cycle)}"
        yield Finding(
            first.path, message, first.place(relation.target), _others(group, cycle), group
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
        message = f"aspects imply one another: {_written_out(cycle)}"
        subject = f"aspects/{first.id}"
        yield Finding(subject, message, first.place(word), _others(group, cycle))


def _written_out(cycle: Sequence[str]) -> str:
    links = [*cycle, cycle[0]]
    if len(cycle) > MOST_SHOWN:
        half = MOST_SHOWN // 2
        links[half:-half] = [f".. {len(links) - MOST_SHOWN} more .."]
    return " -> ".join(links)


def _others(group: Sequence[str], cycle: Sequence[str]) -> tuple[str, ...]:
    rest = len(group) - len(cycle)
    return (f"{rest} more in the same tangle of cycles.",) if rest else ()
