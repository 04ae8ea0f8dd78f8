"""Snapshot: the files of a repository in one state, read on demand."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from yg.kernel.errors import UnreadableError
from yg.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

T = TypeVar("T")

MAX_TEXT = 16_000_000  # bytes of a text or a declaration


class Kind(StrEnum):
    """The type of a directory entry. Links inside a graph are never followed."""

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    OTHER = "other"


class Recipe(Struct, Generic[T], frozen=True):
    """What a reader makes of one file: a pure function of its path and bytes, with a name.

    The cache stores what it makes under its name and the path; the type is that of the result.
    """

    name: str
    type: Any
    make: Callable[[str, bytes], T]


class Inputs(Enum):
    """The files that a result about a whole graph depends on."""

    DECLARATIONS = "declarations"  # and the names of all files of the graph
    PLACES = "places"  # the same, and which of the watched paths outside it exist
    WATCHED = "watched"  # names in the graph and in the directories of the watched paths
    FILES = "files"  # all files of the graph
    ALL = "all"  # all files of the graph, and which of the watched paths exist


class Snapshot(Protocol):
    """Read access to the files of a repository. Paths are relative to its root."""

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing or behind a link."""

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError, also for more than MAX_TEXT."""

    def made(self, path: str, recipe: Recipe[T]) -> T:
        """Return what a recipe makes of a file, from the cache if there is one.

        Raises UnreadableError.
        """

    def made_before(self, recipe: Recipe[T]) -> Mapping[str, T]:
        """Return what the cache has of all files: faster than to ask for each of them."""

    def watch(self, paths: Callable[[], Iterable[str]]) -> None:
        """Name the paths outside the graph whose existence results depend on."""

    def recall(self, name: str, inputs: Inputs, type_: Any, compute: Callable[[], T]) -> T:
        """Return a result from the cache if none of its inputs has changed, or compute it."""


class Uncached:
    """The part of a Snapshot that has no cache."""

    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""
        raise NotImplementedError

    def made(self, path: str, recipe: Recipe[T]) -> T:
        """Return what a recipe makes of a file."""
        return recipe.make(path, self.read(path))

    def made_before(self, recipe: Recipe[T]) -> Mapping[str, T]:  # noqa: ARG002
        """Return nothing, since nothing is cached."""
        return {}

    def watch(self, paths: Callable[[], Iterable[str]]) -> None:
        """Do nothing, since nothing is cached."""

    def recall(self, name: str, inputs: Inputs, type_: Any, compute: Callable[[], T]) -> T:  # noqa: ARG002
        """Compute a result."""
        return compute()


class DictSnapshot(Uncached):
    """A Snapshot in memory: maps paths to content, or to a Kind if there is none."""

    def __init__(self, files: Mapping[str, str | bytes | Kind | UnreadableError]) -> None:
        self._contents = dict(files)
        self._directories: dict[str, dict[str, Kind]] = {paths.ROOT: {}}
        for path, content in files.items():
            self._place(path, content if isinstance(content, Kind) else Kind.FILE)

    def _place(self, path: str, kind: Kind) -> None:
        if kind is Kind.DIRECTORY:
            self._directories.setdefault(path, {})
        for ancestor in reversed(paths.lineage(path)):
            names = self._directories.setdefault(ancestor, {})
            names[paths.name_of(path)] = kind
            path, kind = ancestor, Kind.DIRECTORY

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order."""
        content = self._contents.get(directory)
        if isinstance(content, UnreadableError):
            raise content
        if directory not in self._directories:
            raise UnreadableError(directory, "no such directory")
        return dict(sorted(self._directories[directory].items()))

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path."""
        if path in self._directories:
            return Kind.DIRECTORY
        return self._directories.get(paths.parent(path), {}).get(paths.name_of(path))

    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""
        match self._contents.get(path):
            case Kind():  # which is also a text
                raise UnreadableError(path, "not a regular file")
            case str(text):
                content = text.encode()
            case bytes(data):
                content = data
            case UnreadableError() as error:
                raise error
            case None:
                raise UnreadableError(path, "no such file")
        if len(content) > MAX_TEXT:
            raise too_large(path, len(content))
        return content


def too_large(path: str, size: int) -> UnreadableError:
    """Return the error for a file larger than MAX_TEXT."""
    reason = f"larger than {MAX_TEXT // 1_000_000} MB ({size} bytes)"
    return UnreadableError(path, reason)


def decode_utf8(path: str, data: bytes) -> str:
    """Decode a file's bytes; a byte order mark is dropped, another encoding is an error."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 at byte {error.start} (0x{data[error.start]:02x})"
        raise UnreadableError(path, reason) from error
