"""Console blocks of pages: the commands they show, and what they show of the output.

In shown output, a line of three dots stands for any number of lines, and three dots within a line
for any text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

DOTS = "...\n"
GONE = 1.5  # the cost of a line that is no longer shown; one that is new costs 1
SIMILAR = 0.5  # of two lines that are at least this similar, one is the other after a change


def rewritten(page: str, section: Callable[[str], None], show: Callable[[str, str], str]) -> str:
    """Return a page with other outputs in its console blocks.

    `section` is called with every heading. `show` gets a command and what the page shows of its
    output, and returns what to show instead.
    """
    parts = re.split(r"^(```\w*\n)(.*?)^(```$)", page, flags=re.MULTILINE | re.DOTALL)
    for number in range(0, len(parts), 4):
        for heading in re.findall(r"^#+ (.*)$", parts[number], re.MULTILINE):
            section(heading)
        if parts[number + 1 : number + 2] == ["```console\n"]:
            parts[number + 2] = "".join(
                written + show(_typed(written), shown)
                for written, shown in _commands(parts[number + 2])
            )
    return "".join(parts)


def _commands(transcript: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a transcript as written, each with the output shown for it."""
    for part in re.split(r"^(?=\$ )", transcript, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        rows = lines.index("EOF\n") + 1 if lines[0].endswith("<<'EOF'\n") else 1
        while lines[rows - 1].endswith("\\\n") or "".join(lines[rows : rows + 1]).startswith("> "):
            rows += 1
        yield "".join(lines[:rows]), "".join(lines[rows:])


def commands(transcript: str) -> Iterator[str]:
    """Yield the commands of a transcript as they are typed."""
    return (_typed(written) for written, _ in _commands(transcript))


def _typed(written: str) -> str:
    """Return a command without its prompts."""
    return re.sub(r"^> ", "", written.removeprefix("$ ").removesuffix("\n"), flags=re.MULTILINE)


def is_shown(shown: str, printed: str) -> bool:
    """Tell whether an output is what is shown of it."""
    pattern = re.escape(shown)
    pattern = re.sub(r"^\\\.\\\.\\\.\\\n", r"(?:.*\\n)*", pattern, flags=re.MULTILINE)
    return re.fullmatch(pattern.replace(r"\.\.\.", ".*"), printed) is not None


class Step(NamedTuple):
    """One step of an alignment: the cost from here on, where it leads, what it shows."""

    cost: float
    place: tuple[int, int]
    line: str = ""


def updated(shown: str, printed: str) -> str:
    """Return what to show of an output: shortened in the places where it was shortened before."""
    if is_shown(shown, printed):
        return shown
    before, now = shown.splitlines(keepends=True), printed.splitlines(keepends=True)
    best = {(len(before), len(now)): Step(0, (0, 0))}
    for i in range(len(before), -1, -1):
        for j in range(len(now), -1, -1):
            if (i, j) not in best:
                best[i, j] = min(_steps(before, now, i, j, best), key=lambda step: step.cost)
    lines, place = [""], (0, 0)
    while place != (len(before), len(now)):
        _, place, line = best[place]
        if line != DOTS or lines[-1] != DOTS:
            lines.append(line)
    return "".join(lines)


def _steps(
    before: Sequence[str],
    now: Sequence[str],
    i: int,
    j: int,
    best: dict[tuple[int, int], Step],
) -> Iterator[Step]:
    """Yield the ways to go on from a line that was shown and a line that is printed."""
    if i < len(before) and j < len(now):
        if is_shown(before[i], now[j]):
            yield Step(best[i + 1, j + 1].cost, (i + 1, j + 1), before[i])
        elif (ratio := SequenceMatcher(None, before[i], now[j]).ratio()) >= SIMILAR:
            yield Step(best[i + 1, j + 1].cost + 1 - ratio, (i + 1, j + 1), now[j])
    if j < len(now) and i < len(before) and before[i] == DOTS:
        yield Step(best[i, j + 1].cost, (i, j + 1), DOTS)
    if i < len(before):
        yield Step(best[i + 1, j].cost + GONE * (before[i] != DOTS), (i + 1, j))
    if j < len(now):
        yield Step(best[i, j + 1].cost + 1, (i, j + 1), now[j])
