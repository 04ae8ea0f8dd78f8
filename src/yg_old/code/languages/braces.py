"""What the languages with braces have in common: walking over items, and collecting their parts."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, TypeAlias

from yg_old.code.facts import ImportFact, SourceReading
from yg_old.code.scan import PAIRS, ScanError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.code.scan import Token

SHORT = 40  # characters of a literal that counts in a signature
CHARACTERS = ("char", "rune")  # kinds of tokens that are strings of one letter
BRACKETS = frozenset("()[]{}")
# Kinds of tokens between declarations; the first two are not where they say.
AROUND = frozenset(("end", "joint", "directive"))
NEXT_LINE = re.compile(r"[ \t]*\n?[ \t]*")
DOC_MARKS = ("/**", "/*!", "///", "//!", "//", "/*", "*/", "*")


# A doc comment: the token in front of which it is, its text, and where it starts.
Doc: TypeAlias = tuple[int, str, int]


class SourceParts:
    """The tokens of one file, and what a reader has found among them."""

    def __init__(
        self,
        text: str,
        tokens: list[Token],
        docs: Sequence[Doc],
        commented: Mapping[int, int] | None = None,
        ends: Mapping[int, int] | None = None,
    ) -> None:
        """Take the text, its tokens, and its doc comments.

        `commented` are tokens after other comments that belong to a declaration, and where these
        start; `ends` are the ends of tokens that are not as long as they say, by where they start.
        """
        self._ends = ends or {}
        self.text = text
        self.tokens = tokens
        self.texts = [token[1] for token in tokens]
        self.closing = Brackets(tokens)
        self.reading = SourceReading(len(text))
        self._docs = [(at, at, doc_text(doc)) for at, doc, _ in docs]  # each before its token
        self._documented = {**(commented or {}), **_documented(text, docs)}
        self._imports: list[tuple[int, int, str]] = []
        self._placed: set[int] = set()  # imports whose order counts
        self._lines: list[int] | None = None

    def header(self, name: str, header: Iterable[str]) -> None:
        """Add the header of a public name."""
        self.reading.add_header(name, header)

    def part(self, names: Iterable[str], start: int, end: int) -> None:
        """Add a declaration: its names, its first token, and the token behind its last one."""
        last = end - 1
        while last > start and self.tokens[last][0] in AROUND:
            last -= 1
        _, text, at = self.tokens[last]
        first = self._first(start, last)
        behind = self._ends.get(at, at + len(text))
        self.reading.add_span(tuple(names), start, end, first, behind - 1)

    def _first(self, start: int, last: int) -> int:
        """Return where a declaration starts: its first token, or the documentation before it."""
        before, at, offset = start, start, self.tokens[start][2]
        while before and self.tokens[before - 1][0] in AROUND:
            before -= 1
        while at < last and self.tokens[at][0] == "directive":
            at += 1
        found = (self._documented.get(place, offset) for place in range(before, at + 1))
        return min(offset, *found)

    def imports(self, start: int, end: int, statement: str, *, has_place: bool = False) -> None:
        """Take an import out of the tokens; a directive in it stays a part of it.

        If it has a place, its order among the other imports counts.
        """
        if has_place:
            self._placed.add(start)
        directives = [text for kind, text, _ in self.tokens[start:end] if kind == "directive"]
        self._imports.append((start, end, " ".join((statement, *directives))))

    def imported(  # noqa: PLR0913 - the fields of a fact
        self,
        index: int,
        module: str,
        names: tuple[str, ...] = (),
        *,
        form: str = "import",
        type_only: bool = False,
        aliases: tuple[str, ...] = (),
    ) -> None:
        """Add the fact that the token here imports a module."""
        aliases = () if aliases == names else aliases
        self.reading.spend(len(module) + sum(map(len, names)) + sum(map(len, aliases)))
        fact = ImportFact(
            module, self.line(index), names, form=form, type_only=type_only, aliases=aliases
        )
        self.reading.imported.append(fact)

    def line(self, index: int) -> int:
        """Return the line of a token."""
        if self._lines is None:
            self._lines = [match.start() for match in re.finditer("\n", self.text)]
        return bisect_right(self._lines, self.tokens[index][2]) + 1

    def short_value(self, start: int, end: int) -> list[str]:
        """Return the value of a constant as its header shows it: only a short literal counts."""
        sign = start + (self.texts[start : start + 1] == ["-"])
        if sign + 1 != end:
            return []
        kind, text, _ = self.tokens[sign]
        is_short = is_short_literal("string" if kind in CHARACTERS else kind, text)
        return ["=", *self.texts[start:end]] if is_short else []

    def skip(self, index: int) -> int:
        """Return the index after a token, or after the bracket that it opens."""
        return self.closing.after(index)

    def find(self, start: int, end: int, *wanted: str) -> int:
        """Return the first of some tokens that is not in brackets; the end if there is none."""
        while start < end and self.texts[start] not in wanted:
            start = self.skip(start)
        return min(start, end)

    def split(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the parts between commas that are not in brackets, with angle brackets."""
        first, depth = start, 0
        while start < end:
            text = self.texts[start]
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
            elif text == "," and depth <= 0:
                yield first, start
                first = start + 1
            start = self.skip(start)
        if first < end:
            yield first, end

    def finish(self) -> SourceReading:
        """Sort out tokens, imports and documentation, and return them."""
        reading, at, block = self.reading, 0, list[str]()
        events = [*((*doc, True) for doc in self._docs), *((*one, False) for one in self._imports)]
        for start, end, text, is_doc in sorted(events, key=lambda event: event[:2]):
            if start > at:
                _end_block(reading, block)
                reading.tokens += filter(None, self.texts[at:start])
            if end > at and not is_doc:
                reading.spans.add((), max(start, at), end)
            at = max(at, end)
            if is_doc:
                reading.add_doc(text)
            elif start in self._placed:
                _end_block(reading, block)
                reading.add_imports((text,))
            else:
                block.append(text)
        _end_block(reading, block)
        reading.tokens += filter(None, self.texts[at:])
        self.tokens.clear()  # to save memory
        reading.divide(self.texts, self.text)
        return reading


