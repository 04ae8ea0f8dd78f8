"""The SQLite file of the index: typed rows, each with a checksum.

A row that is damaged, has the wrong type or another version is ignored. On any SQLite error the
file is removed and the run continues without it.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from typing import Any, Generic, NamedTuple, TypeVar
from zlib import crc32

from msgspec import DecodeError, Struct
from msgspec.msgpack import Decoder, Encoder

from yg.kernel.paths import is_utf8
from yg.kernel.snapshot import Kind, Names  # noqa: TC001  # decoding needs them
from yg.version import __version__

T = TypeVar("T")

NAME = "index.db"
LAYOUT = 8
VERSION = f"{LAYOUT} {__version__} {sys.implementation.cache_tag}"
PATIENCE = 2.0  # seconds to wait for another process that writes
# Tables of paths outside the graph that results depend on: directories that were searched, files in
# hidden directories of the graph, files that rules read, and files that drift covers.
USED = ("places", "hidden", "contents", "sources")
UNMEASURED = -1  # a file that was not read as text
SPARE_FACTS = 1_000  # rows of facts that are kept besides three for each file
NEVER = -1  # a generation that no file has
MANY = 400  # single lookups before the whole table is read

# Exceptions that a damaged file causes, including those for keys that are not UTF-8.
DATABASE_ERRORS = (sqlite3.Error, ValueError, OverflowError)
# Exceptions that a row of another type or with invalid content causes.
_ROW_ERRORS = (AttributeError, TypeError, DecodeError, UnicodeError, RecursionError)
_ENCODER = Encoder()
_SETTINGS = (
    "PRAGMA trusted_schema = OFF",  # a forged file must not call functions
    "PRAGMA cell_size_check = ON",
    "PRAGMA synchronous = OFF",  # losing a cache is cheaper than waiting for the disk
    "PRAGMA secure_delete = OFF",  # some builds overwrite deleted rows, which writes far more
)
_COLUMNS = "(key TEXT PRIMARY KEY, row BLOB NOT NULL, sum INTEGER NOT NULL)"
_RESULT_COLUMNS = (
    "(key TEXT PRIMARY KEY, depends INTEGER NOT NULL, view TEXT NOT NULL, row BLOB NOT NULL, "
    "sum INTEGER NOT NULL)"
)


class Head(Struct, frozen=True, array_like=True):
    """The header, which determines whether the other rows are valid."""

    version: str = VERSION
    seal: str = ""  # binds the file to its location
    generation: int = 0  # incremented with each write of stamps and results
    # For each table with stamps, because a lost row would hide a change: the number of its rows
    # and the sum of their checksums.
    totals: dict[str, tuple[int, int]] = {}


class Directory(Struct, array_like=True):
    """The last known state of a directory of the graph."""

    stamp: bytes  # empty: it may have changed
    names: Names  # without dot-names
    hidden: dict[str, Kind]  # dot-names
    stamps: bytes  # of the regular files among the names, in order
    extents: list[int]  # the lengths of their texts, or sizes if binary: see CachedText


class Used(Struct, array_like=True):
    """The paths in one directory that a result depends on, by name, with their stamps."""

    stamps: dict[str, bytes]


class File(Struct, array_like=True):
    """The digest of a file."""

    stamp: bytes
    digest: str
    raw_digest: str = ""  # of its bytes, if that is another one


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


class Table(Generic[T]):
    """Rows of one type by key, read one by one or, after many lookups, all at once."""

    def __init__(self, database: Database, name: str, kind: type[T]) -> None:
        self.name = name
        self._database = database
        self._decoder = Decoder(kind)
        self._rows: dict[str, T | None] = {}
        self._asked = 0
        self._is_complete = False
        self.totals = (0, 0)  # of the rows in the file, once all have been read
        self._dirty: set[str] = set()
        self.is_damaged = False

    def get(self, key: str) -> T | None:
        """Return a row; None if it is missing."""
        if key in self._rows:
            return self._rows[key]
        if self._is_complete:
            return None
        self._asked += 1
        if self._asked > MANY:
            return self.all().get(key)
        self._take(self._database.fetch(f"{self._select} WHERE key = ?", key))
        return self._rows.setdefault(key, None)

    def all(self) -> dict[str, T | None]:
        """Return all rows; None marks a removed or damaged row."""
        if not self._is_complete:
            self._is_complete = True
            self.totals = self._take(self._database.fetch(self._select))
        return self._rows

    def below(self, directory: str) -> dict[str, T | None]:
        """Return the rows of the paths inside a directory; None marks a removed or damaged row."""
        if not self._is_complete:
            query = f"{self._select} WHERE key > ? AND key < ?"
            self._take(self._database.fetch(query, f"{directory}/", f"{directory}0"))
        inside = f"{directory}/"  # '0' comes right after '/'
        return {key: row for key, row in self._rows.items() if key.startswith(inside)}

    @property
    def _select(self) -> str:
        return f"SELECT key, row, sum FROM {self.name}"  # noqa: S608

    def _take(self, found: list[tuple[Any, ...]]) -> tuple[int, int]:
        """Decode rows from the file, unless newer ones are in memory; return their totals."""
        rows, decode = self._rows, self._decoder.decode
        total = 0
        for key, row, checksum in found:
            try:
                total += checksum
                if checksum != crc32(row, crc32(key.encode())):
                    self.is_damaged = True
                elif key not in rows:
                    rows[key] = decode(row)
            except _ROW_ERRORS:
                self.is_damaged = True
        return len(found), total

    def put(self, key: str, row: T | None) -> None:
        """Set a row; None removes it."""
        self._rows[key] = row
        self._dirty.add(key)

    @property
    def is_dirty(self) -> bool:
        """Whether there are unwritten changes."""
        return bool(self._dirty)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the changed rows."""
        changed = [(key, self._rows[key]) for key in sorted(self._dirty) if is_utf8(key)]
        gone = [(key,) for key, row in changed if row is None]
        kept = [(key, _ENCODER.encode(row)) for key, row in changed if row is not None]
        connection.executemany(f"DELETE FROM {self.name} WHERE key = ?", gone)  # noqa: S608
        connection.executemany(
            f"INSERT OR REPLACE INTO {self.name} VALUES (?, ?, ?)",  # noqa: S608
            ((key, row, _sum(key, row)) for key, row in kept),
        )
        self._dirty.clear()

    def counted(self, connection: sqlite3.Connection) -> tuple[int, int]:
        """Return the number of rows in the file and the sum of their checksums."""
        query = f"SELECT count(*), ifnull(sum(sum), 0) FROM {self.name}"  # noqa: S608
        count, total = connection.execute(query).fetchone()
        return count, total


