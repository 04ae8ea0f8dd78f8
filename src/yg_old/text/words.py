"""The words of a text: its identifiers, whole and in parts."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

MOST_MARKS = 30  # of a letter, as in the Stream-Safe Text Format of Unicode
MEMORY = 1 << 16  # identifiers whose parts are kept in memory

_IDENTIFIER = re.compile(r"\w+")
# Between `encode` and `Request`, between `HTTP` and `Client`, and around each Chinese or Japanese
# character, because those languages do not separate words.
_IDEOGRAPH = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_BORDER = re.compile(
    "_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
    f"|(?<={_IDEOGRAPH})(?=[^_])|(?<=[^_])(?={_IDEOGRAPH})"
)


class Word(NamedTuple):
    """An identifier in lower case, and its parts: `encode_request` and `OrderService` have two."""

    whole: str
    parts: tuple[str, ...]


class Occurrence(NamedTuple):
    """A word and the place of its characters in a text."""

    word: Word
    start: int
    end: int


@lru_cache(MEMORY)
def word_of(identifier: str) -> Word:
    """Return an identifier as a word, without underscores at its ends."""
    bare = identifier.strip("_")
    parts = tuple(part.casefold() for part in _BORDER.split(bare) if part)
    return Word(bare.casefold(), parts)


def words_of(text: str) -> list[Word]:
    """Return the words of a text, in order."""
    composed = text if text.isascii() else _composed(text)
    return [word for word in map(word_of, _IDENTIFIER.findall(composed)) if word.parts]


def _composed(text: str) -> str:
    """Return a text with letters and their marks composed, unless a letter has too many marks."""
    if unicodedata.is_normalized("NFC", text):
        return text
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > MOST_MARKS:
            return text  # sorting the marks would take time quadratic in their number
    return unicodedata.normalize("NFC", text)


def occurrences(text: str) -> list[Occurrence]:
    """Return the words of a text with their places."""
    found = (
        Occurrence(word_of(match[0]), match.start(), match.end())
        for match in _IDENTIFIER.finditer(text)
    )
    return [occurrence for occurrence in found if occurrence.word.parts]
