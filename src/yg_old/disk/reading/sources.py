"""The source files of a work tree, without those that git ignores."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from yg_old.kernel.snapshot import PIECE, Kind
from yg_old.kernel.sources import is_source, words_lacking
from yg_old.text import paths
from yg_old.text.paths import is_utf8

if TYPE_CHECKING:
    from yg_old.disk.reading.hashes import WorkTreeHashes
    from yg_old.disk.reading.worktree import WorkTree
    from yg_old.kernel.codec import FileRecipe
    from yg_old.kernel.digest import FileDigest

T = TypeVar("T")


class WorkTreeSources:
    """The source files of the repository that contains a graph."""

    def __init__(self, tree: WorkTree) -> None:
        self._tree = tree

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing or behind a link."""
        return self._tree.kind(path)

    def files(self, path: str) -> tuple[str, ...]:
        """Return a file, or the regular files below a directory that are not ignored."""
        if self._tree.kind(path) is Kind.FILE:
            return (path,)
        seen = self._tree.visible.below(path)
        return tuple(file for file in seen if is_utf8(file) and self._tree.kind(file) is Kind.FILE)

    def misnamed(self) -> tuple[str, ...]:
        """Return the visible files whose names are not UTF-8, which cannot be tracked."""
        return tuple(file for file in self._tree.visible.files if not is_utf8(file))

    def unseen(self) -> tuple[str, ...]:
        """Return the directories that could not be read."""
        return self._tree.visible.unseen

    def is_ignored(self, directory: str) -> bool:
        """Return whether a directory has files and all of them are ignored."""
        from yg_old.disk.git.ignore import has_file

        if self.files(directory):
            return False
        if self._tree.index is not None:
            self._tree.index.stamps.is_cacheable = False  # changes to ignored files go unnoticed
        return has_file(self._tree.root, directory)

    def ignores(self, file: str) -> bool:
        """Return whether a regular file is ignored, or would be if it existed."""
        kind = self._tree.kind(file)
        if kind is None and is_source(file):
            from yg_old.disk.git.ignore import would_ignore  # few questions are about missing files

            return would_ignore(self._tree.root, file)
        if not is_source(file) or kind is not Kind.FILE:
            return False
        return file not in self._tree.visible.below(paths.parent(file))

    def digest(self, file: str) -> FileDigest:
        """Return the digest of a file; raises UnreadableError."""
        return self._hashes.of(file)

    @cached_property
    def _hashes(self) -> WorkTreeHashes:
        from yg_old.disk.reading.hashes import WorkTreeHashes

        return WorkTreeHashes(self._tree)

    def lacking(self, file: str, words: frozenset[str]) -> frozenset[str]:
        """Return the words that do not occur in a file."""
        return words_lacking(self._tree.pieces(file, PIECE), words)

    def read(self, file: str) -> bytes:
        """Return the content of a file; raises UnreadableError."""
        return self._tree.read(file)

    def computed(self, file: str, recipe: FileRecipe[T]) -> T:
        """Return the value of a recipe for a file; the index keeps it by content."""
        from yg_old.disk.reading.facts import computed

        return computed(self._tree, self._hashes, file, recipe)
