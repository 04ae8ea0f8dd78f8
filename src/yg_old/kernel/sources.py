"""The source files of a repository, for rules and baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct

from yg_old.kernel.digest import file_digests
from yg_old.kernel.snapshot import PIECE, Kind
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.codec import FileRecipe
    from yg_old.kernel.digest import FileDigest
    from yg_old.kernel.snapshot import Snapshot

T = TypeVar("T")

FEW_WORDS = 64  # to look for one by one, which takes less time than to look for all at once
GIT = ".git"
GRAPH = ".yggdrasil"  # at the top; a nested project's graph is source


def is_source(path: str) -> bool:
    """Return whether a path can be source: not of the graph itself, and not of git."""
    top, *rest = path.split("/")
    return top not in (GRAPH, GIT) and GIT not in rest


class Owner(Struct, frozen=True):
    """The node that owns a file, and the mapping that covers it."""

    node: str
    mapping: str


class Sources(Protocol):
    """Access to source files. Paths are relative to the root of the repository."""

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing."""

    def files(self, path: str) -> tuple[str, ...]:
        """Return a file, or the files below a directory that are not ignored."""

    def is_ignored(self, directory: str) -> bool:
        """Return whether version control ignores a directory."""

    def unseen(self) -> tuple[str, ...]:
        """Return the directories that could not be read."""

    def misnamed(self) -> tuple[str, ...]:
        """Return the files whose names are not UTF-8, which cannot be tracked."""

    def ignores(self, file: str) -> bool:
        """Return whether version control ignores a file."""

    def digest(self, file: str) -> FileDigest:
        """Return the digest of a file; raises UnreadableError."""

    def lacking(self, file: str, words: frozenset[str]) -> frozenset[str]:
        """Return the words that do not occur in a file; raises UnreadableError."""

    def read(self, file: str) -> bytes:
        """Return the content of a file; raises UnreadableError, also if it is too large."""

    def computed(self, file: str, recipe: FileRecipe[T]) -> T:
        """Return the value of a recipe for a file, computed once for each content.

        Raises UnreadableError.
        """


class SnapshotSources:
    """The source files of a snapshot; none are ignored."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path."""
        return self._snapshot.kind(path)

    def files(self, path: str) -> tuple[str, ...]:
        """Return a file, or all files below a directory whose names are UTF-8."""
        return tuple(sorted(file for file in self._below(path) if paths.is_utf8(file)))

    def _below(self, path: str) -> Iterator[str]:
        waiting = [path]
        while waiting:
            current = waiting.pop()
            if not is_source(current):
                continue
            kind = self._snapshot.kind(current)
            if kind is Kind.FILE:
                yield current
            elif kind is Kind.DIRECTORY:
                names = self._snapshot.entries(current)
                waiting.extend(paths.join(current, name) for name in names)

    def is_ignored(self, directory: str) -> bool:  # noqa: ARG002
        """Return False: a snapshot ignores nothing."""
        return False

    def ignores(self, file: str) -> bool:  # noqa: ARG002
        """Return False: a snapshot ignores nothing."""
        return False

    def digest(self, file: str) -> FileDigest:
        """Return the digest of a file."""
        return file_digests(self._snapshot.pieces(file, PIECE))

    def unseen(self) -> tuple[str, ...]:
        """Return an empty tuple: all directories of a snapshot are readable."""
        return ()

    def misnamed(self) -> tuple[str, ...]:
        """Return the files whose names are not UTF-8."""
        return tuple(file for file in self._below(paths.ROOT) if not paths.is_utf8(file))

    def lacking(self, file: str, words: frozenset[str]) -> frozenset[str]:
        """Return the words that do not occur in a file."""
        return words_lacking(self._snapshot.pieces(file, PIECE), words)

    def read(self, file: str) -> bytes:
        """Return the content of a file."""
        return self._snapshot.read(file)

    def computed(self, file: str, recipe: FileRecipe[T]) -> T:
        """Return the value of a recipe for a file."""
        return recipe.make(file, self._snapshot.read(file))


def words_lacking(pieces: Iterable[bytes], words: frozenset[str]) -> frozenset[str]:
    """Return the words that do not occur in a file, read piece by piece."""
    missing = {word.encode("utf-8", "surrogateescape"): word for word in words}
    if len(missing) > FEW_WORDS:
        from yg_old.text.occurrences import absent

        return frozenset(missing[data] for data in absent(pieces, missing))
    longest = max(map(len, missing), default=1)
    kept = b""
    for piece in pieces:
        window = kept + piece
        missing = {data: word for data, word in missing.items() if data not in window}
        if not missing:
            break
        kept = window[-(longest - 1) :] if longest > 1 else b""
    return frozenset(missing.values())
