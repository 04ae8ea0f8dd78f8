"""Doubtful sentences as agents read them."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from yg_old.kernel.palette import visible
from yg_old.surfaces.hook.memory import doubt
from yg_old.text.escapes import shell_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg_old.commands.review.documents import SentenceToCheck

MOST_SENTENCES = 10
ROOM_FOR_NUMBER = 20  # of the sentences that are left out, and line breaks


def doubts_text(node: str, sentences: Sequence[SentenceToCheck], room: int) -> str:
    """Write the sentences about a change of a node's code that fit; empty if none does."""
    head = f"This change concerns what the texts of {visible(node)} say:"
    more = f"more: yg review {shell_word(node)}"
    lines = [f"- {said(sentence)}" for sentence in sentences[:MOST_SENTENCES]]
    sizes = accumulate(len(line) + 1 for line in lines)
    shown = sum(1 for size in sizes if size + len(head) + len(more) + ROOM_FOR_NUMBER < room)
    if not shown:
        return ""
    left = len(sentences) - shown
    return "\n".join([head, *lines[:shown], *([f"- and {left} {more}"] if left else []), ""])


def said(sentence: SentenceToCheck) -> str:
    """Write what a sentence says, and why that may be untrue."""
    from yg_old.commands.review.text import reasons

    place = f"{visible(sentence.document)}:{sentence.line}"
    text, why = visible(sentence.text), reasons(sentence, places=False)
    return f'{place} says "{text}"; {why}.'


def quoted(sentence: SentenceToCheck) -> str:
    """Return how a stale block begins the line of a sentence."""
    return f'- {visible(sentence.document)}:{sentence.line} "'


def parts_of(node: str, sentences: Iterable[SentenceToCheck]) -> list[str]:
    """Return the names under which the parts that sentences are about are remembered."""
    parts = (part for sentence in sentences for part in sentence.parts)
    return [*dict.fromkeys(doubt(node, part.path, part.name) for part in parts)]
