"""The text of edits, for the commands that write files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.edit import Copy, Delete, MakeDirectory, Rename, Write
from yg_old.kernel.palette import visible
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.kernel.edit import Edit


def edits_text(edits: Iterable[Edit]) -> str:
    """Write one line per edit."""
    return "".join(f"{visible(_line(edit))}\n" for edit in edits)


def _line(edit: Edit) -> str:
    match edit:
        case Write():
            return f"write   {edit.path} ({counted(edit.size, 'byte')})"
        case Delete(path):
            return f"delete  {path}"
        case Rename(path, to):
            return f"rename  {path} -> {to}"
        case Copy(path, to):
            return f"copy    {path} -> {to}"
        case MakeDirectory(path):
            return f"make    {path}/"
