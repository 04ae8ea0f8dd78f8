"""Snapshot: the files of a repository in one state, read on demand."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct

from yg_old.kernel.digest import HEAD
from yg_old.kernel.errors import BinaryFileError, TooLargeError, UnreadableError
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from yg_old.kernel.codec import Codec, Recipe

T = TypeVar("T")

MAX_TEXT = 16_000_000  # bytes of a text or a declaration
PIECE = 1 << 20  # bytes read at once from any other file
DRAFT_MARK = "<!-- draft: replace this -->"  # a line of a text that nobody has written yet
_CONFLICT = "<<<<<<< "  # git starts a conflict with such a line


class Kind(StrEnum):
    """The type of a directory entry. Links inside a graph are never followed."""

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    OTHER = "other"


class Names(Struct, frozen=True, array_like=True):
    """The names in a directory by kind, each sorted, without dot-names."""

    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def visible_names(entries: Mapping[str, Kind]) -> Names:
    """Group the entries of a directory by kind, without dot-names."""
    found: dict[Kind, list[str]] = {kind: [] for kind in Kind}
    for name, kind in entries.items():
        if not name.startswith("."):
            found[kind].append(name)
    return Names(*map(tuple, found.values()))


class Extent(Struct, frozen=True):
    """The length of a text: its body, and its final line break (0 if there is none)."""

    body: int
    ending: int
    is_draft: bool = False  # whether it has a draft mark
    is_sparse: bool = False  # extra white space is more than half of the body


def extent_of(text: str) -> Extent:
    """Measure a text, counting only the first of its final line breaks."""
    end = len(text)
    ending = 0
    is_draft = draft_line(text) > 0
    while end and text[end - 1] == "\n":
        ending = 2 if text[end - 2 : end - 1] == "\r" else 1
        end -= ending
    if not ending and text.endswith("\r"):
        end, ending = end - 1, 2  # the line feed added later makes it a CRLF
    is_sparse = content_length(text) * 2 < end
    return Extent(body=end, ending=ending, is_draft=is_draft, is_sparse=is_sparse)


def content_length(text: str) -> int:
    """Return the length of a text with single blanks instead of any white space."""
    return len(" ".join(text.split()))


def conflict_line(text: str) -> int:
    """Return the first line, from 1, that starts an unresolved merge conflict; 0 if none does."""
    return _line_starting(text, _CONFLICT)


def draft_line(text: str) -> int:
    """Return the first line, from 1, with a draft mark; 0 if there is none."""
    return _line_starting(text, DRAFT_MARK)


def _line_starting(text: str, start: str) -> int:
    if text.startswith(start):
        return 1
    at = text.find(f"\n{start}")
    return 0 if at == -1 else text.count("\n", 0, at) + 2


class Text:
    """The text of a file, read on first access and then kept."""

    __slots__ = ("_extent", "_read", "_value", "path")

    def __init__(self, path: str, read: Callable[[str], bytes]) -> None:
        self.path = path
        self._read = read
        self._value: str | UnreadableError | None = None
        self._extent: Extent | None = None

    @property
    def value(self) -> str:
        """The whole text, without a byte order mark; raises UnreadableError."""
        if self._value is None:
            self._value = self._load()
        if isinstance(self._value, UnreadableError):
            raise self._value
        return self._value

    @property
    def extent(self) -> Extent:
        """The length of the text; raises UnreadableError."""
        if self._extent is None:
            self._extent = extent_of(self.value)
        return self._extent

    @property
    def first_line(self) -> int:
        """The line of the file at which the text begins."""
        return 1

    @property
    def in_place(self) -> str:
        """The text with as many empty lines above it as its file has lines there."""
        value = self.value
        return "\n" * (self.first_line - 1) + value

    @property
    def fault(self) -> str:
        """The reason the text cannot be read; empty if it can."""
        try:
            self.value  # noqa: B018
        except UnreadableError as error:
            return error.reason
        return ""

    @property
    def binary_size(self) -> int:
        """The size in bytes of a binary file; 0 if the file is text or cannot be read."""
        if self._extent is not None:
            return 0
        try:
            self.extent  # noqa: B018
        except BinaryFileError as error:
            return error.size
        except UnreadableError:
            return 0
        return 0

    @property
    def is_draft(self) -> bool:
        """Whether nobody has written the text yet; false if it cannot be read."""
        return not self.binary_size and not self.fault and self.extent.is_draft

    @property
    def conflict(self) -> int:
        """The first line of an unresolved merge conflict; 0 if there is none, or no text."""
        try:
            return conflict_line(self.value)
        except UnreadableError:
            return 0

    def made(self, recipe: Recipe[T]) -> T:
        """Apply a recipe to the text; raises UnreadableError."""
        return recipe.make(self.value)

    def _load(self) -> str | UnreadableError:
        try:
            return decode_text(self.path, self._read(self.path))
        except TooLargeError as error:
            is_binary = b"\0" in error.head
            return BinaryFileError(self.path, error.reason, error.size) if is_binary else error
        except UnreadableError as error:
            return error


def given_text(path: str, value: str) -> Text:
    """Return a text that does not have a file of its own."""
    return Text(path, lambda _path: value.encode())


def decode_text(path: str, data: bytes) -> str:
    """Decode a text; a file with a NUL among its first bytes is binary."""
    at = data.find(b"\0", 0, HEAD)
    if at == -1:
        return decode_utf8(path, data)
    reason = f"binary, with a NUL at byte {at}"
    try:
        decode_utf8(path, data)
    except UnreadableError as error:
        reason = error.reason
    raise BinaryFileError(path, reason, len(data))


def decode_utf8(path: str, data: bytes) -> str:
    """Decode a file's bytes; a byte order mark is dropped, another encoding is an error."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 at byte {error.start} (0x{data[error.start]:02x})"
        raise UnreadableError(path, reason) from error


