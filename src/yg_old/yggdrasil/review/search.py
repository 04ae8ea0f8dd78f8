"""Search of sentences by the names, numbers and words in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.values import numbers_in
from yg_old.text.sentences import code_spans
from yg_old.yggdrasil.review.mentions import mentions_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.code.values import Value
    from yg_old.text.sentences import Sentence
    from yg_old.yggdrasil.review.mentions import Mentions, PartName

TOKEN = re.compile(r"\w+")
NAME = re.compile(r"[\w$]+")  # every name that `mentions_in` finds, and more
LONGEST = 10_000  # characters of a sentence in which strings are looked for; more is data
QUOTES = "\"'`\u201c\u201d\u2018\u2019\xab\xbb"


class SearchedSentences:
    """The sentences of one text, with an index that is made once for all nodes it is about."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self.sentences = tuple(sentences)
        self._mentions: dict[int, Mentions] = {}
        self._with_name: dict[str, list[int]] = {}

    def mentions(self, at: int) -> Mentions:
        """Return the names in a sentence."""
        if at not in self._mentions:
            self._mentions[at] = mentions_in(self.sentences[at])
        return self._mentions[at]

    def with_name(self, name: str) -> Sequence[int]:
        """Return the numbers of the sentences with a name.

        Only sentences that have its letters are searched for names, which takes longer.
        """
        if name not in self._with_name:
            rows = self._by_letters.get(name, ())
            self._with_name[name] = [at for at in rows if name in self.mentions(at)]
        return self._with_name[name]

    @cached_property
    def _by_letters(self) -> Mapping[str, list[int]]:
        """The numbers of the sentences with some letters that may be a name."""
        return _index(set(NAME.findall(each.text)) for each in self.sentences)

    @cached_property
    def by_number(self) -> Mapping[str, list[int]]:
        """The numbers of the sentences with some digits."""
        return _index({value.key for value in numbers_in(each.text)} for each in self.sentences)

    @cached_property
    def by_word(self) -> Mapping[str, list[int]]:
        """The numbers of the sentences with a word."""
        return _index(set(TOKEN.findall(each.text[:LONGEST])) for each in self.sentences)

    def with_value(self, value: Value) -> Sequence[int]:
        """Return the numbers of the sentences that have a value."""
        if value.is_number:
            return self.by_number.get(value.key, ())
        words = TOKEN.findall(value.key)
        if not words:
            return ()
        rows = min((self.by_word.get(word, ()) for word in words), key=len)
        return [at for at in rows if stands_in(value.key, self.sentences[at].text[:LONGEST])]


def _index(rows: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, keys in enumerate(rows):
        for key in keys:
            found.setdefault(key, []).append(at)
    return found


def stands_in(words: str, text: str) -> bool:
    """Return whether a text has some words that do not go on before or after, as paths do."""
    return bool(re.search(rf"(?<![\w/.-]){re.escape(words)}(?![\w/-])(?!\.\w)", text))


class Whose(StrEnum):
    """Whose text a document is, seen from the node that changed."""

    OWN = "own"
    AROUND = "around"  # of its ancestors, aspects and flows
    DEPENDENT = "dependent"  # of a node that depends on it


class ReviewedText(Struct, frozen=True):
    """A text in which sentences are looked for."""

    name: str  # as it is shown: of the node itself only the file name
    file: str
    whose: Whose
    searched: SearchedSentences


class Texts:
    """The sentences of some texts, numbered from the first to the last."""

    def __init__(self, texts: Sequence[ReviewedText]) -> None:
        """Take the texts in the order in which they are shown."""
        self._texts = texts
        lengths = (len(text.searched.sentences) for text in texts)
        self._starts = tuple(accumulate(lengths, initial=0))

    @property
    def files(self) -> tuple[str, ...]:
        """The files that have the texts."""
        return tuple(dict.fromkeys(text.file for text in self._texts))

    @cached_property
    def rows(self) -> list[tuple[ReviewedText, Sentence]]:
        """All sentences in order."""
        return [(text, sentence) for text in self._texts for sentence in text.searched.sentences]

    def mentions(self, at: int) -> Mentions:
        """Return the names in a sentence."""
        text = bisect_right(self._starts, at) - 1
        return self._texts[text].searched.mentions(at - self._starts[text])

    def count(self, name: str) -> int:
        """Return how many sentences have a name."""
        return sum(len(text.searched.with_name(name)) for text in self._texts)

    def mentioning(self, name: PartName) -> list[int]:
        """Return the numbers of the sentences that mention a part."""
        return [
            start + at
            for start, text in self._placed()
            for at in text.searched.with_name(name.last)
            if name.is_in(text.searched.mentions(at))
        ]

    def with_value(self, value: Value) -> list[int]:
        """Return the numbers of the sentences that have a value."""
        return [
            start + at for start, text in self._placed() for at in text.searched.with_value(value)
        ]

    def _placed(self) -> Iterator[tuple[int, ReviewedText]]:
        return zip(self._starts, self._texts, strict=False)

    def quotes(self, at: int, word: str) -> bool:
        """Return whether a sentence has a word in quotes or in code."""
        sentence = self.rows[at][1]
        if sentence.is_code:
            return True
        text = sentence.text[:LONGEST]
        quoted = re.search(rf"[{QUOTES}]{re.escape(word)}[{QUOTES}]", text)
        spans = (text[start:end] for start, end in code_spans(text))
        return bool(quoted) or any(stands_in(word, span) for span in spans)
