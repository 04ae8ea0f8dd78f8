"""What a change reaches, as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.render.plain import visible
from yg.yggdrasil.resolve import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.yggdrasil.impact import (
        AspectImpact,
        Carrier,
        Dependent,
        FlowImpact,
        NodeImpact,
        Reached,
    )
    from yg.yggdrasil.model import Relation

LONGEST = 8  # links of a chain that are written out
NONE = "(none)"


def node_impact_text(impact: NodeImpact) -> str:
    """Write what a change to a node reaches."""
    what = f" (method {impact.method})" if impact.method else ""
    by = {each.node: each.by for each in impact.transitive}
    sections = [
        section("Directly dependent", (_direct(each) for each in impact.direct)),
        section("Transitively dependent", (_chain(each, by) for each in impact.transitive)),
        section(
            "Event-dependent",
            (
                f"<- {visible(each.node)} ({each.kind}: {visible(each.event)})"
                for each in impact.events
            ),
        ),
        section("Descendants (hierarchy impact)", map(visible, impact.descendants)),
        f"Flows: {_listed(impact.flows)}\n",
        f"Aspects (scope covers node): {_listed(impact.aspects)}\n",
        section(
            "Nodes sharing aspects",
            (f"{visible(each.node)} ({_listed(each.aspects)})" for each in impact.sharing),
        ),
    ]
    totals = (
        f"{len(impact.affected)} nodes, {len(impact.flows)} flows, {len(impact.aspects)} aspects"
    )
    head = f"Impact of changes in {visible(impact.node)}{visible(what)}:\n"
    return f"{head}\n{''.join(sections)}\nTotal scope: {totals}\n"


def section(title: str, lines: Iterable[str]) -> str:
    """Write a title and the lines below it."""
    found = [f"  {line}\n" for line in lines]
    return f"{title}:\n{''.join(found)}" if found else f"{title}: {NONE}\n"


def _direct(each: Dependent) -> str:
    relations = "; ".join(dict.fromkeys(_relation(relation) for relation in each.relations))
    return f"<- {visible(each.node)} ({relations})"


def _relation(relation: Relation) -> str:
    consumed = ", ".join(visible(name) for name in relation.consumes)
    return f"{relation.kind}, you consume: {consumed}" if consumed else str(relation.kind)


def _chain(reached: Reached, by: dict[str, str]) -> str:
    """Write the way from a direct dependent to a node; a long one is shortened in the middle."""
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
    """Write what a change to an aspect reaches."""
    carriers = (f"{visible(each.node)} ({_reasons(each)})" for each in impact.carriers)
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
    words = (
        f"flow: {each.name}" if each.source is Source.FLOW else str(each)
        for each in carrier.because
    )
    return visible(", ".join(words))


def flow_impact_text(impact: FlowImpact) -> str:
    """Write what a change to a flow reaches."""
    participants = (
        visible(path) + (" (descendant)" if is_descendant else "")
        for path, is_descendant in impact.participants
    )
    parts = [section("Participants", participants), f"Flow aspects: {_listed(impact.aspects)}\n"]
    head = f"Impact of changes in flow {visible(impact.name)}:\n"
    return f"{head}\n{''.join(parts)}\nTotal scope: {len(impact.participants)} nodes\n"


def node_impact_data(impact: NodeImpact) -> dict[str, Any]:
    """Return what a change to a node reaches as plain data."""
    return {
        "mode": "node",
        "node": impact.node,
        "method": impact.method or None,
        "direct": [
            {
                "node": each.node,
                "relations": [
                    {"type": relation.kind.value, "consumes": list(relation.consumes)}
                    for relation in each.relations
                ],
            }
            for each in impact.direct
        ],
        "transitive": [{"node": each.node, "by": each.by} for each in impact.transitive],
        "events": [
            {"node": each.node, "type": each.kind.value, "event": each.event}
            for each in impact.events
        ],
        "descendants": list(impact.descendants),
        "flows": list(impact.flows),
        "aspects": list(impact.aspects),
        "sharing": [{"node": each.node, "aspects": list(each.aspects)} for each in impact.sharing],
        "affected": list(impact.affected),
    }


def aspect_impact_data(impact: AspectImpact) -> dict[str, Any]:
    """Return what a change to an aspect reaches as plain data."""
    return {
        "mode": "aspect",
        "aspect": impact.aspect,
        "carriers": [
            {"node": each.node, "because": [str(reason) for reason in each.because]}
            for each in impact.carriers
        ],
        "flows": list(impact.flows),
        "implied_by": list(impact.implied_by),
        "implies": list(impact.implies),
        "affected": list(impact.affected),
    }


def flow_impact_data(impact: FlowImpact) -> dict[str, Any]:
    """Return what a change to a flow reaches as plain data."""
    return {
        "mode": "flow",
        "flow": impact.flow,
        "name": impact.name,
        "participants": [
            {"node": path, "descendant": is_descendant}
            for path, is_descendant in impact.participants
        ],
        "aspects": list(impact.aspects),
        "affected": list(impact.affected),
    }
