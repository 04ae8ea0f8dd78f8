"""Sections of a Markdown text."""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE = re.compile(r"^ {0,3}(?P<fence>```+|~~~+)|^##[ \t](?P<title>.*)$", re.MULTILINE)


class Section(NamedTuple):
    """A section that begins with a heading of the second level."""

    title: str
    start: int  # of its heading, in characters
    end: int


def sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a text; lines in fenced code are no headings."""
    found: list[tuple[str, int]] = []
    fence = ""
    for match in _LINE.finditer(text):
        mark = match["fence"]
        if mark is not None:
            if not fence:
                fence = mark
            elif mark.startswith(fence):
                fence = ""
        elif not fence:
            found.append((match["title"].strip().rstrip("#").rstrip(), match.start()))
    starts = [start for _, start in found]
    ends = [*starts[1:], len(text)]
    return tuple(
        Section(title, start, end) for (title, start), end in zip(found, ends, strict=False)
    )
