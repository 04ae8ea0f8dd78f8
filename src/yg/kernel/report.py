"""The text of commands: sections of lines, tables, trees, issues, notes and errors.

Functions return whole lines. Only those of issues, notes and errors escape control characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Severity
from yg.text.escapes import visible
from yg.text.plural import and_more, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.kernel.errors import YgError
    from yg.kernel.issue import Issue
    from yg.kernel.palette import Palette

NONE = "(none)"
BLACKBOX = "■ blackbox"
_COLOURED = ("warning:", "skipped")  # first words of notes


def section(title: str, entries: Sequence[str], limit: int | None = None) -> str:
    """Write a title and indented entries, which may have several lines, up to a limit."""
    lines = [line for entry in entries[:limit] for line in entry.splitlines()]
    if limit is not None and len(entries) > limit:
        lines.append(and_more(len(entries) - limit))
    return "".join([f"{title}:\n", *(f"  {line}\n" for line in lines or [NONE])])


def table(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> str:
    """Write rows in columns; the columns at the positions `left` are aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = [str.ljust if at in {*left} else str.rjust for at in range(len(widths))]
    lines = (
        "  ".join(
            align(cell, width) for align, cell, width in zip(aligned, row, widths, strict=True)
        )
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def tree(entries: Iterable[tuple[int, bool, str]]) -> Iterator[str]:
    """Yield the lines of a tree, parents first.

    An entry is its level, from 1 below the root, whether it is the last of its siblings, and its
    text. A level of 0 is the root.
    """
    stems: list[str] = []
    for level, is_last, text in entries:
        if level == 0:
            yield f"{text}\n"
            continue
        del stems[level - 1 :]
        yield f"{''.join(stems)}{'└── ' if is_last else '├── '}{text}\n"
        stems.append("    " if is_last else "│   ")


def counts_text(errors: int, warnings: int, following: int = 0) -> str:
    """Write the number of errors, of the issues that follow from them, and of warnings."""
    return f"{errors_text(errors, following)}, {counted(warnings, 'warning')}"


def errors_text(errors: int, following: int = 0) -> str:
    """Write the number of errors and of the issues that follow from them."""
    cause = "it" if errors == 1 else "them"
    verb = "follows" if following == 1 else "follow"
    rest = f" (and {following} that {verb} from {cause})" if following else ""
    return counted(errors, "error") + rest


def issue_text(issue: Issue, palette: Palette) -> str:
    """Write one issue: what is wrong, what to do, and where."""
    paint = palette.red if issue.severity is Severity.ERROR else palette.yellow
    subject, message = palette.bold(visible(issue.subject)), visible(issue.message)
    guidance = "".join(f"  {visible(line)}\n" for line in issue.guidance)
    place = palette.dim(visible(str(issue.place)))
    return f"{paint(issue.code)} {subject} -> {message}.\n{guidance}  {place}\n"


def error_text(error: YgError, palette: Palette) -> str:
    """Write an error, after the issues that caused it."""
    issues = "".join(issue_text(issue, palette) for issue in error.issues)
    hint = f"  {visible(error.hint)}\n" if error.hint else ""
    return f"{issues}{palette.red('error:')} {visible(error.message)}\n{hint}"


def notes_text(notes: Iterable[str], palette: Palette) -> str:
    """Write notes, one per line."""
    lines = []
    for note in notes:
        first, blank, rest = visible(note).partition(" ")
        lines.append(f"{palette.yellow(first) if first in _COLOURED else first}{blank}{rest}\n")
    return "".join(lines)
