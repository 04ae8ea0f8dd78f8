"""Source files as rules look at them: on a disk, and the same in a snapshot."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yg.disk.reading import sources as module
from yg.disk.reading.sources import WorkTreeSources
from yg.disk.reading.worktree import WorkTree
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources

needs_closed_doors = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to root"
)


def write(root: Path, **texts: str | bytes) -> Path:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def sources_of(root: Path) -> WorkTreeSources:
    return WorkTreeSources(WorkTree(str(root), ".yggdrasil"))


def init(root: Path) -> None:
    subprocess.run(["git", "init", "--quiet", root], check=True)


# Which files there are.


def test_a_path_is_a_file_a_directory_a_link_something_else_or_nothing(tmp_path: Path) -> None:
    write(tmp_path, **{"src/a.py": ""})
    (tmp_path / "link").symlink_to("src", target_is_directory=True)
    (tmp_path / "gone").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    sources = sources_of(tmp_path)
    kinds = {
        ".": Kind.DIRECTORY,
        "src": Kind.DIRECTORY,
        "src/a.py": Kind.FILE,
        "link": Kind.LINK,
        "gone": Kind.LINK,
        "pipe": Kind.OTHER,
        "link/a.py": None,
        "src/a.py/b": None,
        "nowhere": None,
        "a\x00b": None,
        "x" * 300: None,
    }
    assert {path: sources.kind(path) for path in kinds} == kinds


def test_a_file_is_its_own_list_even_if_it_is_ignored(tmp_path: Path) -> None:
    init(tmp_path)
    write(tmp_path, **{".gitignore": "*.gen\n", "a.gen": "", "src/b.gen": "", "src/c.py": ""})
    sources = sources_of(tmp_path)
    assert sources.files("a.gen") == ("a.gen",)
    assert sources.files("src/b.gen") == ("src/b.gen",)
    assert sources.files("src") == ("src/c.py",)


def test_a_directory_lists_regular_files_that_are_there(tmp_path: Path) -> None:
    init(tmp_path)
    write(tmp_path, **{"src/a.py": "", "src/gone.py": "", "src/deep/b.py": "", "srcs/c.py": ""})
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)
    (tmp_path / "src" / "gone.py").unlink()
    (tmp_path / "src" / "link.py").symlink_to("a.py")
    os.mkfifo(tmp_path / "src" / "pipe")
    sources = sources_of(tmp_path)
    assert sources.files("src") == ("src/a.py", "src/deep/b.py")
    assert sources.files(".") == ("src/a.py", "src/deep/b.py", "srcs/c.py")


def test_what_is_not_a_file_and_no_directory_lists_nothing(tmp_path: Path) -> None:
    write(tmp_path, **{"src/a.py": ""})
    (tmp_path / "link").symlink_to("src", target_is_directory=True)
    sources = sources_of(tmp_path)
    assert [sources.files(path) for path in ("link", "link/a.py", "nowhere", "src/a.py/b")] == [
        ()
    ] * 4


def test_a_tracked_file_that_became_a_link_or_a_directory_is_left_out(tmp_path: Path) -> None:
    init(tmp_path)
    write(tmp_path, **{"src/a.py": "", "src/b.py": "", "lib/c.py": ""})
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)
    (tmp_path / "src" / "a.py").unlink()
    (tmp_path / "src" / "a.py").symlink_to("b.py")
    (tmp_path / "lib" / "c.py").unlink()
    (tmp_path / "lib").rmdir()
    (tmp_path / "lib").symlink_to("src", target_is_directory=True)
    sources = sources_of(tmp_path)
    assert sources.files(".") == ("src/b.py",)


def test_names_that_are_not_utf_8_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path, **{"src/a.py": ""})
    with open(os.path.join(os.fsencode(tmp_path), b"src", b"b\xff.py"), "wb"):
        pass
    sources = sources_of(tmp_path)
    assert sources.files("src") == ("src/a.py",)
    assert sources.misnamed() == ("src/b\udcff.py",)


# Ignored directories.


@pytest.mark.parametrize("has_repository", [True, False])
def test_a_directory_is_ignored_when_it_has_files_and_none_is_seen(
    tmp_path: Path, *, has_repository: bool
) -> None:
    if has_repository:
        init(tmp_path)
    write(tmp_path, **{".gitignore": "build/\n*.log\n", "build/a.js": "", "src/a.py": ""})
    write(tmp_path, **{"logs/a.log": "", "mixed/a.log": "", "mixed/b.py": ""})
    (tmp_path / "empty" / "below").mkdir(parents=True)
    sources = sources_of(tmp_path)
    found = {name: sources.is_ignored(name) for name in ("build", "logs", "src", "mixed", "empty")}
    assert found == {"build": True, "logs": True, "src": False, "mixed": False, "empty": False}


def test_a_tracked_file_keeps_an_ignored_directory_in_sight(tmp_path: Path) -> None:
    init(tmp_path)
    write(tmp_path, **{".gitignore": "build/\n", "build/a.js": "", "build/b.js": ""})
    subprocess.run(["git", "-C", tmp_path, "add", "--force", "build/a.js"], check=True)
    sources = sources_of(tmp_path)
    assert (sources.is_ignored("build"), sources.files("build")) == (False, ("build/a.js",))


def test_a_repository_inside_is_not_called_ignored(tmp_path: Path) -> None:
    init(tmp_path)
    init(write(tmp_path / "vendor", **{"a.py": ""}))
    assert not sources_of(tmp_path).is_ignored("vendor")


# Words in files.


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 100])
def test_words_are_found_across_the_boundaries_of_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(module, "PIECE", piece)
    write(tmp_path, **{"a.py": "def record_audit(): pass  # ä"})
    words = frozenset({"d", "record_audit", "audit():", "# ä", "recordaudit", "passs", "ä "})
    missing = sources_of(tmp_path).lacking("a.py", words)
    assert missing == {"recordaudit", "passs", "ä "}


WORDS = st.text("ab", min_size=1, max_size=4)


@given(
    data=st.text("ab", max_size=12),
    words=st.frozensets(WORDS, max_size=4),
    piece=st.integers(1, 6),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_word_is_missing_exactly_when_it_is_not_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, words: frozenset[str], piece: int
) -> None:
    monkeypatch.setattr(module, "PIECE", piece)
    write(tmp_path, **{"a.py": data})
    expected = frozenset(word for word in words if word not in data)
    assert sources_of(tmp_path).lacking("a.py", words) == expected
    snapshot = SnapshotSources(DictSnapshot({"a.py": data}))
    assert snapshot.lacking("a.py", words) == expected


def test_a_file_is_not_read_further_than_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0

    def pieces(path: str, length: int) -> object:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield b"here"

    tree = WorkTree(str(tmp_path), ".yggdrasil")
    monkeypatch.setattr(tree, "pieces", pieces)
    assert WorkTreeSources(tree).lacking("a", frozenset({"here", "er"})) == frozenset()
    assert read == 1


def test_binary_files_are_searched_too(tmp_path: Path) -> None:
    write(tmp_path, **{"a.bin": b"\x00\xff\xfemark\x00"})
    assert sources_of(tmp_path).lacking("a.bin", frozenset({"mark", "no"})) == {"no"}


def test_no_words_are_never_missing(tmp_path: Path) -> None:
    write(tmp_path, **{"a.py": ""})
    assert sources_of(tmp_path).lacking("a.py", frozenset()) == frozenset()


def test_what_is_not_a_regular_file_is_unreadable_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    (tmp_path / "link").symlink_to("/etc/hostname")
    sources = sources_of(tmp_path)
    for name in ("pipe", "directory", "link", "nowhere"):
        with pytest.raises(UnreadableError):
            sources.lacking(name, frozenset({"a"}))


@needs_closed_doors
def test_a_file_that_may_not_be_read_is_unreadable(tmp_path: Path) -> None:
    write(tmp_path, **{"a.py": "mark"})
    (tmp_path / "a.py").chmod(0)
    with pytest.raises(UnreadableError, match="permission denied"):
        sources_of(tmp_path).lacking("a.py", frozenset({"mark"}))


# The same in memory.


def test_a_snapshot_answers_as_a_disk_does(tmp_path: Path) -> None:
    files = {"src/a.py": "one", "src/deep/b.py": "two", "srcs/c.py": "three", "d.py": "four"}
    disk = sources_of(write(tmp_path, **files))
    memory = SnapshotSources(DictSnapshot(files))
    for path in (".", "src", "src/deep", "src/a.py", "sr", "nowhere", "d.py/x"):
        assert memory.kind(path) == disk.kind(path)
        assert memory.files(path) == disk.files(path)
    assert memory.is_ignored("src") is disk.is_ignored("src") is False
    assert memory.lacking("d.py", frozenset({"four", "five"})) == {"five"}
    assert disk.lacking("d.py", frozenset({"four", "five"})) == {"five"}