def _documented(text: str, docs: Sequence[Doc]) -> dict[int, int]:
    """Return where the doc comment of a declaration starts, by its first token.

    Of several comments it is the last one, with those directly above it.
    """
    found: dict[int, int] = {}
    end = 0  # of the comment before
    for place, doc, at in docs:
        is_inner = doc[2:3] == "!"
        is_next = place in found and NEXT_LINE.fullmatch(text, end, at)
        if not is_inner and not is_next:
            found[place] = at
        elif is_inner:
            found.pop(place, None)
        end = at + len(doc)
    return found


def _end_block(reading: SourceReading, block: list[str]) -> None:
    if block:
        reading.add_imports(sorted(block))
        block.clear()


class Brackets:
    """Where each bracket is closed, by where it is opened."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        # The token after each one, or after the bracket that it opens; and after the last.
        self._after = array("i", range(1, len(tokens) + 1))
        opened: list[int] = []
        for index, (kind, text, at) in enumerate(tokens):
            if text not in BRACKETS:
                continue
            if kind == "open":
                opened.append(index)
            elif kind == "close":
                if not opened or tokens[opened[-1]][1] != PAIRS[text]:
                    raise ScanError("unbalanced bracket", at)
                self._after[opened.pop()] = index + 1
        if opened:
            raise ScanError("bracket not closed", tokens[opened[-1]][2])

    def after(self, index: int) -> int:
        """Return the token after one, or after the bracket that it opens."""
        return self._after[index] if index < len(self._after) else index + 1

    def get(self, index: int) -> int | None:
        """Return where a bracket is closed; None for a token that opens none."""
        found = self.after(index) - 1
        return found if found != index else None

    def __contains__(self, index: int) -> bool:
        return self.get(index) is not None

    def __getitem__(self, index: int) -> int:
        found = self.get(index)
        if found is None:
            raise ScanError("bracket expected", 0)
        return found


def split_docs(tokens: list[Token]) -> tuple[list[Token], list[Doc]]:
    """Return the tokens without doc comments and trailing commas, and the doc comments."""
    result: list[Token] = []
    docs: list[Doc] = []
    for token in tokens:
        if token[0] == "doc":
            docs.append((len(result), *token[1:]))
            continue
        # Behind a comma, `;` ends the constants of an enum.
        if (token[0] == "close" or token[1] == ";") and result and result[-1][0] == "comma":
            drop_comma(result, docs)
        result.append(token)
    return result, docs


def drop_comma(result: list[Token], docs: list[Doc]) -> None:
    """Drop the last comma; the doc comments behind it stay where they are."""
    at = len(result) - 1
    while result[at][0] != "comma":
        at -= 1  # a directive
    del result[at]
    for place in range(len(docs) - 1, -1, -1):
        if docs[place][0] <= len(result):
            break
        docs[place] = (len(result), *docs[place][1:])


def doc_text(comment: str) -> str:
    """Return the text of a doc comment without its marks and the indentation in front of them."""
    inner = "!" if comment[2:3] == "!" else ""  # of what it stands in, not of what follows
    return inner + "\n".join(map(_doc_line, comment.split("\n"))).strip("\n")


def _doc_line(line: str) -> str:
    line = line.strip()
    mark = next(filter(line.startswith, DOC_MARKS), "")
    return line[len(mark) :].removesuffix("*/").rstrip().removeprefix(" ")


def is_short_literal(kind: str, text: str) -> bool:
    """Tell whether a token is a literal that counts in a signature."""
    return (kind in ("string", "number") or text in ("true", "false", "null", "nil")) and (
        len(text) <= SHORT
    )
