"""A work tree shows a directory as a snapshot: its graph listed once, nothing behind a link."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from disk.trees import write
from yg.disk.worktree import PIECE, WorkTree
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, DictSnapshot, Inputs, Kind, Recipe

FILES = {
    "graph/b.md": "b\r\n",
    "graph/a/z.md": "z",
    "graph/a/b/c.md": "\ufeffc é😀\n",
    "a b/c.md": "spaces",
    "é.md": "e",
    "Z.md": "",
    ".hidden/x.md": "x",
}

needs_any_name = pytest.mark.skipif(
    sys.platform in ("darwin", "win32"), reason="file names are text on this system"
)


def tree_of(root: Path, files: dict[str, str]) -> WorkTree:
    """Write files and open the tree that holds them."""
    write(root, {"graph/yg-config.yaml": "", **files})
    return WorkTree(str(root), "graph", uses_cache=False)


@pytest.fixture(params=["graph/", ""], ids=["graph", "outside"])
def top(request: pytest.FixtureRequest) -> str:
    """Return the beginning of the paths of a test, in the graph and outside of it."""
    found: str = request.param
    return found


def refused(ask: Callable[[str], object], path: str) -> str:
    """Return why a path cannot be read."""
    with pytest.raises(UnreadableError) as caught:
        ask(path)
    assert caught.value.path == path
    return caught.value.reason


# Names and kinds.


def test_a_work_tree_shows_what_the_same_files_in_memory_show(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    tree, memory = WorkTree(str(tmp_path), "graph", uses_cache=False), DictSnapshot(FILES)
    for directory in (".", "graph", "graph/a", "graph/a/b", "a b", ".hidden"):
        assert list(tree.entries(directory).items()) == list(memory.entries(directory).items())
    for path in FILES:
        assert tree.read(path) == memory.read(path)
    missing = ("graph/a/none", "none", "none/a", "graph/b.md/a", "é.md/a", "none/a/b/c")
    for path in (*FILES, ".", "graph", "graph/a", "a b", *missing):
        assert tree.kind(path) is memory.kind(path)


def test_entries_stand_in_code_point_order(tmp_path: Path, top: str) -> None:
    names = ["😀", "é", "b", "a.md", "a", "_", "Z", "10", "2", "-"]
    tree = tree_of(tmp_path, {f"{top}in/{name}": "" for name in names})
    order = ["-", "10", "2", "Z", "_", "a", "a.md", "b", "é", "😀"]
    assert list(tree.entries(f"{top}in")) == order


def test_names_that_start_with_a_dot_are_no_part_of_a_graph(tmp_path: Path) -> None:
    state = "graph/.drift-state/a.json"
    tree = tree_of(tmp_path, {state: "{}", "graph/a/.git/x": "", "graph/..b": "", ".c/d": ""})
    assert tree.entries("graph") == {"a": Kind.DIRECTORY, "yg-config.yaml": Kind.FILE}
    assert tree.entries("graph/a") == {}
    assert tree.entries("graph/.drift-state") == {"a.json": Kind.FILE}
    assert (tree.kind(state), tree.read(state)) == (Kind.FILE, b"{}")
    assert tree.entries(".") == {".c": Kind.DIRECTORY, "graph": Kind.DIRECTORY}


def test_the_graph_stays_as_it_was_when_first_looked_at(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, {"graph/a/b.md": ""})
    assert tree.kind("graph/a") is Kind.DIRECTORY
    write(tmp_path, {"graph/a/c.md": ""})
    (tmp_path / "graph/a/b.md").unlink()
    assert tree.entries("graph/a") == {"b.md": Kind.FILE}
    assert (tree.kind("graph/a/b.md"), tree.kind("graph/a/c.md")) == (Kind.FILE, None)


def test_a_path_outside_the_graph_is_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tree_of(tmp_path, {"a/b/c.md": "c"})
    looked: list[str] = []
    lstat = os.lstat

    def watched(path: str) -> os.stat_result:
        looked.append(path)
        return lstat(path)

    monkeypatch.setattr(os, "lstat", watched)
    kinds = [tree.kind(path) for path in ("a/b/c.md", "a/b/d.md", "a/b", "a/b/c.md", "a/b/d.md")]
    assert kinds == [Kind.FILE, None, Kind.DIRECTORY, Kind.FILE, None]
    assert looked == [f"{tmp_path}/{path}" for path in ("a", "a/b", "a/b/c.md", "a/b/d.md")]


def test_a_graph_that_is_missing_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for graph, kind, reason in (
        ("none", None, "no such file or directory"),
        ("file", Kind.FILE, "not a directory"),
    ):
        tree = WorkTree(str(tmp_path), graph, uses_cache=False)
        assert (tree.kind(graph), tree.kind(f"{graph}/a")) == (kind, None)
        assert refused(tree.entries, graph) == reason
        assert refused(tree.read, f"{graph}/a") == reason


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("none", "no such file or directory"),
        ("none/b", "no such file or directory"),
        ("a.md", "not a directory"),
    ],
)
def test_what_is_not_a_directory_says_why(tmp_path: Path, top: str, path: str, reason: str) -> None:
    tree = tree_of(tmp_path, {f"{top}a.md": "a"})
    assert refused(tree.entries, f"{top}{path}") == reason


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "x/" * 3000 + "x", "\ud800"])
def test_at_a_name_that_cannot_exist_nothing_is(tmp_path: Path, top: str, name: str) -> None:
    tree = tree_of(tmp_path, {"a.md": "a"})
    assert (tree.kind(f"{top}{name}"), tree.kind(f"{top}{name}/a.md")) == (None, None)


def test_a_directory_is_listed_as_far_as_its_path_can_be_named(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, {})
    name = "d" * 200
    handle = os.open(tmp_path / "graph", os.O_RDONLY)
    for _ in range(22):
        os.mkdir(name, dir_fd=handle)
        below = os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(handle)
    path = "graph"
    while (entries := entries_or_none(tree, path)) is not None:
        assert name in entries
        path += f"/{name}"
    assert 4096 <= len(f"{tmp_path}/{path}") < 4300
    assert tree.kind("graph/yg-config.yaml") is Kind.FILE


def entries_or_none(tree: WorkTree, path: str) -> Any:
    try:
        return tree.entries(path)
    except UnreadableError:
        return None


# Links, FIFOs and names of any kind.


def test_links_are_shown_as_links_whatever_they_lead_to(tmp_path: Path, top: str) -> None:
    tree = tree_of(tmp_path / "in", {f"{top}sub/a.md": "a"})
    write(tmp_path / "out", {"secret.md": "secret"})
    sub = tmp_path / "in" / top / "sub"
    (sub / "to-file").symlink_to(tmp_path / "out/secret.md")
    (sub / "to-directory").symlink_to(tmp_path / "out")
    (sub / "to-self").symlink_to("to-self")
    (sub / "to-nothing").symlink_to("nowhere")
    (sub / "to-inside").symlink_to("a.md")
    links = ["to-directory", "to-file", "to-inside", "to-nothing", "to-self"]
    assert list(tree.entries(f"{top}sub").items()) == [
        ("a.md", Kind.FILE),
        *((link, Kind.LINK) for link in links),
    ]
    assert [tree.kind(f"{top}sub/{link}") for link in links] == [Kind.LINK] * 5
    for link in links:
        assert refused(tree.read, f"{top}sub/{link}") == "it is a link"
        assert refused(tree.entries, f"{top}sub/{link}") == "not a directory"


def test_nothing_is_behind_a_link(tmp_path: Path, top: str) -> None:
    tree = tree_of(tmp_path, {f"{top}d/a.md": "a", f"{top}d/e/b.md": "b"})
    (tmp_path / top / "link").symlink_to("d")
    (tmp_path / top / "file-link").symlink_to("d/a.md")
    paths = ["link/a.md", "link/e", "link/e/b.md", "link/none", "file-link/a.md", "d/a.md/x"]
    assert [tree.kind(f"{top}{path}") for path in paths] == [None] * 6
    assert refused(tree.read, f"{top}link/a.md") == "no such file or directory"
    assert refused(tree.entries, f"{top}link/e") == "no such file or directory"


def test_the_folder_of_the_graph_and_no_other_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path / "out", {"model/yg-node.yaml": "name: N\n", ".state/x": "x"})
    (tmp_path / "in/sub").mkdir(parents=True)
    (tmp_path / "in/.yggdrasil").symlink_to("../out")
    (tmp_path / "in/sub/.yggdrasil").symlink_to("../../out")
    (tmp_path / "out/link").symlink_to("model")
    tree = WorkTree(str(tmp_path / "in"), ".yggdrasil", uses_cache=False)
    assert tree.kind(".yggdrasil") is Kind.DIRECTORY
    assert tree.entries(".yggdrasil") == {"link": Kind.LINK, "model": Kind.DIRECTORY}
    assert tree.kind(".yggdrasil/model/yg-node.yaml") is Kind.FILE
    assert tree.read(".yggdrasil/model/yg-node.yaml") == b"name: N\n"
    assert tree.read(".yggdrasil/.state/x") == b"x"
    assert tree.kind(".yggdrasil/link") is Kind.LINK
    assert tree.kind(".yggdrasil/link/yg-node.yaml") is None
    assert tree.kind("sub/.yggdrasil") is Kind.LINK
    assert tree.kind("sub/.yggdrasil/model") is None


def test_the_link_of_a_graph_may_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / ".yggdrasil").symlink_to("nowhere")
    tree = WorkTree(str(tmp_path), ".yggdrasil", uses_cache=False)
    assert (tree.kind(".yggdrasil"), tree.kind(".yggdrasil/model")) == (None, None)


def test_fifos_and_sockets_are_never_opened(
    tmp_path: Path, top: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tree_of(tmp_path, {f"{top}sub/a.md": ""})
    os.mkfifo(tmp_path / top / "sub/fifo")
    monkeypatch.chdir(tmp_path / top / "sub")  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
    expected = {"a.md": Kind.FILE, "fifo": Kind.OTHER, "socket": Kind.OTHER}
    assert tree.entries(f"{top}sub") == expected
    monkeypatch.setattr(os, "open", None)
    for name in ("fifo", "socket"):
        assert tree.kind(f"{top}sub/{name}") is Kind.OTHER
        assert refused(tree.read, f"{top}sub/{name}") == "not a regular file"
        assert refused(tree.entries, f"{top}sub/{name}") == "not a directory"


def test_a_fifo_that_takes_the_place_of_a_file_is_not_waited_for(tmp_path: Path, top: str) -> None:
    tree = tree_of(tmp_path, {f"{top}a.md": "a"})
    assert tree.kind(f"{top}a.md") is Kind.FILE
    (tmp_path / top / "a.md").unlink()
    os.mkfifo(tmp_path / top / "a.md")
    assert refused(tree.read, f"{top}a.md") == "not a regular file"


@needs_any_name
def test_names_that_are_not_utf8_are_shown_and_their_files_can_be_read(
    tmp_path: Path, top: str
) -> None:
    tree = tree_of(tmp_path, {f"{top}sub/é.md": "", f"{top}sub/z.md": ""})
    Path(os.fsdecode(os.fsencode(tmp_path / top) + b"/sub/caf\xe9.md")).write_text("latin")
    assert list(tree.entries(f"{top}sub").items()) == [
        ("caf\udce9.md", Kind.FILE),
        ("z.md", Kind.FILE),
        ("é.md", Kind.FILE),
    ]
    assert tree.kind(f"{top}sub/caf\udce9.md") is Kind.FILE
    assert tree.read(f"{top}sub/caf\udce9.md") == b"latin"


@pytest.mark.parametrize("path", ["../secret", "graph/../../secret", "sub/../../secret", "/secret"])
def test_no_path_leads_out_of_the_tree(tmp_path: Path, path: str) -> None:
    tree = tree_of(tmp_path / "in", {"sub/a.md": ""})
    write(tmp_path, {"secret": "secret"})
    assert tree.kind(path) is None
    with pytest.raises(UnreadableError):
        tree.read(path)
    with pytest.raises(UnreadableError):
        tree.entries(path)


# Contents.


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("none.md", "no such file or directory"),
        ("none/a.md", "no such file or directory"),
        ("a.md/b.md", "not a directory"),
        ("d", "not a regular file"),
        ("a\0b", "not a valid file name on this system"),
    ],
)
def test_what_is_not_a_file_says_why(tmp_path: Path, top: str, path: str, reason: str) -> None:
    tree = tree_of(tmp_path, {f"{top}a.md": "a", f"{top}d/b.md": "b"})
    assert refused(tree.read, f"{top}{path}") == reason
    recipe: Recipe[bytes] = Recipe("bytes", bytes, lambda _, data: data)
    assert refused(lambda path: tree.made(path, recipe), f"{top}{path}") == reason


def test_the_root_is_not_a_file(tmp_path: Path) -> None:
    assert refused(tree_of(tmp_path, {}).read, ".") == "not a regular file"


def test_without_a_cache_everything_is_made_and_computed(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, {"graph/a.md": "abc"})
    length: Recipe[int] = Recipe("length", int, lambda _, data: len(data))
    assert tree.made("graph/a.md", length) == 3
    assert [tree.recall("r", Inputs.ALL, int, lambda: n) for n in (1, 2)] == [1, 2]  # noqa: B023
    tree.close()


def test_every_handle_is_closed_again(tmp_path: Path, top: str) -> None:
    tree = tree_of(tmp_path, {f"{top}a.md": "a", f"{top}d/b.md": "b"})
    before = os.listdir("/dev/fd")
    assert tree.read(f"{top}a.md") == b"a"
    (tmp_path / top / "d/b.md").unlink()
    os.mkfifo(tmp_path / top / "d/b.md")
    refused(tree.read, f"{top}d/b.md")
    assert os.listdir("/dev/fd") == before


@pytest.mark.parametrize("size", [0, 3, 9, 10, 11, 4096])
def test_a_file_is_read_whole_whatever_its_size_was_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    tree = tree_of(tmp_path, {"a.md": "0123456789"})
    assert tree.kind("a.md") is Kind.FILE
    fstat = os.fstat

    class Wrong:
        st_mtime_ns = st_ctime_ns = st_ino = 0
        st_size = size

        def __init__(self, handle: int) -> None:
            self.st_mode = fstat(handle).st_mode

    monkeypatch.setattr(os, "fstat", Wrong)
    assert tree.read("a.md") == b"0123456789"


@pytest.mark.parametrize("most", [1, 3, 5, 10])
def test_a_file_is_read_whole_when_the_machine_hands_it_out_in_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    tree = tree_of(tmp_path, {"a.md": "0123456789"})
    read = os.read
    monkeypatch.setattr(os, "read", lambda handle, length: read(handle, min(length, most)))
    assert tree.read("a.md") == b"0123456789"


def test_a_file_larger_than_a_text_may_be_is_not_read(
    tmp_path: Path, top: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tree_of(tmp_path, {f"{top}a.md": "", f"{top}b.md": ""})
    os.truncate(tmp_path / top / "a.md", 1_000_000_000)
    os.truncate(tmp_path / top / "b.md", MAX_TEXT)
    assert len(tree.read(f"{top}b.md")) == MAX_TEXT
    monkeypatch.setattr(os, "read", None)
    assert refused(tree.read, f"{top}a.md") == "larger than 16 MB (1000000000 bytes)"


def test_a_file_that_becomes_too_large_while_it_is_read_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tree_of(tmp_path, {"a.md": "text"})
    lengths: list[int] = []

    def endless(_: int, length: int) -> bytes:
        lengths.append(length)
        return bytes(length)

    monkeypatch.setattr(os, "read", endless)
    assert refused(tree.read, "a.md") == f"larger than 16 MB ({sum(lengths)} bytes)"
    assert sum(lengths) <= MAX_TEXT + PIECE


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
    tmp_path: Path, top: str, monkeypatch: pytest.MonkeyPatch, error: OSError, reason: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    for function, method, path in (
        ("scandir", "entries", "d"),
        ("open", "read", "d/a.md"),
        ("fstat", "read", "d/a.md"),
        ("read", "read", "d/a.md"),
    ):
        tree = tree_of(tmp_path, {f"{top}d/a.md": "a"})
        assert tree.kind(f"{top}d/a.md" if method == "read" else "other") is not Kind.LINK
        with monkeypatch.context() as patch:
            patch.setattr(os, function, fail)
            asked = f"{top}{path}" if method == "read" or not top else "graph"
            assert refused(getattr(tree, method), asked) == reason
