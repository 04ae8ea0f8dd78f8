"""Edits: changes to files as values, to be shown or applied."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Write(Struct, frozen=True):
    """Write a file, replacing any existing one."""

    path: str
    content: bytes


class Delete(Struct, frozen=True):
    """Remove a file, and its directories that become empty."""

    path: str


class Rename(Struct, frozen=True):
    """Move a file or directory to a new path, and remove directories that become empty."""

    path: str
    to: str


class Copy(Struct, frozen=True):
    """Copy a file to a path that does not exist yet."""

    path: str
    to: str


class MakeDirectory(Struct, frozen=True):
    """Create a directory and its parents, unless it exists."""

    path: str


Edit: TypeAlias = Write | Delete | Rename | Copy | MakeDirectory
