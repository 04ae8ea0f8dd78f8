"""The index belongs to one place and one user: what comes to be there later is looked at anew."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest

from edits import SPEC_START, START
from forked import UNPRIVILEGED, shared
from support import NODE, private_folder, run, write
from yg.disk.index.database import NAME
from yg.surfaces.cli.outcome import Outcome

COMMANDS = (
    *(("validate",), ("status",), ("tree",), ("drift",), ("find", "newcomer"), ("plan",)),
    *(("decisions",), ("advise",), ("build-context", "a"), ("overview",)),
)
MODEL = ".yggdrasil/model"


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write(tmp_path / "root", START)
    run("drift-sync", "--all", "-C", str(root))
    assert_right(root)
    return root


def answers(root: Path, *options: str) -> list[Outcome]:
    return [run(*argv, "-C", str(root), *options) for argv in COMMANDS]


def assert_right(root: Path) -> None:
    """Assert that every answer is the one without an index, however often it is asked."""
    expected = answers(root, "--no-cache")
    assert [answers(root) for _ in range(2)] == [expected] * 2


def other_graph(root: Path) -> Path:
    """Write a graph with the same files, some of which have other contents of the same size."""
    files = {path: text for path, text in START.items() if "/c/" not in path}
    text = files[f"{MODEL}/a/yg-node.yaml"]
    assert isinstance(text, str)
    return write(root, {**files, f"{MODEL}/a/yg-node.yaml": text.replace("service", "servant")})


def test_a_repository_that_was_moved(root: Path) -> None:
    moved = root.rename(root.with_name("moved"))
    assert_right(moved)
    write(moved, {f"{MODEL}/d/yg-node.yaml": NODE})
    assert_right(moved)
    moved.rename(root)
    assert_right(root)


def test_a_repository_that_was_copied(root: Path) -> None:
    copy = root.with_name("copy")
    shutil.copytree(root, copy)
    assert_right(copy)
    write(copy, {f"{MODEL}/d/yg-node.yaml": NODE})
    for place in (root, copy):
        assert_right(place)


def test_a_repository_that_was_deleted_and_cloned_again(root: Path) -> None:
    for command in ("init -q", "add -A", "commit -q -m one"):
        subprocess.run(["git", "-C", root, *command.split()], check=True)
    kept = root.rename(root.with_name("kept"))
    for number in range(3):
        write(kept, {f"{MODEL}/a/responsibility.md": f"Number {number}, as long as the others.\n"})
        subprocess.run(["git", "-C", kept, "commit", "-q", "-a", "-m", "x"], check=True)
        subprocess.run(["git", "clone", "-q", kept, root], check=True)
        assert_right(root)
        shutil.rmtree(root)


def test_two_repositories_one_after_the_other_in_one_place(root: Path) -> None:
    for make in (other_graph, lambda place: write(place, START), other_graph):
        shutil.rmtree(root)
        make(root)
        assert_right(root)


def test_two_repositories_that_change_places(root: Path) -> None:
    other, away = other_graph(root.with_name("other")), root.with_name("away")
    for _ in range(3):
        assert_right(root)
        root.rename(away)
        other.rename(root)
        away.rename(other)


def test_a_repository_with_the_times_and_sizes_of_the_one_before(root: Path) -> None:
    other = other_graph(root.with_name("other"))
    for path in sorted(other.rglob("*"), reverse=True):
        before = root / path.relative_to(other)
        if before.exists():
            status = before.stat()
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    shutil.rmtree(root)
    other.rename(root)
    assert_right(root)


def test_a_graph_of_another_kind_in_the_same_place(root: Path) -> None:
    shutil.rmtree(root)
    write(root, SPEC_START)
    assert_right(root)
    assert private_folder(root, "specgraph") != private_folder(root)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")
def test_two_users_have_an_index_each_and_never_that_of_the_other(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = private_folder(root) / NAME
    before = index.read_bytes()
    monkeypatch.setattr(os, "geteuid", lambda: 65534)  # who does not own it
    write(root, {f"{MODEL}/a/responsibility.md": "Something that another user wrote.\n"})
    assert_right(root)
    own = root.with_name("cache of nobody")
    own.mkdir()
    os.chown(own, 65534, -1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(own))
    assert_right(root)
    assert index.read_bytes() == before


# Without a home.

WRITING = (
    ("new", "node", "d", "--type", "service"),
    ("mv", "d", "e"),
    ("rm", "e", "--dry-run"),
    ("drift-sync", "a"),
    ("draft", "--add"),
    ("init", "--upgrade", "--platform", "generic"),
)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


def assert_works(root: Path, temporary: Path) -> None:
    """Assert that all commands work without an index, with their locks in another directory."""
    write(root, {"lib/new.py": "def new(): ...\n", "lib/other.py": "import new\n"})
    assert_right(root)
    for argv in WRITING:
        assert run(*argv, "-C", str(root)).code == 0
    assert (root / MODEL / "e/yg-node.yaml").is_file()
    assert_right(root)
    assert sorted({path.name for path in temporary.rglob("*") if path.is_file()}) == [
        "generation",
        "lock",
        "root",
    ]


def test_without_a_home_all_commands_work(
    root: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_: int) -> None:
        raise KeyError

    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert os.path.expanduser("~") == "~"
    assert_works(root, temporary)


@pytest.mark.parametrize("home", ["/dev/null", "/proc", "relative"])
def test_with_a_home_that_cannot_be_written_all_commands_work(
    root: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", home)
    assert_works(root, temporary)


def test_with_a_cache_directory_in_the_work_tree_all_commands_work(
    root: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(root / "cache"))
    assert_works(root, temporary)
    assert not (root / "cache").exists()


@pytest.mark.parametrize("has_folder", [False, True])
def test_with_a_read_only_home_all_commands_work(
    root: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, *, has_folder: bool
) -> None:
    home = root.with_name("home")
    home.mkdir()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(home))
    if has_folder:
        assert_right(root)
    closed = [home, *(path for path in home.rglob("*") if path.is_dir())]
    for path in closed:
        path.chmod(0o500)
    before = sorted(home.rglob("*"))
    start = shared().python(UNPRIVILEGED)
    for argv in (*COMMANDS, *WRITING, *COMMANDS):
        expected = run(*argv, "-C", str(root), "--no-cache") if argv in COMMANDS else None
        ran = subprocess.run(
            [*start, *argv, "-C", root], capture_output=True, check=False, text=True
        )
        assert expected is None or (ran.returncode, ran.stdout) == (expected.code, expected.text)
        assert argv in COMMANDS or ran.returncode == 0, ran.stderr
    assert sorted(home.rglob("*")) == before
    for path in closed:
        path.chmod(0o700)


def test_documents_and_decisions_outside_the_graph(root: Path) -> None:
    listed = "documents: [docs/a.md#B, README.md]\ndecisions: [1]\n"
    files: tuple[dict[str, str | bytes], ...] = (
        {f"{MODEL}/a/yg-node.yaml": f"{NODE}{listed}"},
        {"docs/a.md": "# A\n"},
        {"docs/a.md": "# A\n\n## B\n\nFor a newcomer.\n"},
        {"docs/adr/0001-x.md": "# 1. A newcomer\n"},
        {"docs/adr/0001-x.md": "# 1. A newcomer\n\nStatus: rejected\n"},
        {"docs/a.md": "# A\n\n## B\n\nFor `src/gone.py`.\n"},
        {".gitignore": "docs/a.md\n"},
        {".gitignore": ""},
        {"docs/adr/0002-y.md": "# A newcomer\n"},
    )
    for edit in files:
        write(root, edit)
        assert_right(root)
    for path in ("docs/adr/0001-x.md", "docs/a.md"):
        (root / path).unlink()
        assert_right(root)
