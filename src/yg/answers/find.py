"""Which nodes have to do with some words? Those that have them, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import with_skipped
from yg.kernel.errors import UsageError
from yg.kernel.find import best, words_of
from yg.render.find import matches_data, matches_text

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.workspace import Workspace


def find(workspace: Workspace, words: str) -> Answer:
    """Look for words in the name, the path and the responsibility of every node."""
    wanted = words_of(words)
    if not wanted:
        raise UsageError("there is no word to look for", hint="For example: yg find payment refund")
    catalogue = workspace.queries.catalogue()
    found = best(catalogue.cards, words)
    return with_skipped(
        "find",
        (*workspace.skipped(), *catalogue.unread),
        data=lambda: {"words": list(dict.fromkeys(wanted)), "nodes": matches_data(found)},
        forms={"text": lambda palette: matches_text(found, palette)},
    )
