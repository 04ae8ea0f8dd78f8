"""The rows of the index: what one of each table contains."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from yg_old.disk.files.stamps import SIZE
from yg_old.kernel.snapshot import Kind, Names

if TYPE_CHECKING:
    from collections.abc import Iterator

UNMEASURED = -1  # a file that was not read as text


class Directory(Struct, array_like=True):
    """The last known state of a directory of the graph."""

    stamp: bytes  # empty: it may have changed
    names: Names  # without dot-names
    hidden: dict[str, Kind]  # dot-names
    stamps: bytes  # of the regular files among the names, in order
    extents: list[int]  # the lengths of their texts, or sizes if binary: see CachedText

    def file_stamps(self) -> Iterator[tuple[str, bytes]]:
        """Yield the names of the files with their stamps."""
        for at, name in enumerate(self.names.files):
            yield name, self.stamps[at * SIZE : (at + 1) * SIZE]

    def kind(self, name: str) -> Kind | None:
        """Return the kind of a name; None if it is not there."""
        for kind, group in self._groups():
            at = bisect_left(group, name)
            if group[at : at + 1] == (name,):
                return kind
        return self.hidden.get(name)

    def entries(self) -> dict[str, Kind]:
        """Return all names in code-point order."""
        found = {name: kind for kind, group in self._groups() for name in group}
        return dict(sorted({**self.hidden, **found}.items()))

    def _groups(self) -> Iterator[tuple[Kind, tuple[str, ...]]]:
        names = self.names
        return zip(Kind, (names.files, names.directories, names.links, names.others), strict=True)


class Used(Struct, array_like=True):
    """The paths in one directory that a result depends on, by name, with their stamps."""

    stamps: dict[str, bytes]


class File(Struct, array_like=True):
    """The digests of a file."""

    stamp: bytes
    digest: str
    raw_digest: str = ""  # of its bytes, if that is another one
    crlf_digest: str = ""  # of its text with CRLF, if that is another one


class StoredReading(Struct, array_like=True):
    """The result of a recipe for a file."""

    stamp: bytes
    recipe: str
    value: bytes  # empty: it cannot be stored


class StoredFacts(Struct, array_like=True):
    """The facts of a source text."""

    algorithm: str
    value: bytes


class Result(NamedTuple):
    """A stored result about the whole graph."""

    depends: int  # the kinds of changes that invalidate it
    view: str  # digest of the visible files; empty if it does not depend on them
    value: bytes
