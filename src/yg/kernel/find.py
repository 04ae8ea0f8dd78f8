"""Finding things by words: what each is called, where it stands, and what it is for.

A word is found where some word begins with it: `pay` finds `payments`. First comes the thing whose
path is the very text asked for, then those that have more of the words, then those that have them
in a better place: the name before the path, the path before the responsibility. Ties go by path.
"""

from __future__ import annotations

import re
from enum import IntEnum
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.codec import Codec, Recipe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.issue import Finding

_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Spot(IntEnum):
    """Where a word was found, worth more the more it says about a thing."""

    RESPONSIBILITY = 1
    PATH = 2
    NAME = 3


class Gist(Struct, frozen=True, array_like=True):
    """What a search needs of a text, so that it need not be read again."""

    words: str  # all of them, each after a space
    summary: str  # the first sentence


class Card(Struct, frozen=True, kw_only=True):
    """What is known of a node that can be searched for."""

    path: str
    name: str
    type: str
    about: Gist  # of the text that tells what it is for


class Catalogue(Struct, frozen=True):
    """The cards of a whole graph, and what is to be said of texts that could not be read."""

    cards: tuple[Card, ...]
    unread: tuple[Finding, ...] = ()


class Match(Struct, frozen=True):
    """A thing that was found, and where each word was."""

    card: Card
    is_exact: bool  # its path is the very text asked for
    spots: tuple[tuple[str, Spot], ...]

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """What matches are ordered by, the best first."""
        worth = sum(spot for _, spot in self.spots)
        return -int(self.is_exact), -len(self.spots), -worth, self.card.path


def words_of(text: str) -> tuple[str, ...]:
    """Split a text into words without regard to case; `OrderService` has two."""
    return tuple(word.casefold() for word in _WORD.findall(_HUMP.sub(" ", text)))


def joined_words(text: str) -> str:
    """Return the words of a text, each after a space."""
    return "".join([f" {word}" for word in words_of(text)])


def gist_of(text: str) -> Gist:
    """Return what a search needs of a text."""
    return Gist(joined_words(text), summary_of(text))


NO_TEXT = Gist("", "")
GIST = Recipe("gist", gist_of, Codec(Gist))


def best(cards: Iterable[Card], query: str) -> tuple[Match, ...]:
    """Return everything that has at least one of the words, the best first."""
    words = tuple(dict.fromkeys(words_of(query)))
    exact = paths.normalise(query.strip())
    matches = (_match(card, words, is_exact=card.path == exact) for card in cards)
    found = (match for match in matches if match.is_exact or match.spots)
    return tuple(sorted(found, key=lambda match: match.rank))


def _match(card: Card, words: tuple[str, ...], *, is_exact: bool) -> Match:
    places = (
        (Spot.NAME, joined_words(card.name)),
        (Spot.PATH, joined_words(card.path)),
        (Spot.RESPONSIBILITY, card.about.words),
    )
    spots: dict[str, Spot] = {}
    for spot, there in places:
        for word in words:
            if word not in spots and f" {word}" in there:
                spots[word] = spot
    return Match(card, is_exact, tuple((word, spots[word]) for word in words if word in spots))


def summary_of(text: str) -> str:
    """Return the first sentence of a text on one line; headings only name it."""
    lines = (line.strip() for line in text.splitlines())
    said = dropwhile(lambda line: not line or line.startswith("#"), lines)
    paragraph = " ".join(takewhile(bool, said))
    return _SENTENCE.split(paragraph, maxsplit=1)[0]
