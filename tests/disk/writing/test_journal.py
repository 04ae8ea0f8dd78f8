"""A write to several files: all of it or nothing, whenever the process is killed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from support import files_below, private_folder, write
from yg.disk.files.apply import ApplyError
from yg.disk.index.private import cache_folder
from yg.disk.writing import journal
from yg.disk.writing.generation import JOURNAL
from yg.disk.writing.journal import commit, recover
from yg.disk.writing.lock import writing
from yg.kernel.edit import Delete, Write

FOLDER = "specgraph"
BEFORE = {"a": "old a", "b": "old b", "sub/c": "old c"}
AFTER = {"a": "new a", "b": "old b", "new/d": "new d"}
EDITS = (
    Write(f"{FOLDER}/new/d", b"new d"),
    Write(f"{FOLDER}/a", b"new a"),
    Delete(f"{FOLDER}/sub/c"),
)
READ = {f"{FOLDER}/new/d": None, f"{FOLDER}/a": b"old a", f"{FOLDER}/sub/c": b"old c"}
CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir")
KILLED = 9


def journal_of(root: Path) -> Path:
    return private_folder(root, FOLDER) / JOURNAL


def made(root: Path) -> Path:
    return write(root, {f"{FOLDER}/{path}": text for path, text in BEFORE.items()})


def committed(root: Path) -> None:
    with writing(str(root), FOLDER):
        commit(str(root), FOLDER, EDITS, READ)


def content(root: Path) -> dict[str, str]:
    return files_below(root / FOLDER)


def killed(root: Path, number: int) -> bool:
    """Write in a process that is killed before it changes the file system for the nth time."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == KILLED
    left = number

    def count(event: str, _arguments: object) -> None:
        nonlocal left
        if event in CHANGES:
            left -= 1
            if left == 0:
                os._exit(KILLED)

    try:
        sys.addaudithook(count)
        committed(root)
    finally:
        os._exit(0)


def test_all_edits_are_written_and_no_journal_is_left(tmp_path: Path) -> None:
    committed(made(tmp_path))
    assert content(tmp_path) == AFTER
    assert not os.path.lexists(journal_of(tmp_path))
    assert recover(str(tmp_path), FOLDER) == ()


@pytest.mark.slow
def test_a_process_may_be_killed_at_any_point(tmp_path: Path) -> None:
    states = []
    number = 1
    while killed(made(tmp_path / str(number)), number):
        root = tmp_path / str(number)
        recover(str(root), FOLDER)
        states.append(content(root) == AFTER)
        assert content(root) in (BEFORE, AFTER)
        committed_again = {"a": "next", "b": "next"}
        with writing(str(root), FOLDER):
            edits = [
                Write(f"{FOLDER}/{name}", text.encode()) for name, text in committed_again.items()
            ]
            commit(str(root), FOLDER, edits, {})
        leftovers = [path for path in root.rglob(".yg-tmp-*") if path.is_file()]
        assert leftovers == []
        number += 1
    assert states == sorted(states)  # nothing, then everything
    assert {*states} == {False, True}


def pending(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a journal of which only the first file has been written."""
    made(root)
    with monkeypatch.context() as patch:
        patch.setattr(journal, "_remove", lambda _root, _folder: None)
        committed(root)
    made(root)


def test_a_file_that_was_edited_since_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pending(tmp_path, monkeypatch)
    write(tmp_path, {f"{FOLDER}/a": "mine"})
    (note,) = recover(str(tmp_path), FOLDER)
    assert note.endswith(f"is not completed, because '{FOLDER}/a' was edited since")
    assert content(tmp_path) == {**BEFORE, "new/d": "new d", "a": "mine"}
    assert recover(str(tmp_path), FOLDER) == ()


def test_a_journal_of_another_repository_in_the_same_place_is_not_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in ({}, BEFORE, {"a": "another", "b": "another"}, {"a/c": "", "new": ""}):
        pending(tmp_path, monkeypatch)
        shutil.rmtree(tmp_path / FOLDER)
        write(tmp_path, {f"{FOLDER}/{path}": text for path, text in other.items()})
        assert recover(str(tmp_path), FOLDER) == ()
        assert content(tmp_path) == other
        assert not journal_of(tmp_path).exists()
        shutil.rmtree(tmp_path / FOLDER, ignore_errors=True)


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o606, 0o4600 | 0o004])
def test_a_journal_that_others_could_read_or_write_is_not_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    pending(tmp_path, monkeypatch)
    before = content(tmp_path)
    journal_of(tmp_path).chmod(mode)
    assert recover(str(tmp_path), FOLDER) == ()
    assert content(tmp_path) == before


@pytest.mark.parametrize("damage", [b"", b"x", b"0" * 40, "directory", "link", "fifo"])
def test_anything_else_in_its_place_is_ignored(tmp_path: Path, damage: bytes | str) -> None:
    made(tmp_path)
    place = Path(cache_folder(str(tmp_path), FOLDER), JOURNAL)
    match damage:
        case "directory":
            place.mkdir()
        case "link":
            place.symlink_to(tmp_path / FOLDER / "a")
        case "fifo":
            os.mkfifo(place)
        case bytes():
            place.write_bytes(damage)
            place.chmod(0o600)
    assert recover(str(tmp_path), FOLDER) == ()
    assert content(tmp_path) == BEFORE


@pytest.mark.parametrize(
    ("path", "found"), [("a", "edited"), ("sub/c", None), ("new/d", "somebody's")]
)
def test_a_file_that_changed_since_it_was_read_is_not_replaced(
    tmp_path: Path, path: str, found: str | None
) -> None:
    made(tmp_path)
    file = tmp_path / FOLDER / path
    if found is None:
        file.unlink()
    else:
        write(tmp_path, {f"{FOLDER}/{path}": found})
    before = content(tmp_path)
    with pytest.raises(ApplyError, match="changed while the command was running"):
        committed(tmp_path)
    assert content(tmp_path) == before


def test_a_write_that_fails_is_undone(tmp_path: Path) -> None:
    made(tmp_path)
    edits = (*EDITS, Delete(f"{FOLDER}/missing"))
    with writing(str(tmp_path), FOLDER), pytest.raises(ApplyError):
        commit(str(tmp_path), FOLDER, edits, READ)
    assert content(tmp_path) == BEFORE
    assert not os.path.lexists(journal_of(tmp_path))
