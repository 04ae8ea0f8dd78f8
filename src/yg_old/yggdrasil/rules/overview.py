"""The rule about the overview in files that agents read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Finding, Fix, Place, SetBlock, Severity
from yg_old.kernel.rule import rule
from yg_old.kernel.snapshot import Kind
from yg_old.yggdrasil.package.front_page import front_page
from yg_old.yggdrasil.package.overview_block import FILES, OVERVIEW_BEGIN, OVERVIEW_END, overview_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.rules.survey import Survey


@rule("W036", "overview-out-of-date", Severity.WARNING)
def overview_out_of_date(survey: Survey) -> Iterator[Finding]:
    """No overview of the graph in the rules for agents is out of date.

    `yg init` writes it, between two marks, for platforms whose agents are told nothing at the
    start of a session. The number of stale nodes is not part of it.

    Why: an agent that reads an old overview looks for nodes that are gone, and misses new ones.
    Fix: run `yg validate --fix` or `yg init --upgrade`.
    Example:
        # .clinerules/yggdrasil.md has no line for the new node 'payments'    # W036
    """
    texts = ((file, _text(survey, file)) for file in FILES)
    written = [(file, text) for file, text in texts if overview_in(text) is not None]
    current = front_page(survey.graph) if written else ""
    for file, text in written:
        if current and overview_in(text) != current:
            line = text[: text.index(OVERVIEW_BEGIN)].count("\n") + 1
            change = SetBlock(file, OVERVIEW_BEGIN, OVERVIEW_END, current)
            yield Finding(
                file,
                "the overview of the graph is not up to date",
                Place(file, line, 1),
                ("Run 'yg validate --fix'.",),
                fixes=(Fix("Write the present overview", change),),
            )


def _text(survey: Survey, file: str) -> str:
    """Return the text of a file outside the model; empty if it cannot be read."""
    if survey.sources.kind(file) is not Kind.FILE:
        return ""
    try:
        return survey.sources.read(file).decode("utf-8", "replace")
    except UnreadableError:
        return ""
