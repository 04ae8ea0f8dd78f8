"""YAML 1.2, core schema, built from the events of libyaml's parser.

PyYAML's loaders follow YAML 1.1 (`on` is true, `12:30` is 750), accept duplicate keys and crash on
deep nesting. So only its parser is used, and the values are built here.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

import yaml
from msgspec import Struct

from yg_old.text.decode import (
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

    from yg_old.text.decode import Entry

try:
    from yaml import _yaml

    _Parser: Any = _yaml.CParser
except ImportError:  # PyYAML without libyaml: ten times slower, the same events
    _Parser = yaml.Loader

# Limits on what all aliases of one file expand to: so much, and as much again as the file itself.
MAX_BORROWED = 1_000  # values
MAX_BORROWED_TEXT = 20_000  # characters
# Characters of all lines that start with '%'. libyaml compares each directive with all others, and
# repeats the prefix of a tag directive in each of its tags.
MAX_DIRECTIVES = 1_000

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
# A question mark at the start of text: inside brackets libyaml reads it as a key indicator.
_QUESTION = re.compile(r"(?<![^\s\[{,:?])\?(?=[^\s,\[\]{}])")
_OLD_BREAKS = "\x85\u2028\u2029"
_LONGEST_SHOWN = 40
_CLOSING = {"[": "]", "{": "}"}
# Terms of libyaml's messages that only its authors use.
_TERMS = (
    ("flow sequence", "list in brackets"),
    ("flow mapping", "mapping in braces"),
    ("flow node", "value"),
    ("block node", "value"),
    ("block sequence", "list"),
    ("block collection", "list"),
    ("block mapping", "mapping"),
    ("block end", "end of the indented part"),
    ("node content", "value"),
    ("simple key", "key"),
)
_BREAK = re.compile("\r\n|\r|\n")
_DIRECTIVE = re.compile("(?<![^\r\n])%[^\r\n]*+")
_NUMBER_STARTS = frozenset("0123456789+-.")


def decode_yaml(text: str) -> Decoded:
    """Decode one YAML document; the result includes its problems."""
    disguised, undisguise = disguise(text)
    builder = _YamlBuilder(text, undisguise)
    try:
        builder.feed(make_parser(disguised))
    except yaml.MarkedYAMLError as error:
        builder.report_syntax(error)
    except yaml.YAMLError:
        builder.report_unprintable()
    return builder.decoded


def disguise(text: str) -> tuple[str, dict[int, int]]:
    """Replace characters that YAML 1.1, and so libyaml, reads differently.

    These are characters that libyaml treats as line breaks, and question marks at the start of
    text. Return the text to parse, with all positions unchanged, and the table for
    `str.translate` that restores the characters.
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
    """Return a parser of the events in a text; raises yaml.YAMLError, as the parser does."""
    if "%" in text:
        _check_directives(text)
    try:
        return _Parser(text)
    except UnicodeEncodeError as error:
        raise yaml.YAMLError("half of a surrogate pair") from error


def _check_directives(text: str) -> None:
    """Raise yaml.YAMLError if there are too many lines that start like a directive."""
    length = 0
    for found in _DIRECTIVE.finditer(text):
        length += found.end() - found.start()
        if length > MAX_DIRECTIVES:
            line = len(_BREAK.findall(text, 0, found.start()))
            mark = yaml.Mark("", found.start(), line, 0, None, 0)
            problem = f"more than {MAX_DIRECTIVES} characters of directives"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


def plain_scalar(text: str) -> Scalar:
    """Resolve an unquoted scalar by the core schema; raise ValueError for an oversized number."""
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


def _plain_words(message: str) -> str:
    """Replace the terms of libyaml in one of its messages."""
    for term, words in _TERMS:
        message = message.replace(term, words)
    return message


class _Anchored(Struct, frozen=True):
    """A complete value with an anchor, which aliases can refer to."""

    datum: Datum
    length: int  # characters at most, with aliases expanded
    size: int = 1  # values, with aliases expanded
    levels: int = 0  # of nested collections


class _OpenAnchor:
    """An open collection with an anchor."""

    __slots__ = ("before", "deepest", "level", "name", "start")

    def __init__(self, name: str, level: int, before: int, start: int) -> None:
        self.name = name
        self.level = level
        self.deepest = level  # level of a collection inside it
        self.before = before  # values before it
        self.start = start  # characters before it

    def complete(self, datum: Datum, values: int, end: int) -> _Anchored:
        """Return the anchored value of the closed collection."""
        levels = self.deepest - self.level + 1
        return _Anchored(datum, end - self.start, values - self.before, levels)


