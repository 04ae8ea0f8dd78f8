"""The values of a YAML text that is being written: where they are, even if it cannot be parsed.

Only what declarations consist of is understood: mappings and lists, by indentation or in brackets,
and scalars on one line. A text that can be parsed is read exactly, by its spans.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml
from msgspec import Struct

from yg_old.text.decode import MAX_DEPTH
from yg_old.text.yaml_edit import tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.text.decode import Datum, Keys

MOST_VALUES = 100_000  # that are recognised
_BREAK = re.compile("\r\n|\r|\n")
# The text of a key may end with blanks, so nothing is tried twice.
_KEY = re.compile(
    r"""(?:"[^"]*+"\s*+|'[^']*+'\s*+|[^\s#\-\[\]{},"'][^#\[\]{},:"']*+|-[^\s#:]++\s*+):(?=\s|$)"""
)
_DASH = re.compile(r"-(?=\s|$)")
_COMMENT = re.compile(r"\s#")
_BLANKS = re.compile(r"\s*+")
_FLOW_END = re.compile(r"[,\[\]{}]|\s#|$")
_BLOCK_SCALAR = re.compile(r"[|>][-+0-9]*\s*(?:#.*)?$")


class YamlValue(Struct, frozen=True, gc=False):
    """A scalar: the keys around it, its text, and where it begins and ends."""

    keys: Keys
    text: str
    start: int
    end: int


def values_of(text: str) -> tuple[YamlValue, ...]:
    """Return the scalars of a YAML text that can be parsed; otherwise those that are recognised."""
    try:
        root = tree_of(text)
    except yaml.YAMLError:
        return outline(text)
    return tuple(_leaves(text, root))


def _leaves(text: str, root: Datum | None) -> Iterator[YamlValue]:
    waiting: list[tuple[Keys, Datum]] = [] if root is None else [((), root)]
    while waiting:
        keys, datum = waiting.pop()
        if len(keys) > MAX_DEPTH:
            continue
        if datum.entries is not None:
            inner = [((*keys, key), entry.datum) for key, entry in datum.entries.items()]
            waiting += reversed(inner)
        elif datum.items is not None:
            waiting += reversed([((*keys, at), item) for at, item in enumerate(datum.items)])
        else:
            is_text = isinstance(datum.value, str)
            shown = datum.value if is_text else text[datum.start : datum.end]
            yield YamlValue(keys, "" if datum.is_alias else str(shown), datum.start, datum.end)


def outline(text: str) -> tuple[YamlValue, ...]:
    """Return the scalars of a text line by line, also empty ones, where a value can be written.

    Those that are nested too deeply, or come after too many others, are left out.
    """
    scanner = _Scanner(text)
    start = 0
    for found in _BREAK.finditer(text):
        scanner.read(start, found.start())
        start = found.end()
    scanner.read(start, len(text))
    return tuple(scanner.found)


class _Level(Struct):
    """An open mapping or list: its column, and the key or number of its present entry."""

    column: int
    key: str | int


