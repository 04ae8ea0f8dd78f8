"""JSON decoder (RFC 8259) with positions, duplicate key checks and no recursion."""

from __future__ import annotations

import re
from bisect import bisect_right
from json.decoder import (  # type: ignore[attr-defined]
    JSONDecodeError,
    JSONDecoder,
    scanstring,
)
from typing import TYPE_CHECKING, Any, NoReturn

from yg_old.text import paths
from yg_old.text.decode import (
    MAX_DEPTH,
    Builder,
    Datum,
    Decoded,
    Entry,
    Scalar,
    real_number,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", re.ASCII)
_WORD = re.compile(r"[A-Za-z]+")
_HALF = re.compile("[\ud800-\udfff]")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}


def quick_json(text: str) -> Any:
    """Decode a document without positions, several times as fast; raise ValueError if in doubt.

    The result equals that of `decode_json` for a document without problems. If this raises, call
    `decode_json` to find out what is wrong, if anything.
    """
    if "\\u" in text:
        raise ValueError("an escape, possibly half of a surrogate pair")
    try:
        value = _QUICK.decode(text)
    except RecursionError as error:
        raise ValueError("nested deeply") from error
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        raise ValueError("nested deeply")
    return value


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a duplicate key")
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


_QUICK = JSONDecoder(
    object_pairs_hook=_unique,
    parse_constant=_refuse,
    parse_int=whole_number,
    parse_float=real_number,
)


def _is_deep(value: Any) -> bool:
    """Return whether collections are nested deeper than MAX_DEPTH."""
    level, depth = [value], 0
    while level := [item for item in level if isinstance(item, (list, dict))]:
        depth += 1
        inner = (item.values() if isinstance(item, dict) else item for item in level)
        level = [item for items in inner for item in items]
    return depth > MAX_DEPTH


def decode_json(text: str) -> Decoded:
    """Decode one JSON document; the result includes its problems."""
    scanner = _JsonScanner(text)
    scanner.scan()
    return scanner.decoded


class _JsonScanner(Builder):
    """Reads a document from left to right; the builder's stack holds the open collections."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._at = 0
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def scan(self) -> None:
        """Read the document, up to the first syntax error."""
        self._skip_space()
        self._value()
        while not self.is_broken and (holder := self.innermost) is not None:
            self._skip_space()
            if isinstance(holder.value, list):
                self._list_item(is_first=not holder.value)
            else:
                self._mapping_entry(is_first=not holder.value)
        self._skip_space()
        if not self.is_broken and self._at < len(self._text):
            self._fail("text after the end of the document")

    def _list_item(self, *, is_first: bool) -> None:
        if self._accept("]"):
            self.end(self._at)
        elif is_first or self._accept(","):
            self._skip_space()
            self._value()
        else:
            self._fail("expected ',' or ']'")

    def _mapping_entry(self, *, is_first: bool) -> None:
        if self._accept("}"):
            self.end(self._at)
        elif is_first or self._accept(","):
            self._skip_space()
            self._key_and_value()
        else:
            self._fail("expected ',' or '}'")

    def _key_and_value(self) -> None:
        if self._peek() != '"':
            self._fail("expected a key in double quotes")
            return
        self._string()
        self._skip_space()
        if self.is_broken:
            return
        if not self._accept(":"):
            self._fail("expected ':'")
            return
        self._skip_space()
        self._value()

    def _value(self) -> None:
        letter = self._peek()
        if letter == '"':
            self._string()
        elif letter == "[":
            self._begin([])
        elif letter == "{":
            self._begin({})
        elif word := _WORD.match(self._text, self._at):
            self._word(word[0])
        else:
            self._number()

    def _begin(self, value: list[Datum] | dict[str, Entry]) -> None:
        self.begin(value, *self._position(), self._at)
        self._at += 1

    def _string(self) -> None:
        line, column = self._position()
        try:
            value, end = scanstring(self._text, self._at + 1, True)  # noqa: FBT003
        except JSONDecodeError as error:
            self._at = error.pos
            self._fail(f"a broken string ({error.msg[0].lower()}{error.msg[1:]})")
            return
        if not paths.is_utf8(value):
            self.add_problem(
                "half of a surrogate pair", line, column, "Write the character itself."
            )
            value = _HALF.sub("\ufffd", value)  # unlike a lone surrogate, it can be encoded
        self.put(Datum(value, line, column, self._at, end))
        self._at = end

    def _word(self, word: str) -> None:
        if word in _WORDS:
            end = self._at + len(word)
            self.put(Datum(_WORDS[word], *self._position(), self._at, end))
            self._at = end
        else:
            self._fail(f"'{word}' is not a JSON value")

    def _number(self) -> None:
        found = _NUMBER.match(self._text, self._at)
        if found is None:
            what = f"'{self._peek()}'" if self._peek() else "the end of the file"
            self._fail(f"expected a value, found {what}")
            return
        try:
            is_real = found[1] or found[2]
            value = real_number(found[0]) if is_real else whole_number(found[0])
        except ValueError as error:
            self._fail(str(error))
            return
        self.put(Datum(value, *self._position(), self._at, found.end()))
        self._at = found.end()

    def _skip_space(self) -> None:
        if found := _SPACE.match(self._text, self._at):
            self._at = found.end()

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _accept(self, letter: str) -> bool:
        if self._peek() != letter:
            return False
        self._at += 1
        return True

    def _fail(self, message: str) -> None:
        self.fail(f"not valid JSON: {message}", *self._position())

    def _position(self) -> tuple[int, int]:
        line = bisect_right(self._line_starts, self._at)
        return line, self._at - self._line_starts[line - 1] + 1