class _YamlBuilder(Builder):
    """Turns parser events into values."""

    def __init__(self, text: str, undisguise: dict[int, int]) -> None:
        super().__init__()
        self._text = text
        self._undisguise = undisguise
        self._lines = text.count("\n") + 1
        if "\r" in text:
            self._lines += text.count("\r") - text.count("\r\n")
        self._anchored: dict[str, _Anchored] = {}
        self._open_anchors: list[_OpenAnchor] = []
        self._values = 0  # so far, with aliases expanded
        self._borrowed = 0  # of these, values that come from aliases
        self._borrowed_text = 0  # characters that come from aliases
        self._documents = 0

    def feed(self, parser: Any) -> None:
        """Handle events until the end of the stream or a fatal problem."""
        next_event = parser.get_event
        put, pairs = self.put, self.pairs
        lines = 0 if self._undisguise else self._lines
        while (event := next_event()) is not None:
            kind = type(event)
            # Fast path for scalars without tag and anchor, which are most events. It does what
            # `scalar` does, but without a call, without a Datum for a key, and it calls
            # `plain_scalar` only for text that may not be a string. This takes half the time.
            if kind is _SCALAR and event.tag is None and event.anchor is None:
                mark = event.start_mark
                line, column = mark.line + 1, mark.column + 1
                if line <= lines:
                    value = event.value
                    if event.implicit[0] and (value in _CONSTANTS or value[0] in _NUMBER_STARTS):
                        value = self._plain(value, line, column)
                    if pairs is not None and pairs.key is None:
                        pairs.key = value, line, column, mark.index, event.end_mark.index
                    else:
                        put(Datum(value, line, column, mark.index, event.end_mark.index))
                    self._values += 1
                    continue
            if handle := _HANDLERS.get(kind):
                handle(self, event)
                if self.is_broken:
                    return
                put, pairs = self.put, self.pairs

    def scalar(self, event: Any) -> None:
        """Handle a scalar."""
        line, column = self._position(event.start_mark)
        text = event.value.translate(self._undisguise) if self._undisguise else event.value
        value: Scalar = text
        if event.tag is None:
            if event.implicit[0]:
                value = self._plain(text, line, column)
        elif event.tag not in ("!", f"{_TAG}str"):
            value = self._tagged(event.tag, text, line, column)
        datum = Datum(value, line, column, event.start_mark.index, event.end_mark.index)
        if event.anchor is not None:
            self._anchored[event.anchor] = _Anchored(datum, len(text))
        self._values += 1
        self.put(datum)

    def _plain(self, text: str, line: int, column: int) -> Scalar:
        try:
            return plain_scalar(text)
        except ValueError as error:
            self.add_problem(str(error), line, column, "Put it in quotes.")
            return None

    def _tagged(self, tag: str, text: str, line: int, column: int) -> Scalar:
        reported = len(self.problems)
        value = self._plain(text, line, column)
        kinds = _TAGGED_TYPES.get(tag)
        if kinds is None:
            self.add_problem(f"unknown tag '{tag}'", line, column, "Remove the tag.")
        elif type(value) not in kinds and len(self.problems) == reported:
            shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}.."
            self.add_problem(
                f"'{shown}' does not fit its tag '{tag}'", line, column, "Remove the tag."
            )
        return value

    def collection(self, event: Any) -> None:
        """Handle the start of a mapping or a list."""
        line, column = self._position(event.start_mark)
        is_mapping = type(event) is _MAPPING
        value: list[Datum] | dict[str, Entry] = {} if is_mapping else []
        if event.tag is not None and event.tag not in ("!", _MAP if is_mapping else _SEQ):
            self.add_problem(f"unknown tag '{event.tag}'", line, column, "Remove the tag.")
        level = self.begin(value, line, column, event.start_mark.index)
        if event.anchor is not None:
            start = event.start_mark.index + self._borrowed_text
            self._open_anchors.append(_OpenAnchor(event.anchor, level, self._values, start))
        self._values += 1
        if self._open_anchors:
            self._note_level(level)

    def _note_level(self, level: int) -> None:
        for anchor in self._open_anchors:
            anchor.deepest = max(anchor.deepest, level)

    def ending(self, event: Any) -> None:
        """Handle the end of a mapping or a list."""
        level = len(self._open)
        is_flow = event.end_mark.index > event.start_mark.index  # the closing bracket
        datum = self.end(event.end_mark.index if is_flow else event.start_mark.index)
        datum.is_flow = is_flow
        if self._open_anchors and self._open_anchors[-1].level == level:
            opened = self._open_anchors.pop()
            end = event.end_mark.index + self._borrowed_text
            self._anchored[opened.name] = opened.complete(datum, self._values, end)

    def alias(self, event: Any) -> None:
        """Handle an alias: add the value it refers to, at the position of the alias."""
        line, column = self._position(event.start_mark)
        anchored = self._anchored.get(event.anchor)
        if anchored is None:
            self.add_problem(
                f"alias '*{event.anchor}' is not defined above",
                line,
                column,
                f"Define it with '&{event.anchor}' further up, or write the value out.",
            )
            anchored = _Anchored(Datum(None, line, column), 0)
        level = len(self._open) + anchored.levels
        if level > MAX_DEPTH:
            self.fail_deep(line, column)
        self._borrowed += anchored.size
        self._borrowed_text += anchored.length
        values, characters = (most + len(self._text) for most in (MAX_BORROWED, MAX_BORROWED_TEXT))
        if self._borrowed > values:
            self.fail(f"aliases stand for more than {values} values", line, column)
        elif self._borrowed_text > characters:
            self.fail(f"aliases stand for more than {characters} characters", line, column)
        self._values += anchored.size
        self._note_level(level)
        start, end = event.start_mark.index, event.end_mark.index
        self.put(Datum(anchored.datum.value, line, column, start, end, is_alias=True))

    def document(self, event: Any) -> None:
        """Handle the start of a document; only one is allowed."""
        self._documents += 1
        if self._documents > 1:
            hint = "Keep one document in this file."
            self.fail("a second document begins", *self._position(event.start_mark), hint)

    def report_syntax(self, error: yaml.MarkedYAMLError) -> None:
        """Report a syntax error of the parser."""
        mark = error.problem_mark or error.context_mark
        line, column = self._position(mark) if mark else (1, 1)
        if self._letter_at(line, column) == "\t":
            self.fail("a tab where YAML requires spaces", line, column, "Indent with spaces.")
            return
        opened = self.innermost
        if opened and isinstance(error, yaml.parser.ParserError):
            bracket = self._letter_at(opened.line, opened.column)
            is_at_end = mark and mark.index >= len(self._text.rstrip())
            if bracket in _CLOSING and (line > opened.line or is_at_end):
                message = f"not valid YAML: '{bracket}' is not closed"
                hint = f"Add the missing '{_CLOSING[bracket]}'."
                self.fail(message, opened.line, opened.column, hint)
                return
        if error.context_mark and "alias" in (error.context or ""):
            at = self._position(error.context_mark)
            self.fail("not valid YAML: a text that starts with '*'", *at, "Put it in quotes.")
            return
        message = f"not valid YAML: {_plain_words(error.problem or 'syntax error')}"
        hint = "Check the indentation, quotes and brackets there."
        if error.context and error.context_mark:
            context = _plain_words(error.context)
            began = f"{context} that began in line {error.context_mark.line + 1}"
            hint = f"Found {began}. {hint}"
        self.fail(message, line, column, hint)

    def report_unprintable(self) -> None:
        """Report the first character that YAML does not allow."""
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

    def _position(self, mark: Any) -> tuple[int, int]:
        """Convert a mark to line and column from 1; libyaml may count one line too many."""
        line: int = mark.line + 1
        return (line, mark.column + 1) if line <= self._lines else self._end

    @cached_property
    def _end(self) -> tuple[int, int]:
        """The position after the last character."""
        return self._lines, len(_BREAK.split(self._text)[-1]) + 1


_HANDLERS: dict[type, Callable[[_YamlBuilder, Any], None]] = {
    yaml.ScalarEvent: _YamlBuilder.scalar,
    yaml.MappingStartEvent: _YamlBuilder.collection,
    yaml.SequenceStartEvent: _YamlBuilder.collection,
    yaml.MappingEndEvent: _YamlBuilder.ending,
    yaml.SequenceEndEvent: _YamlBuilder.ending,
    yaml.AliasEvent: _YamlBuilder.alias,
    yaml.DocumentStartEvent: _YamlBuilder.document,
}
