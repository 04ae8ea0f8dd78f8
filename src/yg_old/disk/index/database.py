"""The SQLite file of the index: typed rows, each with a checksum.

A row that is damaged, has the wrong type or another version is ignored. On any SQLite error the
file is removed and the run continues without it. A file is opened only if it is private, and
read-only until there is something to write; it may contain no tables but those created here.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from typing import Any, Generic, TypeVar
from zlib import crc32

from msgspec import DecodeError, Struct
from msgspec.msgpack import Decoder, Encoder

from yg_old.disk.index.private import is_private_file, make_private, remove_private
from yg_old.disk.index.program import program
from yg_old.disk.index.rows import Directory, File, Result, StoredFacts, StoredReading, Used
from yg_old.text.paths import is_utf8

T = TypeVar("T")

NAME = "index.db"
LAYOUT = 12
VERSION = f"{LAYOUT} {program()}"
PATIENCE = 2.0  # seconds to wait for another process that writes
# Tables of paths outside the graph that results depend on: directories that were searched, files in
# hidden directories of the graph, files that rules read, files that drift covers, and documents.
USED = ("places", "hidden", "contents", "sources", "documents")
SPARE_FACTS = 1_000  # rows of facts that are kept besides three for each file
NEVER = -1  # a generation that no file has
MANY = 400  # single lookups before the whole table is read
LARGEST = 4_000_000_000  # bytes of a file; a larger one is removed
LONGEST = 512_000_000  # bytes of a row
STEPS = 100_000_000  # of one statement; a whole table of a million rows takes ten million
STRIDE = 100_000  # steps between two checks

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
_TABLES = {
    **dict.fromkeys(("head", "directories", *USED, "readings", "files", "facts"), _COLUMNS),
    "results": _RESULT_COLUMNS,
}
_SCHEMA = {
    name: f"CREATE TABLE {name} {columns} WITHOUT ROWID" for name, columns in _TABLES.items()
}


class Head(Struct, frozen=True, array_like=True):
    """The header, which determines whether the other rows are valid."""

    version: str = VERSION
    generation: int = 0  # incremented with each write of stamps and results
    # For each table with stamps, because a lost row would hide a change: the number of its rows
    # and the sum of their checksums.
    totals: dict[str, tuple[int, int]] = {}


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
        self.is_verified = False  # whether no row of the file is lost

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

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._is_writable = False
        self.is_broken = False
        self.head = Head()
        self.directories: Table[Directory] = Table(self, "directories", Directory)
        self.used: dict[str, Table[Used]] = {name: Table(self, name, Used) for name in USED}
        self.readings: Table[StoredReading] = Table(self, "readings", StoredReading)
        self.files: Table[File] = Table(self, "files", File)
        self.facts: Table[StoredFacts] = Table(self, "facts", StoredFacts)  # by content
        self._new_results: dict[str, Result] = {}
        self._version: list[object] = []  # changes when another process writes
        head = self._opened_head(writes=False)
        self._has_file = head is not None  # whether rows were read from a file or written to one
        if head is not None:
            self.head = head

    def _opened_head(self, *, writes: bool) -> Head | None:
        """Open the file if this version wrote it; None for any other."""
        if not is_openable(self._path):
            return None
        try:
            self._connection = connected(self._path, writes=writes)
            self._is_writable = writes
            head = self._stored_head() if self._has_own_tables() else None
            if head is not None and head.version == VERSION:
                self._version = self._data_version()
                return head
        except DATABASE_ERRORS:
            pass  # damaged
        self.close()
        self.is_broken = False
        return None

    def _has_own_tables(self) -> bool:
        """Return whether the file has exactly the tables that are created here, and no views."""
        found = self.fetch("SELECT name, sql FROM sqlite_master LIMIT ?", len(_SCHEMA) + 1)
        return len(found) == len(_SCHEMA) and dict(found) == _SCHEMA

    def _data_version(self) -> list[object]:
        return [row[0] for row in self.fetch("PRAGMA data_version")]

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
        remove(self._path)

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
        version = self._data_version()
        is_same = version == self._version
        self._version = version
        return is_same and not self.is_broken

    def fetch(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query; no rows if the file cannot be read."""
        if self._connection is None:
            return []
        try:
            limit_steps(self._connection)
            return self._connection.execute(query, values).fetchall()
        except DATABASE_ERRORS:
            self.drop()
            return []

    def is_whole(self, table: Table[Any]) -> bool:
        """Return whether the file contains a table of stamps and no row of it is lost."""
        if self._connection is None:
            return False
        table.all()
        table.is_verified = table.totals == self._expected(table)
        if table.is_damaged or not table.is_verified:
            self.drop()
        return not self.is_broken

    def _expected(self, table: Table[Any]) -> tuple[int, int]:
        return self.head.totals.get(table.name, (0, 0))

    def result(self, name: str) -> Result | None:
        """Return a stored result."""
        if name in self._new_results:
            return self._new_results[name]
        query = "SELECT depends, view, row, sum FROM results WHERE key = ?"
        match self.fetch(query, name):
            case [(int(depends), str(view), bytes(row), int(checksum))]:
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

    def write(self, stale: int) -> bool:
        """Write all changes in one transaction; return whether stamps and results were written.

        Results that depend on the kinds of changes in `stale` are removed. Stamps and results must
        be consistent: they are written only if no other process has written any since they were
        read. Facts about single files are always written.
        """
        if self.is_broken:
            return False
        try:
            connection = self._writable()
            connection.execute("BEGIN IMMEDIATE")
            is_complete = self._write(connection, stale)
            connection.execute("COMMIT")
        except (*DATABASE_ERRORS, OSError):
            self.drop()
            return False
        return is_complete

    def _write(self, connection: sqlite3.Connection, stale: int) -> bool:
        self.files.write(connection)
        self.readings.write(connection)
        self._write_facts(connection)
        stored = self._stored_head()
        if stored is None or stored.generation != self.head.generation:
            self._version = []
            return False
        totals = dict(self.head.totals)
        for table in self._stamped:
            if table.is_dirty:
                self._verify(table, connection)
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
        self.head = Head(VERSION, self.head.generation + 1, totals)
        _write_head(connection, self.head)
        return True

    def _verify(self, table: Table[Any], connection: sqlite3.Connection) -> None:
        """Raise an error if a row is lost or damaged: a new one would hide a change."""
        if not table.is_verified:
            table.is_verified = table.counted(connection) == self._expected(table)
        if table.is_damaged or not table.is_verified:
            raise sqlite3.DatabaseError

    def _write_facts(self, connection: sqlite3.Connection) -> None:
        """Write new facts; if most are of contents that no file has any more, start over."""
        if not self.facts.is_dirty:
            return
        most = SPARE_FACTS + 3 * self.files.counted(connection)[0]
        if self.facts.counted(connection)[0] > most:
            connection.execute("DELETE FROM facts")
        self.facts.write(connection)

    def _writable(self) -> sqlite3.Connection:
        """Return a connection that writes to the file, or to a new one if it cannot be used."""
        if self._connection is not None and self._is_writable:
            return self._connection
        has_file, self._has_file = self._has_file, True
        self.close()
        if self._opened_head(writes=True) is None or self._connection is None:
            connection, head = self._create()
            # The rows of another file are not in this one.
            self.head = Head(generation=NEVER) if has_file else head
            return connection
        if not has_file:
            # Another process has created it in the meantime: add only facts about single files.
            self.head = Head(generation=NEVER)
        return self._connection

    def _create(self) -> tuple[sqlite3.Connection, Head]:
        """Create a new file, replacing one that cannot be used."""
        remove(self._path)
        make_private(self._path)
        connection = self._connection = connected(self._path, writes=True)
        self._is_writable = True
        # Without a journal on disk, which no file of this program has.
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA.values():
            connection.execute(statement)
        head = Head(generation=int.from_bytes(os.urandom(6)))  # no other file has the same one
        _write_head(connection, head)
        connection.execute("COMMIT")
        return connection, head


