"""The impact of a change to a node: its document and its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from yg_old.commands.budget import Tokenizer
from yg_old.commands.impact.packages import (
    BOTH_OR_NONE,
    NoBaseline,
    SimulatedPackages,
    SimulationNotes,
    simulated,
)
from yg_old.commands.impact.sections import listed, section
from yg_old.commands.importers import import_lines
from yg_old.commands.issues import Skipped, SkippedEntries
from yg_old.kernel.dependencies import ImportingNode
from yg_old.kernel.document import about
from yg_old.kernel.impact import Names, NodeImpact
from yg_old.kernel.palette import visible
from yg_old.text.plural import and_more

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.kernel.impact import AncestorLink, Dependent, EventLink, Reached, Sharing, Tie

LONGEST = 8  # longest chain to write in full
FEW = 10  # nodes sharing aspects that are listed unless all are asked for
# Keys that come together: the first group in Yggdrasil graphs, the second in Spec Graphs.
YGGDRASIL_KEYS = (
    "method",
    "consumed",
    "events",
    "through_ancestors",
    "flows",
    "aspects",
    "sharing",
)
SPECGRAPH_KEYS = ("named_by", "guided")


class ImpactOfNode(NodeImpact, frozen=True, kw_only=True, tag="yg-impact/1"):
    """The impact of a change to a node."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "dependentRequired": {
            **BOTH_OR_NONE,
            **{
                key: [other for other in keys if other != key]
                for keys in (YGGDRASIL_KEYS, SPECGRAPH_KEYS)
                for key in keys
            },
        },
        "oneOf": [{"required": ["method"]}, {"required": ["guided"]}],
    }
    HIDDEN = ("every", "is_used")
    HIDING = (*NodeImpact.HIDING, "packages")

    affected: Annotated[
        Names, about("All affected nodes, sorted; ancestors and shared aspects do not count.")
    ]
    importing: Annotated[
        tuple[ImportingNode, ...] | UnsetType,
        about(
            "With --code, or where the configuration has `code`: the nodes that import it, or use "
            "the method, and have no relation to it, by path."
        ),
    ] = UNSET
    packages: SimulatedPackages = UNSET
    no_baseline: NoBaseline = UNSET
    tokenizer: Tokenizer = UNSET
    notes: SimulationNotes = UNSET
    skipped: SkippedEntries
    is_used: bool = False  # whether code of other nodes names the method
    every: bool = False  # whether the text lists all nodes that share an aspect, not ten


def impact_of_node(  # noqa: PLR0913
    found: NodeImpact,
    skipped: Sequence[Skipped] = (),
    *,
    importing: tuple[ImportingNode, ...] | UnsetType = UNSET,
    is_counted: bool = False,
    is_used: bool = False,
    every: bool = False,
) -> ImpactOfNode:
    """Return the document of an impact, with the nodes that only import the one that changes.

    These are affected, too, if they are counted.
    """
    only = () if importing is UNSET or not is_counted else importing
    return ImpactOfNode(
        **asdict(found),
        affected=tuple(sorted({*found.affected, *(node.node for node in only)})),
        importing=importing,
        skipped=list(skipped),
        is_used=is_used,
        every=every,
    )


def node_text(impact: ImpactOfNode) -> str:
    """Write the impact of a change to a node."""
    method = f" (method {impact.method})" if impact.method else ""
    head = f"Impact of changes in {visible(impact.node)}{visible(method)}:\n"
    sections = "".join(_sections(impact))
    if impact.importing is not UNSET:
        how = "using" if impact.is_used else "importing"
        lines = import_lines(
            f"Only {how} it (no relation)", impact.importing, is_use=impact.is_used
        )
        sections += "".join(f"{line}\n" for line in lines)
    total = f"Total scope: {', '.join(_totals(impact))}\n"
    simulation = simulated(impact.packages, impact.node, no_baseline=impact.no_baseline)
    return f"{head}{_unused_method(impact)}\n{sections}\n{total}{simulation}"


def _unused_method(impact: ImpactOfNode) -> str:
    """Write a line if no node consumes the method, with the names that nodes do consume."""
    if not impact.method or impact.is_used or impact.method in (impact.consumed or ()):
        return ""
    head = f"No node consumes {visible(impact.method)} by name"
    if not impact.consumed:
        return f"{head}: no relation to this node has 'consumes'.\n"
    return f"{head}. Consumed: {listed(impact.consumed)}.\n"


def _sections(impact: ImpactOfNode) -> Iterator[str]:
    """Yield a section per kind of impact; kinds that this graph does not have are omitted."""
    by = {reached.node: reached.by for reached in impact.transitive}
    yield section("Directly dependent", (_direct(node) for node in impact.direct))
    yield section("Transitively dependent", (_chain(node, by) for node in impact.transitive))
    if impact.events is not UNSET:
        yield section("Event-dependent", (_event_line(link) for link in impact.events))
    if impact.through_ancestors:
        yield section("Through ancestors", map(_ancestor_line, impact.through_ancestors))
    if impact.named_by is not UNSET:
        yield section("Named by", (_direct(node) for node in impact.named_by))
    if impact.guided is not UNSET:
        yield section("Guided", (f"{visible(e.node)} ({listed(e.reasons)})" for e in impact.guided))
    yield section("Descendants (hierarchy impact)", map(visible, impact.descendants))
    if impact.flows is not UNSET:
        yield f"Flows: {listed(impact.flows)}\n"
    if impact.aspects is not UNSET:
        yield f"Aspects (scope covers node): {listed(impact.aspects)}\n"
    if impact.sharing is not UNSET:
        yield section("Nodes sharing aspects", _sharing_lines(impact.sharing, every=impact.every))


def _sharing_lines(sharing: Sequence[Sharing], *, every: bool) -> Iterator[str]:
    shown = sharing if every else sharing[:FEW]
    for node in shown:
        yield f"{visible(node.node)} ({listed(node.aspects)})"
    if len(shown) < len(sharing):
        yield and_more(len(sharing) - len(shown), "--all lists them")


def _totals(impact: ImpactOfNode) -> Iterator[str]:
    yield f"{len(impact.affected)} nodes"
    if impact.flows is not UNSET:
        yield f"{len(impact.flows)} flows"
    if impact.aspects is not UNSET:
        yield f"{len(impact.aspects)} aspects"


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