class _Scanner:
    """Reads a text line by line, with a stack of what is open."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stack: list[_Level] = []
        self._opened: list[str] = []  # brackets that are not closed
        self._scalar_column = -1  # of the key of a block scalar, whose lines are skipped
        self.found: list[YamlValue] = []

    def read(self, start: int, end: int) -> None:
        """Read one line."""
        at = start
        while at < end and self._text[at] == " ":
            at += 1
        column = at - start
        if self._opened and self._begins_entry(column, at, end):
            self._close_brackets()
        if self._opened:
            self._read_flow(at, end)
            return
        is_blank = at == end or self._text[at] == "#"
        if self._scalar_column >= 0 and (is_blank or column > self._scalar_column):
            return
        self._scalar_column = -1
        if not is_blank:
            self._read_entry(start, at, end)

    def _begins_entry(self, column: int, at: int, end: int) -> bool:
        """Return whether a line looks like the next key after a bracket that was left open."""
        blocks = len(self._stack) - len(self._opened)  # levels outside of the brackets
        is_outside = column <= (self._stack[blocks - 1].column if blocks else 0)
        return is_outside and _KEY.match(self._text, at, end) is not None

    def _close_brackets(self) -> None:
        del self._stack[len(self._stack) - len(self._opened) :]
        self._opened.clear()

    def _read_entry(self, start: int, at: int, end: int) -> None:
        """Read the dashes, the key and the value of a line."""
        while _DASH.match(self._text, at, end) and len(self._stack) <= MAX_DEPTH:
            self._open_item(at - start)
            at += 1
            while at < end and self._text[at] == " ":
                at += 1
        key = _KEY.match(self._text, at, end)
        if key is not None:
            name = key[0][:-1].strip().strip("\"'")
            self._open_key(at - start, name)
            at = key.end()
        self._read_value(at, end, column=at - start)

    def _open_item(self, column: int) -> None:
        number = 0
        while self._stack and self._stack[-1].column >= column:
            top = self._stack[-1]
            if top.column == column and isinstance(top.key, str):
                break  # a list may begin in the column of its key
            if top.column == column and isinstance(top.key, int):
                number = top.key + 1
            self._stack.pop()
        self._stack.append(_Level(column, number))

    def _open_key(self, column: int, name: str) -> None:
        while self._stack and self._stack[-1].column >= column:
            self._stack.pop()
        self._stack.append(_Level(column, name))

    def _read_value(self, at: int, end: int, column: int) -> None:
        gap = at
        while at < end and self._text[at] == " ":
            at += 1
        rest = self._text[at:end]
        if _BLOCK_SCALAR.match(rest):
            self._scalar_column = self._stack[-1].column if self._stack else column
        elif rest[:1] in ("[", "{"):
            self._read_flow(at, end)
        elif rest[:1] in ('"', "'"):
            self._add_quoted(at, end)
        elif not rest or rest.startswith("#"):
            self._add("", min(gap + 1, at), min(gap + 1, at))
        else:
            found = _COMMENT.search(self._text, at, end)
            written = self._text[at : found.start() if found else end].rstrip()
            self._add(written, at, at + len(written))

    def _add(self, text: str, start: int, end: int) -> None:
        if len(self._stack) <= MAX_DEPTH and len(self.found) < MOST_VALUES:
            keys = tuple([level.key for level in self._stack])
            self.found.append(YamlValue(keys, text, start, end))

    def _add_quoted(self, at: int, end: int) -> int:
        """Add a quoted scalar; return where it ends: at its quote, or at the end of the line."""
        quote = self._text[at]
        close = at + 1
        while close < end and self._text[close] != quote:
            close += 2 if quote == '"' and self._text[close] == "\\" else 1
        stop = min(close + 1, end)
        self._add(self._text[at + 1 : min(close, end)], at, stop)
        return stop

    def _read_flow(self, at: int, end: int) -> None:
        """Read a line, or the rest of one, inside brackets."""
        while at < end:
            letter = self._text[at]
            if letter == "#" and self._text[at - 1].isspace():
                return
            if letter in "[{" and len(self._opened) < MAX_DEPTH:
                self._opened.append(letter)
                self._stack.append(_Level(-1, 0 if letter == "[" else ""))
                at = self._empty(at + 1, end)
            elif letter in "]}":
                if self._opened:
                    self._opened.pop()
                    self._stack.pop()
                at += 1
                if not self._opened:
                    return
            elif letter == ",":
                self._next_item()
                at = self._empty(at + 1, end)
            elif letter.isspace():
                at += 1
            else:
                at = self._flow_scalar(at, end)

    def _next_item(self) -> None:
        top = self._stack[-1]
        if isinstance(top.key, int):
            top.key += 1
        else:
            top.key = ""

    def _empty(self, at: int, end: int) -> int:
        """Add an empty value where an item can be written; return where to go on."""
        if self._opened[-1] == "[" and self._next(at, end) in (",", "]", ""):
            place = at + 1 if self._text[at : min(at + 1, end)] == " " else at
            self._add("", place, place)
        return at

    def _next(self, at: int, end: int) -> str:
        """Return the next character that is not a blank; empty at the end."""
        found = _BLANKS.match(self._text, at, end)
        at = found.end() if found else at
        return self._text[at : min(at + 1, end)]

    def _flow_scalar(self, at: int, end: int) -> int:
        """Read a key or a value inside brackets; return where it ends."""
        if self._text[at] in "\"'":
            return self._add_quoted(at, end)
        top = self._stack[-1]
        if self._opened[-1] == "{" and top.key == "":
            key = _KEY.match(self._text, at, end)
            if key is not None:
                top.key = key[0][:-1].strip()
                if self._next(key.end(), end) in (",", "}", ""):
                    place = min(key.end() + 1, end)
                    self._add("", place, place)
                return key.end()
        found = _FLOW_END.search(self._text, at, end)
        stop = found.start() if found else end
        text = self._text[at:stop].rstrip()
        if text:
            self._add(text, at, at + len(text))
        return max(stop, at + 1)
