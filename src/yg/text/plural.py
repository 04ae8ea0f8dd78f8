"""Numbers with their nouns, and lists of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_WORDS = 6  # of a list in a line


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural if needed."""
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def and_more(number: int, command: str = "") -> str:
    """Write how many entries a list leaves out, and which command or option shows them."""
    return f".. and {number} more" + (f" ({command})" if command else "")


def listed(words: Sequence[str]) -> str:
    """List words, at most as many as fit in a line."""
    rest = len(words) - MOST_WORDS
    if rest <= 1:  # a last word is no longer than its count
        return ", ".join(words)
    return f"{', '.join(words[:MOST_WORDS])} and {rest} more"
