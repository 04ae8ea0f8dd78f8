"""The lines that a search shows: those with the terms of the query, cut around them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from yg_old.kernel.find import Found, FoundLine, searchable
from yg_old.text.words import occurrences, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.kernel.find import Query, Ranked, Term

MOST_LINES = 3  # of a document, unless all are asked for
WIDEST = 160  # characters of a line
GAP = "..."


class Line(NamedTuple):
    """A line with terms of a query."""

    terms: frozenset[Term]  # that occur in it; empty if it has only some words of them
    wholes: int  # those that occur as whole words
    touched: int  # those that share a word with it
    number: int  # from 1

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The best line has the smallest: the most terms, as whole words, and the first."""
        return -len(self.terms), -self.wholes, -self.touched, self.number


def found_in(ranked: Ranked, text: str, query: Query, *, shows_all: bool = False) -> Found:
    """Return a match with the lines to show: the line of the name first, or else the best one."""
    entry = ranked.entry
    lines = lines_with(entry.file, text, query)
    first = min(lines, key=lambda line: line.rank).number if lines else 1
    if ranked.is_named:
        first = name_line(text, entry.key)
    others = _others(lines, first, shows_all=shows_all)
    texts = text.split("\n")

    def shown(number: int) -> str:
        return excerpt(texts[number - 1].strip(), query)

    return Found(
        kind=entry.kind,
        path=entry.path,
        document=entry.document,
        file=entry.file,
        line=first,
        text=shown(first),
        whole=ranked.is_whole,
        named=ranked.is_named,
        others=tuple(FoundLine(line=number, text=shown(number)) for number in others),
        hidden=sum(line.number != first for line in lines) - len(others),
    )


def _others(lines: Sequence[Line], first: int, *, shows_all: bool) -> list[int]:
    """Return the numbers of the other lines to show.

    If not all are: first those with terms that no line has yet, then those with as many as the
    best.
    """
    ranked = sorted((line for line in lines if line.number != first), key=lambda line: line.rank)
    if shows_all:
        return sorted(line.number for line in ranked)
    shown = {term for line in lines if line.number == first for term in line.terms}
    chosen: list[int] = []
    for line in ranked:
        if len(chosen) + 1 < MOST_LINES and line.terms - shown:
            chosen.append(line.number)
            shown |= line.terms
    most = max((len(line.terms) for line in lines), default=0)
    for line in ranked:
        if len(chosen) + 1 < MOST_LINES and len(line.terms) == most and line.number not in chosen:
            chosen.append(line.number)
    return sorted(chosen)


def lines_with(file: str, text: str, query: Query) -> list[Line]:
    """Return the lines with terms; if there are none, the lines with some words of them."""
    touching = cache(query.touched_by)
    found: list[Line] = []
    for number, line in enumerate(searchable(file, text).split("\n"), 1):
        words = words_of(line)
        touched = dict.fromkeys(term for word in words for term in touching(word))
        if touched:
            terms = frozenset(term for term in touched if term.is_in(words))
            wholes = sum(term.is_whole_in(words) for term in touched)
            found.append(Line(terms, wholes, len(touched), number))
    # A phrase may continue on the next line.
    return [line for line in found if line.terms] or found


def name_line(text: str, key: str) -> int:
    """Return the line of a key with the smallest indentation, from 1."""
    pattern = re.compile(rf"""([\s{{,]*)["']?{key}["']?\s*:""")
    found = (
        (len(match[1]), number)
        for number, line in enumerate(text.split("\n"), 1)
        if (match := pattern.match(line))
    )
    return min(found, default=(0, 1))[1]


def marks(line: str, query: Query) -> tuple[tuple[int, int], ...]:
    """Return the places in a line of the words that a query asks for."""
    touching = cache(query.touched_by)
    return tuple((start, end) for word, start, end in occurrences(line) if touching(word))


def excerpt(line: str, query: Query) -> str:
    """Cut a long line around the words of a query, between words if it has blanks there."""
    if len(line) <= WIDEST:
        return line
    first, last = _densest(marks(line, query))
    start = max(0, min(first - (WIDEST - (last - first)) // 2, len(line) - WIDEST))
    end = start + WIDEST
    if start:
        start = next(_blanks(line, start - 1, first), start - 1) + 1
    if end < len(line):
        blanks = (at for at in range(end, last - 1, -1) if line[at].isspace())
        end = next(blanks, end)
    before, after = GAP if start else "", GAP if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"


def _blanks(line: str, start: int, end: int) -> Iterator[int]:
    return (at for at in range(start, end) if line[at].isspace())


def _densest(places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return where the most words are that fit into one excerpt."""
    best, chosen, last = 0, (0, 0), 0
    for at, (start, end) in enumerate(places):
        last = max(last, at)
        while last + 1 < len(places) and places[last + 1][1] - start <= WIDEST:
            last += 1
        if last - at + 1 > best:
            best, chosen = last - at + 1, (start, min(max(end, places[last][1]), start + WIDEST))
    return chosen
