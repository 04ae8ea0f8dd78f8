"""Relocations: the files that now hold the content of missing ones."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg.kernel.sources import Sources

MOST_HASHED = 1_000  # files in one run
MOST_SOUGHT = 20  # files of one missing directory
_EMPTY = sha256().hexdigest()  # says nothing about where a file went


class Relocations:
    """Finds files by content: those of the same name first, then those with the same suffix."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._digests: dict[str, str] = {}

    def find(self, files: Mapping[str, str], path: str) -> str:
        """Return where a file, or a file of a directory, went; empty if it is not found.

        `files` are the digests of a baseline. The files that it lists are not considered.
        """
        inside = [file for file in sorted(files) if paths.is_inside(file, path)]
        for file in inside[:MOST_SOUGHT]:
            if files[file] == _EMPTY:
                continue
            for candidate in self._candidates(file):
                if candidate not in files and self._digest(candidate) == files[file]:
                    return candidate
        return ""

    def _candidates(self, file: str) -> Iterable[str]:
        name = paths.name_of(file)
        same_name = self._by_name.get(name, [])
        same_suffix = self._by_suffix.get(_suffix(name), [])
        return dict.fromkeys((*same_name, *same_suffix[:MOST_HASHED]))

    def _digest(self, file: str) -> str:
        if file not in self._digests:
            if len(self._digests) == MOST_HASHED:
                return ""
            try:
                self._digests[file] = self._sources.digest(file)
            except UnreadableError:
                self._digests[file] = ""
        return self._digests[file]

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for file in self._sources.files(paths.ROOT):
            found.setdefault(paths.name_of(file), []).append(file)
        return found

    @cached_property
    def _by_suffix(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, files in self._by_name.items():
            found.setdefault(_suffix(name), []).extend(files)
        return found


def _suffix(name: str) -> str:
    return name.rpartition(".")[2]
