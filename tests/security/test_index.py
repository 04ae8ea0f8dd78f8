"""Nothing in a repository is ever taken for an index, a journal or a lock.

In the user's cache directory, only files are used that nobody else can have written.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from forked import shared
from security.planted import (
    device,
    fifo,
    forged_index,
    huge_database,
    records,
    recursive_view,
    super_journal,
)
from support import git, private_folder, run, write, write_graph
from yg.disk.index import database
from yg.disk.index.database import NAME
from yg.disk.index.private import cache_folder
from yg.workspace.opened import OpenWorkspace

GRAPH: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": "name: A\ntype: service\nrelations: [{target: gone, type: uses}]\n",
    "model/a/responsibility.md": "Does what has to be done first, and nothing but that.\n",
}
CACHE = ".yggdrasil/.cache"
PATIENCE = 60  # seconds after which a command hangs
READING = (
    ("validate",),
    ("status",),
    ("tree",),
    ("drift",),
    ("find", "done"),
    ("build-context", "a"),
    ("plan",),
)
WRITING = (
    ("drift-sync", "--all"),
    ("new", "node", "b", "--type", "service"),
    ("mv", "b", "c"),
    ("rm", "c", "--dry-run"),
)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run long after all files were written, so that their stamps are believed."""
    monkeypatch.setattr(time, "time_ns", lambda: 1 << 62)


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """Make a file outside that a planted file names."""
    return write(tmp_path, {"precious": "precious"}) / "precious"


