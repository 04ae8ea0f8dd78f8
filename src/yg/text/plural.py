"""Numbers with their nouns."""

from __future__ import annotations

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
