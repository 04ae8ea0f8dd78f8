"""An index that somebody else wrote changes no answer."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from support import run, write, write_graph
from yg.disk.cache import cache_folder
from yg.disk.database import NAME, Database, Result
from yg.disk.seal import user_key
from yg.kernel.issue import VERDICT, Verdict
from yg.workspace import OpenWorkspace

GRAPH: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": "name: A\ntype: service\nrelations: [{target: gone, type: uses}]\n",
    "model/a/responsibility.md": "Does what has to be done first, and nothing but that.\n",
}
CACHE = ".yggdrasil/.cache"


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


def forge(root: Path, verdict: bytes | None = None) -> None:
    """Write an index that says that nothing is wrong, as our own code would elsewhere."""
    folder = cache_folder(str(root), ".yggdrasil")
    assert folder is not None
    database = Database(f"{folder}/{NAME}", "")
    value = VERDICT.encode(Verdict("", 7, ())) if verdict is None else verdict
    assert value is not None
    database.put_result("verdict", Result(0, "", value))
    database.put_result("errors", Result(0, "", b"\x90"))
    database.write("0" * 32, 0)
    database.close()


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    root = write_graph(tmp_path / "stranger", GRAPH)
    git(tmp_path, "init", "-q", str(root))
    return root


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run long after all files were written, so that their stamps are believed."""
    monkeypatch.setattr(time, "time_ns", lambda: 1 << 62)


def clone_of(root: Path) -> Path:
    place = root.parent / "clone"
    git(root.parent, "clone", "-q", str(root), str(place))
    return place


def assert_refuses(root: Path) -> None:
    outcome = run("validate", "-C", str(root))
    assert outcome.code == 1
    assert "E004" in outcome.text


def test_an_index_that_came_with_a_clone_is_not_believed(stranger: Path) -> None:
    forge(stranger)
    git(stranger, "add", "-A")
    git(stranger, "add", "-f", CACHE)
    git(stranger, "commit", "-q", "-m", "one")
    clone = clone_of(stranger)
    before = {path.name: path.read_bytes() for path in (clone / CACHE).iterdir()}
    assert NAME in before
    for _ in range(2):
        assert_refuses(clone)
    assert "git tracks files in .yggdrasil/.cache/" in run("validate", "-C", str(clone)).notes
    assert {path.name: path.read_bytes() for path in (clone / CACHE).iterdir()} == before


def test_an_index_that_came_in_an_archive_is_not_believed(tmp_path: Path, stranger: Path) -> None:
    forge(stranger)
    place = tmp_path / "unpacked"
    shutil.copytree(stranger, place, symlinks=True)
    for _ in range(2):
        assert_refuses(place)


def test_an_index_of_our_own_is_not_believed_in_another_place(tmp_path: Path, later: None) -> None:
    sound = {**GRAPH, "model/a/yg-node.yaml": "name: A\ntype: service\n"}
    good = write_graph(tmp_path / "good", sound)
    assert run("validate", "-C", str(good)).code == 0
    bad = write_graph(tmp_path / "bad", GRAPH)
    shutil.copytree(good / CACHE, bad / CACHE)
    assert_refuses(bad)


def test_an_index_that_was_replaced_is_not_believed(tmp_path: Path, later: None) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    assert_refuses(root)
    forge(root)
    assert_refuses(root)


def sealed_forgery(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forge an index as somebody could who knows the key of this user."""
    monkeypatch.setattr("yg.disk.seal.Seal.text", "0" * 32)
    forge(root, b"\xff\xff")


def test_rows_of_the_wrong_type_end_in_no_bug(
    stranger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed_forgery(stranger, monkeypatch)
    for command in ("validate", "status", "drift", "tree"):
        assert run(command, "-C", str(stranger)).code in (0, 1)


def test_an_index_with_views_and_triggers_runs_nothing(stranger: Path) -> None:
    forge(stranger)
    path = stranger / CACHE / NAME
    mark = stranger / "sprung"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE head")
        connection.execute(
            f"CREATE VIEW head AS SELECT 'head' AS key, writefile('{mark}', 'x') AS row, 1 AS sum"
        )
        connection.execute(
            "CREATE TRIGGER fire INSERT ON files BEGIN SELECT load_extension('evil'); END"
        )
    assert_refuses(stranger)
    assert not mark.exists()


def test_the_index_is_used_where_it_was_made(
    tmp_path: Path, later: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    git(tmp_path, "init", "-q", str(root))
    assert_refuses(root)
    assert_refuses(root)  # by now no stamp of the cache folder is new
    monkeypatch.setattr(OpenWorkspace, "queries", None)
    assert_refuses(root)


# The key.


def test_the_key_is_the_users_alone(tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    key = user_key(environment)
    assert len(key) == 32
    assert user_key(environment) == key
    assert (tmp_path / "yg" / "key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "yg").stat().st_mode & 0o777 == 0o700
    assert [path.name for path in (tmp_path / "yg").iterdir()] == ["key"]


@pytest.mark.parametrize("mode", [0o644, 0o620, 0o666])
def test_a_key_that_others_can_read_or_write_is_none(tmp_path: Path, mode: int) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    user_key(environment)
    (tmp_path / "yg" / "key").chmod(mode)
    assert user_key(environment) == b""


def test_a_key_that_is_a_link_too_short_or_no_file_is_none(tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    path = tmp_path / "yg" / "key"
    key = user_key(environment)
    path.write_bytes(key[:-1])
    assert user_key(environment) == b""
    path.write_bytes(key + b"x")
    assert user_key(environment) == b""
    path.rename(tmp_path / "moved")
    path.symlink_to(tmp_path / "moved")
    assert user_key(environment) == b""
    path.unlink()
    path.mkdir()
    assert user_key(environment) == b""


def test_without_a_cache_directory_nothing_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    write(tmp_path, {"file": "x"})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    forge(root)
    assert_refuses(root)
    assert_refuses(root)


def test_two_that_make_a_key_at_once_have_the_same(tmp_path: Path) -> None:
    import threading

    keys: list[bytes] = []
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    threads = [
        threading.Thread(target=lambda: keys.append(user_key(environment))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(keys)) == 1
    assert keys[0]
