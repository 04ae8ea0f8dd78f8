"""The words in the code of a repository: whether a name or a string is in any of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import WORDS
from yg_old.kernel.errors import UnreadableError
from yg_old.text.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.sources import Sources

TEXT_ENDINGS = frozenset(("md", "markdown", "rst", "txt"))  # of prose


class CodeWords:
    """The words in all source files, without comments; no more files are read than are needed.

    Of a source file that cannot be divided into words, the whole text counts.
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._all: set[str] = set()  # the words of the files that were read
        self._by_file: list[frozenset[str]] = []
        self._undivided: list[str] = []
        self._rest = self._read()

    def has_name(self, name: str) -> bool:
        """Return whether a name is in the code."""
        return not self.lacking((name,))

    def has_words(self, words: Iterable[str]) -> bool:
        """Return whether one file has all these words in its code; numbers do not count."""
        wanted = frozenset(word for word in words if not word[0].isdigit())
        if self.lacking(wanted):
            return False
        if any(wanted <= found for found in (*self._by_file, *self._rest)):
            return True
        return any(not self._lacking_in(file, wanted) for file in self._undivided)

    def lacking(self, names: Iterable[str]) -> frozenset[str]:
        """Return the names that are in no code."""
        missing = frozenset(names) - self._all
        while missing and (found := next(self._rest, None)) is not None:
            missing -= found
        for file in self._undivided if missing else ():
            missing = self._lacking_in(file, missing)
        return missing

    def lacking_everywhere(self, names: Iterable[str]) -> frozenset[str]:
        """Return the names that are neither in code nor in another file, except for prose."""
        missing = self.lacking(names)
        for file in self._sources.files(ROOT) if missing else ():
            if missing and ending(file) not in ENDINGS and ending(file) not in TEXT_ENDINGS:
                missing = self._lacking_in(file, missing)
        return missing

    def _lacking_in(self, file: str, words: frozenset[str]) -> frozenset[str]:
        try:
            return self._sources.lacking(file, words) if words else words
        except UnreadableError:
            return words  # drift reports it

    def _read(self) -> Iterator[frozenset[str]]:
        """Read source files one by one, and yield the words of each; keep them, too."""
        for file in self._sources.files(ROOT):
            if ending(file) not in ENDINGS:
                continue
            try:
                words = self._sources.computed(file, WORDS)
            except UnreadableError:
                continue  # drift reports it
            if words is None:
                self._undivided.append(file)
                continue
            found = frozenset(words)
            self._by_file.append(found)
            self._all |= found
            yield found
