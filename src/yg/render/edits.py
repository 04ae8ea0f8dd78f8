"""Render edits as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.edit import Copy, Delete, MakeDirectory, Rename, Write
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.edit import Edit
    from yg.render.shapes.edits import InitDocument, PlannedEdit


def edits_text(edits: Iterable[Edit]) -> str:
    """Write one line per edit."""
    return "".join(f"{visible(_line(edit))}\n" for edit in edits)


def _line(edit: Edit) -> str:
    match edit:
        case Write(path, content):
            return f"write   {path} ({len(content)} bytes)"
        case Delete(path):
            return f"delete  {path}"
        case Rename(path, to):
            return f"rename  {path} -> {to}"
        case Copy(path, to):
            return f"copy    {path} -> {to}"
        case MakeDirectory(path):
            return f"make    {path}/"


def init_data(  # noqa: PLR0913
    edits: Iterable[Edit],
    *,
    platforms: list[str],
    dry_run: bool,
    done: list[str],
    warnings: list[str],
    unfinished: list[str],
) -> InitDocument:
    """Return the edits of `yg init` as data."""
    from yg.render.shapes.edits import InitDocument

    return InitDocument(
        platform=platforms[0],
        platforms=platforms,
        dry_run=dry_run,
        edits=[_edit(edit) for edit in edits],
        done=done,
        warnings=warnings,
        unfinished=unfinished,
    )


def _edit(edit: Edit) -> PlannedEdit:
    from yg.render.shapes import edits as shapes

    match edit:
        case Write(path, content):
            return shapes.WriteFile(path=path, bytes=len(content))
        case Delete(path):
            return shapes.DeleteFile(path=path)
        case Rename(path, to):
            return shapes.RenamePath(path=path, to=to)
        case Copy(path, to):
            return shapes.CopyFile(path=path, to=to)
        case MakeDirectory(path):
            return shapes.CreateDirectory(path=path)
