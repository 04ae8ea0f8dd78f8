"""What may happen to an index between two runs, chosen at random but repeatably."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from msgspec import msgpack

from edits import graph_of
from support import private_folder
from yg.disk.index.database import DATABASE_ERRORS, NAME, USED, VERSION, Head
from yg.disk.index.fulltext import NAME as FULLTEXT

TABLES = ("head", "directories", *USED, "readings", "files", "results")
WRONG: tuple[Any, ...] = (None, 7, -1, "", "text", [], [[]], {}, {"a": 1}, True, b"", 1.5)
# Exceptions that an index which is damaged already causes when it is to be damaged again.
DAMAGED_ALREADY = (*DATABASE_ERRORS, TypeError, AttributeError)

Damage = Callable[[Path, Random], object]


def cache_of(root: Path) -> Path:
    """Return the private folder of the graph in a repository."""
    return private_folder(root, graph_of(root))


def target_of(root: Path) -> Path:
    """Return where the private folder is after a link has been put in its place."""
    return cache_of(root).with_suffix(".target")


def index_of(root: Path) -> Path:
    """Return the index of the graph in a repository."""
    return cache_of(root) / NAME


def _content(root: Path) -> bytes:
    return index_of(root).read_bytes()


def _without(path: Path) -> Path:
    """Take a file or directory away, and return where it was."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    return path


def flip_a_bit(root: Path, rng: Random) -> None:
    content = bytearray(_content(root))
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    index_of(root).write_bytes(content)


def spoil_some_bytes(root: Path, rng: Random) -> None:
    content = bytearray(_content(root))
    for _ in range(20):
        content[rng.randrange(len(content))] = rng.randrange(256)
    index_of(root).write_bytes(content)


def cut_it(root: Path, rng: Random) -> None:
    content = _content(root)
    index_of(root).write_bytes(content[: rng.randrange(len(content))])


def fill_the_end_with_zeros(root: Path, rng: Random) -> None:
    content = _content(root)
    at = rng.randrange(len(content))
    index_of(root).write_bytes(content[:at] + bytes(len(content) - at))


@contextmanager
def _opened(root: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(index_of(root))) as connection, connection:
        yield connection


def _row(connection: sqlite3.Connection, table: str, rng: Random) -> tuple[Any, ...]:
    rows = connection.execute(f"SELECT key, row FROM {table} ORDER BY key").fetchall()
    return rng.choice(rows) if rows else (None, None)


def swap_two_rows(root: Path, rng: Random) -> None:
    with _opened(root) as connection:
        table = rng.choice(TABLES)
        (one, first), (two, second) = _row(connection, table, rng), _row(connection, table, rng)
        for key, row in ((one, second), (two, first)):
            connection.execute(f"UPDATE {table} SET row = ? WHERE key = ?", (row, key))


def lose_a_row(root: Path, rng: Random) -> None:
    with _opened(root) as connection:
        table = rng.choice(TABLES)
        key, _ = _row(connection, table, rng)
        connection.execute(f"DELETE FROM {table} WHERE key = ?", (key,))


def lose_a_table(root: Path, rng: Random) -> None:
    with _opened(root) as connection:
        connection.execute(f"DROP TABLE {rng.choice(TABLES)}")


def give_a_row_another_shape(root: Path, rng: Random) -> None:
    """Put something else in place of a row, with the checksum it has to have."""
    with _opened(root) as connection:
        table = rng.choice([table for table in TABLES if table != "results"])
        key, row = _row(connection, table, rng)
        if key is not None:
            parts = list(msgpack.decode(row))
            parts[rng.randrange(len(parts))] = rng.choice(WRONG)
            changed = msgpack.encode(rng.choice((parts, *WRONG)))
            checksum = crc32(changed, crc32(key.encode()))
            connection.execute(
                f"UPDATE {table} SET row = ?, sum = ? WHERE key = ?", (changed, checksum, key)
            )


def give_a_column_another_type(root: Path, rng: Random) -> None:
    with _opened(root) as connection:
        table, column = rng.choice(TABLES), rng.choice(("row", "sum"))
        key, _ = _row(connection, table, rng)
        value = rng.choice((7, 1.5, "text", b"", -1))
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE key = ?", (value, key))


