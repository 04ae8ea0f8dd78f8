"""Numbers with their nouns, and lists of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_WORDS = 6  # of a list in a line
SHORTEST = 3  # characters of a noun that can be told from its plural


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural if needed."""
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def other_numbers(word: str) -> tuple[str, ...]:
    """Return the possible plurals of an English noun, or what it may be the plural of.

    The word is in lower case. Nothing is known about meanings: `us` is no plural, `news` may be.
    """
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha()):
        return ()
    if word.endswith("ies"):
        return f"{word[:-3]}y", word[:-1]
    if word.endswith(("sses", "xes", "zes", "ches", "shes", "uses")):
        return word[:-1], word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return (word[:-1],)
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return (f"{word}es",)
    is_long_y = word.endswith("y") and word[-2] not in "aeiou"
    return (f"{word[:-1]}ies",) if is_long_y else (f"{word}s",)


def and_more(number: int, command: str = "") -> str:
    """Write how many entries a list leaves out, and which command or option shows them."""
    return f".. and {number} more" + (f" ({command})" if command else "")


def listed(words: Sequence[str]) -> str:
    """List words, at most as many as fit in a line."""
    rest = len(words) - MOST_WORDS
    if rest <= 1:  # a last word is no longer than its count
        return ", ".join(words)
    return f"{', '.join(words[:MOST_WORDS])} and {rest} more"
