"""`yg overview`: the graph on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from yg_old.commands.command import Command, Tool
from yg_old.commands.issues import SkippedEntries, skipped_data
from yg_old.commands.request import Request
from yg_old.disk.index.changes import DRIFT, TEXTS
from yg_old.kernel.codec import Codec
from yg_old.kernel.document import Count, Document, Text, about
from yg_old.kernel.front_page import AspectName, TopNode, page_text
from yg_old.text.paths import ROOT

if TYPE_CHECKING:
    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace


class OverviewRequest(Request["Overview"], frozen=True, kw_only=True):
    """The graph as a whole."""


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
    from yg_old.yggdrasil.package.front_page import aspect_names, summary_of, top_nodes

    graph = workspace.graph
    return Overview(
        project=workspace.repository_name,
        summary=summary_of(graph, ROOT),
        nodes=top_nodes(graph),
        aspects=aspect_names(graph),
        skipped=skipped_data(workspace.skipped()),
    )


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
    from yg_old.commands.drift.find import find_drift
    from yg_old.commands.review.find import counted_changes

    found = find_drift(workspace, None)
    return sum(1 for drift in found.drifts if counted_changes(drift)), found.lacking_in


def _git_state(workspace: OpenWorkspace) -> str:
    from yg_old.commands.drift.recorded import git_state

    return git_state(workspace.root)


def text(overview: Overview, _palette: Palette | None = None) -> str:
    """Write the overview; what does not fit on the page is shortened, then counted."""
    stale = overview.stale or 0
    return page_text(
        overview.project, overview.summary, overview.nodes, overview.aspects, stale=stale
    )


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
