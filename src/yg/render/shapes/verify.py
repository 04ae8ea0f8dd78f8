"""The shape of `yg verify --json`."""

from __future__ import annotations

from typing import Annotated

from yg.render.shapes.base import Count, JsonDocument, Record, Text, about, one_of
from yg.render.shapes.edits import DryRun
from yg.specgraph.model import VerificationKind
from yg.specgraph.verification import CheckState

Kinds = one_of("text", *(kind.value for kind in VerificationKind if kind.value))


class CheckRecord(Record, frozen=True, kw_only=True):
    """A check and its result."""

    node: Annotated[Text, about("The node that the check belongs to.")]
    kind: Annotated[str, Kinds, about("How it is carried out; texts and commands are run.")]
    check: Annotated[Text, about("The check, as the context of the node shows it.")]
    state: Annotated[CheckState, about("What became of it.")]
    reason: Annotated[str, about("Why it failed or was not run; empty if it passed.")]
    exit_code: Annotated[
        int | None, about("The exit code, negative for a signal; null if no command ended.")
    ]
    output: Annotated[str, about("The end of what the command printed.")]
    omitted: Annotated[Count, about("The number of bytes printed before that.")]


class VerifyDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-verify/1"):
    """What `yg verify --json` prints: the checks of a node and their results."""

    node: Annotated[Text, about("The node.")]
    dry_run: DryRun
    passed: Annotated[Count, about("The number of checks that passed.")]
    failed: Annotated[Count, about("The number of checks that failed.")]
    not_run: Annotated[Count, about("The number of checks that were not run.")]
    checks: Annotated[list[CheckRecord], about("The checks, in the order in which they are run.")]
