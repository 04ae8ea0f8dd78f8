"""CODEOWNERS: whom to ask about a file, as GitHub and GitLab read it.

The last line that matches a file says who owns it. In a file with sections, as GitLab has them,
that holds for each section, and the owners are united. Lines that cannot be read are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.text import paths
from yg_old.text.patterns import Patterns, pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
MOST_PASSES = 10  # over all files, to find lines that others hide
_SECTION = re.compile(r"\^?\[([^\]]+)\](?:\[\d+\])?(?:\s+(.*))?")
_FIELD = re.compile(r"(?:\\.|[^\s\\])+")
_OWNER = re.compile(r"@[^\s@]\S*|@@[a-z]+|[^\s@]+@[^\s@]+")
_NOWHERE = pattern_of(b"a//b")  # matches no path


class OwnersLine(Struct, frozen=True):
    """One line: a pattern and the owners of what it matches."""

    number: int  # from 1
    pattern: str
    owners: tuple[str, ...]  # none: what it matches has no owner


class CodeOwners:
    """The owners of the files of a repository; paths are relative to its top."""

    def __init__(self, file: str, text: str) -> None:
        """Read the text of a file with this path."""
        self.file = file
        self._sections = [_Matching(lines) for lines in _sections(text)]
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, path: str) -> tuple[str, ...]:
        """Return the owners of a file, sorted."""
        if path not in self._known:
            last = (section.last(path) for section in self._sections)
            owners = {owner for line in last if line is not None for owner in line.owners}
            self._known[path] = tuple(sorted(owners))
        return self._known[path]

    def unmatched(self, files: Sequence[str]) -> tuple[OwnersLine, ...]:
        """Return the lines that match none of some files, in order."""
        found = (line for section in self._sections for line in section.unmatched(files))
        return tuple(sorted(found, key=lambda line: line.number))


class _Matching:
    """The lines of one section."""

    def __init__(self, lines: Sequence[OwnersLine]) -> None:
        self._lines = lines
        every = [pattern_of(line.pattern.encode("utf-8", "surrogateescape")) for line in lines]
        # What `x/*` matches are the files in x, not those in the directories there.
        deep = [
            _NOWHERE if line.pattern.endswith("/*") else pattern
            for line, pattern in zip(lines, every, strict=True)
        ]
        self._files = Patterns(b"", tuple(every))
        self._directories = Patterns(b"", tuple(deep))
        self._inside: dict[str, int] = {paths.ROOT: -1}  # the last line for all in a directory

    def last(self, path: str) -> OwnersLine | None:
        """Return the last line that matches a file; None if there is none."""
        above = paths.lineage(path)
        for directory in above[1:]:
            if directory not in self._inside:
                own = self._directories.last_match(_bytes(directory), is_directory=True)
                self._inside[directory] = max(own, self._inside[paths.parent(directory)])
        own = self._files.last_match(_bytes(path), is_directory=False)
        number = max(own, self._inside[above[-1]])
        return self._lines[number] if number >= 0 else None

    def unmatched(self, files: Sequence[str]) -> list[OwnersLine]:
        """Return the lines that match no file, also none for which another line is the last."""
        left, matching = list(self._lines), self
        for _ in range(MOST_PASSES):
            found = {line.number for file in files if (line := matching.last(file)) is not None}
            if not found:
                return left
            left = [line for line in left if line.number not in found]
            matching = _Matching(left)
        return []  # so many lines hide each other that the rest is not known


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _sections(text: str) -> Iterable[list[OwnersLine]]:
    """Return the lines of each section; those before the first are one, too."""
    sections: dict[str, list[OwnersLine]] = {"": []}
    current = ""
    default: tuple[str, ...] = ()
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = re.sub(r"(?:^|\s)#.*", "", raw.strip())
        if not line or line.startswith("!"):
            continue
        if match := _SECTION.fullmatch(line):
            current, default = match[1].casefold(), _owners((match[2] or "").split())
            sections.setdefault(current, [])
            continue
        pattern, *owners = _FIELD.findall(line) or [""]
        if pattern.strip("/"):
            sections[current].append(OwnersLine(number, pattern, _owners(owners) or default))
    return sections.values()


def _owners(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if _OWNER.fullmatch(word))
