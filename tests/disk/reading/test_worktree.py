"""A work tree shows a directory as a snapshot: each file read once, nothing behind a link."""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from yg.disk.reading.worktree import WorkTree
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, PIECE, DictSnapshot, Extent, Kind

FILES = {
    "b.md": "b\r\n",
    "a/z.md": "z",
    "a/b/c.md": "\ufeffc é😀\n",
    "Z.md": "",
    "é.md": "e",
    "a b/c.md": "spaces",
    ".hidden/x.md": "x",
}

needs_any_name = pytest.mark.skipif(
    sys.platform in ("darwin", "win32"), reason="file names are text on this system"
)


def write(root: Path, files: dict[str, str]) -> WorkTree:
    """Write files and open the tree that holds them."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return WorkTree(str(root), ".yggdrasil")


def reason_for(tree: WorkTree, path: str) -> str:
    """Return why a file cannot be read."""
    with pytest.raises(UnreadableError) as caught:
        _ = tree.text(path).value
    assert caught.value.path == path
    return caught.value.reason


class Machine:
    """Watches what is opened and closed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened: list[str] = []
        self.left_open: set[int] = set()
        self._open, self._close = os.open, os.close
        monkeypatch.setattr(os, "open", self._watched_open)
        monkeypatch.setattr(os, "close", self._watched_close)

    def _watched_open(self, path: str, flags: int, *rest: Any) -> int:
        self.opened.append(path)
        handle = self._open(path, flags, *rest)
        self.left_open.add(handle)
        return handle

    def _watched_close(self, handle: int) -> None:
        self.left_open.remove(handle)
        self._close(handle)


def test_a_work_tree_shows_what_the_same_files_in_memory_show(tmp_path: Path) -> None:
    tree, memory = write(tmp_path, FILES), DictSnapshot(FILES)
    for directory in (".", "a", "a/b", "a b", ".hidden"):
        assert list(tree.entries(directory).items()) == list(memory.entries(directory).items())
    for path in FILES:
        assert tree.text(path).value == memory.text(path).value
        assert tree.text(path).extent == memory.text(path).extent
        assert tree.read(path) == memory.read(path)
    for path in (*FILES, ".", "a", "a/b", "a/none", "none", "none/a", "b.md/a"):
        assert tree.kind(path) is memory.kind(path)


def test_entries_stand_in_code_point_order(tmp_path: Path) -> None:
    names = ["😀", "é", "b", "a.md", "a", "_", "Z", "10", "2", "-"]
    tree = write(tmp_path, dict.fromkeys(names, ""))
    assert list(tree.entries(".")) == ["-", "10", "2", "Z", "_", "a", "a.md", "b", "é", "😀"]


def test_nothing_is_read_before_it_is_looked_at_and_then_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = write(tmp_path, {"a.md": "a\n", "b.md": "b"})
    machine = Machine(monkeypatch)
    first, second = tree.text("a.md"), tree.text("a.md")
    tree.entries(".")
    tree.kind("a.md")
    assert machine.opened == []
    assert (first.value, second.value, first.extent) == ("a\n", "a\n", Extent(1, 1))
    assert tree.text("a.md").value == "a\n"
    assert machine.opened == [f"{tmp_path}/a.md"]


def test_what_cannot_be_read_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = write(tmp_path, {})
    machine = Machine(monkeypatch)
    assert [reason_for(tree, "a.md") for _ in range(3)] == ["no such file or directory"] * 3
    assert machine.opened == [f"{tmp_path}/a.md"]


def test_a_text_stays_as_it_was_when_first_looked_at(tmp_path: Path) -> None:
    tree = write(tmp_path, {"a.md": "before"})
    assert tree.text("a.md").value == "before"
    (tmp_path / "a.md").write_text("after", encoding="utf-8")
    assert tree.text("a.md").value == "before"


def test_every_handle_is_closed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = write(tmp_path, {"a.md": "a", "d/b.md": "b"})
    os.mkfifo(tmp_path / "fifo")
    machine = Machine(monkeypatch)
    assert tree.text("a.md").value == "a"
    assert list(tree.pieces("d/b.md", 1)) == [b"b"]
    assert reason_for(tree, "d") == reason_for(tree, "fifo") == "not a regular file"
    assert (len(machine.opened), machine.left_open) == (4, set())


@pytest.mark.parametrize("size", [0, 3, 9, 10, 11, 4096])
def test_a_file_is_read_whole_whatever_its_size_was_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    tree = write(tmp_path, {"a.md": "0123456789"})
    fstat = os.fstat
    monkeypatch.setattr(
        os, "fstat", lambda handle: SimpleNamespace(st_mode=fstat(handle).st_mode, st_size=size)
    )
    assert tree.read("a.md") == b"0123456789"


