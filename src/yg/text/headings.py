"""Headings and sections of a Markdown text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKDOWN_NAMES = (".md", ".markdown")  # how the names of Markdown files end

_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_HASHES = re.compile(r" {0,3}(?P<hashes>#{1,6})(?=[ \t]|$)(?P<title>.*)")
_UNDERLINE = re.compile(r" {0,3}(?P<mark>=+|-+)[ \t]*$")
_NO_PARAGRAPH = re.compile(r"\s|>|[-*+][ \t]|\d+[.)][ \t]|<|([-*_][ \t]*){3,}$")


class Section(NamedTuple):
    """A heading and what is below it, with its sub-sections."""

    title: str
    level: int  # from 1
    start: int  # of the heading, in characters
    end: int


def sections(text: str, level: int | None = None) -> tuple[Section, ...]:
    """Return the sections of a text, or those of one level; fenced code has none."""
    found: list[Section] = []
    open_ones: list[int] = []  # the places in `found` of sections without an end
    for title, depth, start in _headings(text):
        while open_ones and found[open_ones[-1]].level >= depth:
            at = open_ones.pop()
            found[at] = found[at]._replace(end=start)
        open_ones.append(len(found))
        found.append(Section(title, depth, start, len(text)))
    return tuple(section for section in found if level in (None, section.level))


def _headings(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the title, the level and the start of each heading."""
    paragraph: list[str] = []  # its lines, if it may become the title of an underlined heading
    paragraph_start, is_inside = 0, False  # inside: of a paragraph, a list, a quotation
    for line, start in _unfenced(text):
        if heading := _HASHES.match(line):
            yield _without_hashes(heading["title"].strip()), len(heading["hashes"]), start
            paragraph, is_inside = [], False
        elif paragraph and (underline := _UNDERLINE.match(line)):
            yield " ".join(paragraph), 1 if underline["mark"][0] == "=" else 2, paragraph_start
            paragraph, is_inside = [], False
        elif not line.strip():
            paragraph, is_inside = [], False
        elif paragraph:
            paragraph.append(line.strip())
        elif not is_inside:
            is_inside = True
            if not _NO_PARAGRAPH.match(line):
                paragraph, paragraph_start = [line.strip()], start


def _unfenced(text: str) -> Iterator[tuple[str, int]]:
    """Yield the lines with their starts; empty lines instead of fenced code."""
    fence, start = "", 0
    for raw in text.split("\n"):
        line = raw.rstrip("\r")
        mark = _FENCE.match(line)
        yield "" if fence or mark else line, start
        if not fence:
            fence = mark["mark"] if mark else ""
        elif mark and mark["mark"].startswith(fence) and not mark["info"].strip():
            fence = ""
        start += len(raw) + 1


def _without_hashes(title: str) -> str:
    """Return a title without the number signs that may close it."""
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title