def too_large(path: str, size: int, head: bytes) -> TooLargeError:
    """Return the error for a file larger than MAX_TEXT that starts with some bytes."""
    return TooLargeError(path, MAX_TEXT, size, head[:HEAD])


class Snapshot(Protocol):
    """Read access to the files of a repository. Paths are relative to its root."""

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""

    def names(self, directory: str) -> Names:
        """Return the names in a directory by kind, without dot-names; raises UnreadableError."""

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing or behind a link."""

    def text(self, path: str) -> Text:
        """Return the text of a file, which is read on first access."""

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError, also for more than MAX_TEXT."""

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        """Yield the bytes of a file of any size piece by piece; raises UnreadableError."""

    def recall(self, name: str, codec: Codec[T], compute: Callable[[], T]) -> T:
        """Return a result cached under a name, or compute it from the graph's declarations."""

    def revise(self, name: str, codec: Codec[T], update: Callable[[T | None], T]) -> T:
        """Return the new version of a cached result: `update` gets the old one, None at first.

        Anything may have changed since the old version was made; `update` has to find out what.
        """

    def readings(self, tree: str, file: str, recipe: str) -> Mapping[str, bytes]:
        """Return the cached results of a recipe for all files of one name, by directory."""

    def measured(self, directory: str) -> Collection[str]:
        """Return the names of files in a directory that are known to be readable text."""


class Uncached:
    """What a Snapshot returns that has no cache."""

    def recall(self, name: str, codec: Codec[T], compute: Callable[[], T]) -> T:  # noqa: ARG002
        """Compute a result; nothing is cached."""
        return compute()

    def revise(self, name: str, codec: Codec[T], update: Callable[[T | None], T]) -> T:  # noqa: ARG002
        """Compute a result; nothing is cached."""
        return update(None)

    def readings(self, tree: str, file: str, recipe: str) -> Mapping[str, bytes]:  # noqa: ARG002
        """Return an empty mapping; nothing is cached."""
        return {}

    def measured(self, directory: str) -> Collection[str]:  # noqa: ARG002
        """Return nothing; nothing is cached."""
        return ()


class DictSnapshot(Uncached):
    """A Snapshot in memory: maps paths to content, or to a Kind if there is none."""

    def __init__(self, files: Mapping[str, str | bytes | Kind | UnreadableError]) -> None:
        self._contents = dict(files)
        self._directories: dict[str, dict[str, Kind]] = {paths.ROOT: {}}
        for path, content in files.items():
            self._place(path, content if isinstance(content, Kind) else Kind.FILE)
        self._texts: dict[str, Text] = {}

    def _place(self, path: str, kind: Kind) -> None:
        directory, name = paths.parent(path), paths.name_of(path)
        if kind is Kind.DIRECTORY:
            self._directories.setdefault(path, {})
        while True:
            known = directory in self._directories
            self._directories.setdefault(directory, {})[name] = kind
            if known:
                return
            kind, name, directory = (
                Kind.DIRECTORY,
                paths.name_of(directory),
                paths.parent(directory),
            )

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order."""
        content = self._contents.get(directory)
        if isinstance(content, UnreadableError):
            raise content
        try:
            found = self._directories[directory]
        except KeyError:
            raise UnreadableError(directory, "no such directory") from None
        return {
            name: Kind.DIRECTORY if paths.join(directory, name) in self._directories else kind
            for name, kind in sorted(found.items())
        }

    def names(self, directory: str) -> Names:
        """Return the names in a directory by kind."""
        return visible_names(self.entries(directory))

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path."""
        if path in self._directories:
            return Kind.DIRECTORY
        return self._directories.get(paths.parent(path), {}).get(paths.name_of(path))

    def text(self, path: str) -> Text:
        """Return the text of a file."""
        return self._texts.setdefault(path, Text(path, self.read))

    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""
        data = self._data(path)
        if len(data) > MAX_TEXT:
            raise too_large(path, len(data), data[:HEAD])
        return data

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        """Yield the bytes of a file piece by piece."""
        data = self._data(path)
        for start in range(0, len(data), length):
            yield data[start : start + length]

    def _data(self, path: str) -> bytes:
        match self._contents.get(path):
            case Kind():
                raise UnreadableError(path, "not a regular file")
            case str(content):
                return content.encode()
            case bytes(content):
                return content
            case UnreadableError() as error:
                raise error
            case None:
                raise UnreadableError(path, "no such file")
