"""Evidence that a sentence may be untrue: it mentions what changed, or a value that is gone."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from yg.code.change_class import ChangeClass, NameChangeKind
from yg.code.values import Value, numbers_in
from yg.text.sentences import code_spans
from yg.yggdrasil.review.mentions import PartName, mentions_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg.text.sentences import Sentence
    from yg.yggdrasil.review.mentions import Mentions

DIGITS = 3  # of a number that is evidence by itself
DIGITS_OF_MENTIONED = 2  # if the sentence mentions the part as well
COMMON_DIGITS = 4  # numbers with fewer digits may be common in a node
MOST_COMMON = 3  # sentences of a node that may have a common number or word
CONSTRUCTORS = frozenset(("__init__", "__new__", "constructor"))
TOKEN = re.compile(r"\w+")
ENGLISH = re.compile(r"\W*[A-Za-z]?[a-z]+(?: [a-z]+)?\W*")  # one or two words in small letters
QUOTES = "\"'`\u201c\u201d\u2018\u2019\xab\xbb"


class Evidence(StrEnum):
    """Why a sentence may be untrue, from the strongest to the weakest."""

    VALUE = "value"  # a number or string in it is no longer in the code that it is about
    GONE = "gone"  # a name in it is in no code any more
    SIGNATURE = "signature"
    BODY = "body"

    @property
    def rank(self) -> int:
        """Its place in the order, the strongest first."""
        return _RANKS[self]

    @property
    def is_strong(self) -> bool:
        """Whether a sentence with it is most likely untrue."""
        return self in (Evidence.VALUE, Evidence.GONE)


_RANKS = {evidence: rank for rank, evidence in enumerate(Evidence)}


class ChangedPart(Struct, frozen=True, kw_only=True):
    """A part of a source file that differs from an earlier version."""

    name: str
    change: NameChangeKind
    kind: ChangeClass  # signature or body
    path: str
    first: int = 0  # its lines now; 0 if it was removed
    last: int = 0
    old_path: str = ""  # where it was; empty if it was added
    old_first: int = 0  # its lines there; 0 if the old text is not known
    old_last: int = 0
    is_public: bool = False
    is_common: bool = False  # many members of its file have the same name
    lost: tuple[Value, ...] = ()  # of the old version, not in the new one

    @property
    def mentioned_as(self) -> PartName:
        """The name by which sentences mention it; that of a class for its constructor."""
        owner, _, last = self.name.rpartition(".")
        is_called = last in CONSTRUCTORS and self.kind is ChangeClass.SIGNATURE
        return PartName(owner if is_called else self.name, self.path, is_common=self.is_common)


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
    sentences: tuple[Sentence, ...]


class FoundSentence(Struct, frozen=True):
    """A sentence to check, with the reasons."""

    text: ReviewedText
    sentence: Sentence
    evidence: Evidence
    parts: tuple[ChangedPart, ...]
    values: tuple[Value, ...] = ()
    gone: frozenset[str] = frozenset()  # the names of parts that are in no code any more


class Findings(Struct, frozen=True):
    """The sentences to check, the strongest evidence first, and changed parts in none of them."""

    sentences: tuple[FoundSentence, ...]
    unmentioned: tuple[ChangedPart, ...]


class Texts:
    """The sentences of some texts, found by the names, numbers and words in them."""

    def __init__(self, texts: Sequence[ReviewedText]) -> None:
        """Take the texts in the order in which they are shown."""
        self._texts = texts

    @cached_property
    def rows(self) -> list[tuple[ReviewedText, Sentence]]:
        """All sentences in order."""
        return [(text, sentence) for text in self._texts for sentence in text.sentences]

    @cached_property
    def mentions(self) -> list[Mentions]:
        """The names in each sentence."""
        return [mentions_in(sentence) for _, sentence in self.rows]

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        return _index(self.mentions)

    @cached_property
    def _by_number(self) -> dict[str, list[int]]:
        keys = ({value.key for value in numbers_in(each.text)} for _, each in self.rows)
        return _index(keys)

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        return _index(set(TOKEN.findall(each.text)) for _, each in self.rows)

    def mentioning(self, part: ChangedPart) -> list[int]:
        """Return the numbers of the sentences that mention a part."""
        name = part.mentioned_as
        return [at for at in self._by_name.get(name.last, ()) if name.is_in(self.mentions[at])]

    def with_value(self, value: Value) -> Sequence[int]:
        """Return the numbers of the sentences that have a value."""
        if value.is_number:
            return self._by_number.get(value.key, ())
        words = TOKEN.findall(value.key)
        if not words:
            return ()
        rows = min((self._by_word.get(word, ()) for word in words), key=len)
        return [at for at in rows if _stands_in(value.key, self.rows[at][1].text)]

    def is_common(self, value: Value) -> bool:
        """Return whether a short number or an English word is in many sentences of the node."""
        if value.is_number:
            if len(value.key) >= COMMON_DIGITS:
                return False
        elif not ENGLISH.fullmatch(value.key):
            return False
        own = (at for at in self.with_value(value) if self.rows[at][0].whose is Whose.OWN)
        return sum(1 for _ in own) > MOST_COMMON

    def quotes(self, at: int, word: str) -> bool:
        """Return whether a sentence has a word in quotes or in code."""
        sentence = self.rows[at][1]
        if sentence.is_code:
            return True
        text = sentence.text
        quoted = re.search(rf"[{QUOTES}]{re.escape(word)}[{QUOTES}]", text)
        spans = (text[start:end] for start, end in code_spans(text))
        return bool(quoted) or any(_stands_in(word, span) for span in spans)


def _index(rows: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, keys in enumerate(rows):
        for key in keys:
            found.setdefault(key, []).append(at)
    return found


def _stands_in(words: str, text: str) -> bool:
    """Return whether a text has some words that do not go on before or after, as paths do."""
    return bool(re.search(rf"(?<![\w/.-]){re.escape(words)}(?![\w/-])(?!\.\w)", text))


class Code(Protocol):
    """All code of a repository."""

    def has_name(self, name: str) -> bool:
        """Return whether a name is in the code."""

    def has_words(self, words: Iterable[str]) -> bool:
        """Return whether one file has all these words in its code."""


def find_sentences(texts: Texts, parts: Sequence[ChangedPart], code: Code) -> Findings:
    """Find the sentences that changed parts may have made untrue."""
    search = _Search(texts, code)
    for part in parts:
        search.add(part)
    found = sorted(search.sentences(), key=lambda each: each.evidence.rank)
    unmentioned = tuple(part for part in parts if part not in search.mentioned)
    return Findings(tuple(found), unmentioned)


class _Search:
    """Collects the evidence for each sentence."""

    def __init__(self, texts: Texts, code: Code) -> None:
        self._texts = texts
        self._code = code
        self._parts: dict[int, dict[ChangedPart, Evidence]] = {}
        self._values: dict[int, dict[str, Value]] = {}
        self.mentioned: set[ChangedPart] = set()

    def add(self, part: ChangedPart) -> None:
        """Look for the sentences that mention a part or have a value that it lost."""
        mentioning = self._texts.mentioning(part)
        if mentioning:
            self.mentioned.add(part)
        if part.change is not NameChangeKind.ADDED:
            evidence = self._evidence(part, mentioning)
            is_shared = part.is_public and evidence is not Evidence.BODY
            for at in mentioning:
                if is_shared or self._texts.rows[at][0].whose is not Whose.DEPENDENT:
                    self._note(at, part, evidence)
        known = frozenset(mentioning)
        for value in part.lost:
            for at in self._with_lost(value, part, known):
                self._note(at, part, Evidence.VALUE)
                self._values.setdefault(at, {})[value.key] = value

    def _evidence(self, part: ChangedPart, mentioning: Sequence[int]) -> Evidence:
        if mentioning and part.change is NameChangeKind.REMOVED and self._is_gone(part):
            return Evidence.GONE
        return Evidence.SIGNATURE if part.kind is ChangeClass.SIGNATURE else Evidence.BODY

    def _is_gone(self, part: ChangedPart) -> bool:
        """Return whether the name of a part is in no code any more; the file has none."""
        name = PartName(part.name, part.path).last
        return bool(name) and not self._code.has_name(name)

    def _note(self, at: int, part: ChangedPart, evidence: Evidence) -> None:
        known = self._parts.setdefault(at, {})
        if part not in known or evidence.rank < known[part].rank:
            known[part] = evidence
        self.mentioned.add(part)

    def _with_lost(
        self, value: Value, part: ChangedPart, mentioning: frozenset[int]
    ) -> Iterator[int]:
        """Yield the sentences for which a value that is gone is evidence."""
        if value.is_number and len(value.key) < DIGITS_OF_MENTIONED:
            return
        rows = self._texts.with_value(value)
        if not rows or self._texts.is_common(value):
            return
        is_removed = part.change is NameChangeKind.REMOVED
        if is_removed and not self._is_gone(part):
            return  # the part is elsewhere now, and its values with it
        is_english = not value.is_number and bool(ENGLISH.fullmatch(value.key))
        is_clear = self._is_clear(value, is_strict=is_removed or is_english)
        for at in rows:
            if at in mentioning:
                is_evidence = value.key not in self._texts.mentions[at]  # the name of a part
            else:
                is_own = self._texts.rows[at][0].whose is Whose.OWN
                is_evidence = is_own and is_clear
                if is_english:
                    is_evidence = is_evidence and self._texts.quotes(at, value.key)
            if is_evidence:
                yield at

    def _is_clear(self, value: Value, *, is_strict: bool) -> bool:
        """Return whether a value is evidence in a sentence that mentions no changed part.

        English words, and strings of a part that is gone, are if no other code has them.
        """
        if value.is_number:
            return len(value.key) >= DIGITS
        return not is_strict or not self._code.has_words(TOKEN.findall(value.key))

    def sentences(self) -> Iterator[FoundSentence]:
        """Yield the sentences with evidence, in the order of the texts."""
        for at, parts in sorted(self._parts.items()):
            text, sentence = self._texts.rows[at]
            yield FoundSentence(
                text=text,
                sentence=sentence,
                evidence=min(parts.values(), key=lambda evidence: evidence.rank),
                parts=tuple(sorted(parts, key=lambda part: _order(part, parts))),
                values=tuple(self._values.get(at, {}).values()),
                gone=frozenset(part.name for part, why in parts.items() if why is Evidence.GONE),
            )


def _order(part: ChangedPart, evidence: Mapping[ChangedPart, Evidence]) -> tuple[int, str, int]:
    return evidence[part].rank, part.path, part.first
