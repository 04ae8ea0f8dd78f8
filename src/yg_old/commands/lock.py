"""`yg lock`: record the digest of every node of a Spec Graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.commands.request import DryRun, Request
from yg_old.commands.write_specs import Written, writer, written
from yg_old.specgraph.edit import write as edit

if TYPE_CHECKING:
    from yg_old.commands.command import Run


class LockRequest(Request["Written"], frozen=True, kw_only=True):
    """Whether to write the file."""

    dry_run: DryRun = False


def ask(run: Run, request: LockRequest) -> Written:
    """Write the lock file."""
    return written(run, "lock", edit.lock, dry_run=request.dry_run)


COMMAND = writer(
    LockRequest,
    ask,
    title="Record the digests of all nodes",
    when="Use only after the user has reviewed the graph.",
)
