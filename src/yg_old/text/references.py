"""What a Markdown text refers to: links, code in back quotes, and lines of shell code."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

IGNORE = "<!-- yg-ignore -->"
SHELLS = frozenset(("sh", "bash", "shell", "console"))
_PROMPTED = "console"  # the fence whose lines without a prompt are output
_FENCE = re.compile(r"[ \t]*(?:>[ \t]*)*(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)")
_PROMPT = re.compile(r"\s*[$%][ \t]+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
_TICKS = re.compile(r"`+")
_COMMENT, _COMMENT_END = "<!--", "-->"
# Lengths are limited so that no line takes long.
_LINK = re.compile(
    r"\]\([ \t]*(?:<([^<>]{1,500})>|([^\s<>()]{1,500}(?:\([^\s()]{0,99}\)[^\s()]{0,99})?))(?=[\s)])"
    r"|^[ ]{0,3}\[[^\]^][^\]]{0,199}\]:[ \t]*<?([^\s<>]{1,500})>?(?=[ \t]*(?:$|[\"'(]))"
    r"|\b(?:href|src)=[\"']([^\"'\s]{1,500})[\"']"
)


# A table that a robot writes, with links to anchors that do not exist.
_BADGES = re.compile(
    r"<!-- ALL-CONTRIBUTORS-LIST:START(?:(?!<!-- ALL-CONTRIBUTORS-LIST:END).)*+", re.DOTALL
)


class MarkKind(StrEnum):
    """How a text refers to something."""

    LINK = "link"
    CODE = "code"
    SHELL = "shell"


class Mark(NamedTuple):
    """The target of a link, code in back quotes, or a line of shell code, and its place."""

    kind: MarkKind
    text: str
    line: int  # from 1
    start: int  # in characters of the line, from 0


def marks(text: str) -> Iterator[Mark]:
    """Yield the links, the code in back quotes and the lines of shell code of a text, in order.

    Code blocks other than shell code, comments, and lines with the mark to ignore them, or below
    one that has it, are left out.
    """
    ignored = -1
    for number, line, shell in _Lines(_BADGES.sub(_blank, text)):
        if IGNORE in line:
            ignored = number
        if ignored >= 0 and number - ignored <= 1:
            continue
        if shell:
            prompt = _PROMPT.match(line)
            start = prompt.end() if prompt else 0
            yield Mark(MarkKind.SHELL, line[start:], number, start)
        else:
            yield from _marks_in(line, number)


def _blank(found: re.Match[str]) -> str:
    """Return as many lines as a text has, without anything in them."""
    return "\n" * found[0].count("\n")


def _marks_in(line: str, number: int) -> Iterator[Mark]:
    """Yield the code and the links of one line, the code first."""
    pieces, at = [], 0
    for start, end, width in _spans(line):
        inner = line[start + width : end - width]
        left = len(inner) - len(inner.lstrip())
        if not line.startswith(("](", "]["), end):  # the label of a link says what the link says
            yield Mark(MarkKind.CODE, inner.strip(), number, start + width + left)
        pieces += [line[at:start], "x" * (end - start)]  # no link begins or ends in code
        at = end
    for match in _LINK.finditer("".join((*pieces, line[at:]))):
        group = next(at for at in (1, 2, 3, 4) if match[at] is not None)
        yield Mark(MarkKind.LINK, match[group], number, match.start(group))


def _spans(line: str) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and number of back quotes of the code in a line."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(line)]
    following: dict[int, int] = {}  # by length, the next run
    partners: list[int] = [-1] * len(runs)
    for at in range(len(runs) - 1, -1, -1):
        width = runs[at][1] - runs[at][0]
        partners[at] = following.get(width, -1)
        following[width] = at
    at = 0
    while at < len(runs):
        partner = partners[at]
        if partner > at:
            yield runs[at][0], runs[partner][1], runs[at][1] - runs[at][0]
            at = partner
        at += 1


class _Lines:
    """The lines of a text that count, each with its number and whether it is shell code."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __iter__(self) -> Iterator[tuple[int, str, bool]]:
        is_comment = is_list = is_block = False
        was_blank = True
        fence, shell = "", ""
        code: list[tuple[int, str]] = []
        for number, raw in enumerate(self._text.split("\n"), 1):
            line = raw.removesuffix("\r")
            mark = None if is_comment else _FENCE.fullmatch(line)
            if fence:
                if mark and mark[1].startswith(fence) and not mark[2]:
                    yield from _commands(code, is_prompted=shell == _PROMPTED)
                    fence, code = "", []
                elif shell:
                    code.append((number, line))
                continue
            if mark:
                fence = mark[1]
                language = re.match(r"\w*", mark[2].lower())
                shell = language[0] if language and language[0] in SHELLS else ""
                continue
            line, is_comment = _without_comments(line, is_comment=is_comment)
            if not line.strip():
                was_blank = True
                continue
            is_indented = _INDENTED.match(line) is not None
            is_block = is_indented and not is_list and (was_blank or is_block)
            if _ITEM.match(line) and not is_block:
                is_list = True
            elif was_blank and not line[0].isspace():
                is_list = False
            was_blank = False
            if not is_block:
                yield number, line, False
        yield from _commands(code, is_prompted=shell == _PROMPTED)


def _commands(
    lines: list[tuple[int, str]], *, is_prompted: bool
) -> Iterator[tuple[int, str, bool]]:
    """Yield the lines of a block of shell code that are no output."""
    is_prompted = is_prompted or any(_PROMPT.match(line) for _, line in lines)
    for number, line in lines:
        if not is_prompted or _PROMPT.match(line):
            yield number, line, True


def _without_comments(line: str, *, is_comment: bool) -> tuple[str, bool]:
    """Return a line with blanks for its comments, and whether one goes on; marks to ignore stay."""
    at = 0
    while True:
        if is_comment:
            end = line.find(_COMMENT_END, at)
            stop = len(line) if end < 0 else end + len(_COMMENT_END)
            if line[at:stop] != IGNORE:
                line = f"{line[:at]}{' ' * (stop - at)}{line[stop:]}"
            if end < 0:
                return line, True
            at, is_comment = stop, False
        start = line.find(_COMMENT, at)
        if start < 0:
            return line, False
        at, is_comment = start, True
