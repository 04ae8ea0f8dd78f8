"""The checks of a node: which of them are commands, and what became of each."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from yg_old.kernel.document import Count, Record, Text, about, one_of
from yg_old.specgraph.context.context import checked_nodes
from yg_old.specgraph.context.document import entry_lines
from yg_old.specgraph.model import DECISION, FOUNDATION, VerificationKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.context.context import Context
    from yg_old.specgraph.model import SpecNode, Verification

COMMANDS = (VerificationKind.TEXT, VerificationKind.COMMAND)
KINDS = one_of("text", *(kind.value for kind in VerificationKind if kind.value))


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


class CheckResult(Record, frozen=True, kw_only=True):
    """A check and its result."""

    node: Annotated[Text, about("The node that the check belongs to.")]
    kind: Annotated[str, KINDS, about("How it is carried out; texts and commands are run.")]
    check: Annotated[Text, about("The check, as the context of the node shows it.")]
    state: Annotated[CheckState, about("What became of it.")]
    reason: Annotated[str, about("Why it failed or was not run; empty if it passed.")]
    exit_code: Annotated[
        int | None, about("The exit code, negative for a signal; null if no command ended.")
    ]
    output: Annotated[str, about("The end of what the command printed.")]
    omitted: Annotated[Count, about("The number of bytes printed before that.")]


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


def result_of(  # noqa: PLR0913
    check: Check,
    state: CheckState,
    reason: str,
    *,
    exit_code: int | None = None,
    output: str = "",
    omitted: int = 0,
) -> CheckResult:
    """Return the result of a check; without an exit code, no command ended."""
    return CheckResult(
        node=check.node,
        kind=check.entry.kind or "text",
        check=check.text,
        state=state,
        reason=reason,
        exit_code=exit_code,
        output=output,
        omitted=omitted,
    )
