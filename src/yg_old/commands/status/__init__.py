"""`yg status`: show statistics about the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET
from msgspec.structs import replace

from yg_old.commands.command import Command
from yg_old.commands.request import Option, Request, Revision, Tokenizer
from yg_old.commands.status.graph import GraphStatus, checked, graph_text
from yg_old.workspace import results

if TYPE_CHECKING:
    from yg_old.commands.command import Run
    from yg_old.commands.status.yggdrasil import StatusDocument
    from yg_old.kernel.document import Document
    from yg_old.kernel.palette import Palette


class StatusRequest(Request["GraphStatus | StatusDocument"], frozen=True, kw_only=True):
    """Which state of the graph to count, and what counts tokens."""

    at: Revision = None
    since: Annotated[
        str | None, Option(metavar="REV", help="show also what differs from this commit")
    ] = None
    tokenizer: Tokenizer = None


def ask(run: Run, request: StatusRequest) -> GraphStatus | StatusDocument:
    """Count the nodes, links and issues of the graph."""
    workspace = run.workspace
    document: GraphStatus | StatusDocument
    if workspace.format.is_yggdrasil:
        from yg_old.commands.status.yggdrasil import status

        document = status(run)
    else:
        document = GraphStatus(**checked(workspace.queries.status(), results.verdict(workspace)))
    if request.since is None:
        return document
    from yg_old.commands.status.differences import since_of

    return replace(document, since=since_of(run.workspace, request.since))


def text(document: GraphStatus | StatusDocument, _palette: Palette) -> str:
    """Write the statistics of a graph."""
    if document.since is UNSET:
        return _numbers_text(document)
    from yg_old.commands.status.differences import since_text

    return _numbers_text(document) + since_text(document.since)


def _numbers_text(document: GraphStatus | StatusDocument) -> str:
    if isinstance(document, GraphStatus):
        return graph_text(document)
    from yg_old.commands.status.yggdrasil import quality_text, summary_text

    summary = summary_text(document, document.drift, steps=document.steps)
    return summary + quality_text(document, document.packages)


def documents() -> tuple[type[Document], ...]:
    """Return both documents; a Spec Graph does not need the one of Yggdrasil graphs."""
    from yg_old.commands.status.yggdrasil import StatusDocument

    return (StatusDocument, GraphStatus)


COMMAND = Command(request=StatusRequest, documents=documents, ask=ask, text=text)
