"""Positions in a text: offsets, lines and columns, and the units that an editor counts in."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property

_BREAK = re.compile("\r\n|\r|\n")
UTF8, UTF16 = "utf-8", "utf-16"
# Up to where a mark below a problem goes: a quoted text, or a word with what belongs to it.
_MARKED = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`)|[^\s,\[\]{}#"'`][^\n\r,\[\]{}#]*"""
)


def units(text: str, encoding: str) -> int:
    """Return the length of a text in the units of an encoding."""
    if text.isascii():
        return len(text)
    if encoding == UTF16:
        return len(text) + sum(letter > "\uffff" for letter in text)
    return len(text.encode(UTF8, "surrogatepass")) if encoding == UTF8 else len(text)


class Lines:
    """A text with the offsets of its lines."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> array[int]:
        starts = array("q", [0])  # a list would need many times the memory of the text
        starts.extend(found.end() for found in _BREAK.finditer(self.text))
        return starts

    def _end_of(self, line: int) -> int:
        """Return where a line ends, without its line break."""
        if line + 1 >= len(self._starts):
            return len(self.text)
        end = self._starts[line + 1]
        return end - (2 if self.text[end - 2 : end] == "\r\n" else 1)

    def offset_at(self, line: int, column: int) -> int:
        """Return the offset of a line and column in code points, both from 1, as in an issue."""
        if not 0 < line <= len(self._starts):
            return len(self.text)
        return min(self._starts[line - 1] + max(column - 1, 0), self._end_of(line - 1))

    def offset_of(self, line: int, character: int, encoding: str) -> int:
        """Return the offset of a position of an editor; one beyond a line is at its end."""
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self._end_of(line)
        content = self.text[start:end]
        if content.isascii() or encoding not in (UTF8, UTF16):
            return min(start + character, end)
        for at, letter in enumerate(content):
            if character <= 0:
                return start + at
            character -= units(letter, encoding)
        return end

    def position_of(self, offset: int, encoding: str) -> tuple[int, int]:
        """Return the line and the character of an offset, both from 0, as an editor counts."""
        line = bisect_right(self._starts, offset) - 1
        end = min(offset, self._end_of(line))
        return line, units(self.text[self._starts[line] : end], encoding)

    def marked(self, offset: int) -> int:
        """Return where the value or word that begins at an offset ends, on the same line."""
        found = _MARKED.match(self.text, offset)
        if found is None:
            return offset
        text = found[0] if found[1] else found[0].split(": ", 1)[0].rstrip().removesuffix(":")
        return offset + len(text)


def with_change(
    text: str, span: tuple[tuple[int, int], tuple[int, int]] | None, new: str, encoding: str
) -> str:
    """Return a text after a change of an editor: of a range, or of the whole text."""
    if span is None:
        return new
    lines = Lines(text)
    start, end = (lines.offset_of(*place, encoding) for place in span)
    return f"{text[:start]}{new}{text[max(start, end) :]}"


def difference(before: str, after: str) -> tuple[int, int, str]:
    """Return the smallest part of a text to replace, and by what, to get another text."""
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, len(before) - end, after[start : len(after) - end]
