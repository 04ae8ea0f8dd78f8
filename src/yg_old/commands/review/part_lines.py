"""The lines of the parts of a source file."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.code.parts import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.review.changes import Version


class PartLines:
    """The lines of one version of a file, which is split once for all its parts."""

    def __init__(self, version: Version) -> None:
        self._version = version

    def own(self, name: str, first: int, last: int) -> dict[int, str]:
        """Return the lines of a part by number, without those of the parts inside it.

        There are none if the text is not known or is binary, or if they are blank.
        """
        text = self._version.text
        if text is None or not first or "\0" in text:
            return {}
        inside = set(self._inside(name, first, last))
        numbers = range(first, min(last, len(self._lines)) + 1)
        own = {number: self._lines[number - 1] for number in numbers if number not in inside}
        return own if any(line.strip() for line in own.values()) else {}

    @cached_property
    def _lines(self) -> list[str]:
        return (self._version.text or "").split("\n")

    @cached_property
    def _declared(self) -> list[tuple[int, int]]:
        """The first and last lines of all declarations, in order."""
        parts = self._version.parts.items()
        return sorted((part.first, part.last) for name, part in parts if name != FILE)

    def _inside(self, name: str, first: int, last: int) -> Iterator[int]:
        """Yield the numbers of the lines of parts inside a part, each once."""
        done = first - 1
        for at in range(bisect_left(self._declared, (first, 0)), len(self._declared)):
            span = start, end = self._declared[at]
            if start > last:
                break
            if end <= last and (span != (first, last) or name == FILE):
                yield from range(max(start, done + 1), end + 1)
                done = max(done, end)
