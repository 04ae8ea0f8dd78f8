"""Render the difference between files and their baseline as a unified diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.escapes import escape_controls
from yg.render.plain import visible
from yg.render.unified import unified

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.render.plain import Palette

_NOWHERE = "/dev/null"
_SHORT = 12


class Difference(Struct, frozen=True, kw_only=True):
    """The text of a file, or of a contract of another repository, at its baseline and now."""

    path: str
    old: str = ""
    new: str = ""
    is_new: bool = False
    is_deleted: bool = False
    is_file: bool = True
    old_path: str = ""  # where git has the old text, if that is another path
    commit: str = ""  # the commit that has the old text; empty: it is staged, or there is none
    new_commit: str = ""  # the commit of the other repository that has the new contract
    note: str = ""  # why there are no lines

    @property
    def lines(self) -> Iterator[str]:
        """The unified diff, line by line; nothing if the texts are equal."""
        hunks = unified(self.old, self.new)
        first = next(hunks, None)
        if first is None:
            return
        before = f"a/{visible(self.old_path or self.path)}{_origin(self.commit)}"
        after = f"b/{visible(self.path)}{_origin(self.new_commit)}"
        yield f"--- {_NOWHERE if self.is_new else before}"
        yield f"+++ {_NOWHERE if self.is_deleted else after}"
        yield first
        yield from hunks


def _origin(commit: str) -> str:
    return f"\t({visible(commit[:_SHORT])})" if commit else ""


def difference_text(difference: Difference) -> str:
    """Write a unified diff as it is in the files, for other programs."""
    return "".join(f"{line}\n" for line in difference.lines)


def shown_lines(difference: Difference, palette: Palette) -> Iterator[str]:
    """Yield the lines of a unified diff for a terminal: coloured, and safe to print.

    That of a contract is indented, so that programs which apply patches ignore it.
    """
    indent = "" if difference.is_file else "  "
    for number, line in enumerate(difference.lines):
        painted = _paint(escape_controls(line), palette, is_heading=number < 2)  # noqa: PLR2004
        yield f"{indent}{painted}"


def _paint(line: str, palette: Palette, *, is_heading: bool) -> str:
    if is_heading:
        return palette.bold(line)
    paints = {"+": palette.added, "-": palette.removed, "@": palette.place}
    paint = paints.get(line[:1])
    return paint(line) if paint else line
