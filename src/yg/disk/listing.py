"""Listing: the names and kinds of all files of a graph, and their stamps.

A stamp is the metadata that tells one state of a file or directory from another. The stamp of a
directory tells of added, removed and renamed entries: of a listing that is known from an earlier
run, only the names in directories with another stamp have to be read again.
"""

from __future__ import annotations

import os
import stat
import struct
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind
from yg.text import paths

if TYPE_CHECKING:
    from collections.abc import Mapping

# File systems have coarse clocks, and some use the clock of another machine.
SETTLED_NS = 2_000_000_000
DECLARATION = ".yaml"

_STAMP = struct.Struct("qqqQ")  # size, modified, changed, inode
_pack = _STAMP.pack
_FIELDS, _CHANGED = 4, 2
_FILE, _DIRECTORY = Kind.FILE, Kind.DIRECTORY
_UNKNOWN = _pack(0, 0, (1 << 63) - 1, 0)  # changed in the far future, so it is never settled
_KINDS = (*Kind, None)
_MODES = {stat.S_IFREG: Kind.FILE, stat.S_IFDIR: Kind.DIRECTORY, stat.S_IFLNK: Kind.LINK}
_NAME = attrgetter("name")
_Folders = dict[str, dict[str, Kind]]
_DECODER = Decoder(_Folders)


class Known(Struct, frozen=True, array_like=True):
    """A listing as the cache stores it."""

    names: bytes
    directory_stamps: bytes


class Listing(Struct, frozen=True, dict=True):
    """All directories of a graph with their entries, without names that start with a dot."""

    root: str
    folders: _Folders  # names in code-point order, and their kinds
    directory_stamps: bytes  # of each folder, in the same order
    errors: dict[str, UnreadableError]  # of directories that cannot be read
    names: bytes  # the folders, encoded; empty if something is missing in them

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is not listed."""
        if path in self.folders:
            return Kind.DIRECTORY
        entries = self.folders.get(paths.parent(path))
        return None if entries is None else entries.get(paths.name_of(path))

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the entries of a directory; raises UnreadableError."""
        found = self.folders.get(directory)
        if found is not None:
            return found
        if directory in self.errors:
            raise self.errors[directory]
        is_missing = self.kind(directory) is None
        reason = "no such file or directory" if is_missing else "not a directory"
        raise UnreadableError(directory, reason)

    @property
    def known(self) -> Known:
        """What a later run needs to take the listing again."""
        return Known(self.names, self.directory_stamps)

    @cached_property
    def _files(self) -> tuple[list[str], list[str]]:
        """The absolute paths of all declarations, and of all other files."""
        declarations: list[str] = []
        texts: list[str] = []
        for directory, entries in self.folders.items():
            place = f"{self.root}/{directory}"
            for name, kind in entries.items():
                if kind is _FILE:
                    files = declarations if name.endswith(DECLARATION) else texts
                    files.append(f"{place}/{name}")
        return declarations, texts

    @cached_property
    def declarations(self) -> dict[str, bytes]:
        """The stamps of all declarations by absolute path."""
        return _stamps_of(self._files[0])

    @cached_property
    def texts(self) -> dict[str, bytes]:
        """The stamps of all other files by absolute path; many commands do not need them."""
        return _stamps_of(self._files[1])

    def stamps(self, name: str) -> dict[str, bytes]:
        """Return the stamps of the declarations if a name is that of one, else of the others."""
        return self.declarations if name.endswith(DECLARATION) else self.texts


def look(root: str, graph: str) -> Listing:
    """List a graph by reading all its directories."""
    folders: _Folders = {}
    errors: dict[str, UnreadableError] = {}
    directory_stamps = []
    waiting = [graph]
    while waiting:
        directory = waiting.pop()
        place = f"{root}/{directory}"
        try:
            # The stamp is taken before the names, so that it is never newer than they are.
            status = os.stat(place) if directory == graph else os.lstat(place)
            folders[directory] = entries = _read(place)
        except OSError as error:
            errors[directory] = UnreadableError(directory, reason_of(error))
            continue
        directory_stamps.append(directory_stamp_of(status))
        waiting += [f"{directory}/{name}" for name, kind in entries.items() if kind is _DIRECTORY]
    names = b"" if errors else _encoded(folders)
    return Listing(root, folders, b"".join(directory_stamps), errors, names)


