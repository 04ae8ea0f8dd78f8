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
    """The text of a file at its baseline and now."""

    path: str
    old: str = ""
    new: str = ""
    is_new: bool = False
    is_deleted: bool = False
    old_path: str = ""  # where git has the old text, if that is another path
    commit: str = ""  # the commit that has the old text; empty: it is staged, or there is none
    note: str = ""  # why there are no lines

    @property
    def lines(self) -> Iterator[str]:
        """The unified diff, line by line; nothing if the texts are equal."""
        hunks = unified(self.old, self.new)
        first = next(hunks, None)
        if first is None:
            return
        origin = f"\t({self.commit[:_SHORT]})" if self.commit else ""
        before = _NOWHERE if self.is_new else f"a/{visible(self.old_path or self.path)}{origin}"
        yield f"--- {before}"
        yield f"+++ {_NOWHERE if self.is_deleted else f'b/{visible(self.path)}'}"
        yield first
        yield from hunks


def difference_text(difference: Difference) -> str:
    """Write a unified diff as it is in the files, for other programs."""
    return "".join(f"{line}\n" for line in difference.lines)


def shown_lines(difference: Difference, palette: Palette) -> Iterator[str]:
    """Yield the lines of a unified diff for a terminal: coloured, and safe to print."""
    for number, line in enumerate(difference.lines):
        yield _paint(escape_controls(line), palette, is_heading=number < 2)  # noqa: PLR2004


def _paint(line: str, palette: Palette, *, is_heading: bool) -> str:
    if is_heading:
        return palette.bold(line)
    paints = {"+": palette.added, "-": palette.removed, "@": palette.place}
    paint = paints.get(line[:1])
    return paint(line) if paint else line
