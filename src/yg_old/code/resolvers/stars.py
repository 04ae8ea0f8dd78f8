"""Patterns with one star, as `paths` of tsconfig.json and `exports` of package.json have them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")

MOST_ENDS = 32  # different lengths of the text after the star; real files have two or three


class StarMatch(NamedTuple, Generic[T]):
    """A pattern that matches a text."""

    start: int  # characters before the star
    number: int  # of the pattern, in the order of the file
    middle: str  # what the star stands for
    value: T


class StarPatterns(Generic[T]):
    """Patterns with a value each, found by what is before and after the star.

    A text is compared with the lengths that occur, not with every pattern: many imports and many
    patterns take no longer than their texts. With too many lengths after the star, no pattern is
    used.
    """

    def __init__(self, patterns: Iterable[tuple[str, T]]) -> None:
        self._values: dict[str, dict[str, tuple[int, T]]] = {}  # by what is before, and after
        ends: dict[int, None] = {}
        for number, (pattern, value) in enumerate(patterns):
            before, star, after = pattern.partition("*")
            if star:
                self._values.setdefault(before, {})[after] = number, value
                ends[len(after)] = None
        if len(ends) > MOST_ENDS:
            self._values = {}
        self._starts = sorted({len(before) for before in self._values})
        self._ends = tuple(ends)

    def matching(self, text: str) -> list[StarMatch[T]]:
        """Return the patterns that match a text, those with the most text before the star first."""
        found = []
        for start in reversed(self._starts[: bisect_right(self._starts, len(text))]):
            values = self._values.get(text[:start], {})
            for end in self._ends if len(values) > 1 else map(len, values):
                stop = len(text) - end
                if stop >= start and text[stop:] in values:
                    number, value = values[text[stop:]]
                    found.append(StarMatch(start, number, text[start:stop], value))
        return found
