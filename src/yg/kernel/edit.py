"""Edits: changes to files as values, to be shown or carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

TEMPORARY = ".yg-tmp-"  # begins the names of files that are not yet complete


@dataclass(frozen=True, slots=True)
class Write:
    """Give a file this content, whether or not it exists."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a file, and the directories that become empty by it."""

    path: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Move a file or directory to a name that nothing has."""

    path: str
    to: str


@dataclass(frozen=True, slots=True)
class MakeDirectory:
    """Make a directory, and those above it, unless it is there."""

    path: str


Edit: TypeAlias = Write | Delete | Rename | MakeDirectory
