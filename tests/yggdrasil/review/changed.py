"""Changes of source texts, and texts about them, as small as they can be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.code.read import read_facts, read_words
from yg.text.sentences import sentences
from yg.yggdrasil.review.changes import ABSENT, ChangedFile, Version, changed_parts
from yg.yggdrasil.review.evidence import find_sentences
from yg.yggdrasil.review.search import ReviewedText, SearchedSentences, Texts, Whose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg.yggdrasil.review.evidence import ChangedPart, Findings


def version(path: str, text: str | None) -> Version:
    if text is None:
        return ABSENT
    return Version(read_facts(path, text.encode()), text)


def parts(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[ChangedPart, ...]:
    """Compare the files of a node."""
    return changed_parts(
        [
            ChangedFile(path, version(path, old.get(path)), version(path, new.get(path)))
            for path in sorted(old.keys() | new.keys())
            if old.get(path) != new.get(path)
        ]
    )


def texts(own: str, around: str = "", dependent: str = "") -> Texts:
    """Return the texts of a node, of an ancestor and of a dependent node."""
    found = (
        ("top/responsibility.md", Whose.AROUND, around),
        ("interface.md", Whose.OWN, own),
        ("user/internals.md", Whose.DEPENDENT, dependent),
    )
    return Texts(
        [
            ReviewedText(name, name, whose, SearchedSentences(sentences(text)))
            for name, whose, text in found
        ]
    )


def review(old: Mapping[str, str], new: Mapping[str, str], about: Texts) -> Findings:
    """Find the sentences to check after a change of the only files of a repository."""
    return find_sentences(about, parts(old, new), Words(new))


class Words:
    """The words in some files."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._words = [set(read_words(path, text.encode()) or ()) for path, text in files.items()]

    def has_name(self, name: str) -> bool:
        return any(name in words for words in self._words)

    def has_words(self, words: Iterable[str]) -> bool:
        return any({*words} <= found for found in self._words)


def checked(old: str, new: str, own: str, around: str = "", dependent: str = "") -> list[str]:
    """Return the evidence and the lines of the sentences to check, after a change of one file."""
    found = review({"src/a.py": old}, {"src/a.py": new}, texts(own, around, dependent))
    return [f"{s.evidence} {s.text.name}:{s.sentence.line}" for s in found.sentences]
