"""The outline of a source text: the lines of its parts, with their headers and documentation."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from io import StringIO
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.header import header_line
from yg_old.code.languages import language_of
from yg_old.code.languages.braces import doc_text
from yg_old.code.parts import FILE
from yg_old.code.read import SILENT, normalised
from yg_old.code.scan import ScanError, scan
from yg_old.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.code.facts import FileFacts
    from yg_old.code.parts import Part
    from yg_old.code.scan import Token

DEFINITIONS = frozenset(("def", "class", "async"))
ENDS = frozenset(("{", ";", "=", "=>"))  # of a header, outside of brackets
WIDEST = 160  # characters of a header
MOST_TOKENS = 400  # of a header
TRIPLE = ('"""', "'''")
DIRECTIVES = ("//go:", "//export ", "//line ")


class OutlineEntry(Struct, frozen=True):
    """A part in the outline of its file; one that is declared in several places has as many."""

    name: str
    first: int
    last: int
    level: int  # how many parts it is inside of


def outline(parts: dict[str, Part]) -> tuple[OutlineEntry, ...]:
    """Return the parts of a file in the order of their lines, outer ones before inner ones."""
    places = sorted(
        (first, -last, name)
        for name, part in parts.items()
        if name != FILE
        for first, last in part.places
    )
    found: list[OutlineEntry] = []
    around: list[OutlineEntry] = []
    for first, negative, name in places:
        while around and not _contains(around[-1], name, -negative):
            around.pop()
        found.append(OutlineEntry(name, first, -negative, len(around)))
        around.append(found[-1])
    return tuple(found)


def _contains(outer: OutlineEntry, name: str, last: int) -> bool:
    """Tell whether an entry that does not start later contains a part.

    Parts that end on the same line are inside of each other if their names are.
    """
    is_inside = last == outer.last and name.startswith(f"{outer.name}.")
    return is_inside or last < outer.last


