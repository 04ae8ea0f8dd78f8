"""YAML 1.2, core schema, built from the events of libyaml's parser.

The stock loaders follow YAML 1.1 (`on` is true, `12:30` is 750), keep the last of two equal keys,
and can be crashed by deep nesting; so only the parser is used, and values are built here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from yg.kernel.decode import Builder, Datum, Decoded, Scalar

if TYPE_CHECKING:
    from collections.abc import Callable

try:
    from yaml import _yaml

    _Parser: Any = _yaml.CParser
except ImportError:  # PyYAML without libyaml: ten times slower, the same events
    _Parser = yaml.Loader

MAX_BORROWED = 100_000  # values that the aliases of one file may stand for, all together

_TAG = "tag:yaml.org,2002:"
_TAGGED_TYPES: dict[str, tuple[type, ...]] = {
    f"{_TAG}int": (int,),
    f"{_TAG}float": (float, int),
    f"{_TAG}bool": (bool,),
    f"{_TAG}null": (type(None),),
}
_CONSTANTS: dict[str, Scalar] = {
    "": None,
    **dict.fromkeys(("~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+", re.ASCII)
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NUMBER_STARTS = frozenset("0123456789+-.")


def decode_yaml(text: str) -> Decoded:
    """Decode one YAML document; all that is wrong with it is in the result."""
    builder = _YamlBuilder(text)
    try:
        builder.feed(make_parser(text))
    except yaml.MarkedYAMLError as error:
        builder.report_syntax(error)
    except yaml.YAMLError:
        builder.report_unprintable()
    return builder.decoded


def make_parser(text: str) -> Any:
    """Return a parser of the events in a text."""
    return _Parser(text)


def plain_scalar(text: str) -> Scalar:
    """Read an unquoted scalar by the core schema; raises ValueError for an absurd number."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if _DECIMAL.fullmatch(text) or _BASED.fullmatch(text):
        return int(text, _base_of(text))
    if _FLOAT.fullmatch(text):
        return float(text)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    return text


def _base_of(text: str) -> int:
    return {"0o": 8, "0x": 16}.get(text[:2], 10)


class _YamlBuilder(Builder):
    """Turns parser events into values."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._anchors: dict[str, Datum] = {}
        self._borrowed = 0
        self._documents = 0

    def feed(self, parser: Any) -> None:
        """Take events until the end of the stream, or until going on makes no sense."""
        handlers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._mapping,
            yaml.SequenceStartEvent: self._sequence,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceEndEvent: self._end,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
        }
        next_event = parser.get_event
        while not self.is_broken and (event := next_event()) is not None:
            if handle := handlers.get(type(event)):
                handle(event)

    def _scalar(self, event: Any) -> None:
        line, column = _place(event.start_mark)
        value: Scalar = event.value
        if event.tag is None:
            if event.implicit[0]:
                value = self._plain(event.value, line, column)
        elif event.tag not in ("!", f"{_TAG}str"):
            value = self._tagged(event.tag, event.value, line, column)
        datum = Datum(value, line, column)
        if event.anchor is not None:
            self._anchors[event.anchor] = datum
        self.put(datum)

    def _plain(self, text: str, line: int, column: int) -> Scalar:
        try:
            return plain_scalar(text)
        except ValueError:
            self.trouble("a number with too many digits", line, column, "Put it in quotes.")
            return None

    def _tagged(self, tag: str, text: str, line: int, column: int) -> Scalar:
        value = self._plain(text, line, column)
        kind = _TAGGED_TYPES.get(tag)
        if kind is None:
            self.trouble(f"unknown tag '{tag}'", line, column, "Remove the tag.")
        elif not isinstance(value, kind):
            self.trouble(f"'{text}' does not fit its tag '{tag}'", line, column, "Remove the tag.")
        return value

    def _mapping(self, event: Any) -> None:
        self._check_tag(event, f"{_TAG}map")
        self.begin({}, *_place(event.start_mark), event.anchor)

    def _sequence(self, event: Any) -> None:
        self._check_tag(event, f"{_TAG}seq")
        self.begin([], *_place(event.start_mark), event.anchor)

    def _check_tag(self, event: Any, expected: str) -> None:
        if event.tag not in (None, "!", expected):
            self.trouble(f"unknown tag '{event.tag}'", *_place(event.start_mark), "Remove the tag.")

    def _end(self, event: Any) -> None:  # noqa: ARG002
        datum, anchor = self.end()
        if anchor is not None:
            self._anchors[anchor] = datum

    def _alias(self, event: Any) -> None:
        line, column = _place(event.start_mark)
        named = self._anchors.get(event.anchor)
        if named is None:
            self.trouble(
                f"alias '*{event.anchor}' names nothing that stands complete before it",
                line,
                column,
                f"Define it with '&{event.anchor}' further up, or write the value out.",
            )
            named = Datum(None, line, column)
        self._borrowed += named.size
        if self._borrowed > MAX_BORROWED:
            self.fail(f"aliases stand for more than {MAX_BORROWED} values", line, column)
        self.put(Datum(named.value, line, column, named.size))

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            hint = "Keep one document in this file."
            self.fail("a second document begins", *_place(event.start_mark), hint)

    def report_syntax(self, error: yaml.MarkedYAMLError) -> None:
        """Tell of a syntax error in the words of someone who reads the file."""
        mark = error.problem_mark or error.context_mark
        line, column = _place(mark) if mark else (1, 1)
        if self._letter_at(line, column) == "\t":
            self.fail("a tab where YAML wants spaces", line, column, "Indent with spaces.")
            return
        message = f"not valid YAML: {error.problem or 'syntax error'}"
        hint = "Look at the indentation, quotes and brackets there."
        if error.context and error.context_mark:
            began = f"{error.context} that began in line {error.context_mark.line + 1}"
            hint = f"It was met {began}. {hint}"
        self.fail(message, line, column, hint)

    def report_unprintable(self) -> None:
        """Tell of the character that YAML does not allow in a file."""
        found = _UNPRINTABLE.search(self._text)
        at = found.start() if found else 0
        line_start = self._text.rfind("\n", 0, at) + 1
        self.fail(
            f"character U+{ord(self._text[at]):04X} is not allowed in YAML",
            self._text.count("\n", 0, at) + 1,
            at - line_start + 1,
            "Remove it, or write it as an escape inside double quotes.",
        )

    def _letter_at(self, line: int, column: int) -> str:
        lines = self._text.split("\n", line)
        return lines[line - 1][column - 1 : column] if line <= len(lines) else ""


def _place(mark: Any) -> tuple[int, int]:
    return mark.line + 1, mark.column + 1
