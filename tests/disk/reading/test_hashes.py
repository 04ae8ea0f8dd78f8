"""Digests of a work tree: an unchanged file is not read again, a changed one always is."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import private_folder
from yg.disk.files.stamps import SETTLED_NS, pack
from yg.disk.index.database import NAME
from yg.disk.reading.hashes import WorkTreeHashes
from yg.disk.reading.worktree import WorkTree
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import PIECE

often = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SECOND = 1_000_000_000


class WatchedTree(WorkTree):
    """A work tree that knows which files were read, and does something after each."""

    def __init__(self, root: Path, after: Callable[[str], None] = lambda _: None) -> None:
        super().__init__(str(root), ".yggdrasil", uses_index=True)
        self.read_files: list[str] = []
        self._after = after

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        self.read_files.append(path)
        yield from super().pieces(path, length)
        self._after(path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".yggdrasil").mkdir()
    return tmp_path


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough for the index."""
    clock = SimpleNamespace(time_ns=lambda: time.time_ns() + 2 * SETTLED_NS)
    monkeypatch.setattr("yg.disk.index.seen.time", clock)


def save(tree: WorkTree) -> None:
    assert tree.index is not None
    tree.index.save()
    tree.index.close()


def look(root: Path, path: str) -> tuple[str, list[str]]:
    """Return the digest of a file in a run of its own, and the files that were read for it."""
    tree = WatchedTree(root)
    found = WorkTreeHashes(tree).of(path).lf
    save(tree)
    return found, tree.read_files


def plain(content: bytes) -> str:
    return sha256(content).hexdigest()


def reason_for(root: Path, path: str) -> str:
    with pytest.raises(UnreadableError) as caught:
        WorkTreeHashes(WatchedTree(root)).of(path)
    assert caught.value.path == path
    return caught.value.reason


def edit_in_secret(file: Path, content: bytes) -> None:
    """Change a file and give it its old mtime back."""
    before = os.stat(file)
    assert len(content) == before.st_size
    while True:  # until the file system's clock has ticked
        with open(file, "r+b") as opened:
            opened.write(content)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        after = os.stat(file)
        if after.st_ctime_ns != before.st_ctime_ns:
            break
    assert (after.st_size, after.st_mtime_ns, after.st_ino) == (
        before.st_size,
        before.st_mtime_ns,
        before.st_ino,
    )


def test_the_digest_of_a_file_is_that_of_its_content(root: Path) -> None:
    (root / "a").write_bytes(b"a\r\nb\n")
    assert look(root, "a") == (plain(b"a\nb\n"), ["a"])


