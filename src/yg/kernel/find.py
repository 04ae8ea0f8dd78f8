"""Search for nodes by words in their name, path and responsibility.

A query word matches every word that starts with it: `pay` finds `payments`. The node whose path
equals the query comes first, then nodes that match more words, then nodes that match in a better
place: name before path before responsibility. Ties are sorted by path.
"""

from __future__ import annotations

import re
from enum import IntEnum
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.codec import Codec, Recipe
from yg.kernel.issue import Finding  # noqa: TC001  # decoding needs it

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Spot(IntEnum):
    """Where a word was found; the value is its weight."""

    RESPONSIBILITY = 1
    PATH = 2
    NAME = 3


class Gist(Struct, frozen=True, array_like=True):
    """The searchable words and the summary of a text."""

    words: str  # each preceded by a space
    summary: str  # the first sentence


class Card(Struct, frozen=True, kw_only=True):
    """The searchable facts about a node."""

    path: str
    name: str
    type: str
    about: Gist  # of its responsibility


class Catalogue(Struct, frozen=True):
    """The cards of a graph, and findings about texts that could not be read."""

    cards: tuple[Card, ...]
    unread: tuple[Finding, ...] = ()


class Match(Struct, frozen=True):
    """A node that was found, and where each word matched."""

    card: Card
    is_exact: bool  # its path equals the query
    spots: tuple[tuple[str, Spot], ...]

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """Sort key, the best match first."""
        worth = sum(spot for _, spot in self.spots)
        return -int(self.is_exact), -len(self.spots), -worth, self.card.path


def words_of(text: str) -> tuple[str, ...]:
    """Split a text into case-folded words; `OrderService` has two."""
    return tuple(word.casefold() for word in _WORD.findall(_HUMP.sub(" ", text)))


def joined_words(text: str) -> str:
    """Return the words of a text, each preceded by a space."""
    return "".join([f" {word}" for word in words_of(text)])


def gist_of(text: str) -> Gist:
    """Return the searchable words and the summary of a text."""
    return Gist(joined_words(text), summary_of(text))


NO_TEXT = Gist("", "")
CATALOGUE: Codec[Catalogue] = Codec(Catalogue)
GIST = Recipe("gist", gist_of, Codec(Gist))


def best(cards: Iterable[Card], query: str) -> tuple[Match, ...]:
    """Return the nodes that match at least one word, the best first."""
    words = tuple(dict.fromkeys(words_of(query)))
    exact = paths.normalise(query.strip())
    matches = (_match(card, words, is_exact=card.path == exact) for card in cards)
    found = (match for match in matches if match.is_exact or match.spots)
    return tuple(sorted(found, key=lambda match: match.rank))


def _match(card: Card, words: tuple[str, ...], *, is_exact: bool) -> Match:
    spots: dict[str, Spot] = {}
    for spot, text in _searched(card, words):
        for word in words:
            if word not in spots and f" {word}" in text:
                spots[word] = spot
    return Match(card, is_exact, tuple((word, spots[word]) for word in words if word in spots))


def _searched(card: Card, words: tuple[str, ...]) -> Iterator[tuple[Spot, str]]:
    """Yield the places to search, the best first; those without any match are mostly omitted."""
    for spot, text in ((Spot.NAME, card.name), (Spot.PATH, card.path)):
        folded = text.casefold()
        if any(word in folded for word in words):
            yield spot, joined_words(text)
    yield Spot.RESPONSIBILITY, card.about.words


def summary_of(text: str) -> str:
    """Return the first sentence of a text on one line, without headings."""
    lines = (line.strip() for line in text.splitlines())
    said = dropwhile(lambda line: not line or line.startswith("#"), lines)
    paragraph = " ".join(takewhile(bool, said))
    return _SENTENCE.split(paragraph, maxsplit=1)[0]
