"""`yg link` and `yg unlink`: add or remove a link of a Spec Graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.request import Argument, DryRun, Operand, Request
from yg_old.commands.write_specs import CHECKED, Written, writer, written
from yg_old.specgraph.edit import write as edit
from yg_old.specgraph.model import LinkKind

if TYPE_CHECKING:
    from yg_old.commands.command import Run


class LinkRequest(Request["Written"], frozen=True, kw_only=True):
    """The link."""

    source: Annotated[
        str,
        Operand("SOURCE", "node that holds the link"),
        Argument("Node that holds the link.", "AUTH"),
    ]
    edge: Annotated[
        LinkKind, Operand("EDGE", "kind of link"), Argument("Kind of link.", "contains")
    ]
    target: Annotated[
        str,
        Operand("TARGET", "node that it points at"),
        Argument("Node that it points at.", "AUTH-01"),
    ]
    dry_run: DryRun = False


def link(run: Run, request: LinkRequest) -> Written:
    """Add a link; nothing is written if it exists already."""
    ends = (request.source, request.edge, request.target)
    return written(run, "link", lambda graph: edit.link(graph, *ends), dry_run=request.dry_run)


def unlink(run: Run, request: LinkRequest) -> Written:
    """Remove a link; nothing is written if there is none."""
    ends = (request.source, request.edge, request.target)
    return written(run, "unlink", lambda graph: edit.unlink(graph, *ends), dry_run=request.dry_run)


LINK = writer(LinkRequest, link, title="Add a link", when=f"Use to connect two nodes. {CHECKED}")
UNLINK = writer(
    LinkRequest, unlink, title="Remove a link", when=f"Use to disconnect two nodes. {CHECKED}"
)
