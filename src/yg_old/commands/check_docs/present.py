"""The files of a repository as they are now."""

from __future__ import annotations

import os
from functools import cached_property
from hashlib import new
from typing import TYPE_CHECKING

from yg_old.disk.git.changed_files import UNTRACKED
from yg_old.disk.git.lines import tracked
from yg_old.disk.git.process import names_below
from yg_old.disk.reading.worktree import WorkTree
from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths
from yg_old.text.paths import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKDOWN = frozenset(("md", "markdown", "mdown", "mdc"))
_SNIFFED = 8_000  # bytes in which git searches for a NUL to detect binary files
_ALGORITHMS = {40: "sha1", 64: "sha256"}
# Other bytes than letters, digits and the underscore become blanks; those of UTF-8 stay.
_WORDS = bytes(
    byte if byte >= 128 or chr(byte).isalnum() or byte == ord("_") else ord(" ")  # noqa: PLR2004
    for byte in range(256)
)


def is_markdown(path: str) -> bool:
    """Return whether a file is Markdown, by its name."""
    return paths.name_of(path).rpartition(".")[2].lower() in MARKDOWN


def is_binary(content: bytes) -> bool:
    """Return whether git would take a content for binary."""
    return b"\0" in content[:_SNIFFED]


def words_of(path: str, content: bytes) -> set[bytes]:
    """Return the words in a text and in its name; only those of the name for a binary file."""
    named = os.fsencode(path).translate(_WORDS).split()
    return {*named, *(() if is_binary(content) else content.translate(_WORDS).split())}


def blob_of(content: bytes, like: bytes) -> bytes:
    """Return the name that git gives a content, in the form of another one."""
    algorithm = _ALGORITHMS.get(len(like), "sha1")
    header = b"blob %d\0" % len(content)
    return new(algorithm, header + content, usedforsecurity=False).hexdigest().encode()


class Present:
    """The files of a work tree that git does not ignore."""

    def __init__(self, top: str) -> None:
        self.top = top
        self._tree = WorkTree(top, "")
        self._contents: dict[str, bytes] = {}
        index = tracked(top)
        self.tracked = frozenset(entry.path for entry in index)
        self._left_out = frozenset(entry.path for entry in index if entry.is_left_out)
        self._submodules = frozenset(entry.path for entry in index if entry.is_submodule)
        untracked = names_below(top, *UNTRACKED)
        others = untracked.names() if untracked else []
        self._files = self.tracked.union(name for name in others if not name.endswith("/"))

    @cached_property
    def files(self) -> tuple[str, ...]:
        """All files, sorted; some may have been deleted."""
        return tuple(sorted(self._files - self._submodules))

    def exists(self, path: str) -> bool:
        """Return whether there is a file or a directory, or may be one in another repository."""
        if path == paths.ROOT or path in self._left_out_places:
            return True
        if any(place in self._submodules for place in (*paths.lineage(path), path)):
            return True
        try:
            return os.path.lexists(f"{self.top}/{path}")
        except ValueError:
            return False

    @cached_property
    def _left_out_places(self) -> frozenset[str]:
        """The paths that a sparse work tree does not have."""
        return frozenset(place for file in self._left_out for place in (*paths.lineage(file), file))

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all files and directories, without the directories they are in."""
        return frozenset(part for file in self._existing for part in file.split("/"))

    def other_case(self, path: str) -> str:
        """Return the path that differs only by case; empty if there is none."""
        return self._folded.get(folded(path), "")

    @cached_property
    def _folded(self) -> dict[str, str]:
        places = (place for file in self._existing for place in (*paths.lineage(file)[1:], file))
        return {folded(place): place for place in dict.fromkeys(places)}

    @cached_property
    def _existing(self) -> tuple[str, ...]:
        return tuple(file for file in self.files if self.exists(file))

    def read(self, path: str) -> bytes:
        """Return the content of a file, which is kept; raises UnreadableError."""
        if path not in self._contents:
            self._contents[path] = self._tree.read(path)
        return self._contents[path]

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Yield all files that can be read but for Markdown, with their contents."""
        for path in self.files:
            if not is_markdown(path) and path not in self._left_out:
                try:
                    yield path, self._contents.get(path) or self._tree.read(path)
                except UnreadableError:
                    continue  # deleted, a link, or too large to be code
