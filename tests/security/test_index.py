"""An index that somebody else wrote changes no answer."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest
from yg.disk.lines import NAME, Lines
from yg.disk.memory import STATE
from yg.disk.state import packed_state

from support import run, write, write_graph
from yg.disk.seal import user_key
from yg.kernel.verdict import VERDICT, Verdict
from yg.workspace import Workspace

GRAPH: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": "name: A\ntype: service\nrelations: [{target: gone, type: uses}]\n",
    "model/a/responsibility.md": "Does what has to be done first, and nothing but that.\n",
}
CACHE = ".yggdrasil/.cache"


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


def forge(root: Path) -> None:
    """Write an index that says that nothing is wrong, and names no file that could tell."""
    lines = Lines(str(root))
    nowhere = packed_state([(".", None, [])])
    lines.put_large(STATE, nowhere)
    answer = VERDICT.pack(Verdict("", 7, ()))
    lines.put_large(
        "verdict", {"sensitivity": 2, "outside": nowhere, "view": None, "answer": answer}
    )
    lines.save()
    lines.close()


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
    assert (good / CACHE / "seal").exists()
    bad = write_graph(tmp_path / "bad", GRAPH)
    shutil.copytree(good / CACHE, bad / CACHE)
    forge(bad)
    assert_refuses(bad)


def test_an_index_that_was_replaced_is_not_believed(tmp_path: Path, later: None) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    assert_refuses(root)
    assert (root / CACHE / "seal").exists()
    forge(root)
    assert_refuses(root)


@pytest.mark.parametrize("entry", [[1, 2], "x", {"": 3}, [None, ["f", 3], {"x": [3, {}]}], -1])
def test_entries_of_the_wrong_type_end_in_no_bug(stranger: Path, entry: object) -> None:
    lines = Lines(str(stranger))
    for directory in (".", ".yggdrasil", ".yggdrasil/model", ".yggdrasil/model/a"):
        lines.put(directory, entry)
    for name in (STATE, "verdict", "errors", "drift"):
        lines.put_large(name, entry)
    lines.save()
    lines.close()
    for command in ("validate", "status", "drift", "tree"):
        assert run(command, "-C", str(stranger)).code in (0, 1)


def test_the_index_is_used_where_it_was_made(
    tmp_path: Path, later: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    git(tmp_path, "init", "-q", str(root))
    assert_refuses(root)
    assert_refuses(root)  # by now no stamp of the cache folder is new
    monkeypatch.setattr(Workspace, "any_graph", None)
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