@pytest.fixture(params=["folder", "link", "submodule"])
def clone(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Make a fresh clone whose graph is a folder, a link to a folder of it, or a submodule."""
    root = write(tmp_path / "clone", {"src/a.py": "a = 1\n"})
    git(tmp_path, "init", "-q", str(root))
    match request.param:
        case "folder":
            write_graph(root, GRAPH)
        case "link":
            write_graph(root / "elsewhere", GRAPH)
            (root / ".yggdrasil").symlink_to("elsewhere/.yggdrasil")
        case _:
            write_graph(tmp_path / "other", GRAPH)
            other = tmp_path / "other/.yggdrasil"
            git(tmp_path, "init", "-q", str(other))
            git(other, "add", "-A")
            git(other, "commit", "-q", "-m", "one")
            git(root, "-c", "protocol.file.allow=always", "submodule", "add", str(other))
    return root


def planted(root: Path) -> Path:
    (root / CACHE).mkdir()
    return root / CACHE


def tracked(root: Path) -> None:
    """Let git track what was planted."""
    with suppress(subprocess.CalledProcessError):  # in a submodule, or behind a link
        git(root, "add", "-f", CACHE)
    for place in (root / "elsewhere", root / ".yggdrasil"):
        if (place / ".git").exists():
            git(place, "add", "-f", ".cache")
    git(root, "add", "-f", "-A")
    git(root, "commit", "-q", "-m", "planted")


def state(folder: Path) -> list[tuple[str, os.stat_result]]:
    """Return the names and stamps of all files in a folder."""
    return [(path.name, path.lstat()) for path in sorted(folder.iterdir())]


def yg(root: Path, *argv: str) -> tuple[int, bytes]:
    """Run a command as a process of its own, which has to end by itself."""
    command = [*shared().yg, *argv, "-C", str(root)]
    ran = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    return ran.returncode, ran.stdout


def assert_right(root: Path) -> None:
    """Assert that all commands end, and say what they say without an index."""
    for argv in READING:
        expected = yg(root, *argv, "--no-cache")
        assert [yg(root, *argv) for _ in range(2)] == [expected] * 2
        assert expected[0] in (0, 1)
    code, out = yg(root, "validate")
    assert (code, b"E004" in out) == (1, True)


# Planted in a repository.


def test_a_planted_journal_makes_sqlite_delete_the_file_it_names(
    tmp_path: Path, victim: Path
) -> None:
    super_journal(tmp_path, victim)
    with closing(sqlite3.connect(tmp_path / NAME)) as connection:
        connection.execute("SELECT * FROM head")
    assert not victim.exists()  # so the tests below have to do with a real one


def test_a_clone_deletes_no_file_that_it_names(clone: Path, victim: Path) -> None:
    cache = planted(clone)
    super_journal(cache, victim)
    tracked(clone)
    before = state(cache)
    assert_right(clone)
    for argv in WRITING:
        yg(clone, *argv)
    assert victim.read_text() == "precious"
    assert state(cache) == before


def test_an_archive_deletes_no_file_that_it_names(tmp_path: Path, victim: Path) -> None:
    root = write_graph(tmp_path / "unpacked", GRAPH)
    super_journal(planted(root), victim)
    assert_right(root)
    assert victim.read_text() == "precious"


PLANTED: tuple[Callable[[Path], None], ...] = (
    forged_index,
    recursive_view,
    huge_database,
    fifo,
    device,
    records,
)


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTED)
def test_what_is_planted_in_a_clone_is_neither_read_nor_written(
    clone: Path, plant: Callable[[Path], None]
) -> None:
    cache = planted(clone)
    plant(cache)
    before = state(cache)
    assert_right(clone)
    for argv in WRITING:
        assert yg(clone, *argv)[0] == 0
    assert state(cache) == before
    assert not (clone / ".yggdrasil/model/forged").exists()
    assert (clone / ".yggdrasil/model/c").exists()


@pytest.mark.parametrize("kind", ["file", "link", "broken link"])
def test_anything_else_in_its_place_is_not_touched(tmp_path: Path, kind: str) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    write(tmp_path, {"elsewhere/mine": "precious"})
    match kind:
        case "file":
            (root / CACHE).write_text("mine")
        case "link":
            (root / CACHE).symlink_to(tmp_path / "elsewhere")
        case _:
            (root / CACHE).symlink_to("nowhere")
    before = (root / CACHE).lstat()
    assert run("validate", "-C", str(root)).code == 1
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    assert (root / CACHE).lstat() == before
    assert os.listdir(tmp_path / "elsewhere") == ["mine"]


NOTE = "warning: git tracks .yggdrasil/.cache/, which yg does not use; it can be deleted\n"


def test_one_line_says_that_a_tracked_cache_can_be_deleted(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = planted(clone)
    write(cache, {"index.db": "x"})
    for options in ((), ("--no-cache",)):
        assert run("validate", "-C", str(clone), *options).notes == ""
    with monkeypatch.context() as patch:
        patch.setattr("yg.disk.index.leftovers._is_tracked", lambda *_: 1 / 0)  # git is asked once
        assert run("validate", "-C", str(clone)).notes == ""
    tracked(clone)
    for options in ((), ("--no-cache",), ()):
        assert run("validate", "-C", str(clone), *options).notes == NOTE


# Planted in the user's own cache directory.


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_graph(tmp_path / "root", GRAPH)


@pytest.fixture
def private(root: Path) -> Path:
    return Path(cache_folder(str(root), ".yggdrasil"))


def test_a_journal_beside_the_index_is_not_played_back(
    root: Path, private: Path, victim: Path
) -> None:
    super_journal(private, victim)
    for path in private.iterdir():
        path.chmod(0o600)
    assert_right(root)
    assert victim.read_text() == "precious"
    assert not list(private.glob("*-journal"))


@pytest.mark.parametrize("plant", [recursive_view, huge_database, fifo, device])
def test_what_is_not_an_index_is_removed(
    root: Path, private: Path, plant: Callable[[Path], None]
) -> None:
    plant(private)
    for path in private.iterdir():
        path.chmod(0o600)
    assert_right(root)


def give_away(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    os.chown(path, 65534, -1)


CHANGES: dict[str, Callable[[Path], object]] = {
    "another owner": give_away,
    "readable by others": lambda path: path.chmod(0o644),
    "writable by the group": lambda path: path.chmod(0o660),
    "writable by all": lambda path: path.chmod(0o666),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("plant", [forged_index, records])
def test_a_file_that_somebody_else_can_have_written_is_not_used(
    root: Path, private: Path, plant: Callable[[Path], None], change: str
) -> None:
    plant(private)
    for path in private.iterdir():
        CHANGES[change](path)
    assert_right(root)
    for argv in WRITING:
        assert yg(root, *argv)[0] == 0
    assert not (root / ".yggdrasil/model/forged").exists()
    assert (root / ".yggdrasil/model/c").exists()


@pytest.fixture
def own_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a cache directory and a temporary directory of this test alone."""
    for name in ("XDG_CACHE_HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
        (tmp_path / name).mkdir()


@pytest.mark.usefixtures("own_directories")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("plant", [forged_index, records])
@pytest.mark.parametrize("is_top", [False, True])
def test_a_folder_that_somebody_else_can_have_filled_is_not_used(
    root: Path, plant: Callable[[Path], None], change: str, *, is_top: bool
) -> None:
    private = Path(cache_folder(str(root), ".yggdrasil"))
    plant(private)
    folder = private.parent if is_top else private
    CHANGES[change](folder)
    folder.chmod(folder.stat().st_mode | 0o111)
    before = state(private)
    assert_right(root)
    for argv in WRITING:
        assert yg(root, *argv)[0] == 0
    assert state(private) == before
    assert not (root / ".yggdrasil/model/forged").exists()
    assert (root / ".yggdrasil/model/c").exists()


def test_results_without_a_row_for_the_graph_are_not_believed(root: Path, private: Path) -> None:
    forged_index(private)
    with closing(sqlite3.connect(private / NAME)) as connection:
        assert connection.execute("SELECT count(*) FROM results").fetchone() == (2,)
    assert run("validate", "-C", str(root)).code == 1


def test_rows_of_the_wrong_type_end_in_no_bug(root: Path, private: Path, later: None) -> None:
    for _ in range(2):
        run("validate", "-C", str(root))
    with closing(sqlite3.connect(private / NAME)) as connection, connection:
        connection.execute("UPDATE results SET row = x'ffff', sum = 0")
        connection.execute("UPDATE directories SET row = 7")
    for command in ("validate", "status", "drift", "tree"):
        assert run(command, "-C", str(root)).code in (0, 1)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER fire INSERT ON files BEGIN SELECT load_extension('evil'); END",
        "CREATE VIEW more AS SELECT writefile('sprung', 'x')",
        "CREATE INDEX other ON files (row)",
        "CREATE TABLE more (key)",
    ],
)
def test_an_index_with_anything_that_we_did_not_create_is_not_used(
    root: Path, private: Path, later: None, statement: str
) -> None:
    for _ in range(2):
        run("validate", "-C", str(root))
    with closing(sqlite3.connect(private / NAME)) as connection, connection:
        connection.execute(statement)
    assert_right(root)
    with closing(sqlite3.connect(private / NAME)) as connection, connection:
        found = dict(connection.execute("SELECT name, sql FROM sqlite_master"))
    assert found == database._SCHEMA


