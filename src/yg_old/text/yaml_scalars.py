"""Replacement of single values in a YAML text; every other character stays as it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml
from msgspec import Struct

from yg_old.text.decode_yaml import disguise, make_parser
from yg_old.text.yaml_edit import quoted_scalar, yaml_scalar

if TYPE_CHECKING:
    from collections.abc import Mapping

    Position = tuple[int, int]  # line and column, from 1

# A tag, an anchor, and the white space and comments after them.
_PROPERTIES = re.compile(r"(?:!<[^>]*>|[&!][^\s,\[\]{}]*|\s+|#[^\n]*)*")
_FLOW_INDICATORS = frozenset(",[]{}")
_BLOCK_STYLES = ("|", ">")


def with_scalars(text: str, values: Mapping[Position, str]) -> str:
    """Return a text with other values for the scalars at some positions, in their own style.

    An alias is replaced by its new value, unless its anchor gets the same one. An alias that keeps
    its value is replaced by that value if its anchor gets another one. Raises yaml.YAMLError.
    """
    disguised, undisguise = disguise(text)
    edits = _Edits(text, values, undisguise)
    parser: Any = make_parser(disguised)
    while (event := parser.get_event()) is not None:
        edits.read(event)
    return edits.result()


class _AnchoredScalar(Struct, frozen=True):
    """A scalar with an anchor: its value, and its new one or None."""

    old: str
    new: str | None


class _Edits:
    """Collects the replaced parts of a text from parser events."""

    def __init__(
        self, text: str, values: Mapping[Position, str], undisguise: dict[int, int]
    ) -> None:
        self._text = text
        self._values = values
        self._undisguise = undisguise
        self._anchored: dict[str, _AnchoredScalar] = {}
        self._brackets: list[bool] = []  # whether each open collection is written in brackets
        self._pieces: list[str] = []
        self._end = 0  # of the text in the pieces

    def read(self, event: Any) -> None:
        """Read the next event."""
        if isinstance(event, yaml.CollectionStartEvent):
            self._brackets.append(bool(event.flow_style))
            self._forget(event.anchor)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._brackets.pop()
        elif isinstance(event, yaml.ScalarEvent):
            self._read_scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            self._read_alias(event)

    def result(self) -> str:
        """Return the text with all parts replaced."""
        return "".join((*self._pieces, self._text[self._end :]))

    def _forget(self, anchor: str | None) -> None:
        if anchor is not None:
            self._anchored.pop(anchor, None)

    def _read_scalar(self, event: Any) -> None:
        old, new = event.value.translate(self._undisguise), self._new(event)
        if event.anchor is not None:
            self._anchored[event.anchor] = _AnchoredScalar(old, new)
        if new is None:
            return
        start, end = event.start_mark.index, event.end_mark.index
        if event.anchor is not None or event.tag is not None:
            found = _PROPERTIES.match(self._text, start, end)
            start = found.end() if found else start
        raw = self._text[start:end]
        if event.style in _BLOCK_STYLES:
            header, word, rest = raw.rpartition(old) if old else ("", "", raw)
            self._replace(start, end, f"{header}{new}{rest}" if word else raw)
        else:
            self._replace(start, end, self._written(new, event.style or ""))

    def _read_alias(self, event: Any) -> None:
        anchored, new = self._anchored.get(event.anchor), self._new(event)
        changed = anchored.new if anchored else None
        if new == changed:
            return  # the alias keeps its value, or follows its anchor
        value = new if new is not None or anchored is None else anchored.old
        if value is not None:
            self._replace(event.start_mark.index, event.end_mark.index, self._written(value))

    def _new(self, event: Any) -> str | None:
        mark = event.start_mark
        return self._values.get((mark.line + 1, mark.column + 1))

    def _replace(self, start: int, end: int, part: str) -> None:
        self._pieces += [self._text[self._end : start], part]
        self._end = end

    def _written(self, value: str, style: str = "") -> str:
        """Write a value in a style, in double quotes if the style cannot hold it."""
        if style == "'" and value.isprintable():
            return "'" + value.replace("'", "''") + "'"
        if style:
            return quoted_scalar(value)
        is_in_brackets = any(self._brackets[-1:])
        if is_in_brackets and not _FLOW_INDICATORS.isdisjoint(value):
            return quoted_scalar(value)
        return yaml_scalar(value)
