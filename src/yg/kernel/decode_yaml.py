"""YAML 1.2, core schema, built from the events of libyaml's parser.

The stock loaders follow YAML 1.1 (`on` is true, `12:30` is 750), keep the last of two equal keys,
and can be crashed by deep nesting; so only the parser is used, and values are built here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml
from msgspec import Struct

from yg.kernel.decode import (
    MAX_DEPTH,
    Builder,
    Datum,
    Decoded,
    Scalar,
    real_number,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.decode import Entry

try:
    from yaml import _yaml

    _Parser: Any = _yaml.CParser
except ImportError:  # PyYAML without libyaml: ten times slower, the same events
    _Parser = yaml.Loader

# What the aliases of one file may stand for, all together.
MAX_BORROWED = 100_000  # values
MAX_BORROWED_TEXT = 1_000_000  # characters

_TAG = "tag:yaml.org,2002:"
_SCALAR, _MAPPING = yaml.ScalarEvent, yaml.MappingStartEvent
_MAP, _SEQ = f"{_TAG}map", f"{_TAG}seq"
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
# A question mark that begins text: in brackets libyaml takes it for the beginning of a key.
_QUESTION = re.compile(r"(?<![^\s\[{,:?])\?(?=[^\s,\[\]{}])")
_OLD_BREAKS = "\x85\u2028\u2029"
_LONGEST_SHOWN = 40
_BREAK = re.compile("\r\n|\r|\n")
_NUMBER_STARTS = frozenset("0123456789+-.")


def decode_yaml(text: str) -> Decoded:
    """Decode one YAML document; all that is wrong with it is in the result."""
    disguised, undisguise = disguise(text)
    builder = _YamlBuilder(text, undisguise)
    try:
        builder.feed(make_parser(disguised))
    except yaml.MarkedYAMLError as error:
        builder.report_syntax(error)
    except (yaml.YAMLError, UnicodeEncodeError):
        builder.report_unprintable()
    return builder.decoded


def disguise(text: str) -> tuple[str, dict[int, int]]:
    """Put stand-ins for what means something else in YAML 1.1, and so to libyaml.

    These are characters that it takes as line breaks, and question marks that begin text. Return
    the text to parse, in which everything has kept its place, and what turns the stand-ins back.
    """
    breaks = [] if text.isascii() else [letter for letter in _OLD_BREAKS if letter in text]
    asks = "?" in text and _QUESTION.search(text) is not None
    if not breaks and not asks:
        return text, {}
    free = (chr(code) for code in range(0xE000, 0xF900) if chr(code) not in text)
    chosen = dict(zip([*breaks, *("?" * asks)], free, strict=False))
    if asks and "?" in chosen:
        text = _QUESTION.sub(chosen["?"], text)
    for letter in breaks:
        text = text.replace(letter, chosen.get(letter, letter))
    return text, {ord(code): ord(letter) for letter, code in chosen.items()}


def make_parser(text: str) -> Any:
    """Return a parser of the events in a text."""
    return _Parser(text)


def plain_scalar(text: str) -> Scalar:
    """Read an unquoted scalar by the core schema; raises ValueError for a number out of range."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if _DECIMAL.fullmatch(text) or _BASED.fullmatch(text):
        return whole_number(text, _base_of(text))
    if _FLOAT.fullmatch(text):
        return real_number(text)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    return text


def _base_of(text: str) -> int:
    return {"0o": 8, "0x": 16}.get(text[:2], 10)


class _Named(Struct, frozen=True):
    """A value that aliases can stand for."""

    datum: Datum
    length: int  # characters it takes at most, every alias counted as what it stands for
    size: int = 1  # values in it, counted in the same way
    levels: int = 0  # of collections


class _Naming:
    """An open collection that will be one."""

    __slots__ = ("before", "deepest", "level", "name", "start")

    def __init__(self, name: str, level: int, before: int, start: int) -> None:
        self.name = name
        self.level = level
        self.deepest = level  # at which there is a collection in it
        self.before = before  # values that stand before it
        self.start = start  # characters that stand before it

    def named(self, datum: Datum, values: int, end: int) -> _Named:
        """Return what it is, once it is complete."""
        levels = self.deepest - self.level + 1
        return _Named(datum, end - self.start, values - self.before, levels)


