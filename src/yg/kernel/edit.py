"""Edits: changes to files as values, to be shown or carried out."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Write(Struct, frozen=True):
    """Give a file this content, whether or not it exists."""

    path: str
    content: bytes


class Delete(Struct, frozen=True):
    """Remove a file, and the directories that become empty by it."""

    path: str


class Rename(Struct, frozen=True):
    """Move a file or directory to a name that nothing has."""

    path: str
    to: str


class Copy(Struct, frozen=True):
    """Give the content of a file to another name that nothing has."""

    path: str
    to: str


class MakeDirectory(Struct, frozen=True):
    """Make a directory, and those above it, unless it is there."""

    path: str


Edit: TypeAlias = Write | Delete | Rename | Copy | MakeDirectory
