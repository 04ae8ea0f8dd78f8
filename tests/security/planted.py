"""Files that somebody plants where an index may be, to be opened by SQLite or read by yg."""

from __future__ import annotations

import os
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.msgpack import encode

from yg.disk.index.database import LARGEST, NAME, Database
from yg.disk.index.fulltext import NAME as FULLTEXT
from yg.disk.index.rows import Result
from yg.disk.writing.generation import JOURNAL
from yg.disk.writing.generation import NAME as GENERATION
from yg.disk.writing.journal import FileChange
from yg.disk.writing.lock import NAME as LOCK
from yg.disk.writing.records import NAME as RECORD
from yg.kernel.issue import VERDICT, Verdict
from yg.yggdrasil.edit.rename import MoveRecord
from yg.yggdrasil.parts import PartKind

MAGIC = bytes.fromhex("d9d505f920a163d7")  # of a rollback journal
SECTOR, PAGE = 512, 4096
VIEW = """
CREATE VIEW head AS WITH RECURSIVE numbers(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM numbers)
SELECT key, zeroblob(1000000) AS row, 1 AS sum FROM numbers
"""


def forged_index(folder: Path) -> None:
    """Write an index that says that nothing is wrong, as our own code would."""
    (folder / NAME).unlink(missing_ok=True)
    database = Database(str(folder / NAME))
    value = VERDICT.encode(Verdict("", 7, ()))
    assert value is not None
    database.put_result("verdict", Result(0, "", value))
    database.put_result("errors", Result(0, "", b"\x90"))
    assert database.write(0)
    database.close()


def super_journal(folder: Path, victim: Path) -> None:
    """Write a database with a journal that makes SQLite delete a file when it is opened."""
    for name in (NAME, FULLTEXT):
        (folder / name).unlink(missing_ok=True)
        with closing(sqlite3.connect(folder / name)) as connection:
            connection.execute("CREATE TABLE head (key, row, sum)")
        count = os.path.getsize(folder / name) // PAGE
        head = MAGIC + struct.pack(">5I", 0, 0, count, SECTOR, PAGE)
        path = os.fsencode(victim)
        tail = struct.pack(">I", 0x40000000 // PAGE + 1) + path
        tail += struct.pack(">2I", len(path), sum(path)) + MAGIC
        (folder / f"{name}-journal").write_bytes(head.ljust(SECTOR, b"\0") + tail)


def recursive_view(folder: Path) -> None:
    """Write a database with a view in place of a table, of which there are rows without end."""
    for name in (NAME, FULLTEXT):
        (folder / name).unlink(missing_ok=True)
        with closing(sqlite3.connect(folder / name)) as connection:
            connection.execute(VIEW)


def huge_database(folder: Path) -> None:
    """Write a file with holes that is larger than any index."""
    forged_index(folder)
    for name in (NAME, FULLTEXT):
        with open(folder / name, "ab") as file:
            file.truncate(LARGEST + 1)


def fifo(folder: Path) -> None:
    """Put something in the place of each file that waits for ever when it is opened."""
    for name in NAMES:
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name, 0o600)


def device(folder: Path) -> None:
    """Put a device in the place of each file, which can be read without end."""
    for name in NAMES:
        (folder / name).unlink(missing_ok=True)
        try:
            os.mknod(folder / name, 0o020600, os.makedev(1, 5))
        except PermissionError:
            pytest.skip("devices cannot be made here")


def records(folder: Path) -> None:
    """Write a journal, a lock, a generation and a record of a move."""
    change = FileChange(".yggdrasil/model/a/yg-node.yaml", "", b"name: Forged\n")
    other = FileChange(".yggdrasil/model/forged/yg-node.yaml", "", b"name: Forged\ntype: service\n")
    record = MoveRecord(PartKind.NODE, "a", "b", {}, {})
    contents = {
        JOURNAL: encode([change, other]),
        LOCK: b"",
        GENERATION: b"0" * 16,
        RECORD: record.content,
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)


SQLITE_NAMES = (NAME, f"{NAME}-wal", f"{NAME}-shm", f"{NAME}-journal", FULLTEXT)
NAMES = (*SQLITE_NAMES, JOURNAL, LOCK, GENERATION, RECORD)
