"""`yg pin`: refresh the pins and the digest of a node of a Spec Graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.request import Argument, DryRun, Operand, Request
from yg_old.commands.write_specs import Written, writer, written
from yg_old.specgraph.edit import write as edit

if TYPE_CHECKING:
    from yg_old.commands.command import Run


class PinRequest(Request["Written"], frozen=True, kw_only=True):
    """The node."""

    node: Annotated[
        str,
        Operand("NODE", "id of the node", option="--node"),
        Argument("Id of the node.", "AUTH-01"),
    ]
    dry_run: DryRun = False


def ask(run: Run, request: PinRequest) -> Written:
    """Record the current digests of the sources of a node."""
    node = request.node
    return written(run, "pin", lambda graph: edit.pin(graph, node), dry_run=request.dry_run)


COMMAND = writer(
    PinRequest,
    ask,
    title="Refresh the pins of a node",
    when="Use after reviewing what changed in the sources of a node.",
)
