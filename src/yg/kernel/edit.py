"""Edits: changes to files as values, to be shown or carried out."""

from __future__ import annotations

from yg.kernel.typed import TypeAlias
from yg.kernel.value import Value


class Write(Value):
    """Give a file this content, whether or not it exists."""

    path: str
    content: bytes


class Delete(Value):
    """Remove a file, and the directories that become empty by it."""

    path: str


class Rename(Value):
    """Move a file or directory to a name that nothing has."""

    path: str
    to: str


class Copy(Value):
    """Give the content of a file to another name that nothing has."""

    path: str
    to: str


class MakeDirectory(Value):
    """Make a directory, and those above it, unless it is there."""

    path: str


Edit: TypeAlias = Write | Delete | Rename | Copy | MakeDirectory
