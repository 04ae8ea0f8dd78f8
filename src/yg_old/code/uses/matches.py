"""Lines of a file that name parts, given what the file calls them."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from yg_old.code.identifiers import DECLARED, IMPORTED
from yg_old.code.parts import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.code.facts import FileFacts
    from yg_old.code.identifiers import Identifiers
    from yg_old.code.parts import Part

Path: TypeAlias = tuple[str, ...]  # of names

NEAR = 3  # names in front of a member, at most, if it is to be found behind other names as well
SELF = frozenset("self this cls super Self".split())


class SourcePart(Struct, frozen=True, order=True):
    """A part of a source file."""

    path: str
    name: str  # whole: `Cart.total`

    @property
    def names(self) -> Path:
        """The names of the parts around it, and its own."""
        return tuple(self.name.split("."))


class Use(Struct, frozen=True, order=True):
    """A line that names a part."""

    path: str
    line: int
    used: SourcePart
    part: str  # around the line; empty: none
    sure: bool  # False: it names a member, but of what is not known


class _Certainty(IntEnum):
    """How a part is named."""

    NAME = 0  # as a member of anything
    SELF = 1  # as a member of `self`
    SURE = 2


class Called:
    """What a file calls the parts that are sought."""

    def __init__(self) -> None:
        self.names: dict[Path, dict[SourcePart, None]] = {}
        self.members: dict[str, dict[SourcePart, None]] = {}  # behind any other name
        self.modules: set[str] = set()  # names of modules, which have no such members
        self.lines: dict[SourcePart, list[int]] = {}  # that are known already

    def add(self, path: Path, part: SourcePart) -> None:
        """Add what a part is called."""
        self.names.setdefault(path, {})[part] = None
        if "." in part.name and len(path) <= NEAR:
            self.members.setdefault(path[-1], {})[part] = None

    def add_line(self, part: SourcePart, line: int) -> None:
        """Add a line that is known to name a part."""
        self.lines.setdefault(part, []).append(line)


class FileLines:
    """The identifiers and the parts of one file."""

    def __init__(self, path: str, facts: FileFacts, identifiers: Identifiers) -> None:
        self.path = path
        self.identifiers = identifiers
        self._facts = facts
        self._hidden: dict[str, tuple[tuple[int, int], ...]] = {}

    def uses(self, called: Called) -> Iterator[Use]:
        """Yield the uses of parts, by line; each once."""
        found: dict[tuple[int, SourcePart], _Certainty] = {}
        for line, part, certainty in self._found(called):
            found[line, part] = max(certainty, found.get((line, part), _Certainty.NAME))
        for (line, part), certainty in sorted(found.items()):
            around = self._around.get(line, "")
            is_own = certainty is _Certainty.SELF and _is_beside(around, part.name)
            yield Use(self.path, line, part, around, is_own or certainty is _Certainty.SURE)

    def imported_line(self, name: str, first: int, nth: int) -> int:
        """Return the line in which an import that starts in a line has a name for the nth time."""
        lines = self.identifiers.get(f"{IMPORTED}{name}", ())
        at = bisect_left(lines, first) + nth - 1
        return lines[at] if at < len(lines) else first

    def has_member(self, path: Path, line: int) -> bool:
        """Tell whether a line names a path as the member of something that has no name."""
        name = ".".join(("", *path))
        return line in self.identifiers.get(name, ())

    def _found(self, called: Called) -> Iterator[tuple[int, SourcePart, _Certainty]]:
        for part, known in called.lines.items():
            yield from ((line, part, _Certainty.SURE) for line in known)
        for name in self.identifiers:
            if not name.startswith((IMPORTED, DECLARED)):
                words = tuple(name.split("."))
                lines = self.identifiers[name] if len(words) > 1 else self._named(name)
                for part, certainty in self._meanings(words, called):
                    is_whole = certainty is _Certainty.SURE
                    shown = self._unhidden(words[0], lines) if is_whole else lines
                    yield from ((line, part, certainty) for line in shown)

    def _meanings(self, words: Path, called: Called) -> Iterator[tuple[SourcePart, _Certainty]]:
        """Yield the parts that an identifier names."""
        for size in range(1, len(words) + 1):
            for part in called.names.get(words[:size], ()):
                yield part, _Certainty.SURE
        for at, word in enumerate(words[1:] if words[0] not in called.modules else ()):
            for part in called.members.get(word, ()):
                is_self = at == 0 and words[0] in SELF and part.path == self.path
                yield part, _Certainty.SELF if is_self else _Certainty.NAME

    def _named(self, name: str) -> Sequence[int]:
        """Return the lines of a name without the places where the file declares a part so."""
        lines = self.identifiers[name]
        declared = self.identifiers.get(f"{DECLARED}{name}", ())
        places = set()
        for part in self._declarations.get(name, ()):
            at = bisect_left(lines, part.first)
            if at < len(lines) and lines[at] <= part.last and not _is_any(declared, part):
                places.add(at)
        return [line for at, line in enumerate(lines) if at not in places] if places else lines

    def _unhidden(self, name: str, lines: Sequence[int]) -> Sequence[int]:
        """Return the lines without those in parts that declare a variable of a name."""
        if name not in self._hidden:
            self._hidden[name] = tuple(self._hiding(name))
        hidden = self._hidden[name]
        return [line for line in lines if not _is_inside(line, hidden)] if hidden else lines

    def _hiding(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield the first and last lines of the parts that declare a variable, apart and sorted."""
        declared = self.identifiers.get(f"{DECLARED}{name}", ())
        names = {self._around[line] for line in declared} - {""}
        spans = (
            (self._facts.parts[around].first, self._facts.parts[around].last)
            for around in names
            if around.rpartition(".")[2] != name
        )
        end = 0
        for first, last in sorted(spans):
            if last > end:
                yield max(first, end + 1), last
                end = last

    @cached_property
    def _declarations(self) -> dict[str, list[Part]]:
        """The parts of the file by the last words of their names."""
        found: dict[str, list[Part]] = {}
        for name, part in self._facts.parts.items():
            found.setdefault(name.rpartition(".")[2], []).append(part)
        return found

    @cached_property
    def _around(self) -> dict[int, str]:
        """The name of the innermost part around each line with a name; empty: there is none."""
        lines = {line for lines in self.identifiers.values() for line in lines}
        parts = [item for item in self._facts.parts.items() if item[0] != FILE]
        waiting = sorted(parts, key=lambda item: (-item[1].first, item[1].last))
        opened: list[tuple[int, str]] = []
        found = {}
        for line in sorted(lines):
            while waiting and waiting[-1][1].first <= line:
                name, part = waiting.pop()
                opened.append((part.last, name))
            while opened and opened[-1][0] < line:
                opened.pop()
            found[line] = opened[-1][1] if opened else ""
        return found


def _is_inside(line: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a line is in one of some spans, which are apart and sorted."""
    at = bisect_right(spans, (line, sys.maxsize)) - 1
    return at >= 0 and line <= spans[at][1]


def _is_any(lines: Sequence[int], part: Part) -> bool:
    """Tell whether one of some lines is in a part."""
    at = bisect_left(lines, part.first)
    return at < len(lines) and lines[at] <= part.last


def _is_beside(name: str, member: str) -> bool:
    """Tell whether a part is a member of what another one is a member of, or in one."""
    container = member.rpartition(".")[0]
    return name == container or name.startswith(f"{container}.")
