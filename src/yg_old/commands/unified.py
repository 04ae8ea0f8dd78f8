"""Unified diffs of two texts, in time that does not depend on how the texts repeat themselves."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

CONTEXT = 3  # unchanged lines around a change
# Number of line pairs up to which the lines between two unique common lines are compared with each
# other; above, they are shown as one change.
MOST_PAIRS = 250_000
_NO_NEWLINE = "\\ No newline at end of file"


class Edit(Struct, frozen=True):
    """One run of lines, as positions in the old and the new text."""

    old: tuple[int, int]
    new: tuple[int, int]
    is_equal: bool = True


def unified(old: str, new: str) -> Iterator[str]:
    """Yield the hunks of a unified diff line by line; nothing if the texts are equal."""
    if old == new:
        return
    before, after = _lines(old), _lines(new)
    for hunk in _hunks(_edits(before, after)):
        yield _heading(hunk)
        for edit in hunk:
            if edit.is_equal:
                yield from _marked(" ", before, edit.old)
            else:
                yield from _marked("-", before, edit.old)
                yield from _marked("+", after, edit.new)


def changed_lines(before: Sequence[str], after: Sequence[str]) -> set[int]:
    """Return the places of new lines that differ; where lines are gone, those around the gap."""
    found: set[int] = set()
    for edit in _edits(before, after):
        start, end = edit.new
        if not edit.is_equal:
            found.update(range(start, end) if start < end else (start - 1, start))
    return found


def _lines(text: str) -> list[str]:
    """Split a text at line feeds; the last line tells whether it ends with one."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines[-1] += "\n"  # differs from the same line with a line feed; no line contains one
    return lines


def _marked(mark: str, lines: Sequence[str], span: tuple[int, int]) -> Iterator[str]:
    for line in lines[span[0] : span[1]]:
        yield mark + line.removesuffix("\n")
        if line.endswith("\n"):
            yield _NO_NEWLINE


def _edits(before: Sequence[str], after: Sequence[str]) -> list[Edit]:
    """Compare two texts: match the lines that occur once in both, then the lines between them."""
    found: list[Edit] = []
    old_at = new_at = 0
    for old, new in (*_anchors(before, after), (len(before), len(after))):
        for edit in _between(before[old_at:old], after[new_at:new], old_at, new_at):
            _append(found, edit)
        if old < len(before):
            _append(found, Edit((old, old + 1), (new, new + 1)))
        old_at, new_at = old + 1, new + 1
    return found


def _append(edits: list[Edit], edit: Edit) -> None:
    """Add an edit; join it to the last one if both are equal lines or both are changes."""
    if edits and edits[-1].is_equal == edit.is_equal:
        last = edits.pop()
        edit = Edit((last.old[0], edit.old[1]), (last.new[0], edit.new[1]), edit.is_equal)
    edits.append(edit)


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest rising sequence of the lines that occur once in both texts."""
    places = _unique(after)
    pairs = [(old, places[line]) for line, old in _unique(before).items() if line in places]
    tails: list[int] = []  # the last new position of the best sequence of each length
    ends: list[int] = []  # the pair that it belongs to
    previous = [-1] * len(pairs)
    for number, (_, new) in enumerate(pairs):
        length = bisect_left(tails, new)
        previous[number] = ends[length - 1] if length else -1
        tails[length : length + 1] = [new]
        ends[length : length + 1] = [number]
    chain = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = previous[number]
    return chain[::-1]


def _unique(lines: Sequence[str]) -> dict[str, int]:
    """Return the lines that occur once, with their positions, in order."""
    counts = Counter(lines)
    return {line: at for at, line in enumerate(lines) if counts[line] == 1}


def _between(old: Sequence[str], new: Sequence[str], old_at: int, new_at: int) -> Iterator[Edit]:
    """Compare the lines between two anchors; the equal lines at both ends need no matcher."""
    head = _common(old, new)
    tail = _common(reversed(old[head:]), reversed(new[head:]))
    if head:
        yield Edit((old_at, old_at + head), (new_at, new_at + head))
    inner = old[head : len(old) - tail], new[head : len(new) - tail]
    yield from _matched(*inner, old_at + head, new_at + head)
    if tail:
        old_end, new_end = old_at + len(old), new_at + len(new)
        yield Edit((old_end - tail, old_end), (new_end - tail, new_end))


def _common(one: Iterable[str], other: Iterable[str]) -> int:
    """Count the lines that two texts have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _matched(old: Sequence[str], new: Sequence[str], old_at: int, new_at: int) -> Iterator[Edit]:
    if not 0 < len(old) * len(new) <= MOST_PAIRS:
        if old or new:
            yield Edit((old_at, old_at + len(old)), (new_at, new_at + len(new)), is_equal=False)
        return
    from difflib import SequenceMatcher

    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
        yield Edit(
            (old_at + start, old_at + end),
            (new_at + new_start, new_at + new_end),
            is_equal=tag == "equal",
        )


def _hunks(edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    """Group the edits with their context; a long run of equal lines separates two groups."""
    hunk: list[Edit] = []
    for number, edit in enumerate(edits):
        if not edit.is_equal:
            hunk.append(edit)
            continue
        is_last = number == len(edits) - 1
        if hunk and (is_last or edit.old[1] - edit.old[0] > 2 * CONTEXT):
            hunk.append(_first_lines(edit))
            yield hunk
            hunk = []
        if not is_last:
            hunk.append(edit if hunk else _last_lines(edit))
    if hunk:
        yield hunk


def _first_lines(edit: Edit) -> Edit:
    length = min(CONTEXT, edit.old[1] - edit.old[0])
    return Edit((edit.old[0], edit.old[0] + length), (edit.new[0], edit.new[0] + length))


def _last_lines(edit: Edit) -> Edit:
    length = min(CONTEXT, edit.old[1] - edit.old[0])
    return Edit((edit.old[1] - length, edit.old[1]), (edit.new[1] - length, edit.new[1]))


def _heading(hunk: Sequence[Edit]) -> str:
    old, new = (hunk[0].old[0], hunk[-1].old[1]), (hunk[0].new[0], hunk[-1].new[1])
    return f"@@ -{_range(*old)} +{_range(*new)} @@"


def _range(start: int, end: int) -> str:
    """Write a range of lines as diff does: numbers from 1, without a length of 1."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
