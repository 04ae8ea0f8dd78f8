"""Render the impact of a change as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from yg.render.deps import import_lines, imports_data
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeVar

    from msgspec import UnsetType

    from yg.kernel.impact import (
        AncestorLink,
        Dependent,
        EventLink,
        NodeImpact,
        Reached,
        Sharing,
        Tie,
    )
    from yg.render.shapes.impact import (
        AspectImpactDocument,
        DependentNode,
        FlowImpactDocument,
        NodeImpactDocument,
    )
    from yg.render.shapes.issues import Skipped
    from yg.yggdrasil.evidence import ImportPlaces
    from yg.yggdrasil.impact import AspectImpact, Carrier, FlowImpact

    T = TypeVar("T")
    Shape = TypeVar("Shape")

LONGEST = 8  # longest chain to write in full
FEW = 10  # nodes sharing aspects that are listed unless all are asked for
NONE = "(none)"


def node_impact_text(
    impact: NodeImpact,
    importing: Sequence[ImportPlaces] | None = None,
    *,
    every: bool = False,
) -> str:
    """Write the impact of a change to a node, with the nodes that only import it.

    Of the nodes that share an aspect the first ten are listed, unless `every` one is asked for.
    """
    method = f" (method {impact.method})" if impact.method else ""
    head = f"Impact of changes in {visible(impact.node)}{visible(method)}:\n"
    sections = "".join(_sections(impact, every=every))
    if importing is not None:
        lines = import_lines("Only importing it (no relation)", importing)
        sections += "".join(f"{line}\n" for line in lines)
    return (
        f"{head}{_unused_method(impact)}\n{sections}\nTotal scope: {', '.join(_totals(impact))}\n"
    )


def _unused_method(impact: NodeImpact) -> str:
    """Write a line if no node consumes the method, with the names that nodes do consume."""
    if not impact.method or impact.method in impact.consumed:
        return ""
    head = f"No node consumes {visible(impact.method)} by name"
    if not impact.consumed:
        return f"{head}: no relation to this node has 'consumes'.\n"
    return f"{head}. Consumed: {_listed(impact.consumed)}.\n"


def _sections(impact: NodeImpact, *, every: bool) -> Iterator[str]:
    """Yield a section per kind of impact; kinds that this graph does not have are omitted."""
    by = {reached.node: reached.by for reached in impact.transitive}
    yield section("Directly dependent", (_direct(node) for node in impact.direct))
    yield section("Transitively dependent", (_chain(node, by) for node in impact.transitive))
    if impact.events is not None:
        yield section("Event-dependent", (_event_line(link) for link in impact.events))
    if impact.through_ancestors:
        yield section("Through ancestors", map(_ancestor_line, impact.through_ancestors))
    if impact.named_by is not None:
        yield section("Named by", (_direct(node) for node in impact.named_by))
    if impact.guided is not None:
        yield section(
            "Guided", (f"{visible(e.node)} ({_listed(e.reasons)})" for e in impact.guided)
        )
    yield section("Descendants (hierarchy impact)", map(visible, impact.descendants))
    if impact.flows is not None:
        yield f"Flows: {_listed(impact.flows)}\n"
    if impact.aspects is not None:
        yield f"Aspects (scope covers node): {_listed(impact.aspects)}\n"
    if impact.sharing is not None:
        yield section("Nodes sharing aspects", _sharing_lines(impact.sharing, every=every))


def _sharing_lines(sharing: Sequence[Sharing], *, every: bool) -> Iterator[str]:
    shown = sharing if every else sharing[:FEW]
    for node in shown:
        yield f"{visible(node.node)} ({_listed(node.aspects)})"
    if len(shown) < len(sharing):
        yield f".. and {len(sharing) - len(shown)} more (--all lists them)"


def _totals(impact: NodeImpact) -> Iterator[str]:
    yield f"{len(impact.affected)} nodes"
    if impact.flows is not None:
        yield f"{len(impact.flows)} flows"
    if impact.aspects is not None:
        yield f"{len(impact.aspects)} aspects"


def section(title: str, lines: Iterable[str]) -> str:
    """Write a title and the lines below it."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"{title}:\n{body}" if body else f"{title}: {NONE}\n"


def _direct(dependent: Dependent) -> str:
    ties = "; ".join(dict.fromkeys(_tie(tie) for tie in dependent.ties))
    return f"<- {visible(dependent.node)} ({ties})"


def _event_line(link: EventLink) -> str:
    return f"<- {visible(link.node)} ({link.kind}: {visible(link.event)})"


def _ancestor_line(link: AncestorLink) -> str:
    return f"<- {visible(link.node)} ({link.kind} {visible(link.ancestor)})"


def _tie(tie: Tie) -> str:
    consumed = ", ".join(visible(name) for name in tie.consumes)
    return f"{tie.kind}, you consume: {consumed}" if consumed else tie.kind


