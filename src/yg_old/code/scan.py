"""Split a source text into tokens, by the lexical rules of its language.

A language states its rules as data: one regular expression whose named groups are the kinds of
its tokens, and small tables. These kinds mean the same in every language; all others are the
language's own and pass through unchanged.

    comment   dropped, as is all that matches outside of a named group
    open      an opening bracket
    close     a closing bracket
    line      a line break, with the blank lines and comments that follow it
    bad...    not a token: the text cannot be read
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from msgspec import Struct

if TYPE_CHECKING:
    import re

Token: TypeAlias = tuple[str, str, int]  # its kind, its text, where it starts
Value = TypeVar("Value")

BREAK: Token = ("line", "\n", 0)  # wherever it is
PAIRS = {")": "(", "]": "[", "}": "{"}
SHARED = 4096  # texts of tokens, such as keywords, that are kept only once


class ScanError(Exception):
    """The text is not valid in its language, or not in the part of it that we read."""

    def __init__(self, problem: str, at: int) -> None:
        super().__init__(f"{problem} at offset {at}")


class Lexicon(Struct, frozen=True):
    """The lexical rules of one language."""

    pattern: re.Pattern[str]
    # Tokens whose end one expression cannot find, such as nested comments. A hook gets the scanner
    # and where the token starts; it adds tokens and returns where to go on.
    hooks: Mapping[str, Hook] = {}
    balanced: bool = True  # brackets must match


class Texts(dict[str, str]):
    """The first texts of tokens, by themselves, so that equal ones take memory only once."""

    def __missing__(self, text: str) -> str:
        if len(self) < SHARED:
            self[text] = text
        return text


class Breaks(Struct, frozen=True):
    """Where a line break cannot end a statement."""

    inside: frozenset[str] = frozenset()  # directly in these opening brackets
    after: frozenset[str] = frozenset()  # after these tokens
    before: frozenset[str] = frozenset()  # before these tokens


class Scanner:
    """One text and its tokens so far.

    Every search for the end of a token is remembered if there is none, so that many openings
    without an end take no longer than one.
    """

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self._lexicon = lexicon
        self._opened: list[str] = []
        self._unclosed: dict[re.Pattern[str], int] = {}  # before which offset there is no end
        self._asked: dict[Callable[[str], object], object] = {}

    def run(self) -> list[Token]:
        """Return the tokens of the text; raise ScanError if it cannot be read."""
        text, pattern = self.text, self._lexicon.pattern
        bad = {name for name in pattern.groupindex if name.startswith("bad")}
        special = {"", "comment", "open", "close", *bad, *self._lexicon.hooks}
        add, texts = self.tokens.append, Texts()
        at = 0
        while at < len(text):
            for match in pattern.finditer(text, at):
                kind = match.lastgroup or ""
                if kind not in special:
                    add((kind, texts[match[kind]], match.start(kind)))
                elif kind in self._lexicon.hooks:
                    at = self.take(match)
                    break
                else:
                    self.take(match)
            else:
                at = len(text)
        if self._opened and self._lexicon.balanced:
            raise ScanError("bracket not closed", len(text))
        return self.tokens

    def take(self, match: re.Match[str]) -> int:
        """Add the token of a match, and return where to go on."""
        kind = match.lastgroup or ""
        if kind in self._lexicon.hooks:
            return self._lexicon.hooks[kind](self, match.start(kind))
        if kind.startswith("bad"):
            raise ScanError("unreadable text", match.start(kind))
        if kind not in ("", "comment"):
            text, start = match[kind], match.start(kind)
            if kind == "open":
                self._opened.append(text)
            elif kind == "close":
                if self._opened and PAIRS[text] == self._opened[-1]:
                    self._opened.pop()
                elif self._lexicon.balanced:
                    raise ScanError("unbalanced bracket", start)
            self.tokens.append((kind, text, start))
        return match.end()

    def end_of(self, span: re.Pattern[str], start: int) -> int:
        """Return the end of what starts here, or 0 if it has none.

        The expression matches as far as it can, and its group `end` only if it gets to the end.
        If it does not, nothing that starts further inside gets there either.
        """
        if start < self._unclosed.get(span, 0):
            return 0
        match = span.match(self.text, start)
        if match is None:
            return 0
        if match["end"] is None:
            self._unclosed[span] = match.end()
            return 0
        return match.end()

    def ask(self, question: Callable[[str], Value]) -> Value:
        """Return what a function says about the whole text; it is called only once."""
        if question not in self._asked:
            self._asked[question] = question(self.text)
        return cast("Value", self._asked[question])


Hook: TypeAlias = Callable[[Scanner, int], int]


def scan(text: str, lexicon: Lexicon) -> list[Token]:
    """Return the tokens of a text; raise ScanError if it cannot be read."""
    return Scanner(text, lexicon).run()


def taken(tokens: list[Token]) -> Iterator[Token]:
    """Take the tokens out of a list one by one, so that those which are not kept take no memory."""
    tokens.reverse()
    while tokens:
        yield tokens.pop()


def without_breaks(tokens: list[Token], breaks: Breaks) -> list[Token]:
    """Drop the line breaks that cannot end a statement."""
    kept: list[Token] = []
    opened: list[str] = []
    for token in tokens:
        kind, text, _ = token
        if kind == "line":
            if (
                not kept
                or kept[-1][0] == "line"
                or kept[-1][1] in breaks.after
                or (opened and opened[-1] in breaks.inside)
            ):
                continue
            kept.append(BREAK)
        else:
            if text in breaks.before and kept and kept[-1][0] == "line":
                kept.pop()
            if kind == "open":
                opened.append(text)
            elif kind == "close" and opened:
                opened.pop()
            kept.append(token)
    if kept and kept[-1][0] == "line":
        kept.pop()
    return kept