@pytest.mark.parametrize("most", [1, 3, 5, 10])
def test_a_file_is_read_whole_when_the_machine_hands_it_out_in_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    tree = write(tmp_path, {"a.md": "0123456789"})
    read = os.read
    monkeypatch.setattr(os, "read", lambda handle, length: read(handle, min(length, most)))
    assert tree.read("a.md") == b"0123456789"


def test_a_file_comes_in_pieces_of_the_length_asked_for(tmp_path: Path) -> None:
    tree = write(tmp_path, {"a.md": "0123456789", "empty.md": ""})
    assert list(tree.pieces("a.md", 4)) == [b"0123", b"4567", b"89"]
    assert list(tree.pieces("empty.md", 4)) == []


def test_a_large_file_is_read(tmp_path: Path) -> None:
    tree = write(tmp_path, {"a.md": "0123456789abcdef" * 200_000})
    assert tree.text("a.md").extent == Extent(3_200_000, 0)


def test_of_a_file_larger_than_a_text_may_be_only_the_start_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = write(tmp_path, {"a.md": "", "b.md": ""})
    os.truncate(tmp_path / "a.md", 1_000_000_000)
    os.truncate(tmp_path / "b.md", MAX_TEXT)
    assert len(tree.read("b.md")) == MAX_TEXT
    lengths: list[int] = []
    read = os.read

    def counted(file: int, length: int) -> bytes:
        lengths.append(length)
        return read(file, length)

    monkeypatch.setattr(os, "read", counted)
    assert tree.text("a.md").fault == "larger than 16 MB (1000000000 bytes)"
    assert tree.text("a.md").binary_size == 1_000_000_000
    assert lengths == [8_000]


def test_a_file_that_becomes_too_large_while_it_is_read_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = write(tmp_path, {"a.md": "text"})
    lengths: list[int] = []

    def endless(_: int, length: int) -> bytes:
        lengths.append(length)
        return bytes(length)

    monkeypatch.setattr(os, "read", endless)
    fault = tree.text("a.md").fault
    assert fault == f"larger than 16 MB ({sum(lengths)} bytes)"
    assert sum(lengths) <= MAX_TEXT + PIECE


def test_links_are_shown_as_links_whatever_they_lead_to(tmp_path: Path) -> None:
    tree = write(tmp_path / "in", {"a.md": "a"})
    write(tmp_path / "out", {"secret.md": "secret"})
    (tmp_path / "in/to-file").symlink_to("../out/secret.md")
    (tmp_path / "in/to-directory").symlink_to("../out")
    (tmp_path / "in/to-self").symlink_to("to-self")
    (tmp_path / "in/to-nothing").symlink_to("nowhere")
    (tmp_path / "in/to-inside").symlink_to("a.md")
    links = ["to-directory", "to-file", "to-inside", "to-nothing", "to-self"]
    assert list(tree.entries(".").items()) == [
        ("a.md", Kind.FILE),
        *((link, Kind.LINK) for link in links),
    ]
    assert [tree.kind(link) for link in links] == [Kind.LINK] * 5


def test_a_link_to_a_file_is_never_read(tmp_path: Path) -> None:
    tree = write(tmp_path, {"a.md": "a"})
    for name, target in (("inside", "a.md"), ("broken", "nowhere"), ("self", "self")):
        (tmp_path / name).symlink_to(target)
        with pytest.raises(UnreadableError):
            _ = tree.text(name).value
        with pytest.raises(UnreadableError):
            list(tree.pieces(name, 1))


def test_nothing_is_behind_a_link(tmp_path: Path) -> None:
    tree = write(tmp_path, {"d/a.md": "a", "d/e/b.md": "b"})
    (tmp_path / "link").symlink_to("d")
    (tmp_path / "file-link").symlink_to("d/a.md")
    paths = ["link/a.md", "link/e", "link/e/b.md", "link/none", "file-link/a.md", "d/a.md/x"]
    assert [tree.kind(path) for path in paths] == [None] * 6


def test_one_name_at_the_top_may_be_a_link(tmp_path: Path) -> None:
    tree = write(tmp_path / "in", {"sub/a.md": "a"})
    write(tmp_path / "out", {"model/yg-node.yaml": "name: N\n"})
    (tmp_path / "in/.yggdrasil").symlink_to("../out")
    (tmp_path / "in/sub/.yggdrasil").symlink_to("../../out")
    (tmp_path / "out/link").symlink_to("model")
    assert tree.kind(".yggdrasil") is Kind.DIRECTORY
    assert tree.entries(".yggdrasil") == {"link": Kind.LINK, "model": Kind.DIRECTORY}
    assert tree.kind(".yggdrasil/model/yg-node.yaml") is Kind.FILE
    assert tree.text(".yggdrasil/model/yg-node.yaml").value == "name: N\n"
    assert tree.kind(".yggdrasil/link") is Kind.LINK
    assert tree.kind(".yggdrasil/link/yg-node.yaml") is None
    assert tree.kind("sub/.yggdrasil") is Kind.LINK
    assert tree.kind("sub/.yggdrasil/model") is None


