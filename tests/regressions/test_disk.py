"""Regressions of reading and writing files: links are not followed, nothing blocks."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from forked import shared
from support import CONFIG, NODE, git, private_folder, run, write
from yg.disk.files.apply import Applier, ApplyError
from yg.disk.files.stamps import SETTLED_NS
from yg.disk.files.temporary import PREFIX
from yg.disk.git.changed_files import changed_files
from yg.disk.git.ignore import Visibility
from yg.disk.git.process import commit_of
from yg.disk.git.repository import prefix_of
from yg.disk.index.database import NAME
from yg.disk.index.private import ROOT, cache_folder
from yg.disk.index.store import Index
from yg.disk.reading.worktree import WorkTree
from yg.disk.writing.lock import writing
from yg.kernel.digest import FileDigest
from yg.kernel.edit import Write
from yg.kernel.errors import UnreadableError

PATIENCE = 60  # seconds after which a command hangs
OLD = 1_700_000_000_000_000_000
DEEP = "[" * 200_000
LONG = "/".join(["a"] * 5_000)
GRAPH = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    ".yggdrasil/model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n",
    ".yggdrasil/model/a/responsibility.md": "A is responsible.\n",
    "src/a.py": "a\n",
}


@pytest.fixture
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough for the index."""
    clock = SimpleNamespace(time_ns=lambda: time.time_ns() + 2 * SETTLED_NS)
    monkeypatch.setattr("yg.disk.index.seen.time", clock)


def yg(root: Path, *argv: str) -> tuple[int, str, str]:
    """Run a command as a process of its own, which has to end by itself."""
    done = subprocess.run(
        [*shared().yg, *argv],
        cwd=root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def committed(root: Path, files: Mapping[str, str]) -> Path:
    write(root, files)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=first")
    return root


# The index.


def opened(root: Path) -> Index:
    folder = cache_folder(str(root), ".yggdrasil")
    assert folder
    return Index(str(root), ".yggdrasil", folder, lambda _: True)


def remember(root: Path, digest: str) -> None:
    index = opened(root)
    index.files.keep_digest(".yggdrasil/a", FileDigest(digest))
    index.save()
    index.close()


def recalled(root: Path) -> str | None:
    found = opened(root).files.digest(".yggdrasil/a")
    return found.digest if found else None


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("is_broken", [False, True])
def test_the_index_is_not_written_through_a_link_that_waits_for_it(
    tmp_path: Path, suffix: str, *, is_broken: bool
) -> None:
    root = write(tmp_path / "root", {".yggdrasil/a": ""})
    cache = Path(cache_folder(str(root), ".yggdrasil"))
    victim = tmp_path / "victim"
    if not is_broken:
        victim.write_text("precious", encoding="utf-8")
    (cache / f"{NAME}{suffix}").symlink_to(victim)
    remember(root, "d")
    assert victim.exists() is not is_broken
    assert is_broken or victim.read_text(encoding="utf-8") == "precious"
    assert sorted(os.listdir(cache)) == [NAME, ROOT]
    assert recalled(root) == "d"


@pytest.mark.usefixtures("_later")
def test_no_index_is_read_or_written_behind_a_linked_cache(tmp_path: Path) -> None:
    write(tmp_path, {"other/.yggdrasil/a": "", "root/.yggdrasil/keep": ""})
    os.link(tmp_path / "other/.yggdrasil/a", tmp_path / "root/.yggdrasil/a")
    remember(tmp_path / "other", "forged")
    assert recalled(tmp_path / "other") == "forged"
    private_folder(tmp_path / "root").symlink_to(private_folder(tmp_path / "other"))
    assert cache_folder(str(tmp_path / "root"), ".yggdrasil") == ""
    assert recalled(tmp_path / "other") == "forged"


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def brackets(path: Path) -> None:
    path.write_text(DEEP, encoding="utf-8")


def a_directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("put", [a_fifo, brackets, a_directory])
def test_whatever_is_in_place_of_the_index_changes_no_answer(
    tmp_path: Path, put: Callable[[Path], None]
) -> None:
    root = write(tmp_path, GRAPH)
    assert yg(root, "drift-sync", "--all")[0] == 0
    expected = yg(root, "drift")
    assert expected[0] == 0
    (private_folder(root) / NAME).unlink(missing_ok=True)
    put(private_folder(root) / NAME)
    assert yg(root, "drift") == expected


# The lock, and writing.


def test_a_directory_in_place_of_the_lock_is_reported(tmp_path: Path) -> None:
    lock = Path(cache_folder(str(tmp_path), ".yggdrasil"), "lock")
    lock.mkdir()
    with pytest.raises(ApplyError) as caught, writing(str(tmp_path), ".yggdrasil"):
        pass
    assert caught.value.message == f"cannot lock '{lock}': Is a directory"
    assert caught.value.hint == "It must be a file that you can write to."


def test_a_directory_in_place_of_the_lock_ends_a_sync_with_a_message(tmp_path: Path) -> None:
    root = write(tmp_path, GRAPH)
    Path(cache_folder(str(root), ".yggdrasil"), "lock").mkdir()
    outcome = run("drift-sync", "-C", str(root), "--all")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("error: cannot lock ")


def test_a_file_left_behind_by_a_process_of_the_same_number_stops_no_write(tmp_path: Path) -> None:
    left = f"x/{PREFIX}{os.getpid()}-0"
    root = write(tmp_path, {left: "left behind, and longer"})
    Applier(str(root), "x").apply([Write("x/a.json", b"new")])
    assert (root / "x/a.json").read_bytes() == b"new"
    os.utime(root / left, (0, 0))
    Applier(str(root), "x").apply([Write("x/a.json", b"newer")])
    assert os.listdir(root / "x") == ["a.json"]


def test_a_link_in_the_place_of_a_temporary_file_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "root", {"x/keep": ""})
    write(tmp_path, {"victim": "precious"})
    link = root / f"x/{PREFIX}{os.getpid()}-0"
    link.symlink_to(tmp_path / "victim")
    monkeypatch.setattr("yg.disk.files.apply.temporary_name", lambda: link.name)
    with pytest.raises(ApplyError) as caught:
        Applier(str(root), "x").apply([Write("x/a.json", b"new")])
    assert caught.value.message == "cannot write 'x/a.json': File exists"
    assert (tmp_path / "victim").read_text(encoding="utf-8") == "precious"
    assert not (root / "x/a.json").exists()