def test_a_statement_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with closing(database.connected(str(path), writes=True)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                "SELECT max(i) FROM n"
            )
        with pytest.raises(sqlite3.DataError):
            connection.execute("SELECT zeroblob(600000000)")
        with pytest.raises(sqlite3.OperationalError):
            connection.execute(f"ATTACH '{tmp_path / 'other'}' AS other")


def test_the_index_is_used_where_it_was_made(
    root: Path, later: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(root, "init", "-q")
    expected = [run("validate", "-C", str(root)) for _ in range(2)][-1]
    monkeypatch.setattr(OpenWorkspace, "queries", None)
    assert run("validate", "-C", str(root)) == expected


def test_the_index_is_read_through_a_connection_that_cannot_write(
    root: Path, private: Path, later: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        run("validate", "-C", str(root))
    opened = []
    connected = database.connected

    def noted(path: str, *, writes: bool) -> sqlite3.Connection:
        opened.append(writes)
        return connected(path, writes=writes)

    monkeypatch.setattr(database, "connected", noted)
    run("validate", "-C", str(root))
    assert opened == [False]
    with (
        closing(connected(str(private / NAME), writes=False)) as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM head")


def test_reading_commands_write_nothing_into_a_repository(root: Path, later: None) -> None:
    def everything() -> list[tuple[str, int, int, int]]:
        stats = ((path, path.lstat()) for path in sorted([root, *root.rglob("*")]))
        return [(str(path), s.st_ino, s.st_mtime_ns, s.st_ctime_ns) for path, s in stats]

    shutil.rmtree(root)
    root.mkdir()
    git(root, "init", "-q")
    assert run("init", "-C", str(root)).code == 0
    write(root, {"src/a.py": "a = 1\n"})
    assert run("new", "node", "a", "--type", "module", "-C", str(root)).code == 0
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    assert sorted(os.listdir(root / ".yggdrasil")) == [
        ".gitignore",
        "agent-rules.md",
        "aspects",
        "flows",
        "model",
        "schemas",
        "yg-config.yaml",
    ]
    before = everything()
    more = (("coverage",), ("export",), ("deps", "a"), ("impact", "a"), ("owner", "src/a.py"))
    code = (("show", "a"), ("show", "src/a.py", "--outline"), ("uses", "a"))
    briefs = (("brief", "src/a.py"), ("overview",), ("preflight",))
    lists = (("aspects",), ("flows",), ("decisions",), ("inventory",))
    for argv in (*READING, *more, *code, *briefs, *lists):
        for _ in range(2):
            assert run(*argv, "-C", str(root)).code in (0, 1)
    assert everything() == before
    assert private_folder(root).is_dir()
