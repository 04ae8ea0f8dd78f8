"""Which nodes have to do with some words? Those that have them, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.answers.skipped import skipped
from yg.kernel.errors import UsageError
from yg.kernel.find import find as engine
from yg.kernel.find import words_of
from yg.render.find import matches_data, matches_text
from yg.render.issues import skipped_data, skipped_text
from yg.yggdrasil.find import cards

if TYPE_CHECKING:
    from yg.kernel.issue import Finding
    from yg.workspace import Workspace


def find(workspace: Workspace, words: str) -> Answer:
    """Look for words in the name, the path and the responsibility of every node."""
    if not words_of(words):
        raise UsageError("there is no word to look for", hint="For example: yg find payment refund")
    unread: list[Finding] = []
    found = engine(cards(workspace.graph, unread), words)
    missing = [*skipped(workspace.graph.nodes), *unread]
    return Answer(
        schema="find",
        data=lambda: {
            "words": list(dict.fromkeys(words_of(words))),
            "nodes": matches_data(found),
            "skipped": skipped_data(missing),
        },
        forms={"text": lambda palette: matches_text(found, palette)},
        notes=lambda palette: skipped_text(missing, palette),
    )
