"""Headings and sections of a Markdown text, as GitHub reads them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MARKDOWN_NAMES = (".md", ".markdown")  # how the names of Markdown files end

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)")
_ATX = re.compile(r" {0,3}(#{1,6})(?![^ \t])")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
# A line that begins no paragraph: an indented one, a quotation, an item, a break, an HTML block.
_NO_PARAGRAPH = re.compile(r" {4}|\t| {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|<[!/?a-zA-Z]|[-=*_]+$)")
_FRONT_MATTER = "---"
_HAS_FRONT = re.compile(r"---[ \t]*\r?\n(?:(?!---[ \t]*\r?$).*\n)*---[ \t]*\r?$", re.MULTILINE)
_COMMENT, _COMMENT_END = "<!--", "-->"
# Lengths are limited so that no line takes long.
_LINK = re.compile(r"!?\[([^\]]{0,200})\](?:\([^)]{0,500}\)|\[[^\]]{0,200}\])")
_EMPHASIS = re.compile(r"(?<!\w)(_{1,3})(?=\S)(.{1,200}?)(?<=\S)\1(?!\w)")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


class Heading(NamedTuple):
    """A heading, and the section that it begins: up to the next of the same or a higher level."""

    level: int
    title: str
    slug: str  # the anchor that GitHub gives it
    line: int  # from 1
    start: int  # of the heading, in characters
    end: int  # of its section

    def matches(self, name: str) -> bool:
        """Return whether a name is the title, in any case, or the slug."""
        return name == self.slug or _plain(name) in (_plain(self.title), _plain(shown(self.title)))


class _Found(NamedTuple):
    level: int
    title: str
    line: int
    start: int


def headings(text: str) -> tuple[Heading, ...]:
    """Return the headings of a text; code, comments and front matter have none."""
    found = list(_found(text))
    ends = [len(text)] * len(found)
    open_ones: list[int] = []
    for at, heading in enumerate(found):
        while open_ones and found[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.start
        open_ones.append(at)
    slugs = numbered_slugs(heading.title for heading in found)
    return tuple(
        Heading(heading.level, heading.title, slug, heading.line, heading.start, end)
        for heading, slug, end in zip(found, slugs, ends, strict=True)
    )


def section(text: str, name: str) -> Heading | None:
    """Return the first heading with a title or a slug; None if there is none."""
    return next((heading for heading in headings(text) if heading.matches(name)), None)


def shown(title: str) -> str:
    """Return a title without its marks for links, code and emphasis."""
    return _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", title)).replace("`", "").replace("*", "")


def slug_of(title: str) -> str:
    """Return the anchor that GitHub makes of a title."""
    return _NOT_IN_SLUG.sub("", shown(title).strip().lower()).replace(" ", "-")


def numbered_slugs(titles: Iterable[str]) -> Iterator[str]:
    """Yield the anchors of all titles of a text; a repeated one gets a number."""
    seen: dict[str, int] = {}
    for title in titles:
        base = slug = slug_of(title)
        while slug in seen:
            seen[base] += 1
            slug = f"{base}-{seen[base]}"
        seen[slug] = 0
        yield slug


def prose_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the lines with their numbers and starts; those of code and front matter as empty."""
    return iter(_Lines(text))


def _plain(title: str) -> str:
    return " ".join(title.split()).casefold()


def _found(text: str) -> Iterator[_Found]:
    """Yield the headings in order, without their ends."""
    lines = _Lines(text)
    paragraph: list[str] = []
    first = 0, 0  # line and start of the paragraph
    for number, start, line in lines:
        if match := _ATX.match(line):
            yield _Found(len(match[1]), _closed(line[match.end() :]), number, start)
            paragraph = []
        elif paragraph and (match := _UNDERLINE.fullmatch(line)):
            yield _Found(1 if match[1][0] == "=" else 2, " ".join(paragraph), *first)
            paragraph = []
        elif not line.strip():
            paragraph = []
        elif paragraph:
            # An item or a quotation interrupts a paragraph, and what follows belongs to it.
            paragraph = [] if _interrupts(line) else [*paragraph, line.strip()]
            lines.is_in_block = not paragraph
        elif not lines.is_in_block and not _NO_PARAGRAPH.match(line):
            paragraph, first = [line.strip()], (number, start)
        else:
            lines.is_in_block = True


def _closed(title: str) -> str:
    """Return a title without the signs that may follow it."""
    title = title.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title


def _interrupts(line: str) -> bool:
    return not line.startswith((" " * 4, "\t")) and _NO_PARAGRAPH.match(line) is not None


class _Lines:
    """The lines of a text with their numbers and places, without those that can be no heading."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.is_in_block = False  # whether the line continues an item, a quotation or HTML

    def __iter__(self) -> Iterator[tuple[int, int, str]]:
        fence = skip_to = ""
        start = 0
        for number, raw in enumerate(self._text.split("\n"), 1):
            line, at = raw.removesuffix("\r"), start
            start += len(raw) + 1
            mark = _FENCE.fullmatch(line)
            if skip_to:
                is_front = skip_to == _FRONT_MATTER
                is_end = line.rstrip() == skip_to if is_front else skip_to in line
                skip_to, line = "" if is_end else skip_to, ""
            elif fence:
                if mark and mark[1].startswith(fence) and not mark[2]:
                    fence = ""
                line = ""
            elif mark:
                fence, line = mark[1], ""
            elif number == 1 and line.rstrip() == _FRONT_MATTER and _HAS_FRONT.match(self._text):
                skip_to, line = _FRONT_MATTER, ""
            elif line.lstrip().startswith(_COMMENT) and _COMMENT_END not in line:
                skip_to, line = _COMMENT_END, ""
            if not line.strip():
                self.is_in_block = False
            yield number, at, line
