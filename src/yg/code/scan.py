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

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    import re

Token: TypeAlias = tuple[str, str, int]  # its kind, its text, where it starts
Hook: TypeAlias = Callable[[str, int, list[Token]], int]

PAIRS = {")": "(", "]": "[", "}": "{"}


class ScanError(Exception):
    """The text is not valid in its language, or not in the part of it that we read."""

    def __init__(self, problem: str, at: int) -> None:
        super().__init__(f"{problem} at offset {at}")


class Lexicon(Struct, frozen=True):
    """The lexical rules of one language."""

    pattern: re.Pattern[str]
    # Tokens whose end one expression cannot find, such as nested comments. A hook gets the text,
    # where the token starts and the tokens so far; it adds tokens and returns where to go on.
    hooks: Mapping[str, Hook] = {}
    balanced: bool = True  # brackets must match


class Breaks(Struct, frozen=True):
    """Where a line break cannot end a statement."""

    inside: frozenset[str] = frozenset()  # directly in these opening brackets
    after: frozenset[str] = frozenset()  # after these tokens
    before: frozenset[str] = frozenset()  # before these tokens


def scan(text: str, lexicon: Lexicon) -> list[Token]:  # noqa: C901 - one loop, for speed
    """Return the tokens of a text; raise ScanError if it cannot be read."""
    tokens: list[Token] = []
    opened: list[str] = []
    hooks = lexicon.hooks
    bad = {name for name in lexicon.pattern.groupindex if name.startswith("bad")}
    special = {"", "comment", "open", "close", *bad, *hooks}
    add = tokens.append
    at = 0
    while at < len(text):
        for match in lexicon.pattern.finditer(text, at):
            kind = match.lastgroup or ""
            if kind not in special:
                add((kind, match[kind], match.start(kind)))
            elif kind == "open":
                opened.append(match[kind])
                add((kind, opened[-1], match.start(kind)))
            elif kind == "close":
                if opened and PAIRS[match[kind]] == opened[-1]:
                    opened.pop()
                elif lexicon.balanced:
                    raise ScanError("unbalanced bracket", match.start(kind))
                add((kind, match[kind], match.start(kind)))
            elif kind in hooks:
                at = hooks[kind](text, match.start(kind), tokens)
                break
            elif kind in bad:
                raise ScanError("unreadable text", match.start(kind))
        else:
            at = len(text)
    if opened and lexicon.balanced:
        raise ScanError("bracket not closed", len(text))
    return tokens


def without_breaks(tokens: list[Token], breaks: Breaks) -> list[Token]:
    """Drop the line breaks that cannot end a statement."""
    kept: list[Token] = []
    opened: list[str] = []
    for token in tokens:
        kind, text, at = token
        if kind == "line":
            if (
                not kept
                or kept[-1][0] == "line"
                or kept[-1][1] in breaks.after
                or (opened and opened[-1] in breaks.inside)
            ):
                continue
            kept.append((kind, "\n", at))
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