def test_the_name_that_may_be_a_link_may_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / ".yggdrasil").symlink_to("nowhere")
    tree = WorkTree(str(tmp_path), ".yggdrasil")
    assert (tree.kind(".yggdrasil"), tree.kind(".yggdrasil/model")) == (None, None)


def test_a_fifo_is_never_waited_for(tmp_path: Path) -> None:
    tree = write(tmp_path, {})
    os.mkfifo(tmp_path / "fifo")
    assert (tree.entries("."), tree.kind("fifo")) == ({"fifo": Kind.OTHER}, Kind.OTHER)
    assert reason_for(tree, "fifo") == "not a regular file"


def test_a_socket_is_not_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = write(tmp_path, {})
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
    assert (tree.entries("."), tree.kind("socket")) == ({"socket": Kind.OTHER}, Kind.OTHER)
    with pytest.raises(UnreadableError):
        _ = tree.text("socket").value


@needs_any_name
def test_names_that_are_not_utf8_are_shown_and_their_files_can_be_read(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("latin", encoding="utf-8")
    tree = write(tmp_path, {"é.md": "", "z.md": ""})
    assert list(tree.entries(".").items()) == [
        ("caf\udce9.md", Kind.FILE),
        ("z.md", Kind.FILE),
        ("é.md", Kind.FILE),
    ]
    assert tree.kind("caf\udce9.md") is Kind.FILE
    assert tree.text("caf\udce9.md").value == "latin"


def test_a_file_in_another_encoding_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"caf\xe9")
    assert reason_for(write(tmp_path, {}), "a.md") == "not UTF-8 at byte 3 (0xe9)"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("none.md", "no such file or directory"),
        ("none/a.md", "no such file or directory"),
        ("a.md/b.md", "not a directory"),
        ("d", "not a regular file"),
        (".", "not a regular file"),
        ("a\0b", "not a valid file name on this system"),
    ],
)
def test_what_is_not_a_file_says_why(tmp_path: Path, path: str, reason: str) -> None:
    tree = write(tmp_path, {"a.md": "a", "d/b.md": "b"})
    assert reason_for(tree, path) == reason
    with pytest.raises(UnreadableError) as caught:
        list(tree.pieces(path, 1))
    assert (caught.value.path, caught.value.reason) == (path, reason)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("none", "no such file or directory"),
        ("a.md", "not a directory"),
        ("a.md/b", "not a directory"),
    ],
)
def test_what_is_not_a_directory_says_why(tmp_path: Path, path: str, reason: str) -> None:
    tree = write(tmp_path, {"a.md": "a"})
    with pytest.raises(UnreadableError) as caught:
        tree.entries(path)
    assert (caught.value.path, caught.value.reason) == (path, reason)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "\ud800"])
def test_at_a_name_that_cannot_exist_nothing_is(tmp_path: Path, name: str) -> None:
    tree = write(tmp_path, {"a.md": "a"})
    assert (tree.kind(name), tree.kind(f"{name}/a.md")) == (None, None)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(errno.EACCES, "x"), "permission denied"),
        (FileNotFoundError(errno.ENOENT, "x"), "no such file or directory"),
        (IsADirectoryError(errno.EISDIR, "x"), "it is a directory"),
        (OSError(errno.EIO, "Input/output error"), f"error {errno.EIO}: Input/output error"),
    ],
)
def test_trouble_of_the_machine_is_reported_in_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, reason: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    tree = write(tmp_path, {"a.md": "a"})
    for function, look in (
        ("scandir", lambda: tree.entries(".")),
        ("open", lambda: tree.read("a.md")),
        ("fstat", lambda: tree.read("a.md")),
        ("read", lambda: tree.read("a.md")),
        ("read", lambda: list(tree.pieces("a.md", 1))),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(os, function, fail)
            with pytest.raises(UnreadableError) as caught:
                look()
        assert caught.value.reason == reason
    assert tree.text("a.md").value == "a"


def test_a_path_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = write(tmp_path, {"a/b/c.md": "c"})
    looked: list[str] = []
    stat = os.stat

    def watched(path: str, *, follow_symlinks: bool = True) -> os.stat_result:
        looked.append(path)
        return stat(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(os, "stat", watched)
    kinds = [tree.kind(path) for path in ("a/b/c.md", "a/b/d.md", "a/b", "a/b/c.md", "a/b/d.md")]
    assert kinds == [Kind.FILE, None, Kind.DIRECTORY, Kind.FILE, None]
    assert looked == [f"{tmp_path}/{path}" for path in ("a", "a/b", "a/b/c.md", "a/b/d.md")]