# .gitignore without git.


@pytest.mark.parametrize("line", ["!", "\\", "k\\", "[z-a]", "!\\", "[", "/", "***"])
def test_a_pattern_that_makes_no_sense_is_passed_over(tmp_path: Path, line: str) -> None:
    root = write(tmp_path, {".gitignore": f"*.log\n{line}\n*.tmp\n", "one.py": ""})
    write(root, {"x.log": "", "x.tmp": "", "deep/y.log": "", "deep/two.py": ""})
    seen = set(Visibility(str(root)).files)
    assert not {"x.log", "x.tmp", "deep/y.log"} & seen
    if line != "***":  # which git takes for everything
        assert {"one.py", "deep/two.py"} <= seen


@pytest.mark.parametrize("put", [a_fifo, a_directory])
def test_a_gitignore_that_is_not_a_file_ignores_nothing_and_does_not_block(
    tmp_path: Path, put: Callable[[Path], None]
) -> None:
    root = write(tmp_path, GRAPH)
    assert yg(root, "drift-sync", "--all")[0] == 0
    put(root / ".gitignore")
    put(root / "src/.gitignore")
    code, out, err = yg(root, "drift")
    assert (code, err) == (0, "")
    assert "[ok] a" in out


# Nothing outside is read.


@pytest.mark.parametrize(
    "path",
    [
        "link/secret",
        "link/deep/secret",
        "a/link/secret",
        "../outside/secret",
        "a/../../outside/secret",
        "link/../../outside/secret",
        "a/../a.md",
    ],
)
def test_a_work_tree_reads_nothing_through_a_link_or_dots(tmp_path: Path, path: str) -> None:
    write(tmp_path, {"outside/secret": "s", "outside/deep/secret": "s"})
    root = write(tmp_path / "root", {"a/b.md": "b", "a.md": "a"})
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "a/link").symlink_to(tmp_path / "outside")
    tree = WorkTree(str(root), ".yggdrasil")
    assert tree.kind(path) is None
    for read in (
        tree.read,
        lambda value: tree.text(value).value,
        lambda value: [*tree.pieces(value, 9)],
    ):
        with pytest.raises(UnreadableError):
            read(path)


@pytest.mark.parametrize(
    "path", ["link", "link/deep", "..", "../outside", "a/..", "a/../../outside"]
)
def test_a_work_tree_lists_nothing_behind_a_link_or_dots(tmp_path: Path, path: str) -> None:
    write(tmp_path, {"outside/deep/secret": "s"})
    root = write(tmp_path / "root", {"a/b.md": "b"})
    (root / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(UnreadableError):
        WorkTree(str(root), ".yggdrasil").entries(path)


# git.


def test_git_answers_for_the_directory_it_is_asked_about_whatever_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = committed(tmp_path / "other", {"theirs.py": "", "more.py": ""})
    root = committed(tmp_path / "root", {"mine.py": "", "deep/x.py": ""})
    commit = git(root, "rev-parse", "HEAD")
    write(root, {"mine.py": "changed\n"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_PREFIX", "somewhere/")
    assert commit_of(str(root), "HEAD") == commit
    assert prefix_of(str(root / "deep")) == "deep"
    assert Visibility(str(root)).files == ("deep/x.py", "mine.py")
    assert changed_files(str(root), commit, staged=False).files == ("mine.py",)


@pytest.mark.parametrize("argv", [("--diff",), ("--diff", "--staged")], ids=" ".join)
def test_impact_of_a_diff_leaves_the_index_of_git_alone(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    root = committed(tmp_path, GRAPH)
    index = root / ".git/index"
    os.utime(root / "src/a.py", ns=(OLD, OLD))  # another time, the same content
    os.utime(index, ns=(OLD, OLD))
    before = index.read_bytes()
    assert run("impact", *argv, "-C", str(root)).code == 0
    assert (index.read_bytes(), index.stat().st_mtime_ns) == (before, OLD)
    assert sorted(path.name for path in (root / ".git").glob("index*")) == ["index"]
    git(root, "status")  # which does refresh it, so that there was something to leave alone
    assert index.read_bytes() != before


# Paths of very many parts.


def test_a_mapping_of_very_many_parts_is_an_error_like_any_other(tmp_path: Path) -> None:
    node = f"{NODE}mapping: {{paths: [{LONG}]}}\n"
    root = write(tmp_path, {**GRAPH, ".yggdrasil/model/a/yg-node.yaml": node})
    outcome = run("validate", "-C", str(root))
    assert outcome.code == 1
    assert "is longer than a path can be" in outcome.text
    assert "E020 a -> " in outcome.text
    assert run("drift-sync", "-C", str(root), "a").code == 1


def test_a_relation_of_very_many_parts_is_an_error_like_any_other(tmp_path: Path) -> None:
    node = f"{NODE}relations: [{{target: {LONG}, type: calls}}]\n"
    root = write(tmp_path, {**GRAPH, ".yggdrasil/model/a/yg-node.yaml": node})
    outcome = run("validate", "-C", str(root))
    assert outcome.code == 1
    assert "E004 a -> " in outcome.text
