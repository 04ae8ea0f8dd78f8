"""Render edits as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.edit import Copy, Delete, MakeDirectory, Rename, Write
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.edit import Edit


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


def edits_data(edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """Return edits as plain data."""
    return [_data(edit) for edit in edits]


def _data(edit: Edit) -> dict[str, Any]:
    match edit:
        case Write(path, content):
            return {"edit": "write", "path": path, "bytes": len(content)}
        case Delete(path):
            return {"edit": "delete", "path": path}
        case Rename(path, to):
            return {"edit": "rename", "path": path, "to": to}
        case Copy(path, to):
            return {"edit": "copy", "path": path, "to": to}
        case MakeDirectory(path):
            return {"edit": "make-directory", "path": path}
