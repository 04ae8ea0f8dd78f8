"""The source files of a repository, as rules and baselines look at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from yg.kernel import paths
from yg.kernel.snapshot import PIECE, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.snapshot import Snapshot


NEVER_SOURCES = frozenset({".git", ".yggdrasil"})  # wherever they are


class Sources(Protocol):
    """What may be asked about source files. Paths are relative to the repository's root."""

    def kind(self, path: str) -> Kind | None:
        """Tell what stands at a path; None for nothing."""

    def files(self, path: str) -> tuple[str, ...]:
        """Return a file, or the files below a directory that version control would see."""

    def is_ignored(self, directory: str) -> bool:
        """Tell whether version control is told to look away from a directory."""

    def unseen(self) -> tuple[str, ...]:
        """Return the directories that could not be looked into."""

    def misnamed(self) -> tuple[str, ...]:
        """Return the files whose names are not UTF-8, and which nothing can track."""

    def lacking(self, file: str, words: frozenset[str]) -> frozenset[str]:
        """Return the words that do not occur in a file; raises UnreadableError."""


class SnapshotSources:
    """The sources of a snapshot, in which nothing is ignored."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def kind(self, path: str) -> Kind | None:
        """Tell what stands at a path."""
        return self._snapshot.kind(path)

    def files(self, path: str) -> tuple[str, ...]:
        """Return a file, or all files below a directory that something can track."""
        return tuple(sorted(file for file in self._below(path) if paths.is_utf8(file)))

    def _below(self, path: str) -> Iterator[str]:
        waiting = [path]
        while waiting:
            each = waiting.pop()
            if paths.name_of(each) in NEVER_SOURCES:
                continue
            kind = self._snapshot.kind(each)
            if kind is Kind.FILE:
                yield each
            elif kind is Kind.DIRECTORY:
                waiting.extend(paths.join(each, name) for name in self._snapshot.entries(each))

    def is_ignored(self, directory: str) -> bool:  # noqa: ARG002
        """Tell that nothing is ignored."""
        return False

    def unseen(self) -> tuple[str, ...]:
        """Return nothing: a snapshot can be looked into."""
        return ()

    def misnamed(self) -> tuple[str, ...]:
        """Return the files whose names are not UTF-8."""
        return tuple(file for file in self._below(paths.ROOT) if not paths.is_utf8(file))

    def lacking(self, file: str, words: frozenset[str]) -> frozenset[str]:
        """Return the words that do not occur in a file."""
        return words_lacking(self._snapshot.pieces(file, PIECE), words)


def words_lacking(pieces: Iterable[bytes], words: frozenset[str]) -> frozenset[str]:
    """Return the words that do not occur in a file, which is never held as a whole."""
    missing = {word.encode("utf-8", "surrogateescape"): word for word in words}
    longest = max(map(len, missing), default=1)
    kept = b""
    for piece in pieces:
        window = kept + piece
        missing = {data: word for data, word in missing.items() if data not in window}
        if not missing:
            break
        kept = window[-(longest - 1) :] if longest > 1 else b""
    return frozenset(missing.values())
