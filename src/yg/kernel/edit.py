"""Edits: changes to files as values, to be shown or carried out.

Paths are relative to the root of a repository.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Write(Struct, frozen=True, tag_field="edit", tag="write"):
    """Create a file, or replace its content."""

    path: str
    content: bytes


class Remove(Struct, frozen=True, tag_field="edit", tag="remove"):
    """Remove a file, and directories that become empty."""

    path: str


class Rename(Struct, frozen=True, tag_field="edit", tag="rename"):
    """Give a file or directory a name that is free; remove directories that become empty."""

    path: str
    to: str


Edit: TypeAlias = Write | Remove | Rename