class SourceOutline:
    """One source text, divided into its parts."""

    def __init__(self, path: str, text: str, facts: FileFacts) -> None:
        """Take a text with facts, and these."""
        self._language = language_of(path)
        self._text = text
        self._facts = facts

    @cached_property
    def _lines(self) -> list[str]:
        return list(StringIO(self._text, newline="\n"))

    def text(self, first: int, last: int) -> str:
        """Return some lines as they are, with their line breaks."""
        return "".join(self._lines[first - 1 : last])

    def header(self, entry: OutlineEntry) -> str:
        """Return the header of a part on one line, or its name if it has none of its own."""
        header = self._header(entry)
        return header if len(header) <= WIDEST else f"{header[: WIDEST - 3].rstrip()}..."

    def _header(self, entry: OutlineEntry) -> str:
        signature = self._facts.signatures.get(entry.name)
        if signature is not None and not self._facts.parts[entry.name].pieces:
            return signature.header
        tokens = self._tokens(entry)
        if self._is_python:
            header = list(_python_header(tokens))
        else:
            header = list(_header(tokens[_after_decorators(tokens) :]))
        if entry.name.rpartition(".")[2] not in header:
            return entry.name
        return header_line(header, tight=self._is_python)

    def sentence(self, entry: OutlineEntry) -> str:
        """Return the first sentence of the documentation of a part; empty if there is none."""
        tokens = self._tokens(entry)
        if not tokens:
            return ""
        if self._is_python:
            doc = self._docstring(tokens)
        else:
            start = self._starts[entry.first - 1]
            lines = self._normalised[start : tokens[0][2]].strip().split("\n")
            doc = doc_text("\n".join(line for line in lines if not _is_directive(line)))
        found = next(sentences(doc), None)
        return found.shown if found and not found.is_code else ""

    @property
    def _is_python(self) -> bool:
        return self._language is not None and self._language.name == "python"

    @cached_property
    def _normalised(self) -> str:
        return normalised(self._text)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line starts, and the end of the text."""
        starts = [0]
        for line in self._lines:
            starts.append(starts[-1] + len(line) - line.endswith("\r\n"))
        return starts

    @cached_property
    def _scanned(self) -> list[Token]:
        if self._language is None:
            return []
        try:
            # Python's lines follow a line break; in front of a shebang there is none.
            before = "\n" if self._is_python else ""
            found = scan(before + self._normalised, self._language.lexicon)
        except ScanError:
            return []
        return [(kind, text, start - len(before)) for kind, text, start in found]

    @cached_property
    def _code(self) -> list[Token]:
        return [token for token in self._scanned if token[0] not in SILENT]

    def _tokens(self, entry: OutlineEntry) -> list[Token]:
        """Return the first tokens of a part that are code."""
        at = bisect_left(self._code, self._starts[entry.first - 1], key=lambda token: token[2])
        end = self._starts[min(entry.last, len(self._starts) - 1)]
        return [token for token in self._code[at : at + MOST_TOKENS] if token[2] < end]

    def _docstring(self, tokens: Sequence[Token]) -> str:
        """Return the text of the string that is the first statement below a header."""
        used = _python_start(tokens) + sum(1 for _ in _python_header(tokens))
        if used + 1 >= len(tokens) or tokens[used][1] != ":":
            return ""
        kind, text, start = tokens[used + 1]
        at = bisect_left(self._scanned, start, key=lambda token: token[2])
        is_alone = at and self._scanned[at - 1][0] == "line" and kind == "string"
        is_last = at + 1 == len(self._scanned) or self._scanned[at + 1][0] == "line"
        if not is_alone or not is_last:
            return ""
        quoted = text.lstrip("rRuU")
        mark = quoted[:3] if quoted[:3] in TRIPLE else quoted[:1]
        content = quoted.removeprefix(mark).removesuffix(mark)
        return "\n".join(line.strip() for line in content.split("\n")).strip()


def _is_directive(line: str) -> bool:
    return line.startswith(DIRECTIVES)


def _header(tokens: Sequence[Token], ends: frozenset[str] = ENDS) -> Iterator[str]:
    """Yield the tokens of a declaration up to its body or its value.

    What is between angle brackets after a name may have the signs that end a header, such as the
    standard type of a type parameter.
    """
    depth = angles = 0
    before = ("", "", 0)
    for number, (kind, text, at) in enumerate(tokens):
        if number and not depth and not angles and text in ends:
            return
        depth += (kind == "open") - (kind == "close")
        if text == "<" and before[0] == "name" and before[1] != "operator":
            angles += 1
        elif angles and not text.strip(">"):
            angles -= min(angles, len(text))
        before = kind, text, at
        if text == "," and number == len(tokens) - 1:
            return
        yield text


def _python_start(tokens: Sequence[Token]) -> int:
    """Return where a definition starts, after its decorators."""
    if not tokens or tokens[0][1] != "@":
        return 0
    words = (at for at, token in enumerate(tokens) if token[1] in DEFINITIONS)
    return next(words, 0)


def _python_header(tokens: Sequence[Token]) -> Iterator[str]:
    declared = tokens[_python_start(tokens) :]
    is_definition = bool(declared) and declared[0][1] in DEFINITIONS
    return _header(declared, frozenset((":",) if is_definition else ("=",)))


def _after_decorators(tokens: Sequence[Token]) -> int:
    """Return where a declaration starts, after annotations, attributes and `export`."""
    texts = [text for _, text, _ in tokens]
    texts += [""] * 3
    at = 0
    while texts[at]:
        if texts[at] == "#" and texts[at + 1] == "[":
            at = _closed(tokens, at + 1)
        elif texts[at][0] == "@" and texts[at + 1] != "interface":
            at += 2 if texts[at] == "@" else 1
            while texts[at] == ".":
                at += 2
            if texts[at] == "(":
                at = _closed(tokens, at)
        elif texts[at] == "export" or (texts[at] == "default" and texts[at - 1] == "export"):
            at += 1
        else:
            break
    return min(at, len(tokens))


def _closed(tokens: Sequence[Token], at: int) -> int:
    """Return the place after the bracket that is opened here."""
    depth = 0
    for place in range(at, len(tokens)):
        kind = tokens[place][0]
        depth += (kind == "open") - (kind == "close")
        if not depth:
            return place + 1
    return len(tokens)