def put_another_version_in_place(root: Path, rng: Random) -> None:
    head = Head(version=rng.choice(("", "0", VERSION + "1")))
    with _opened(root) as connection:
        row = msgpack.encode(head)
        checksum = crc32(row, crc32(b"head"))
        connection.execute("UPDATE head SET row = ?, sum = ?", (row, checksum))


def put_something_else_in_place(root: Path, rng: Random) -> None:
    other = (b"", b"\n", b"{}", b"\x89PNG\r\n\x1a\n", b"SQLite format 3\0", bytes(9_000))
    index_of(root).write_bytes(rng.choice(other))


def put_another_database_in_place(root: Path, rng: Random) -> None:
    _without(index_of(root))
    with _opened(root) as connection:
        for table in TABLES:
            connection.execute(f"CREATE VIEW {table} AS SELECT 'head' AS key, 1 AS row, 1 AS sum")


def put_a_directory_in_place(root: Path, rng: Random) -> None:
    _without(index_of(root)).mkdir()
    if rng.random() < 0.5:
        (index_of(root) / "full").touch()


def put_a_pipe_in_place(root: Path, rng: Random) -> None:
    os.mkfifo(_without(index_of(root)))


def put_a_link_in_place(root: Path, rng: Random) -> None:
    index_of(root).rename(cache_of(root) / "target")
    index_of(root).symlink_to(rng.choice(("target", "nowhere", NAME)))


def link_the_cache(root: Path, rng: Random) -> None:
    cache = cache_of(root)
    cache.rename(target_of(root))
    cache.symlink_to(rng.choice((target_of(root).name, "nowhere", cache.name)))


def put_a_file_in_place_of_the_cache(root: Path, rng: Random) -> None:
    _without(cache_of(root)).touch()


def close_the_cache(root: Path, rng: Random) -> None:
    cache_of(root).chmod(rng.choice((0o000, 0o500)))


def open_the_cache_to_others(root: Path, rng: Random) -> None:
    place = rng.choice((cache_of(root), index_of(root)))
    place.chmod(rng.choice((0o755, 0o770, 0o777, 0o666)))


def put_a_journal_beside_it(root: Path, rng: Random) -> None:
    journal = index_of(root).with_name(f"{NAME}-journal")
    journal.write_bytes(bytes.fromhex("d9d505f920a163d7") + rng.randbytes(2_000))
    journal.chmod(0o600)


def _fulltext_of(root: Path) -> Path:
    return cache_of(root) / FULLTEXT


def flip_a_bit_of_the_words(root: Path, rng: Random) -> None:
    if _fulltext_of(root).is_file():
        content = bytearray(_fulltext_of(root).read_bytes())
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        _fulltext_of(root).write_bytes(content)


def cut_the_words(root: Path, rng: Random) -> None:
    if _fulltext_of(root).is_file():
        content = _fulltext_of(root).read_bytes()
        _fulltext_of(root).write_bytes(content[: rng.randrange(len(content))])


def delete_the_words(root: Path, rng: Random) -> None:
    _without(_fulltext_of(root))


def delete_the_index(root: Path, rng: Random) -> None:
    _without(rng.choice((index_of(root), cache_of(root))))


FULLTEXT_DAMAGES: tuple[Damage, ...] = (
    flip_a_bit_of_the_words,
    cut_the_words,
    delete_the_words,
)
DAMAGES: tuple[Damage, ...] = (
    flip_a_bit,
    spoil_some_bytes,
    cut_it,
    fill_the_end_with_zeros,
    swap_two_rows,
    lose_a_row,
    lose_a_table,
    give_a_row_another_shape,
    give_a_column_another_type,
    put_another_version_in_place,
    put_something_else_in_place,
    put_another_database_in_place,
    put_a_directory_in_place,
    put_a_pipe_in_place,
    put_a_link_in_place,
    link_the_cache,
    put_a_file_in_place_of_the_cache,
    close_the_cache,
    open_the_cache_to_others,
    put_a_journal_beside_it,
    delete_the_index,
    *FULLTEXT_DAMAGES,
)
