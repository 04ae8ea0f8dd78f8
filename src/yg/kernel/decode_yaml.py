"""YAML 1.2, core schema, built from the events of libyaml's parser.

The stock loaders follow YAML 1.1 (`on` is true, `12:30` is 750), keep the last of two equal keys,
and can be crashed by deep nesting; so only the parser is used, and values are built here.
"""

from __future__ import annotations

import re

import yaml

from yg.kernel.decode import Builder, Datum, Decoded, Scalar
from yg.kernel.typed import TYPE_CHECKING, Any

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
_OLD_BREAKS = "\x85\u2028\u2029"
_LONGEST_SHOWN = 40
_LONGEST_NUMBER = 4_300  # characters, as Python itself limits decimal numbers
_BREAK = re.compile("\r\n|\r|\n")
_NUMBER_STARTS = frozenset("0123456789+-.")


def decode_yaml(text: str) -> Decoded:
    """Decode one YAML document; all that is wrong with it is in the result."""
    disguise = _disguise(text)
    builder = _YamlBuilder(text, {value: key for key, value in disguise.items()})
    try:
        builder.feed(make_parser(text.translate(disguise)))
    except yaml.MarkedYAMLError as error:
        builder.report_syntax(error)
    except (yaml.YAMLError, UnicodeEncodeError):
        builder.report_unprintable()
    return builder.decoded


def _disguise(text: str) -> dict[int, int]:
    """Return stand-ins for the characters that only YAML 1.1, and so libyaml, takes as breaks."""
    breaks = [letter for letter in _OLD_BREAKS if letter in text]
    if not breaks:
        return {}
    free = (code for code in range(0xE000, 0xF900) if chr(code) not in text)
    return {ord(letter): code for letter, code in zip(breaks, free, strict=False)}


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
        if len(text) > _LONGEST_NUMBER:
            raise ValueError("too many digits")
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

    def __init__(self, text: str, undisguise: dict[int, int]) -> None:
        super().__init__()
        self._text = text
        self._undisguise = undisguise
        self._lines = text.count("\n") + text.count("\r") - text.count("\r\n") + 1
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
        line, column = self._place(event.start_mark)
        text = event.value.translate(self._undisguise) if self._undisguise else event.value
        value: Scalar = text
        if event.tag is None:
            if event.implicit[0]:
                value = self._plain(text, line, column)
        elif event.tag not in ("!", f"{_TAG}str"):
            value = self._tagged(event.tag, text, line, column)
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
        told = len(self.problems)
        value = self._plain(text, line, column)
        kinds = _TAGGED_TYPES.get(tag)
        if kinds is None:
            self.trouble(f"unknown tag '{tag}'", line, column, "Remove the tag.")
        elif type(value) not in kinds and len(self.problems) == told:
            shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}.."
            self.trouble(f"'{shown}' does not fit its tag '{tag}'", line, column, "Remove the tag.")
        return value

    def _mapping(self, event: Any) -> None:
        self._check_tag(event, f"{_TAG}map")
        self.begin({}, *self._place(event.start_mark), event.anchor)

    def _sequence(self, event: Any) -> None:
        self._check_tag(event, f"{_TAG}seq")
        self.begin([], *self._place(event.start_mark), event.anchor)

    def _check_tag(self, event: Any, expected: str) -> None:
        if event.tag not in (None, "!", expected):
            self.trouble(
                f"unknown tag '{event.tag}'", *self._place(event.start_mark), "Remove the tag."
            )

    def _end(self, event: Any) -> None:  # noqa: ARG002
        datum, anchor = self.end()
        if anchor is not None:
            self._anchors[anchor] = datum

    def _alias(self, event: Any) -> None:
        line, column = self._place(event.start_mark)
        named = self._anchors.get(event.anchor)
        if named is None:
            self.trouble(
                f"alias '*{event.anchor}' names nothing that stands complete before it",
                line,
                column,
                f"Define it with '&{event.anchor}' further up, or write the value out.",
            )
            named = Datum(None, line, column)
        self.check_depth(named.depth, line, column)
        self._borrowed += named.size
        if self._borrowed > MAX_BORROWED:
            self.fail(f"aliases stand for more than {MAX_BORROWED} values", line, column)
        self.put(Datum(named.value, line, column, named.size, named.depth))

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            hint = "Keep one document in this file."
            self.fail("a second document begins", *self._place(event.start_mark), hint)

    def report_syntax(self, error: yaml.MarkedYAMLError) -> None:
        """Tell of a syntax error in the words of someone who reads the file."""
        mark = error.problem_mark or error.context_mark
        line, column = self._place(mark) if mark else (1, 1)
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
        lines = _BREAK.split(self._text[:at])
        self.fail(
            f"character U+{ord(self._text[at]):04X} is not allowed in YAML",
            len(lines),
            len(lines[-1]) + 1,
            "Remove it, or write it as an escape inside double quotes.",
        )

    def _letter_at(self, line: int, column: int) -> str:
        lines = _BREAK.split(self._text, line)
        return lines[line - 1][column - 1 : column] if line <= len(lines) else ""

    def _place(self, mark: Any) -> tuple[int, int]:
        """Return a mark as line and column from 1; libyaml may see one line too many."""
        line: int = mark.line + 1
        if line > self._lines:
            return self._lines, len(_BREAK.split(self._text)[-1]) + 1
        return line, mark.column + 1
