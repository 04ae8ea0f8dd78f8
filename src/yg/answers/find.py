"""The `find` command: search nodes by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import with_skipped
from yg.kernel.errors import UsageError
from yg.kernel.find import best, words_of
from yg.render.find import matches_data, matches_text

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.workspace import OpenWorkspace


def find(workspace: OpenWorkspace, words: str) -> Answer:
    """Search the name, the path and the responsibility of every node; best matches first."""
    wanted = words_of(words)
    if not wanted:
        raise UsageError("no words to search for", hint="For example: yg find payment refund")
    catalogue = workspace.catalogue()
    found = best(catalogue.cards, words)
    return with_skipped(
        catalogue.unread,
        data=lambda skipped: matches_data(wanted, found, skipped),
        forms={"text": lambda palette: matches_text(found, palette)},
    )
