"""`yg decisions`: list the decision records, and the nodes that rest on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from yg_old.commands.command import Command
from yg_old.commands.request import Operand, Request, Revision
from yg_old.kernel.document import Count, Document, File, Record, Text, about
from yg_old.kernel.errors import NotFoundError
from yg_old.kernel.palette import visible
from yg_old.text.suggest import listing
from yg_old.yggdrasil.places import DECISIONS
from yg_old.yggdrasil.resolve import ancestors, effective_aspects, referring_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.yggdrasil.decisions import Decision
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Aspect, Node


class DecisionsRequest(Request["DecisionList"], frozen=True, kw_only=True):
    """The node whose decisions to list; without one, all decisions."""

    node: Annotated[str | None, Operand("NODE", "list those that its package names")] = None
    at: Revision = None


class ListedDecision(Record, frozen=True, kw_only=True):
    """One decision record."""

    number: Annotated[Count, about("Its number.")]
    title: Annotated[Text, about("Its first heading, without the number.")]
    status: Annotated[Text, about("Its status, as written; `accepted` if it has none.")]
    in_force: Annotated[
        bool, about("Whether it is neither superseded nor deprecated nor rejected.")
    ]
    file: File
    successors: Annotated[
        Annotated[tuple[Count, ...], Meta(min_length=1)] | UnsetType,
        about("The decisions that replaced it; absent if none did."),
    ] = UNSET
    last: Annotated[
        Count | UnsetType | None,
        about(
            "The decision at which its successors end; null if they form a circle, absent if "
            "none replaced it."
        ),
    ] = UNSET
    nodes: Annotated[
        tuple[Text, ...], about("The nodes, and aspects as `aspects/ID`, that list it.")
    ]


class DecisionList(Document, frozen=True, kw_only=True, tag="yg-decisions/1"):
    """What `yg decisions --json` prints: the decision records of the repository."""

    folders: Annotated[tuple[Text, ...], about("The folders in which they are.")]
    node: Annotated[
        Text | UnsetType, about("The node whose decisions these are; absent for all.")
    ] = UNSET
    decisions: Annotated[
        tuple[ListedDecision, ...],
        about("The decisions by number; those that are not in force last."),
    ]


class ExplainedDecision(Document, frozen=True, kw_only=True, tag="yg-explain-decision/1"):
    """What `yg explain NUMBER --json` prints: a decision record with its text."""

    decision: Annotated[ListedDecision, about("The decision.")]
    text: Annotated[str, about("The text of its file.")]


def ask(run: Run, request: DecisionsRequest) -> DecisionList:
    """List the decisions, or those that the package of a node names."""
    workspace = run.workspace
    workspace.require_writable("the list of decisions")
    graph = workspace.graph
    node = workspace.node(request.node) if request.node is not None else None
    named = _named(graph, node) if node else None
    listed = listed_decisions(graph)
    return DecisionList(
        folders=graph.decisions.folders,
        node=node.path if node else UNSET,
        decisions=tuple(
            sorted(
                (found for found in listed if named is None or found.number in named),
                key=lambda found: not found.in_force,
            )
        ),
    )


def _named(graph: Graph, node: Node) -> frozenset[int]:
    """Return the numbers of the decisions that the package of a node names."""
    targets = (graph.nodes.get(path) for path in node.structural_targets)
    parts: list[Node | Aspect] = [node, *ancestors(graph, node.path)]
    parts += [effective.aspect for effective in effective_aspects(graph, node)]
    parts += [target for target in targets if target is not None]
    return frozenset(int(number.text) for part in parts for number in part.decisions)


def listed_decisions(graph: Graph) -> Iterator[ListedDecision]:
    """Yield all decisions by number, each with the nodes that list it."""
    users = referring_parts(graph)
    return (_listed(graph, decision, users.get(decision.file, ())) for decision in graph.decisions)


def _listed(graph: Graph, decision: Decision, nodes: tuple[str, ...]) -> ListedDecision:
    return ListedDecision(
        number=decision.number,
        title=decision.title,
        status=decision.status,
        in_force=decision.is_in_force,
        file=decision.file,
        successors=decision.successors or UNSET,
        last=graph.decisions.last_successor(decision.number) if decision.successors else UNSET,
        nodes=nodes,
    )


def explained_decision(run: Run, number: int) -> ExplainedDecision:
    """Return a decision with its text."""
    workspace = run.workspace
    workspace.require_writable("a decision")
    graph = workspace.graph
    decision = graph.decisions.get(number)
    if decision is None:
        known = list(graph.decisions.files)
        hint = f"The decisions are {known[0]} to {known[-1]}." if known else _nowhere()
        raise NotFoundError(f"there is no decision {number}", hint=hint)
    nodes = referring_parts(graph).get(decision.file, ())
    content = graph.snapshot.text(decision.file).value
    return ExplainedDecision(decision=_listed(graph, decision, nodes), text=content)


def _nowhere() -> str:
    return f"Decision records are looked for in {listing(DECISIONS)}."


def text(found: DecisionList, palette: Palette) -> str:
    """Write a line for each decision: number, title, status and the nodes that list it."""
    if not found.decisions:
        where = f" that '{visible(found.node)}' rests on" if found.node else ""
        return f"There are no decisions{where}.{'' if found.folders else f' {_nowhere()}'}\n"
    width = max(len(str(decision.number)) for decision in found.decisions)
    return "".join(_line(decision, width, palette) for decision in found.decisions)


def _line(decision: ListedDecision, width: int, palette: Palette) -> str:
    nodes = f"  {visible(listing(decision.nodes))}" if decision.nodes else ""
    status = f"({visible(decision.status)})"
    shown = palette.dim(status) if decision.in_force else palette.yellow(status)
    number = palette.bold(f"{decision.number:>{width}}")
    return f"{number}  {visible(decision.title)} {shown}{nodes}\n"


def decision_text(found: ExplainedDecision, palette: Palette) -> str:
    """Write a decision: where it is, what lists it, and its text."""
    from yg_old.text.escapes import escape_controls

    decision = found.decision
    lines = [palette.bold(f"Decision {decision.number} ({visible(decision.status)})")]
    lines += [f"File: {visible(decision.file)}"]
    lines += [f"Listed by: {visible(listing(decision.nodes))}"] * bool(decision.nodes)
    if decision.successors:
        first, last = decision.successors[0], decision.last
        end = "" if last == first else " -> .." if last is None else f" -> {last}"
        lines.append(f"Replaced by: {first}{end}")
    body = escape_controls(found.text.replace("\r\n", "\n").strip("\n"))
    return "\n".join((*lines, "", body)) + "\n"


COMMAND = Command(request=DecisionsRequest, documents=(DecisionList,), ask=ask, text=text)