class _YamlBuilder(Builder):
    """Turns parser events into values."""

    def __init__(self, text: str, undisguise: dict[int, int]) -> None:
        super().__init__()
        self._text = text
        self._undisguise = undisguise
        self._lines = text.count("\n") + 1
        if "\r" in text:
            self._lines += text.count("\r") - text.count("\r\n")
        self._named: dict[str, _Named] = {}
        self._naming: list[_Naming] = []
        self._values = 0  # so far, every alias counted as what it stands for
        self._borrowed = 0  # of these, what aliases stand for
        self._borrowed_text = 0  # characters that aliases stand for
        self._documents = 0

    def feed(self, parser: Any) -> None:
        """Take events until the end of the stream, or until going on makes no sense."""
        next_event = parser.get_event
        put, pairs = self.put, self.pairs
        lines = 0 if self._undisguise else self._lines
        while (event := next_event()) is not None:
            kind = type(event)
            # Most events are scalars without anything special. What `scalar` does with them is done
            # here, without a call, without a Datum for a key, and with a look at `plain_scalar`
            # only for what it would not hand back as it is: that takes half the time.
            if kind is _SCALAR and event.tag is None and event.anchor is None:
                mark = event.start_mark
                line, column = mark.line + 1, mark.column + 1
                if line <= lines:
                    value = event.value
                    if event.implicit[0] and (value in _CONSTANTS or value[0] in _NUMBER_STARTS):
                        value = self._plain(value, line, column)
                    if pairs is not None and pairs.key is None:
                        pairs.key = value, line, column
                    else:
                        put(Datum(value, line, column))
                    self._values += 1
                    continue
            if handle := _HANDLERS.get(kind):
                handle(self, event)
                if self.is_broken:
                    return
                put, pairs = self.put, self.pairs

    def scalar(self, event: Any) -> None:
        """Take any scalar."""
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
            self._named[event.anchor] = _Named(datum, len(text))
        self._values += 1
        self.put(datum)

    def _plain(self, text: str, line: int, column: int) -> Scalar:
        try:
            return plain_scalar(text)
        except ValueError as error:
            self.trouble(str(error), line, column, "Put it in quotes.")
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

    def collection(self, event: Any) -> None:
        """Take the beginning of a mapping or a list."""
        line, column = self._place(event.start_mark)
        is_mapping = type(event) is _MAPPING
        value: list[Datum] | dict[str, Entry] = {} if is_mapping else []
        if event.tag is not None and event.tag not in ("!", _MAP if is_mapping else _SEQ):
            self.trouble(f"unknown tag '{event.tag}'", line, column, "Remove the tag.")
        level = self.begin(value, line, column)
        if event.anchor is not None:
            start = event.start_mark.index + self._borrowed_text
            self._naming.append(_Naming(event.anchor, level, self._values, start))
        self._values += 1
        if self._naming:
            self._reach(level)

    def _reach(self, level: int) -> None:
        for each in self._naming:
            each.deepest = max(each.deepest, level)

    def ending(self, event: Any) -> None:
        """Take the end of a mapping or a list."""
        level = len(self._open)
        datum = self.end()
        if self._naming and self._naming[-1].level == level:
            naming = self._naming.pop()
            end = event.end_mark.index + self._borrowed_text
            self._named[naming.name] = naming.named(datum, self._values, end)

    def alias(self, event: Any) -> None:
        """Take an alias: the value it stands for, at its own place."""
        line, column = self._place(event.start_mark)
        named = self._named.get(event.anchor)
        if named is None:
            self.trouble(
                f"alias '*{event.anchor}' names nothing that stands complete before it",
                line,
                column,
                f"Define it with '&{event.anchor}' further up, or write the value out.",
            )
            named = _Named(Datum(None, line, column), 0)
        level = len(self._open) + named.levels
        if level > MAX_DEPTH:
            self.fail_deep(line, column)
        self._borrowed += named.size
        self._borrowed_text += named.length
        if self._borrowed > MAX_BORROWED:
            self.fail(f"aliases stand for more than {MAX_BORROWED} values", line, column)
        elif self._borrowed_text > MAX_BORROWED_TEXT:
            self.fail(f"aliases stand for more than {MAX_BORROWED_TEXT} characters", line, column)
        self._values += named.size
        self._reach(level)
        self.put(Datum(named.datum.value, line, column))

    def document(self, event: Any) -> None:
        """Take the beginning of a document; there can be only one."""
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


_HANDLERS: dict[type, Callable[[_YamlBuilder, Any], None]] = {
    yaml.ScalarEvent: _YamlBuilder.scalar,
    yaml.MappingStartEvent: _YamlBuilder.collection,
    yaml.SequenceStartEvent: _YamlBuilder.collection,
    yaml.MappingEndEvent: _YamlBuilder.ending,
    yaml.SequenceEndEvent: _YamlBuilder.ending,
    yaml.AliasEvent: _YamlBuilder.alias,
    yaml.DocumentStartEvent: _YamlBuilder.document,
}
