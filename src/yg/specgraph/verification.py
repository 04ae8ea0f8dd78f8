"""The checks of a node: which of them are commands, and what became of each."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.specgraph.context import checked_nodes
from yg.specgraph.document import entry_lines
from yg.specgraph.model import DECISION, FOUNDATION, VerificationKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.specgraph.context import Context
    from yg.specgraph.model import SpecNode, Verification

COMMANDS = (VerificationKind.TEXT, VerificationKind.COMMAND)


class CheckState(StrEnum):
    """What became of a check."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not run"


class Check(Struct, frozen=True):
    """A check of a node."""

    node: str
    entry: Verification

    @property
    def is_command(self) -> bool:
        """Whether it is carried out by running a command."""
        return self.entry.kind in COMMANDS

    @property
    def text(self) -> str:
        """The check as the context of its node shows it."""
        return "\n".join(entry_lines(self.entry))

    @property
    def seconds(self) -> float | None:
        """The time limit; None if there is none."""
        try:
            return float(self.entry.timeout)
        except ValueError:
            return None


class CheckResult(Struct, frozen=True, kw_only=True):
    """The result of a check."""

    check: Check
    state: CheckState
    reason: str = ""  # why it failed, or was not run
    exit_code: int | None = None  # None: no command ended
    output: str = ""
    omitted: int = 0  # bytes before the output


def checks_of(context: Context, *, with_guides: bool) -> tuple[Check, ...]:
    """Return the checks in the Verification of a context, and those of its guides if asked for."""
    nodes = {context.target.id: context.target}
    nodes |= {node.id: node for node in checked_nodes(context)}
    if with_guides:
        nodes |= {node.id: node for node in _guides(context) if node.id not in nodes}
    return tuple(Check(node.id, entry) for node in nodes.values() for entry in node.verification)


def _guides(context: Context) -> Iterator[SpecNode]:
    guides = (DECISION, FOUNDATION)
    return (entry.node for entry in context.entries if entry.node.type in guides)


def not_run(check: Check, reason: str) -> CheckResult:
    """Return the result of a check that was not run."""
    return CheckResult(check=check, state=CheckState.NOT_RUN, reason=reason)