def look_again(root: str, graph: str, known: Known) -> Listing | None:
    """List a graph by reading only the directories that changed since it was listed.

    None if directories were added or removed, or one cannot be read.
    """
    folders = _DECODER.decode(known.names)
    names = known.names
    try:
        stamps = directory_stamp_of(os.stat(f"{root}/{graph}"))  # which may be a link
        stamps += directory_stamps([f"{root}/{path}" for path in folders if path != graph])
        if stamps != known.directory_stamps:
            if not _read_changed(root, folders, stamps, known.directory_stamps):
                return None
            names = _encoded(folders)
    except OSError:
        return None
    return Listing(root, folders, stamps, {}, names)


def _read_changed(root: str, folders: _Folders, now: bytes, before: bytes) -> bool:
    """Read the directories whose stamps differ; return whether they have the same directories."""
    size = _STAMP.size
    for number, directory in enumerate(list(folders)):
        at = slice(number * size, (number + 1) * size)
        if now[at] != before[at]:
            entries = _read(f"{root}/{directory}")
            if _directories(entries) != _directories(folders[directory]):
                return False
            folders[directory] = entries
    return True


def _directories(entries: dict[str, Kind]) -> list[str]:
    return [name for name, kind in entries.items() if kind is _DIRECTORY]


def _read(place: str) -> dict[str, Kind]:
    """Read the entries of a directory; raises OSError."""
    with os.scandir(place) as found:
        return {
            entry.name: kind_of_entry(entry)
            for entry in sorted(found, key=_NAME)
            if not entry.name.startswith(".")
        }


def _encoded(folders: _Folders) -> bytes:
    try:
        return Encoder().encode(folders)
    except UnicodeEncodeError:
        return b""  # a name that is not UTF-8 cannot be stored


# Kinds and stamps.


def kind_of_entry(entry: os.DirEntry[str]) -> Kind:
    """Return the kind of a directory entry, without following links."""
    if entry.is_file(follow_symlinks=False):
        return _FILE
    if entry.is_dir(follow_symlinks=False):
        return _DIRECTORY
    return Kind.LINK if entry.is_symlink() else Kind.OTHER


def kind_of(mode: int) -> Kind:
    """Return the kind of a file with a mode."""
    return _MODES.get(stat.S_IFMT(mode), Kind.OTHER)


def stamp_of(status: os.stat_result) -> bytes:
    """Return the stamp of a file: its size, times and inode."""
    try:
        return _pack(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    except struct.error:
        return _UNKNOWN  # a time after the year 2262


def _stamps_of(places: list[str]) -> dict[str, bytes]:
    """Return the stamps of files."""
    pack = _pack  # a call of `stamp_of` for each file takes a tenth longer
    try:
        found = [
            pack(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            for status in map(os.lstat, places)
        ]
    except (OSError, struct.error):  # one has been removed since, or has an odd time
        found = [_stamp_if_there(place) for place in places]
    return dict(zip(places, found, strict=True))


def _stamp_if_there(place: str) -> bytes:
    try:
        return stamp_of(os.lstat(place))
    except OSError:
        return _UNKNOWN


def directory_stamp_of(status: os.stat_result) -> bytes:
    """Return the stamp of a directory, without its size."""
    try:
        return _pack(0, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    except struct.error:
        return _UNKNOWN


def directory_stamps(places: list[str]) -> bytes:
    """Return the stamps of directories; raises OSError if one is missing or something else."""
    found = []
    for status in map(os.lstat, places):
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError
        found.append(directory_stamp_of(status))
    return b"".join(found)


def kind_stamp(kind: Kind | None) -> bytes:
    """Return a stamp that tells kinds apart, and nothing else."""
    return _pack(_KINDS.index(kind), 0, 0, 0)


def are_settled(stamps: bytes, began: int) -> bool:
    """Return whether stamps are so old that any change since a time must give other ones.

    It is git's rule for its index: a file that changed less than two seconds before it was looked
    at may change once more without getting another time.
    """
    changed = memoryview(stamps).cast("q")[_CHANGED::_FIELDS]
    return max(changed, default=0) < began - SETTLED_NS


def reason_of(error: OSError | ValueError) -> str:
    """Return the reason for an error, independent of the locale."""
    import errno

    if isinstance(error, ValueError):
        return "not a valid file name on this system"
    if error.errno == errno.ELOOP:
        return "it is a link"
    if error.errno == errno.ENXIO:
        return "not a regular file"
    known = {
        PermissionError: "permission denied",
        FileNotFoundError: "no such file or directory",
        NotADirectoryError: "not a directory",
        IsADirectoryError: "it is a directory",
    }
    return known.get(type(error), f"error {error.errno}: {error.strerror}")