def _sum(key: str, row: bytes) -> int:
    return crc32(row, crc32(key.encode()))


class Database:
    """One open index file."""

    def __init__(self, path: str, seal: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self.is_broken = False
        self.head = Head()
        self.directories: Table[Directory] = Table(self, "directories", Directory)
        self.used: dict[str, Table[Used]] = {name: Table(self, name, Used) for name in USED}
        self.readings: Table[StoredReading] = Table(self, "readings", StoredReading)
        self.files: Table[File] = Table(self, "files", File)
        self.facts: Table[StoredFacts] = Table(self, "facts", StoredFacts)  # by content
        self._new_results: dict[str, Result] = {}
        self._version: list[object] = []  # changes when another process writes
        if seal and is_plain_file(path):
            try:
                self._open(seal)
            except DATABASE_ERRORS:
                self.close()

    def _open(self, seal: str) -> None:
        """Open the file if this version wrote it at this location; ignore any other."""
        self._connection = connected(self._path)
        head = self._stored_head()
        if head is None or (head.version, head.seal) != (VERSION, seal):
            self.close()
            self.is_broken = False
        else:
            self.head = head
            self._version = [row[0] for row in self.fetch("PRAGMA data_version")]

    def _stored_head(self) -> Head | None:
        for key, row, checksum in self.fetch("SELECT key, row, sum FROM head"):
            if isinstance(key, str) and isinstance(row, bytes) and checksum == _sum(key, row):
                try:
                    return Decoder(Head).decode(row)
                except (DecodeError, UnicodeError):
                    return None
        return None

    def drop(self) -> None:
        """Remove a damaged file and continue without it."""
        self.is_broken = True
        self.close()
        self._remove()

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            try:
                self._connection.close()
            except DATABASE_ERRORS:
                self.is_broken = True
            self._connection = None

    def is_current(self) -> bool:
        """Return whether no other process has written to the file."""
        if self.is_broken or self._connection is None:
            return False
        version = [row[0] for row in self.fetch("PRAGMA data_version")]
        is_same = version == self._version
        self._version = version
        return is_same and not self.is_broken

    def fetch(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query; no rows if the file cannot be read."""
        if self._connection is None:
            return []
        try:
            return self._connection.execute(query, values).fetchall()
        except DATABASE_ERRORS:
            self.drop()
            return []

    def is_whole(self, table: Table[Any]) -> bool:
        """Return whether the file contains a table of stamps and no row of it is lost."""
        if self._connection is None:
            return False
        table.all()
        if table.is_damaged or table.totals != self.head.totals.get(table.name, (0, 0)):
            self.drop()
        return not self.is_broken

    def result(self, name: str) -> Result | None:
        """Return a stored result."""
        if name in self._new_results:
            return self._new_results[name]
        if self._connection is None:
            return None
        query = "SELECT depends, view, row, sum FROM results WHERE key = ?"
        try:
            found = self._connection.execute(query, (name,)).fetchone()
        except DATABASE_ERRORS:
            self.drop()
            return None
        match found:
            case (int(depends), str(view), bytes(row), int(checksum)):
                if checksum == _sum(f"{name} {depends} {view}", row):
                    return Result(depends, view, row)
        return None

    def put_result(self, name: str, result: Result) -> None:
        """Set a result about the whole graph."""
        self._new_results[name] = result

    @property
    def is_dirty(self) -> bool:
        """Whether there are unwritten changes."""
        tables = (*self._stamped, self.readings, self.files, self.facts)
        return bool(self._new_results) or any(table.is_dirty for table in tables)

    @property
    def _stamped(self) -> tuple[Table[Any], ...]:
        return self.directories, *self.used.values()

    def write(self, seal: str, stale: int) -> bool:
        """Write all changes in one transaction; return whether stamps and results were written.

        Results that depend on the kinds of changes in `stale` are removed. Stamps and results must
        be consistent: they are written only if no other process has written any since they were
        read. Facts about single files are always written.
        """
        if self.is_broken:
            return False
        try:
            connection = self._connection or self._create(seal)
            connection.execute("BEGIN IMMEDIATE")
            is_complete = self._write(connection, seal, stale)
            connection.execute("COMMIT")
        except DATABASE_ERRORS:
            self.drop()
            return False
        return is_complete

    def _write(self, connection: sqlite3.Connection, seal: str, stale: int) -> bool:
        self.files.write(connection)
        self.readings.write(connection)
        self._write_facts(connection)
        stored = self._stored_head()
        if stored is None or stored.generation != self.head.generation:
            return False
        totals = dict(self.head.totals)
        for table in self._stamped:
            if table.is_dirty:
                table.write(connection)
                totals[table.name] = table.counted(connection)
        connection.execute("DELETE FROM results WHERE depends & ?", (stale,))
        connection.executemany(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)",
            [
                (name, depends, view, value, _sum(f"{name} {depends} {view}", value))
                for name, (depends, view, value) in sorted(self._new_results.items())
            ],
        )
        self._new_results.clear()
        self.head = Head(VERSION, seal, self.head.generation + 1, totals)
        self._write_head(connection)
        return True

    def _write_facts(self, connection: sqlite3.Connection) -> None:
        """Write new facts; if most are of contents that no file has any more, start over."""
        if not self.facts.is_dirty:
            return
        most = SPARE_FACTS + 3 * self.files.counted(connection)[0]
        if self.facts.counted(connection)[0] > most:
            connection.execute("DELETE FROM facts")
        self.facts.write(connection)

    def _write_head(self, connection: sqlite3.Connection) -> None:
        row = _ENCODER.encode(self.head)
        connection.execute("DELETE FROM head")
        connection.execute("INSERT INTO head VALUES (?, ?, ?)", ("head", row, _sum("head", row)))

    def _create(self, seal: str) -> sqlite3.Connection:
        """Create a new file, replacing one that cannot be used."""
        if is_plain_file(self._path):
            self._open(seal)
            if self._connection is not None:
                # Another process has created it in the meantime: add only facts about single files.
                self.head = Head(generation=NEVER)
                return self._connection
        self._remove()
        connection = self._connection = connected(self._path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        for table in ("head", "directories", *USED, "readings", "files", "facts"):
            connection.execute(f"CREATE TABLE {table} {_COLUMNS} WITHOUT ROWID")
        connection.execute(f"CREATE TABLE results {_RESULT_COLUMNS} WITHOUT ROWID")
        self.head = Head(VERSION, seal)
        self._write_head(connection)
        connection.execute("COMMIT")
        return connection

    def _remove(self) -> None:
        remove(self._path)


class Databases:
    """Index files that a long-running process keeps open."""

    def __init__(self) -> None:
        self._opened: dict[str, tuple[object, str, Database]] = {}

    def open(self, path: str, seal: str) -> Database:
        """Return the open file, reopened if another process has written to it."""
        state = _file_state(path)
        known = self._opened.get(path)
        if known is not None and known[:2] == (state, seal) and known[2].is_current():
            return known[2]
        if known is not None:
            known[2].close()
        database = Database(path, seal)
        self._opened[path] = (state, seal, database)
        return database

    def close(self) -> None:
        """Close all files."""
        for _, _, database in self._opened.values():
            database.close()
        self._opened.clear()


def _file_state(path: str) -> object:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def remove(path: str) -> None:
    """Remove an SQLite file and the files that belong to it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + suffix)
        except OSError:
            continue  # missing or not removable; then opening it fails too


def is_plain_file(path: str) -> bool:
    """Return whether a path is a regular file and not a link."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def connected(path: str) -> sqlite3.Connection:
    """Open an SQLite file with the settings for a cache."""
    connection = sqlite3.connect(
        path,
        isolation_level=None,
        timeout=PATIENCE,
        check_same_thread=False,  # the MCP server answers in a worker thread, one call at a time
    )
    for setting in _SETTINGS:
        connection.execute(setting)
    return connection