def _write_head(connection: sqlite3.Connection, head: Head) -> None:
    row = _ENCODER.encode(head)
    connection.execute("DELETE FROM head")
    connection.execute("INSERT INTO head VALUES (?, ?, ?)", ("head", row, _sum("head", row)))


class Databases:
    """Index files that a long-running process keeps open."""

    def __init__(self) -> None:
        self._opened: dict[str, tuple[object, Database]] = {}

    def open(self, path: str) -> Database:
        """Return the open file, reopened if another process has written to it.

        Rows that were not written are dropped: the changes that led to them are not known any more.
        """
        state = _file_state(path)
        known = self._opened.get(path)
        if known is not None and known[0] == state and _is_usable(known[1]):
            return known[1]
        if known is not None:
            known[1].close()
        database = Database(path)
        self._opened[path] = (state, database)
        return database

    def close(self) -> None:
        """Close all files."""
        for _, database in self._opened.values():
            database.close()
        self._opened.clear()


def _is_usable(database: Database) -> bool:
    """Return whether the rows in memory are those of the file."""
    return database.is_current() and not database.is_dirty


def _file_state(path: str) -> object:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def remove(path: str) -> None:
    """Remove an SQLite file and the files that belong to it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        remove_private(path + suffix)


def is_openable(path: str) -> bool:
    """Return whether SQLite may open a file: it and the files that belong to it are private.

    A rollback journal is none of ours. SQLite would play it back, and delete any file it names.
    """
    if not is_private_file(path, LARGEST) or os.path.lexists(f"{path}-journal"):
        return False
    beside = (f"{path}-wal", f"{path}-shm")
    return all(is_private_file(file, LARGEST) or not os.path.lexists(file) for file in beside)


class _Connection(sqlite3.Connection):
    """A connection that is closed when nothing refers to it any more.

    Users of the Python API close nothing, and Python 3.13 warns of connections that are left open.
    """

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # of a file that could not be opened
            self.close()


def connected(path: str, *, writes: bool) -> sqlite3.Connection:
    """Open an SQLite file with the settings for a cache."""
    connection = sqlite3.connect(
        path if writes else _read_only(path),
        factory=_Connection,
        uri=not writes,
        isolation_level=None,
        timeout=PATIENCE,
        check_same_thread=False,  # the MCP server answers in a worker thread, one call at a time
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    limit_steps(connection)
    for setting in _SETTINGS:
        connection.execute(setting)
    return connection


def _read_only(path: str) -> str:
    for special in "%?#":
        path = path.replace(special, f"%{ord(special):x}")
    return f"file:{path}?mode=ro"


def limit_steps(connection: sqlite3.Connection) -> None:
    """Stop any statement from now on that takes more steps than a sound file needs."""
    left = STEPS // STRIDE

    def is_too_long() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(is_too_long, STRIDE)
