"""The excerpt of a decision that a package quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.kernel.package import CHARACTERS_PER_TOKEN
from yg_old.text.headings import headings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.decisions import Decision

LONGEST = 400 * CHARACTERS_PER_TOKEN  # characters
_FIRST = re.compile("decision|rationale|reason|consequence|alternative", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def excerpt(decision: Decision, text: str) -> str:
    """Return a decision as it is or, if it is long, its title and most important paragraphs."""
    text = text.replace("\r\n", "\n").strip("\n")
    if len(text) <= LONGEST:
        return f"{text}\n"
    lines = [f"{decision.number}. {decision.title} ({decision.status})"]
    room = LONGEST - len(lines[0])
    for paragraph in _by_importance(text):
        if len(paragraph) + 2 > room:
            if all(map(_is_heading, lines[1:])):
                lines.append(_cut(paragraph, room))
            break
        lines.append(paragraph)
        room -= len(paragraph) + 2
    if _is_heading(lines[-1]):
        lines.pop()
    return "\n\n".join((*lines, f"... {decision.file}")) + "\n"


def _by_importance(text: str) -> Iterator[str]:
    """Yield the paragraphs of the sections that say what was decided and why, then the others."""
    every = headings(text)
    title = every[0] if every else None
    start = text.find("\n", title.start) + 1 if title else 0
    important = [heading for heading in every[1:] if _FIRST.search(heading.title)]
    spans: list[tuple[int, int]] = []
    for heading in important:
        if not spans or heading.start >= spans[-1][1]:
            spans.append((heading.start, heading.end))
    for first, end in spans:
        yield from _paragraphs(text[first:end])
    for first, end in (*spans, (len(text), len(text))):
        yield from _paragraphs(text[start:first])
        start = end


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text; code between fences is one of them."""
    lines: list[str] = []
    fence = ""
    for line in (*text.split("\n"), ""):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        if line.strip() or fence:
            lines.append(line)
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def _is_heading(paragraph: str) -> bool:
    return "\n" not in paragraph and bool(headings(paragraph))


def _cut(paragraph: str, room: int) -> str:
    """Return the sentences of a paragraph for which there is room, or else the words."""
    start = paragraph[:room]
    ends = [match.end() for match in _SENTENCE_END.finditer(start)]
    return start[: ends[-1]] if ends else start.rpartition(" ")[0] or start