def test_a_file_is_read_once_in_a_run(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    (root / "b").write_bytes(b"b")
    steps: list[str] = []
    tree = WatchedTree(root)
    hashes = WorkTreeHashes(tree, lambda: steps.append("step"))
    assert [hashes.of(path).lf for path in "abab"] == [plain(b"a"), plain(b"b")] * 2
    assert (tree.read_files, steps) == (["a", "b"], ["step", "step"])


@pytest.mark.usefixtures("later")
def test_an_unchanged_file_is_not_read_in_the_next_run(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    assert look(root, "a") == (plain(b"a"), ["a"])
    assert look(root, "a") == (plain(b"a"), [])


def test_a_young_file_is_read_again(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    assert look(root, "a") == look(root, "a") == (plain(b"a"), ["a"])
    assert not (private_folder(root) / NAME).exists()


@pytest.mark.usefixtures("later")
def test_an_edit_that_keeps_size_and_mtime_is_seen(root: Path) -> None:
    (root / "a").write_bytes(b"before")
    look(root, "a")
    edit_in_secret(root / "a", b"after!")
    assert look(root, "a") == (plain(b"after!"), ["a"])


@pytest.mark.usefixtures("later")
def test_another_file_moved_into_its_place_is_seen(root: Path) -> None:
    for name, content in (("a", b"before"), ("b", b"after!")):
        (root / name).write_bytes(content)
        os.utime(root / name, ns=(SECOND, SECOND))
    look(root, "a")
    os.replace(root / "b", root / "a")
    assert look(root, "a") == (plain(b"after!"), ["a"])


@pytest.mark.usefixtures("later")
def test_a_file_that_came_back_is_looked_at_again(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    look(root, "a")
    (root / "a").unlink()
    assert reason_for(root, "a") == "its status cannot be read"
    (root / "a").write_bytes(b"b")
    assert look(root, "a")[0] == plain(b"b")


def _by_the_second(size: int, modified: int, changed: int, inode: int) -> bytes:
    """Stamp a file as a file system with a slow clock does."""
    return pack(size, modified // SECOND * SECOND, changed // SECOND * SECOND, inode)


def test_an_edit_in_the_same_tick_is_seen(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.pack", _by_the_second)
    for content in (b"one", b"two", b"six"):
        (root / "a").write_bytes(content)
        assert look(root, "a")[0] == plain(content)


@often
@given(st.lists(st.tuples(st.sampled_from([b"one", b"two", b"six"]), st.booleans()), max_size=6))
def test_whatever_is_done_to_a_file_its_digest_is_the_right_one(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bytes, bool]]
) -> None:
    root = tmp_path_factory.mktemp("root")
    (root / ".yggdrasil").mkdir()
    (root / "a").write_bytes(b"old")
    os.utime(root / "a", ns=(SECOND, SECOND))
    for content, in_secret in steps:
        (root / "a").write_bytes(content)
        if in_secret:
            os.utime(root / "a", ns=(SECOND, SECOND))
        assert look(root, "a")[0] == plain(content)


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\0"])
def test_a_damaged_index_changes_no_digest(root: Path, damage: bytes) -> None:
    (root / "a").write_bytes(b"a")
    look(root, "a")
    (private_folder(root) / NAME).write_bytes(damage)
    assert look(root, "a") == (plain(b"a"), ["a"])


def test_a_file_that_changes_once_while_it_is_read_is_read_again(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    tree = WatchedTree(root, _once(lambda: (root / "a").write_bytes(b"abc")))
    assert WorkTreeHashes(tree).of("a").lf == plain(b"abc")
    assert tree.read_files == ["a", "a"]


def _once(act: Callable[[], object]) -> Callable[[str], None]:
    acts = [act]

    def after(_: str) -> None:
        if acts:
            acts.pop()()

    return after


def test_a_file_that_keeps_changing_cannot_be_read(root: Path) -> None:
    (root / "a").write_bytes(b"a")

    def grow(path: str) -> None:
        with open(root / path, "ab") as file:
            file.write(b"more")

    hashes = WorkTreeHashes(WatchedTree(root, grow))
    with pytest.raises(UnreadableError, match="it changes while it is being read"):
        hashes.of("a")
    assert [failure.path for failure in hashes.failures] == ["a"]


@pytest.mark.usefixtures("later")
def test_nothing_is_remembered_of_a_file_that_changed_while_it_was_read(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    tree = WatchedTree(root, _once(lambda: (root / "a").write_bytes(b"abc")))
    WorkTreeHashes(tree).of("a")
    save(tree)
    assert look(root, "a") == (plain(b"abc"), ["a"])


@pytest.mark.usefixtures("later")
def test_nothing_else_is_remembered_when_a_file_changes_while_it_is_read(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    tree = WatchedTree(root, _once(lambda: (root / "a").write_bytes(b"abc")))
    WorkTreeHashes(tree).of("a")
    assert tree.index is not None
    assert not tree.index.stamps.is_cacheable


@pytest.mark.usefixtures("later")
def test_nothing_else_is_remembered_when_a_file_cannot_be_read(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    tree = WatchedTree(root, lambda path: (root / path).unlink())
    with pytest.raises(UnreadableError):
        WorkTreeHashes(tree).of("a")
    assert tree.index is not None
    assert not tree.index.stamps.is_cacheable


def test_a_file_that_vanishes_while_it_is_read_cannot_be_read(root: Path) -> None:
    (root / "a").write_bytes(b"a")
    tree = WatchedTree(root, lambda path: (root / path).unlink())
    with pytest.raises(UnreadableError, match="its status cannot be read"):
        WorkTreeHashes(tree).of("a")


def test_what_is_not_a_regular_file_is_never_opened(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(root / "fifo")
    (root / "directory").mkdir()
    (root / "a").write_bytes(b"a")
    (root / "link").symlink_to("a")
    (root / "broken").symlink_to("nothing")
    (root / "loop").symlink_to("loop")
    monkeypatch.chdir(root)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    for name in ("fifo", "directory", "link", "broken", "loop", "socket"):
        tree = WatchedTree(root)
        with pytest.raises(UnreadableError, match="not a regular file"):
            WorkTreeHashes(tree).of(name)
        assert tree.read_files == []


def test_what_is_not_there_cannot_be_read(root: Path) -> None:
    assert reason_for(root, "nothing") == "its status cannot be read"
    assert reason_for(root, "a\0b") == "its status cannot be read"


def test_failures_are_reported_once_and_by_path(root: Path) -> None:
    hashes = WorkTreeHashes(WatchedTree(root))
    for name in ("b", "a", "b"):
        with pytest.raises(UnreadableError):
            hashes.of(name)
    assert [failure.path for failure in hashes.failures] == ["a", "b"]


@pytest.mark.parametrize("at", [PIECE - 1, PIECE, 2 * PIECE - 1])
def test_a_line_ending_between_two_pieces_is_one_line_ending(root: Path, at: int) -> None:
    content = b"x" * at + b"\r\n" + b"y" * 10
    (root / "a").write_bytes(content)
    assert look(root, "a")[0] == plain(content.replace(b"\r\n", b"\n"))
