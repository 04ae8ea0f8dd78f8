"""Split a Markdown text into sentences, each with the line where it begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 200  # characters of a sentence that are shown
COMMENT = re.compile(r"(?<!`)<!--")  # the beginning of one
COMMENT_END = "-->"
FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
HEADING = re.compile(r"[ \t>]{0,3}#{1,6}(?:[ \t]|$)")
ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)+")
RULE = re.compile(r"=+|-+|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]+){2,}-")
DELIMITERS = " \t|:-"  # of the line below the head of a table
TICKS = re.compile(r"`+")
# The end of a sentence, and what follows it; a small letter means that the sentence goes on.
END = re.compile(r"[.!?][)\]\"'*_\u201d\u2019\xbb]*(\s+)(?=[^\sa-z])")
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|resp|approx|incl|[A-Z])|\bNo)\.$")


class Sentence(Struct, frozen=True):
    """One sentence, list item, table row, heading, or line of a code block."""

    line: int  # where it begins, from 1
    text: str  # its Markdown without list marker, with single spaces
    is_code: bool = False  # a line of a code block

    @property
    def shown(self) -> str:
        """The text, shortened to what fits in a line or two."""
        return shortened(self.text)


def shortened(text: str) -> str:
    """Return a text with at most as many characters as are shown of a sentence."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3].rstrip()}..."


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a Markdown text in order; comments are left out."""
    block: list[str] = []  # the lines of a paragraph or list item
    start = 0
    is_item = False
    for number, line, is_code in content_lines(text):
        if is_code:
            yield from _block(block, start, is_item=is_item)
            block, is_item = [], False
            if found := folded(line):
                yield Sentence(number, found, is_code=True)
            continue
        begins = ITEM.match(line)
        plain = _unquoted(line)
        if begins or not plain.strip() or _is_alone(line):
            yield from _block(block, start, is_item=is_item)
            block, is_item = [], False
        if begins and not _is_rule(line):
            first = line[begins.end() :]
            block, start, is_item = [first] if first.strip() else [], number, True
        elif _is_alone(line):
            yield from _single(line, number)
        elif plain.strip():
            if not block:
                start = number
            block.append(plain)
    yield from _block(block, start, is_item=is_item)


def content_lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield lines with their numbers, and whether they are in a code block; comments are empty."""
    fence, is_comment = "", False
    for number, line in enumerate(text.split("\n"), 1):
        if fence:
            is_end = _closes(line, fence)
            fence = "" if is_end else fence
            yield number, "" if is_end else line, True
            continue
        shown, is_comment = _without_comments(line, is_comment=is_comment)
        mark = FENCE.match(shown)
        fence = mark[1] if mark else ""
        yield number, "" if mark else shown, bool(mark)


def _without_comments(line: str, *, is_comment: bool) -> tuple[str, bool]:
    """Return a line without comments, and whether one goes on behind it."""
    if is_comment:
        _, is_over, line = line.partition(COMMENT_END)
        if not is_over:
            return "", True
    shown, at = [], 0
    while begin := COMMENT.search(line, at):
        shown.append(line[at : begin.start()])
        end = line.find(COMMENT_END, begin.end())
        if end < 0:
            return "".join(shown), True
        at = end + len(COMMENT_END)
    return "".join([*shown, line[at:]]), False


def _unquoted(line: str) -> str:
    """Return a line without the marks of a quotation."""
    match = QUOTE.match(line)
    return line[match.end() :] if match else line


def _closes(line: str, fence: str) -> bool:
    found = _unquoted(line).strip()
    return len(found) >= len(fence) and not found.strip(fence[0])


def _is_alone(line: str) -> bool:
    """Tell whether a line is a heading, a row of a table or a rule, whatever stands around it."""
    is_row = line.lstrip(" \t>").startswith("|")
    return is_row or bool(HEADING.match(line)) or _is_rule(line)


def _is_rule(line: str) -> bool:
    return bool(RULE.fullmatch(line.strip(" \t")))


def _single(line: str, number: int) -> Iterator[Sentence]:
    if not _is_rule(line) and line.strip(DELIMITERS):
        found = folded(_unquoted(line))
        if found.strip("#| "):
            yield Sentence(number, found)


def _block(lines: list[str], start: int, *, is_item: bool) -> Iterator[Sentence]:
    """Yield a list item as a whole, or the sentences of a paragraph."""
    whole = "\n".join(lines)
    if is_item:
        if found := folded(whole):
            yield Sentence(start, found)
        return
    line, at = start, 0
    for end in (*_ends(whole), len(whole)):
        part = whole[at:end]
        if found := folded(part):
            blank = part[: len(part) - len(part.lstrip())]
            yield Sentence(line + blank.count("\n"), found)
        line += part.count("\n")
        at = end


def _ends(text: str) -> Iterator[int]:
    """Yield where the sentences of a paragraph end; code in back quotes has no ends."""
    parts = []
    at = 0
    for start, end in code_spans(text):
        parts += [text[at:start], "`" * (end - start)]
        at = end
    masked = "".join([*parts, text[at:]])
    for match in END.finditer(masked):
        if not ABBREVIATION.search(masked, max(0, match.start() - 8), match.start() + 1):
            yield match.start(1)


def code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where code in back quotes begins and ends, with its quotes."""
    runs = [(match.start(), match.end()) for match in TICKS.finditer(text)]
    following: dict[int, int] = {}  # the next run of each length
    closing = [-1] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        closing[index] = following.get(length, -1)
        following[length] = index
    index = 0
    while index < len(runs):
        if closing[index] > 0:
            yield runs[index][0], runs[closing[index]][1]
            index = closing[index]
        index += 1


def folded(text: str) -> str:
    """Return a text with single spaces and no others."""
    return " ".join(text.split())