def _chain(reached: Reached, by: dict[str, str]) -> str:
    """Write the chain from a direct dependent to a node; shorten long chains in the middle."""
    if reached.links > LONGEST:
        links = [*reached.opening, f".. {reached.links - 3} more ..", reached.node]
    else:
        links = [reached.node]
        while links[-1] in by:
            links.append(by[links[-1]])
        links.reverse()
    return " ".join(f"<- {visible(link)}" for link in links)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(visible(name) for name in names) or NONE


def aspect_impact_text(impact: AspectImpact) -> str:
    """Write the impact of a change to an aspect."""
    carriers = (f"{visible(node.node)} ({_reasons(node)})" for node in impact.carriers)
    parts = [
        section(f"Affected nodes ({len(impact.carriers)})", carriers),
        f"Flows propagating this aspect: {_listed(impact.flows)}\n",
        f"Implied by: {_listed(impact.implied_by)}\n",
        f"Implies: {_listed(impact.implies)}\n",
    ]
    totals = f"{len(impact.carriers)} nodes, {len(impact.flows)} flows"
    head = f"Impact of changes in aspect {visible(impact.aspect)}:\n"
    return f"{head}\n{''.join(parts)}\nTotal scope: {totals}\n"


def _reasons(carrier: Carrier) -> str:
    words = (f"flow: {each.name}" if each.is_flow else str(each) for each in carrier.reasons)
    return visible(", ".join(words))


def flow_impact_text(impact: FlowImpact) -> str:
    """Write the impact of a change to a flow."""
    participants = (
        visible(path) + (" (descendant)" if is_descendant else "")
        for path, is_descendant in impact.participants
    )
    parts = [section("Participants", participants), f"Flow aspects: {_listed(impact.aspects)}\n"]
    head = f"Impact of changes in flow {visible(impact.name)}:\n"
    return f"{head}\n{''.join(parts)}\nTotal scope: {len(impact.participants)} nodes\n"


def node_impact_data(
    impact: NodeImpact,
    skipped: list[Skipped],
    *,
    importing: Sequence[ImportPlaces] | None = None,
) -> NodeImpactDocument:
    """Return the impact of a change to a node as data, with the nodes that only import it."""
    from yg.render.shapes import impact as shapes

    return shapes.NodeImpactDocument(
        node=impact.node,
        method=UNSET if impact.method is None else impact.method or None,
        consumed=UNSET if impact.method is None else list(impact.consumed),
        direct=[_dependent(node) for node in impact.direct],
        transitive=[shapes.ReachedNode(node=each.node, by=each.by) for each in impact.transitive],
        events=_listing(
            impact.events,
            lambda link: shapes.EventNode(node=link.node, type=link.kind, event=link.event),
        ),
        through_ancestors=_listing(
            impact.through_ancestors,
            lambda link: shapes.AncestorNode(
                node=link.node, type=link.kind, ancestor=link.ancestor
            ),
        ),
        named_by=_listing(impact.named_by, _dependent),
        guided=_listing(
            impact.guided,
            lambda each: shapes.GuidedNode(node=each.node, because=list(each.reasons)),
        ),
        descendants=list(impact.descendants),
        flows=_listing(impact.flows, str),
        aspects=_listing(impact.aspects, str),
        sharing=_listing(
            impact.sharing,
            lambda each: shapes.SharingNode(node=each.node, aspects=list(each.aspects)),
        ),
        affected=list(impact.affected),
        importing=UNSET if importing is None else imports_data(importing),
        skipped=skipped,
    )


def _listing(items: Iterable[T] | None, data: Callable[[T], Shape]) -> list[Shape] | UnsetType:
    return UNSET if items is None else [data(item) for item in items]


def _dependent(dependent: Dependent) -> DependentNode:
    from yg.render.shapes.impact import DependentNode, TieRecord

    ties = [TieRecord(type=tie.kind, consumes=list(tie.consumes)) for tie in dependent.ties]
    return DependentNode(node=dependent.node, relations=ties)


def aspect_impact_data(impact: AspectImpact, skipped: list[Skipped]) -> AspectImpactDocument:
    """Return the impact of a change to an aspect as data."""
    from yg.render.shapes.impact import AspectImpactDocument, CarrierNode

    return AspectImpactDocument(
        aspect=impact.aspect,
        carriers=[
            CarrierNode(node=each.node, because=[str(reason) for reason in each.reasons])
            for each in impact.carriers
        ],
        flows=list(impact.flows),
        implied_by=list(impact.implied_by),
        implies=list(impact.implies),
        affected=list(impact.affected),
        skipped=skipped,
    )


def flow_impact_data(impact: FlowImpact, skipped: list[Skipped]) -> FlowImpactDocument:
    """Return the impact of a change to a flow as data."""
    from yg.render.shapes.impact import FlowImpactDocument, ParticipantNode

    return FlowImpactDocument(
        flow=impact.flow,
        name=impact.name,
        participants=[
            ParticipantNode(node=path, descendant=is_descendant)
            for path, is_descendant in impact.participants
        ],
        aspects=list(impact.aspects),
        affected=list(impact.affected),
        skipped=skipped,
    )
