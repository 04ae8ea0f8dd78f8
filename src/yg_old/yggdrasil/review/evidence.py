"""Evidence that a sentence may be untrue: it mentions what changed, or a value that is gone."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from yg_old.code.change_class import ChangeClass, NameChangeKind
from yg_old.yggdrasil.review.mentions import PartName
from yg_old.yggdrasil.review.search import TOKEN, ReviewedText, Texts, Whose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from yg_old.code.values import Value
    from yg_old.text.sentences import Sentence

DIGITS = 3  # of a number that is evidence by itself
DIGITS_OF_MENTIONED = 2  # if the sentence mentions the part as well
COMMON_DIGITS = 4  # numbers with fewer digits may be common in a node
MOST_COMMON = 3  # sentences of a node that may have a common number or word
# Pairs of a sentence and a part that are looked at because of one name or one value. Generated
# code may have thousands of parts with one name, and a text as many sentences with it.
MOST_PAIRS = 100_000
CONSTRUCTORS = frozenset(("__init__", "__new__", "constructor"))
ENGLISH = re.compile(r"\W*[A-Za-z]?[a-z]+(?: [a-z]+)?\W*")  # one or two words in small letters


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


class Code(Protocol):
    """All code of a repository."""

    def has_name(self, name: str) -> bool:
        """Return whether a name is in the code."""

    def has_words(self, words: Iterable[str]) -> bool:
        """Return whether one file has all these words in its code."""


def find_sentences(texts: Texts, parts: Sequence[ChangedPart], code: Code) -> Findings:
    """Find the sentences that changed parts may have made untrue."""
    search = _Search(texts, parts, code)
    for number in range(len(parts)):
        search.add(number)
    found = sorted(search.sentences(), key=lambda each: each.evidence.rank)
    rest = (part for number, part in enumerate(parts) if number not in search.mentioned)
    return Findings(tuple(found), tuple(rest))


class _Search:
    """Collects the evidence for each sentence; sentences and parts are known by their numbers."""

    def __init__(self, texts: Texts, parts: Sequence[ChangedPart], code: Code) -> None:
        self._texts = texts
        self._all_parts = parts
        self._code = code
        self._parts: dict[int, dict[int, Evidence]] = {}  # of each sentence
        self._values: dict[int, dict[str, Value]] = {}
        self._with_value: dict[Value, list[int]] = {}
        self._pairs: Counter[str | Value] = Counter()
        self.mentioned: set[int] = set()

    def add(self, number: int) -> None:
        """Look for the sentences that mention a part or have a value that it lost."""
        part = self._all_parts[number]
        name = part.mentioned_as
        is_sought = self._is_affordable(name.last, self._texts.count(name.last))
        mentioning = self._texts.mentioning(name) if is_sought else []
        if mentioning:
            self.mentioned.add(number)
        if part.change is not NameChangeKind.ADDED:
            evidence = self._evidence(part, mentioning)
            is_shared = part.is_public and evidence is not Evidence.BODY
            for at in mentioning:
                if is_shared or self._texts.rows[at][0].whose is not Whose.DEPENDENT:
                    self._note(at, number, evidence)
        known = frozenset(mentioning)
        for value in part.lost:
            for at in self._with_lost(value, part, known):
                self._note(at, number, Evidence.VALUE)
                self._values.setdefault(at, {})[value.key] = value

    def _is_affordable(self, sought: str | Value, sentences: int) -> bool:
        """Count the sentences that are looked at because of a name or value; return if few were."""
        self._pairs[sought] += sentences
        return self._pairs[sought] <= MOST_PAIRS

    def _evidence(self, part: ChangedPart, mentioning: Sequence[int]) -> Evidence:
        if mentioning and part.change is NameChangeKind.REMOVED and self._is_gone(part):
            return Evidence.GONE
        return Evidence.SIGNATURE if part.kind is ChangeClass.SIGNATURE else Evidence.BODY

    def _is_gone(self, part: ChangedPart) -> bool:
        """Return whether the name of a part is in no code any more; the file has none."""
        name = PartName(part.name, part.path).last
        return bool(name) and not self._code.has_name(name)

    def _note(self, at: int, number: int, evidence: Evidence) -> None:
        known = self._parts.setdefault(at, {})
        if number not in known or evidence.rank < known[number].rank:
            known[number] = evidence
        self.mentioned.add(number)

    def _with_lost(
        self, value: Value, part: ChangedPart, mentioning: frozenset[int]
    ) -> Iterator[int]:
        """Yield the sentences for which a value that is gone is evidence."""
        if value.is_number and len(value.key) < DIGITS_OF_MENTIONED:
            return
        rows = self._with(value)
        if not rows or self._is_common(value, rows):
            return
        if not self._is_affordable(value, len(rows)):
            return
        is_removed = part.change is NameChangeKind.REMOVED
        if is_removed and not self._is_gone(part):
            return  # the part is elsewhere now, and its values with it
        is_english = not value.is_number and bool(ENGLISH.fullmatch(value.key))
        is_clear = self._is_clear(value, is_strict=is_removed or is_english)
        for at in rows:
            if at in mentioning:
                is_evidence = value.key not in self._texts.mentions(at)  # the name of a part
            else:
                is_own = self._texts.rows[at][0].whose is Whose.OWN
                is_evidence = is_own and is_clear
                if is_english:
                    is_evidence = is_evidence and self._texts.quotes(at, value.key)
            if is_evidence:
                yield at

    def _with(self, value: Value) -> list[int]:
        if value not in self._with_value:
            self._with_value[value] = self._texts.with_value(value)
        return self._with_value[value]

    def _is_common(self, value: Value, rows: Sequence[int]) -> bool:
        """Return whether a short number or an English word is in many sentences of the node."""
        if value.is_number:
            if len(value.key) >= COMMON_DIGITS:
                return False
        elif not ENGLISH.fullmatch(value.key):
            return False
        own = (at for at in rows if self._texts.rows[at][0].whose is Whose.OWN)
        return sum(1 for _ in own) > MOST_COMMON

    def _is_clear(self, value: Value, *, is_strict: bool) -> bool:
        """Return whether a value is evidence in a sentence that mentions no changed part.

        English words, and strings of a part that is gone, are if no other code has them.
        """
        if value.is_number:
            return len(value.key) >= DIGITS
        return not is_strict or not self._code.has_words(TOKEN.findall(value.key))

    def sentences(self) -> Iterator[FoundSentence]:
        """Yield the sentences with evidence, in the order of the texts."""
        for at, found in sorted(self._parts.items()):
            text, sentence = self._texts.rows[at]
            parts = {number: self._all_parts[number] for number in found}
            yield FoundSentence(
                text=text,
                sentence=sentence,
                evidence=min(found.values(), key=lambda evidence: evidence.rank),
                parts=tuple(parts[number] for number in sorted(parts, key=self._order(found))),
                values=tuple(self._values.get(at, {}).values()),
                gone=frozenset(
                    parts[number].name for number, why in found.items() if why is Evidence.GONE
                ),
            )

    def _order(self, found: Mapping[int, Evidence]) -> Callable[[int], tuple[int, str, int]]:
        """Return the order of the parts of a sentence: by evidence, then by place."""

        def key(number: int) -> tuple[int, str, int]:
            part = self._all_parts[number]
            return found[number].rank, part.path, part.first

        return key
