"""The file of a cache: planted or damaged ones, several processes, disks that take nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from disk.trees import (
    GRAPH,
    MODEL,
    SHOP,
    cache_of,
    give_away,
    recalled,
    seen,
    tick,
    trust_all_stamps,
    write,
)
from yg.disk import cache
from yg.disk.cache import LARGEST, NAME
from yg.disk.private import ROOT
from yg.kernel.snapshot import Inputs

MAGIC = bytes.fromhex("d9d505f920a163d7")  # of a rollback journal
SECTOR, PAGE = 512, 4096
VIEW = """
CREATE VIEW results AS WITH RECURSIVE numbers(name) AS
(SELECT 1 UNION ALL SELECT name + 1 FROM numbers)
SELECT name, zeroblob(1000000) AS digest, 1 AS value FROM numbers
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    trust_all_stamps(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", SHOP)


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    return write(tmp_path, {"precious": "precious"}) / "precious"


def assert_right(root: Path) -> None:
    """Assert that runs see what is there, and that the cache works again afterwards."""
    for _ in range(3):
        assert seen(root) == seen(root, uses_cache=False)
    assert works(root)


def works(root: Path) -> bool:
    """Return whether a result is stored and found again."""
    found = [recalled(root, Inputs.FILES, lambda: number) for number in (1, 2)]  # noqa: B023
    return found in ([1, 1], [9, 9])


@contextmanager
def edited(root: Path) -> Iterator[sqlite3.Connection]:
    """Open the cache of a graph to change it."""
    with closing(sqlite3.connect(cache_of(root))) as connection, connection:
        yield connection


# Planted files.


def super_journal(folder: Path, victim: Path) -> None:
    """Write a database with a journal that makes SQLite delete a file when it is opened."""
    with closing(sqlite3.connect(folder / NAME)) as connection:
        connection.execute("CREATE TABLE results (name, digest, value)")
    count = (folder / NAME).stat().st_size // PAGE
    head = MAGIC + struct.pack(">5I", 0, 0, count, SECTOR, PAGE)
    path = os.fsencode(victim)
    tail = struct.pack(">I", 0x40000000 // PAGE + 1) + path
    tail += struct.pack(">2I", len(path), sum(path)) + MAGIC
    (folder / f"{NAME}-journal").write_bytes(head.ljust(SECTOR, b"\0") + tail)


def recursive_view(folder: Path) -> None:
    """Write a database with a view in place of a table, of which there are rows without end."""
    with closing(sqlite3.connect(folder / NAME)) as connection:
        connection.execute(VIEW)


def huge_file(folder: Path) -> None:
    """Write a file with holes that is larger than any cache."""
    with open(folder / NAME, "wb") as file:
        file.truncate(LARGEST + 1)


def fifo(folder: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal", "-new"):
        os.mkfifo(folder / f"{NAME}{suffix}", 0o600)


def device(folder: Path) -> None:
    for suffix in ("", "-wal"):
        try:
            os.mknod(folder / f"{NAME}{suffix}", 0o020600, os.makedev(1, 5))
        except PermissionError:
            pytest.skip("devices cannot be made here")


def link(folder: Path) -> None:
    (folder / NAME).symlink_to(ROOT)


def text(folder: Path) -> None:
    (folder / NAME).write_bytes(b"SQLite format 3\0 is not enough" * 1000)


PLANTED = (recursive_view, huge_file, fifo, device, link, text)


def test_a_planted_journal_makes_sqlite_delete_the_file_it_names(
    tmp_path: Path, victim: Path
) -> None:
    super_journal(tmp_path, victim)
    with closing(sqlite3.connect(tmp_path / NAME)) as connection:
        connection.execute("SELECT * FROM results")
    assert not victim.exists()  # so the tests below have to do with a real one


@pytest.mark.parametrize("place", [GRAPH, f"{GRAPH}/.cache", "src"])
def test_what_a_repository_contains_is_never_opened(root: Path, victim: Path, place: str) -> None:
    (root / place).mkdir(exist_ok=True)
    super_journal(root / place, victim)
    before = {path.name: path.lstat() for path in (root / place).iterdir()}
    assert_right(root)
    assert victim.read_text() == "precious"
    assert {path.name: path.lstat() for path in (root / place).iterdir()} == before


def test_a_journal_beside_the_cache_is_not_played_back(root: Path, victim: Path) -> None:
    folder = cache_of(root).parent
    super_journal(folder, victim)
    for path in folder.iterdir():
        path.chmod(0o600)
    assert_right(root)
    assert victim.read_text() == "precious"
    assert not list(folder.glob("*-journal"))


@pytest.mark.parametrize("plant", PLANTED)
def test_what_is_no_cache_is_replaced(root: Path, plant: Callable[[Path], None]) -> None:
    folder = cache_of(root).parent
    plant(folder)
    for path in folder.iterdir():
        if not path.is_symlink():
            path.chmod(0o600)
    assert_right(root)
    assert (folder / ROOT).read_bytes() == os.fsencode(root)


CHANGES: dict[str, Callable[[Path], object]] = {
    "another owner": give_away,
    "readable by others": lambda path: path.chmod(0o644),
    "writable by the group": lambda path: path.chmod(0o660),
    "a link": lambda path: path.symlink_to(path.rename(path.with_name("x")).name),
}


def forge(root: Path) -> Path:
    """Write a cache with a result that is not true, as our own code would."""
    assert recalled(root, Inputs.FILES, lambda: 9) == 9
    return cache_of(root)


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_somebody_else_can_have_written_is_not_used(root: Path, change: str) -> None:
    path = forge(root)
    assert recalled(root, Inputs.FILES, lambda: 1) == 9
    CHANGES[change](path)
    assert recalled(root, Inputs.FILES, lambda: 1) == 1
    assert_right(root)


@pytest.mark.parametrize("is_top", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_a_folder_that_somebody_else_can_have_filled_is_not_used(
    root: Path, change: str, *, is_top: bool
) -> None:
    folder = forge(root).parent
    spoiled = folder.parent if is_top else folder
    CHANGES[change](spoiled)
    before = [path.lstat() for path in spoiled.parent.rglob("*")]
    assert recalled(root, Inputs.FILES, lambda: 1) == 1
    assert seen(root) == seen(root, uses_cache=False)
    assert [path.lstat() for path in spoiled.parent.rglob("*")] == before


def test_a_file_of_another_format_or_version_is_left_alone(root: Path) -> None:
    folder = cache_of(root).parent
    write(folder, {"index.db": "of 0.3.0", "cache-0.db": "older"})
    before = {name: (folder / name).stat() for name in ("index.db", "cache-0.db")}
    assert_right(root)
    assert {name: (folder / name).stat() for name in before} == before


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER fire INSERT ON results BEGIN SELECT load_extension('evil'); END",
        "CREATE VIEW more AS SELECT writefile('sprung', 'x')",
        "CREATE INDEX other ON files (value)",
        "CREATE TABLE more (key)",
        "DROP TABLE files",
    ],
)
def test_a_file_with_other_tables_is_replaced(root: Path, statement: str) -> None:
    forge(root)
    with edited(root) as connection:
        connection.execute(statement)
    assert recalled(root, Inputs.FILES, lambda: 1) == 1
    assert_right(root)
    with edited(root) as connection:
        assert len(connection.execute("SELECT * FROM sqlite_master").fetchall()) == 3


def test_a_statement_that_takes_too_long_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "STEPS", 1_000_000)
    with closing(cache.connected(str(tmp_path / NAME), writes=True)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                "SELECT max(i) FROM n"
            )
        with pytest.raises(sqlite3.DataError):
            connection.execute("SELECT zeroblob(600000000)")
    with closing(cache.connected(str(tmp_path / NAME), writes=True)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="too many attached"):
            connection.execute(f"ATTACH '{tmp_path / 'other'}' AS other")
        assert connection.execute("PRAGMA trusted_schema").fetchall() == [(0,)]


def test_a_file_is_read_through_a_connection_that_cannot_write(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen(root)
    opened = []
    connected = cache.connected

    def noted(path: str, *, writes: bool) -> sqlite3.Connection:
        opened.append(writes)
        return connected(path, writes=writes)

    monkeypatch.setattr(cache, "connected", noted)
    seen(root)
    assert opened == [False]
    with (
        closing(connected(str(cache_of(root)), writes=False)) as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM results")


def test_a_folder_whose_name_sqlite_would_take_apart_is_used(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "100%41?mode=rw#é"))
    assert_right(root)


# Damage.


def test_rows_of_the_wrong_type_are_ignored(root: Path) -> None:
    for column in ("files SET value", "files SET stamp", "results SET value", "results SET digest"):
        for value in ("7", "NULL", "'text'", "x'ffff'", "x''", "1.5"):
            seen(root)
            with edited(root) as connection:
                connection.execute(f"UPDATE {column} = {value}")
            assert seen(root) == seen(root, uses_cache=False)


def test_a_value_of_another_shape_is_ignored(root: Path) -> None:
    values: tuple[object, ...] = ({"a": 1}, "text", None, 7)
    for value in values:
        seen(root)
        sealed = cache._sealed(value)
        with edited(root) as connection:
            connection.execute("UPDATE files SET value = ?", (sealed,))
            connection.execute("UPDATE results SET value = ? WHERE name > '/'", (sealed,))
        assert seen(root) == seen(root, uses_cache=False)


def test_a_flipped_bit_in_a_value_is_noticed(root: Path) -> None:
    path = f"{MODEL}/a/text.md"
    seen(root)
    with edited(root) as connection:
        query = "SELECT value FROM files WHERE path = ?"
        (value,) = connection.execute(query, (path,)).fetchone()
        wrong = value.replace(b"What", b"Whet")
        connection.execute("UPDATE files SET value = ? WHERE path = ?", (wrong, path))
        connection.execute("UPDATE results SET value = replace(value, 'What', 'Whet')")
    assert seen(root) == seen(root, uses_cache=False)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_happens_to_its_bytes_no_answer_differs(root: Path, seed: int) -> None:
    rng = Random(seed)  # noqa: S311
    expected = seen(root)
    path = cache_of(root)
    content = bytearray(path.read_bytes())
    at = rng.randrange(len(content))
    match seed % 4:
        case 0:
            del content[at:]
        case 1:
            content[at:] = bytes(len(content) - at)
        case _:
            for _ in range(rng.choice((1, 20, 400))):
                content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)
    for _ in range(2):
        assert seen(root) == expected
    tick(root)
    write(root, {f"{MODEL}/a/text.md": "More.\n"})
    assert_right(root)


# Disks that take nothing.


@pytest.mark.parametrize("is_warm", [True, False], ids=["warm", "cold"])
@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR]
)
@pytest.mark.parametrize("start", range(0, 12, 2))
def test_whatever_sqlite_refuses_the_answer_is_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch, start: int, code: int, *, is_warm: bool
) -> None:
    if is_warm:
        seen(root)
        tick(root)
        write(root, {f"{MODEL}/a/text.md": "More.\n"})
    calls = iter(range(10**9))

    class Failing(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            if next(calls) % 12 >= start:
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = code
                raise error
            return super().execute(*arguments)

    connect = sqlite3.connect
    with monkeypatch.context() as patch:
        patch.setattr(
            "yg.disk.cache.sqlite3.connect",
            lambda *arguments, **options: connect(*arguments, **options, factory=Failing),
        )
        for _ in range(2):
            assert seen(root) == seen(root, uses_cache=False)
    assert_right(root)


def test_a_full_disk_keeps_what_was_stored(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forge(root)
    connected = cache.connected

    def limited(path: str, *, writes: bool) -> sqlite3.Connection:
        connection = connected(path, writes=writes)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(cache, "connected", limited)
        patch.setattr("yg.disk.worktree._LISTING", "." + "x" * 100_000)
        assert seen(root) == seen(root, uses_cache=False)
    assert recalled(root, Inputs.FILES, lambda: 1) == 9


@pytest.mark.parametrize("name", ["mkdir", "lstat", "unlink", "open", "link"])
@pytest.mark.parametrize("is_warm", [True, False], ids=["warm", "cold"])
def test_whatever_the_disk_refuses_the_answer_is_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str, *, is_warm: bool
) -> None:
    expected = seen(root) if is_warm else seen(root, uses_cache=False)
    function, place = getattr(os, name), str(root.parent / "cache")

    def fails(path: Any, *rest: Any, **options: Any) -> Any:
        if place in os.fspath(path):
            raise PermissionError(13, "Permission denied")
        return function(path, *rest, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, name, fails)
        assert [seen(root) for _ in range(2)] == [expected] * 2
    assert_right(root)


def test_a_read_only_folder_is_not_used(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forge(root)
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_, **__: False)
        assert recalled(root, Inputs.FILES, lambda: 1) == 1
    assert recalled(root, Inputs.FILES, lambda: 1) == 9


# Several processes.

PROCESS = """
import sys
sys.path[:0] = [sys.argv[2]]
import yg.disk.listing
yg.disk.listing.SETTLED_NS = int(sys.argv[3])
from disk.trees import seen
from pathlib import Path
found = [seen(Path(sys.argv[1])) for _ in range(int(sys.argv[4]))]
print(found[-1], all(one == found[-1] for one in found))
"""
# Ends at once, in the middle of writing.
KILLED = (
    """
import os, signal, sqlite3, sys
left = int(sys.argv[5])

class Dying(sqlite3.Connection):
    def execute(self, *arguments):
        self.count()
        return super().execute(*arguments)
    def executemany(self, *arguments):
        self.count()
        return super().executemany(*arguments)
    def count(self):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

connect = sqlite3.connect
sqlite3.connect = lambda *a, **k: connect(*a, **k, factory=Dying)
"""
    + PROCESS
)
ALL_SETTLED = -(1 << 62)


def started(script: str, root: Path, *more: int) -> subprocess.Popen[str]:
    tests = str(Path(__file__).parents[1])
    argv = [sys.executable, "-c", script, str(root), tests, *map(str, more)]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def test_many_processes_at_once_see_what_each_sees_alone(root: Path) -> None:
    expected = f"{seen(root, uses_cache=False)} True\n"
    processes = [started(PROCESS, root, ALL_SETTLED, 5) for _ in range(6)]
    for process in processes:
        assert process.communicate()[0] == expected
        assert process.returncode == 0
    beside = {f"{NAME}-wal", f"{NAME}-shm"}
    assert set(os.listdir(cache_of(root).parent)) - beside == {NAME, ROOT}


def test_edits_while_processes_run_are_not_overlooked_afterwards(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_while = 30_000_000
    monkeypatch.setattr("yg.disk.listing.SETTLED_NS", a_while)
    processes = [started(PROCESS, root, a_while, 60) for _ in range(2)]
    number = 0
    while any(process.poll() is None for process in processes):
        number += 1
        path = ("text.md", "yg-node.yaml", "b/text.md")[number % 3]
        write(root, {f"{MODEL}/a/{path}": f"src/{number % 10}.py\n"})
        seen(root)
        time.sleep(number % 4 * 0.01)
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    time.sleep(1.5 * a_while / 1e9)
    assert_right(root)


@pytest.mark.parametrize("left", range(2, 24))
@pytest.mark.parametrize("is_first", [True, False], ids=["first", "later"])
def test_a_process_that_is_killed_leaves_a_cache_that_is_right(
    root: Path, left: int, *, is_first: bool
) -> None:
    if not is_first:
        recalled(root, Inputs.FILES, lambda: 9)
    process = started(KILLED, root, ALL_SETTLED, 1, left)
    process.communicate()
    assert process.returncode in (0, -signal.SIGKILL)
    assert seen(root) == seen(root, uses_cache=False)
    tick(root)
    write(root, {f"{MODEL}/a/text.md": "More.\n"})
    assert_right(root)


def test_a_cache_that_another_process_keeps_locked_is_read_and_not_written(root: Path) -> None:
    forge(root)
    with closing(sqlite3.connect(cache_of(root), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert recalled(root, Inputs.FILES, lambda: 1) == 9
        tick(root)
        write(root, {f"{MODEL}/a/text.md": "More.\n"})
        began = time.monotonic()
        assert seen(root) == seen(root, uses_cache=False)
        assert [recalled(root, Inputs.FILES, lambda: number) for number in (1, 2)] == [1, 2]  # noqa: B023
        assert time.monotonic() - began < 30 * cache.PATIENCE  # of three runs
        other.execute("ROLLBACK")
    assert_right(root)


def test_a_cache_that_cannot_even_be_read_is_left_to_its_process(root: Path) -> None:
    forge(root)
    with closing(sqlite3.connect(cache_of(root), isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("DELETE FROM files")
        assert recalled(root, Inputs.FILES, lambda: 1) == 1
        other.execute("ROLLBACK")
    assert recalled(root, Inputs.FILES, lambda: 1) == 9
