"""Doubtful sentences as agents read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.palette import visible
from yg.text.escapes import shell_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.commands.review.documents import SentenceToCheck

MOST_SENTENCES = 10


def doubts_text(node: str, sentences: Sequence[SentenceToCheck]) -> str:
    """Write the sentences about a change of a node's code, if there are any."""
    if not sentences:
        return ""
    lines = [f"- {said(sentence)}" for sentence in sentences[:MOST_SENTENCES]]
    if len(sentences) > MOST_SENTENCES:
        lines.append(f"- and {len(sentences) - MOST_SENTENCES} more: yg review {shell_word(node)}")
    head = f"This change concerns what the texts of {visible(node)} say:"
    return "\n".join([head, *lines, ""])


def said(sentence: SentenceToCheck) -> str:
    """Write what a sentence says, and why that may be untrue."""
    from yg.commands.review.text import reasons

    place = f"{visible(sentence.document)}:{sentence.line}"
    text, why = visible(sentence.text), reasons(sentence, places=False)
    return f'{place} says "{text}"; {why}.'


def quoted(sentence: SentenceToCheck) -> str:
    """Return how a stale block begins the line of a sentence."""
    return f'- {visible(sentence.document)}:{sentence.line} "'
