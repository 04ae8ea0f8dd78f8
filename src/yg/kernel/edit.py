"""Edits: changes to files as values, to be shown or carried out."""

from __future__ import annotations

from typing import TypeAlias

from yg.kernel.value import value

TEMPORARY = ".yg-tmp-"  # begins the names of files that are not yet complete


@value
class Write:
    """Give a file this content, whether or not it exists."""

    path: str
    content: bytes


@value
class Delete:
    """Remove a file, and the directories that become empty by it."""

    path: str


@value
class Rename:
    """Move a file or directory to a name that nothing has."""

    path: str
    to: str


@value
class MakeDirectory:
    """Make a directory, and those above it, unless it is there."""

    path: str


Edit: TypeAlias = Write | Delete | Rename | MakeDirectory
