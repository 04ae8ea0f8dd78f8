"""The cache of a graph: what recipes made of files, and results about the whole graph.

It is one SQLite file in a private folder, with a table for each. A row counts only for the stamp
or digest it was stored with, and only if its checksum is right. Nothing is lost with the file: a
damaged one, or one of another program, is replaced; if another process keeps it locked or the disk
is full, the run goes on without it.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from zlib import crc32

from msgspec import UNSET, DecodeError, UnsetType
from msgspec.msgpack import Decoder, Encoder

from yg.disk.listing import stamp_of
from yg.disk.private import is_private_file, make_private, remove_private
from yg.text.paths import is_utf8
from yg.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg.kernel.snapshot import Recipe

    Fetch = Callable[..., list[tuple[Any, ...]]]

T = TypeVar("T")

NAME = "cache-1.db"  # with the version of its format
PATIENCE = 0.1  # seconds to wait for another process
LARGEST = 1_000_000_000  # bytes of a file; a larger one is removed
LONGEST = 512_000_000  # bytes of a row
STEPS = 200_000_000  # of one connection; to read a million rows takes ten million
STRIDE = 100_000  # steps between two checks

_PACKAGE = os.path.dirname(os.path.dirname(__file__))
_PROGRAM = ".program"  # the result whose digest is that of the program
_SCHEMA = {
    "files": (
        "CREATE TABLE files (recipe TEXT, path TEXT, stamp BLOB, value BLOB, "
        "PRIMARY KEY (recipe, path)) WITHOUT ROWID"
    ),
    # With a rowid: otherwise SQLite reads the long values of the rows that it passes, too.
    "results": "CREATE TABLE results (name TEXT PRIMARY KEY, digest BLOB, value BLOB)",
}
_FOUND = {**_SCHEMA, "sqlite_autoindex_results_1": None}
_SETTINGS = (
    "PRAGMA trusted_schema = OFF",  # a forged file must not call functions
    "PRAGMA cell_size_check = ON",
    "PRAGMA synchronous = OFF",  # losing a cache is cheaper than waiting for the disk
    "PRAGMA secure_delete = OFF",  # some builds overwrite deleted rows, which writes far more
)
# Exceptions that a damaged file causes, including those for keys that are not UTF-8.
_ERRORS = (sqlite3.Error, ValueError, OverflowError)
# Reasons for which a sound file may be unusable for now.
_PASSING = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)
_ENCODER = Encoder()
_SUM = 4  # bytes of the checksum after a value
_SOUND = 0x2144DF1C  # the CRC of anything that ends with its own CRC


class Rows(Generic[T]):
    """What one recipe made of files."""

    def __init__(self, recipe: Recipe[T], fetch: Fetch) -> None:
        """Take a recipe, and the function that runs a query."""
        self._recipe = recipe
        self._fetch = fetch
        self._decoder = Decoder(recipe.type)
        self._new: dict[str, tuple[bytes, bytes]] = {}

    def get(self, path: str, stamp: bytes) -> T | UnsetType:
        """Return what was made of a file in the state of a stamp; UNSET if it is not known."""
        query = "SELECT stamp, value FROM files WHERE recipe = ? AND path = ?"
        for stored, value in self._fetch(query, self._recipe.name, path):
            if stored == stamp:
                found: T | UnsetType = _unsealed(value, self._decoder)
                return found
        return UNSET

    def all(self, root: str, stamps: Mapping[str, bytes]) -> dict[str, T]:
        """Return what was made of all files below a root that are in the state of their stamp."""
        query = "SELECT path, stamp, value FROM files WHERE recipe = ?"
        stored, decode = self._fetch(query, self._recipe.name), self._decoder.decode
        try:
            return {
                path: decode(value[:-_SUM])
                for path, stamp, value in stored
                if stamps.get(f"{root}/{path}") == stamp and crc32(value) == _SOUND
            }
        except (TypeError, DecodeError):
            return {}  # as for a single row, see `_unsealed`

    def put(self, path: str, stamp: bytes, value: T) -> None:
        """Note what was made of a file in the state of a stamp, to be stored later."""
        sealed = _sealed(value) if is_utf8(path) else b""
        if sealed:
            self._new[path] = stamp, sealed

    def changes(self, exists: Callable[[str], bool]) -> tuple[list[Any], list[Any]]:
        """Return the rows to store and, if there are some, the keys of those to remove."""
        name = self._recipe.name
        new = [(name, path, *row) for path, row in sorted(self._new.items())]
        if not new:
            return [], []
        stored = self._fetch("SELECT path FROM files WHERE recipe = ?", name)
        return new, [(name, path) for (path,) in stored if not exists(path)]


class Cache:
    """The cache in a private folder."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, NAME)
        self._rows: dict[str, Rows[Any]] = {}
        self._results: dict[str, tuple[bytes, bytes]] = {}
        self._connection: sqlite3.Connection | None = None
        if is_openable(self._path):
            self._open()

    def _open(self) -> None:
        """Open the file for reading, unless another program wrote it."""
        try:
            self._connection = connected(self._path, writes=False)
            if not _has_own_tables(self._connection):
                raise sqlite3.DatabaseError("not a cache")
            if not _is_of_program(self._connection):
                self.close()
        except _ERRORS as error:
            self._give_up(error)

    def rows(self, recipe: Recipe[T]) -> Rows[T]:
        """Return what a recipe made of files."""
        rows = self._rows.get(recipe.name)
        if rows is None:
            rows = self._rows[recipe.name] = Rows(recipe, self._fetch)
        return rows

    def result(self, name: str, digest: bytes, type_: Any) -> Any | UnsetType:
        """Return a result that was stored with a digest; UNSET if there is none."""
        for stored, value in self._fetch("SELECT digest, value FROM results WHERE name = ?", name):
            if stored == digest:
                return _unsealed(value, Decoder(type_))
        return UNSET

    def put_result(self, name: str, digest: bytes, value: object) -> None:
        """Note a result, to be stored later."""
        sealed = _sealed(value) if is_utf8(name) else b""
        if sealed:
            self._results[name] = digest, sealed

    def store(self, exists: Callable[[str], bool], *, with_results: bool) -> None:
        """Write what was noted in one transaction, without the rows of files that are gone."""
        changes = [rows.changes(exists) for rows in self._rows.values()]
        new = [row for found, _ in changes for row in found]
        gone = [key for _, found in changes for key in found]
        results = [(name, *row) for name, row in sorted(self._results.items()) if with_results]
        if not new and not results:
            return
        self.close()
        try:
            self._connection = self._writable()
            self._write(self._connection, new, gone, results)
        except (*_ERRORS, OSError) as error:
            self._give_up(error)

    def _writable(self) -> sqlite3.Connection:
        """Open the file for writing; a missing one is made, one that cannot be used is replaced."""
        if not is_openable(self._path):
            _remove(self._path)
            _make(self._path)
        return connected(self._path, writes=True)

    def _write(
        self, connection: sqlite3.Connection, new: list[Any], gone: list[Any], results: list[Any]
    ) -> None:
        connection.execute("BEGIN IMMEDIATE")
        if not _has_own_tables(connection):
            raise sqlite3.DatabaseError("not a cache")
        if not _is_of_program(connection):
            connection.execute("DELETE FROM files")
            connection.execute("DELETE FROM results")
            results = [(_PROGRAM, program(), b""), *results]
        connection.executemany("DELETE FROM files WHERE recipe = ? AND path = ?", gone)
        connection.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", new)
        connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", results)
        connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _fetch(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query; none if the file cannot be read."""
        if self._connection is None:
            return []
        try:
            return self._connection.execute(query, values).fetchall()
        except _ERRORS as error:
            self._give_up(error)
            return []

    def _give_up(self, error: Exception) -> None:
        """Go on without the file, and remove it unless it is sound."""
        self.close()
        is_sound = isinstance(error, OSError)  # there may be none
        if isinstance(error, sqlite3.Error):
            is_sound = getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING
        if not is_sound:
            _remove(self._path)


# Values with their checksums: a disk that fails or a machine that stops may leave wrong bytes.


def _sealed(value: object) -> bytes:
    """Encode a value; empty if that is impossible."""
    try:
        encoded = _ENCODER.encode(value)
    except (UnicodeEncodeError, OverflowError):
        return b""  # it names a file whose name is not UTF-8, or holds a large number
    return encoded + crc32(encoded).to_bytes(_SUM, "little")


def _unsealed(value: Any, decoder: Decoder[Any]) -> Any | UnsetType:
    """Decode a value; UNSET if it is damaged."""
    try:
        if crc32(value) == _SOUND:
            return decoder.decode(memoryview(value)[:-_SUM])
    except (TypeError, DecodeError):  # damaged so that it is no bytes any more, or too well
        pass
    return UNSET


# The file.


def is_openable(path: str) -> bool:
    """Return whether SQLite may open a file: it and the files that belong to it are private.

    A rollback journal is none of ours. SQLite would play it back, and delete any file it names.
    """
    if not is_private_file(path, LARGEST) or os.path.lexists(f"{path}-journal"):
        return False
    beside = (f"{path}-wal", f"{path}-shm")
    return all(is_private_file(file, LARGEST) or not os.path.lexists(file) for file in beside)


def connected(path: str, *, writes: bool) -> sqlite3.Connection:
    """Open an SQLite file with the settings for a cache."""
    connection = sqlite3.connect(
        path if writes else _read_only(path),
        uri=not writes,
        isolation_level=None,
        timeout=PATIENCE,
    )
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        _limit_steps(connection)
        for setting in _SETTINGS:
            connection.execute(setting)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _read_only(path: str) -> str:
    for special in "%?#":
        path = path.replace(special, f"%{ord(special):x}")
    return f"file:{path}?mode=ro"


def _limit_steps(connection: sqlite3.Connection) -> None:
    """Stop a statement once a connection has taken more steps than a sound file needs."""
    left = STEPS // STRIDE

    def is_too_long() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(is_too_long, STRIDE)


def _has_own_tables(connection: sqlite3.Connection) -> bool:
    """Return whether a file has exactly the tables that are created here, and no views."""
    query = "SELECT name, sql FROM sqlite_master LIMIT ?"
    found = connection.execute(query, (len(_FOUND) + 1,)).fetchall()
    return len(found) == len(_FOUND) and dict(found) == _FOUND


def _is_of_program(connection: sqlite3.Connection) -> bool:
    query = "SELECT digest FROM results WHERE name = ?"
    return connection.execute(query, (_PROGRAM,)).fetchall() == [(program(),)]


def _make(path: str) -> None:
    """Make an empty file beside a path and put it there, unless another process was faster."""
    draft = f"{path}-new"
    _remove(draft)  # of a process that was killed
    make_private(draft)
    connection = connected(draft, writes=True)
    try:
        # Without a journal on disk, which no file of this program has.
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in _SCHEMA.values():
            connection.execute(statement)
    finally:
        connection.close()
    try:
        os.link(draft, path)
    finally:
        _remove(draft)


def _remove(path: str) -> None:
    """Remove an SQLite file and the files that belong to it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        remove_private(path + suffix)


@cache
def program() -> bytes:
    """Return a digest of the program: another one may make something else of the same files.

    A version may be installed from many commits, so the stamps of all modules are part of it.
    """
    found = []
    waiting = [_PACKAGE]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    found.append((entry.path, stamp_of(entry.stat())))
                elif entry.is_dir() and entry.name != "__pycache__":
                    waiting.append(entry.path)
    text = repr((__version__, sys.implementation.cache_tag, sorted(found)))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
