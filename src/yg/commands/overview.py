"""`yg overview`: the graph on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from yg.commands.command import Command, Tool
from yg.commands.issues import SkippedEntries, skipped_data
from yg.commands.request import Request
from yg.disk.index.changes import DRIFT, TEXTS
from yg.kernel.codec import Codec
from yg.kernel.document import Count, Document, Record, Text, about
from yg.kernel.palette import visible
from yg.text.escapes import one_line
from yg.text.paths import ROOT, name_of
from yg.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.commands.command import Run
    from yg.kernel.palette import Palette
    from yg.workspace.opened import OpenWorkspace
    from yg.yggdrasil.model import Node

LONGEST = 2_400  # characters: 600 tokens
COMMANDS = (
    "`yg brief FILE` says what to know before changing a file; `yg find WORD` searches the graph."
)


class OverviewRequest(Request["Overview"], frozen=True, kw_only=True):
    """The graph as a whole."""


class TopNode(Record, frozen=True, kw_only=True):
    """One node at the top of the graph."""

    path: Annotated[Text, about("Its path.")]
    summary: Annotated[
        str, about("The first sentence of its responsibility; empty if nobody has written it.")
    ]
    children: Annotated[tuple[Text, ...], about("The names of the nodes below it, sorted.")]


class AspectName(Record, frozen=True, kw_only=True):
    """One aspect."""

    id: Annotated[Text, about("Its id.")]
    name: Annotated[str, about("Its name.")]


class Overview(Document, frozen=True, kw_only=True, tag="yg-overview/1"):
    """What `yg overview --json` prints: the graph on one page."""

    project: Annotated[Text, about("The name of the project.")]
    summary: Annotated[str, about("What its root node says it does; empty if there is none.")]
    nodes: Annotated[tuple[TopNode, ...], about("The nodes at the top of the graph, by path.")]
    aspects: Annotated[tuple[AspectName, ...], about("All aspects, by id.")]
    stale: Annotated[
        Count | UnsetType,
        about("The number of nodes whose code changed after their texts were confirmed."),
    ] = UNSET
    skipped: SkippedEntries


_OVERVIEW: Codec[Overview] = Codec(Overview)
_STALE: Codec[tuple[int, str]] = Codec(tuple[int, str])


def ask(run: Run, _request: OverviewRequest) -> Overview:
    """Return the overview, with the number of stale nodes if the graph has baselines."""
    found = overview_of(run.workspace)
    return replace(found, stale=stale_nodes(run.workspace))


def overview_of(workspace: OpenWorkspace) -> Overview:
    """Return what the texts of the graph say, whatever the state of the code."""
    workspace.require_yggdrasil("an overview")
    return workspace.result("overview", TEXTS, _OVERVIEW, lambda: _found(workspace))


def _found(workspace: OpenWorkspace) -> Overview:
    from yg.yggdrasil.resolve import children

    graph = workspace.graph
    below = children(graph)
    root = graph.nodes.get(ROOT)
    return Overview(
        project=workspace.repository_name,
        summary=_summary(workspace, root),
        nodes=tuple(
            TopNode(
                path=path,
                summary=_summary(workspace, graph.nodes.get(path)),
                children=tuple(sorted(map(name_of, below.get(path, ())))),
            )
            for path in sorted(below.get(ROOT, ()))
        ),
        aspects=tuple(AspectName(id=aspect.id, name=aspect.name) for aspect in graph.aspects),
        skipped=skipped_data(workspace.skipped()),
    )


def _summary(workspace: OpenWorkspace, node: Node | None) -> str:
    from yg.text.excerpt import first_sentence
    from yg.yggdrasil.questions.brief import responsibility_of

    return first_sentence(responsibility_of(workspace.graph, node)) if node else ""


def stale_nodes(workspace: OpenWorkspace) -> int | UnsetType:
    """Count the nodes whose code changed since their baselines in a way that texts may show."""
    if not workspace.format.has_drift or workspace.commit:
        return UNSET
    return workspace.result(
        "stale nodes",
        DRIFT,
        _STALE,
        lambda: _counted(workspace),
        holds=lambda found: not found[1] or found[1] == _git_state(workspace),
    )[0]


def _counted(workspace: OpenWorkspace) -> tuple[int, str]:
    """Count them; return also the state of git in which it did not have some old content."""
    from yg.commands.drift.find import find_drift
    from yg.commands.review.find import counted_changes

    found = find_drift(workspace, None)
    return sum(1 for drift in found.drifts if counted_changes(drift)), found.lacking_in


def _git_state(workspace: OpenWorkspace) -> str:
    from yg.commands.drift.recorded import git_state

    return git_state(workspace.root)


def text(overview: Overview, _palette: Palette | None = None) -> str:
    """Write the overview; what does not fit on the page is shortened, then counted."""
    head = f"# {visible(one_line(overview.project))}"
    opening = "\n\n".join(filter(None, [head, overview.summary]))
    closing = [line for line in (_aspects(overview), _stale(overview), COMMANDS) if line]
    room = LONGEST - len(opening) - sum(len(line) + 2 for line in closing) - 2
    nodes = "\n".join(_fitting(overview.nodes, room))
    return "\n\n".join([*filter(None, [opening, nodes]), *closing]) + "\n"


def _fitting(nodes: Sequence[TopNode], room: int) -> list[str]:
    """Return a line for each node: with children while they fit, else shorter ones."""
    for write in (_whole, _without_children, _path):
        lines = [*map(write, nodes)]
        if sum(len(line) + 1 for line in lines) <= room:
            return lines
    shown = [*_while(map(_path, nodes), room - len("- and 1000000 others\n"))]
    return [*shown, f"- and {counted(len(nodes) - len(shown), 'other')}"]


def _while(lines: Iterator[str], room: int) -> Iterator[str]:
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return
        yield line


def _whole(node: TopNode) -> str:
    names = ", ".join(map(visible, node.children))
    return f"{_without_children(node)}{f' ({names})' if names else ''}"


def _without_children(node: TopNode) -> str:
    return f"{_path(node)}{f': {node.summary}' if node.summary else ''}"


def _path(node: TopNode) -> str:
    return f"- {visible(node.path)}"


def _aspects(overview: Overview) -> str:
    """Write the names of the aspects, at most a quarter of the page."""
    names = [visible(one_line(aspect.name or aspect.id)) for aspect in overview.aspects]
    shown = [*_while(iter(names), LONGEST // 4)]
    rest = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
    return f"Aspects: {', '.join(shown)}{rest}." if names else ""


def _stale(overview: Overview) -> str:
    if not overview.stale:
        return ""
    are = "is" if overview.stale == 1 else "are"
    return f"{counted(overview.stale, 'node')} {are} stale: the code changed after the texts."


COMMAND: Command[OverviewRequest, Any] = Command(
    request=OverviewRequest,
    documents=(Overview,),
    ask=ask,
    text=text,
    tool=Tool(
        title="The graph on one page",
        when="Use first in a repository that you do not know: returns what it consists of.",
        when_in_specs=None,
        levels=0,
    ),
)
