"""Edits are carried out all or none, inside one graph, through no link, one writer at a time."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hostile import files_below, write
from yg.disk import write as write_module
from yg.disk.opening import Found, GraphKind, graph_at
from yg.disk.private import state_folder
from yg.disk.write import MANY, PREFIX, WriteError, settle, writing
from yg.kernel.edit import Edit, Remove, Rename, Write
from yg.kernel.errors import YgError

KIND = GraphKind("yggdrasil", ".yggdrasil")
G = ".yggdrasil"
BEFORE = {"a": "old a", "b": "old b", "sub/c": "old c", "old/d": "d"}
EDITS: tuple[Edit, ...] = (
    Write(f"{G}/new/e", b"new e"),
    Write(f"{G}/a", b"new a"),
    Remove(f"{G}/sub/c"),
    Write(f"{G}/old/d", b"new d"),
    Rename(f"{G}/old", f"{G}/moved/here"),
)
AFTER = {"a": "new a", "b": "old b", "moved/here/d": "new d", "new/e": "new e"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a graph beside a directory that nobody may touch."""
    write(tmp_path, {"outside/precious": "precious", "root/src/x": "x"})
    return made(tmp_path / "root")


def made(root: Path) -> Path:
    return write(root, {f"{G}/{path}": text for path, text in BEFORE.items()})


def graph(root: Path) -> Found:
    return graph_at(str(root), KIND)


def apply(root: Path, *edits: Edit, within: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Carry out edits, and return what the user is told about an earlier write."""
    with writing(graph(root)) as writer:
        writer.commit(edits, within)
        return writer.notes


def texts(root: Path) -> dict[str, str]:
    """Return the files of the graph."""
    found = files_below(root / G)
    return {path: text.decode() for path, text in found.items() if isinstance(text, bytes)}


def refused(root: Path, *edits: Edit) -> str:
    """Return why edits are refused, which leaves everything as it is."""
    before = files_below(root.parent)
    with pytest.raises(WriteError) as caught:
        apply(root, *edits)
    assert files_below(root.parent) == before
    assert caught.value.code == "cannot-write"
    assert caught.value.hint != ""
    return caught.value.message


def failing(
    monkeypatch: pytest.MonkeyPatch, call: str, at: int, number: int = errno.ENOSPC
) -> None:
    """Let one call of the machine fail as if the disk were full."""
    real: Callable[..., object] = getattr(os, call)
    calls = iter(range(1, 1000))

    def fail(*arguments: object, **named: object) -> object:
        if next(calls) == at:
            raise OSError(number, os.strerror(number))
        return real(*arguments, **named)

    monkeypatch.setattr(os, call, fail)


# What edits do.


def test_all_edits_are_carried_out_and_leave_nothing_else(root: Path) -> None:
    assert apply(root, *EDITS) == ()
    assert texts(root) == AFTER
    assert not (root / G / "sub").exists()
    private = state_folder(str(root), G)
    assert sorted(os.listdir(private)) == ["lock", "root"]


def test_a_reader_that_has_a_file_open_sees_all_of_the_old_one(root: Path) -> None:
    with (root / G / "a").open("rb") as reader:
        apply(root, Write(f"{G}/a", b"new"))
        assert reader.read() == b"old a"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755, 0o444])
def test_a_file_keeps_its_mode(root: Path, mode: int) -> None:
    (root / G / "a").chmod(mode)
    apply(root, Write(f"{G}/a", b"new"))
    assert stat.S_IMODE((root / G / "a").stat().st_mode) == mode


def test_a_new_file_has_the_mode_of_any_new_file(root: Path) -> None:
    (root / "any").touch()
    apply(root, Write(f"{G}/new", b""))
    assert (root / G / "new").stat().st_mode == (root / "any").stat().st_mode


def test_many_files_are_written_like_few(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sync", lambda: None)
    apply(root, *(Write(f"{G}/n/{at}", b"x") for at in range(2 * MANY)))
    assert len(os.listdir(root / G / "n")) == 2 * MANY


def test_no_edits_change_nothing(root: Path) -> None:
    before = files_below(root)
    apply(root)
    assert files_below(root) == before


def test_files_that_a_command_names_may_be_written_too(root: Path) -> None:
    edits = (Write("AGENTS.md", b"x"), Write(".agent/rules/y.md", b"y"))
    apply(root, *edits, within=("AGENTS.md", ".agent/rules"))
    assert (root / "AGENTS.md").read_bytes() == b"x"
    assert refused(root, Write("AGENTS.md", b"z")) == "'AGENTS.md' is outside .yggdrasil/"


def test_the_graph_folder_itself_may_be_a_link(root: Path) -> None:
    (root / G).rename(root / "src" / "graph")
    (root / G).symlink_to("src/graph")
    apply(root, *EDITS)
    assert texts(root) == AFTER
    assert (root / G).is_symlink()


def test_a_graph_behind_a_link_is_written_where_the_link_led_at_first(root: Path) -> None:
    (root / G).rename(root / "graph")
    (root / G).symlink_to("graph")
    with writing(graph(root)) as writer:
        (root / G).unlink()
        (root / G).symlink_to(root.parent / "outside")
        writer.commit([Write(f"{G}/a", b"new")])
    assert (root / "graph/a").read_bytes() == b"new"
    assert os.listdir(root.parent / "outside") == ["precious"]
    with pytest.raises(YgError, match="outside this work tree"):
        graph(root)


# What they never do.


OUTSIDE = [
    *("", ".", "..", "../outside/x", "/x", "//x", "src/a.py", ".yggdrasil-x/a", "./.yggdrasil/x"),
    *(f"{G}/../x", f"{G}/a/../../x", f"{G}/./x", f"{G}//x", f"{G}/x/"),
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_is_ever_changed(root: Path, path: str) -> None:
    message = f"'{path}' is outside .yggdrasil/"
    assert refused(root, Write(path, b"x")) == message
    assert refused(root, Remove(path)) == message
    assert refused(root, Rename(path, f"{G}/y")) == message
    assert refused(root, Rename(f"{G}/a", path)) == message


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text("./ab\\~ :\0é\ud800", max_size=10), st.sampled_from(["", f"{G}/"]))
def test_whatever_a_path_looks_like_it_stays_inside(text: str, start: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        top = Path(os.path.realpath(place))
        (top / "root" / G).mkdir(parents=True)
        try:
            apply(top / "root", Write(f"{start}{text}", b"x"))
        except WriteError:
            assert b"x" not in files_below(top).values()
            return
        written = [path for path, content in files_below(top).items() if content == b"x"]
        assert written == [f"root/{start}{text}"]


def test_a_linked_directory_is_not_followed(root: Path) -> None:
    (root / G / "link").symlink_to(root.parent / "outside")
    message = f"'{G}/link' is a link or a file, but must be a directory"
    assert refused(root, Write(f"{G}/link/precious", b"x")) == message
    assert refused(root, Write(f"{G}/link/new/x", b"x")) == message
    assert refused(root, Rename(f"{G}/a", f"{G}/link/x")) == message
    refused(root, Remove(f"{G}/link/precious"))
    refused(root, Rename(f"{G}/link/precious", f"{G}/x"))
    (root / G / "link").unlink()
    (root / G / "link").symlink_to("nowhere")
    refused(root, Write(f"{G}/link/x", b"x"))


def test_a_linked_file_is_never_written_through(root: Path) -> None:
    (root / G / "link").symlink_to(root.parent / "outside" / "precious")
    assert refused(root, Write(f"{G}/link", b"x")) == f"'{G}/link' is a link"
    apply(root, Remove(f"{G}/link"))
    assert (root.parent / "outside" / "precious").read_text() == "precious"


def test_files_and_directories_do_not_replace_each_other(root: Path) -> None:
    os.mkfifo(root / G / "fifo")
    message = f"'{G}/a' is a link or a file, but must be a directory"
    assert refused(root, Write(f"{G}/a/x", b"x")) == message
    assert refused(root, Write(f"{G}/sub", b"x")) == f"'{G}/sub' is not a regular file"
    assert refused(root, Write(f"{G}/fifo", b"x")) == f"'{G}/fifo' is not a regular file"
    assert refused(root, Remove(f"{G}/gone")) == f"cannot write '{G}/gone': it does not exist"
    (root / G / "link").symlink_to("nowhere")
    for name in ("b", "sub", "link"):
        message = f"cannot rename '{G}/a': '{G}/{name}' exists"
        assert refused(root, Rename(f"{G}/a", f"{G}/{name}")) == message


def test_one_edit_that_is_refused_refuses_all(root: Path) -> None:
    refused(root, *EDITS, Write("../outside/precious", b"x"))
    refused(root, *EDITS, Remove(f"{G}/gone"))


# When a directory is swapped for a link meanwhile.


CALLS = ("open", "mkdir", "replace", "rename", "unlink", "rmdir", "stat")


@contextmanager
def at_call(
    monkeypatch: pytest.MonkeyPatch, call: str, at: int, act: Callable[[], None]
) -> Iterator[None]:
    """Do something just before a call of the machine."""
    real: Callable[..., object] = getattr(os, call)
    calls = iter(range(1, 1000))

    def acting(*arguments: object, **named: object) -> object:
        if next(calls) == at:
            act()
        return real(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, acting)
        yield


def swap(root: Path, path: str) -> Callable[[], None]:
    """Return a function that puts a link to the outside in the place of a directory, once."""
    rename, symlink = os.rename, os.symlink

    def act() -> None:
        place = root / G / path
        if not place.is_symlink() and place.is_dir():
            rename(place, root / "swapped")
            symlink(root.parent / "outside", place)

    return act


@pytest.mark.parametrize("call", CALLS)
def test_a_swap_at_any_step_leads_no_edit_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    for at in range(1, 30):
        for path in ("sub", "old"):
            top = tmp_path / f"{at}-{path}"
            precious = {"precious": "precious", "c": "precious", "d": "precious"}
            write(top / "outside", precious)
            place = graph(made(top / "root"))
            act = swap(top / "root", path)
            with (
                at_call(monkeypatch, call, at, act),
                suppress(WriteError),
                writing(place) as writer,
            ):
                writer.commit(EDITS)
            settle(place)
            assert files_below(top / "outside") == {
                name: text.encode() for name, text in precious.items()
            }


def test_a_thread_that_swaps_all_the_time_leads_nothing_outside(root: Path) -> None:
    is_over = threading.Event()

    def swap_and_back() -> None:
        place, away = root / G / "sub", root / "away"
        while not is_over.is_set():
            with suppress(OSError):
                place.rename(away)
                place.symlink_to(root.parent / "outside")
            with suppress(OSError):
                place.unlink()
                away.rename(place)

    thread = threading.Thread(target=swap_and_back)
    thread.start()
    try:
        for number in range(200):
            with suppress(WriteError):
                apply(root, Write(f"{G}/sub/{number}", b"new"), Write(f"{G}/sub/c", b"new"))
    finally:
        is_over.set()
        thread.join()
    assert os.listdir(root.parent / "outside") == ["precious"]


def test_all_descriptors_are_closed(root: Path) -> None:
    opened = set(os.listdir("/dev/fd"))
    apply(root, *EDITS)
    with pytest.raises(WriteError):
        apply(root, Write(f"{G}/a/x", b"new"))
    assert set(os.listdir("/dev/fd")) == opened


# When the machine fails.


@pytest.mark.parametrize("call", ["open", "mkdir", "fsync"])
@pytest.mark.parametrize("at", range(1, 30, 2))
def test_a_full_disk_leaves_everything_as_it_was(
    root: Path, monkeypatch: pytest.MonkeyPatch, call: str, at: int
) -> None:
    place = graph(root)
    with writing(place) as writer:
        before = files_below(root)
        failing(monkeypatch, call, at)
        with suppress(WriteError):
            writer.commit(EDITS)
        monkeypatch.undo()
    if files_below(root) != before:
        settle(place)
        assert texts(root) == AFTER
    assert not list(root.rglob(f"{PREFIX}*"))


@pytest.mark.parametrize("at", range(1, 4))
def test_what_cannot_be_put_in_place_is_completed_by_the_next_run(
    root: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    with writing(graph(root)) as writer:
        real = os.replace
        calls = iter(range(100))

        def fail(*names: str, **folders: Any) -> None:
            if folders and next(calls) == at - 1:
                raise OSError(errno.EIO, "Input/output error")
            real(*names, **folders)

        monkeypatch.setattr(os, "replace", fail)
        with pytest.raises(WriteError) as caught:
            writer.commit(EDITS)
        monkeypatch.undo()
    assert caught.value.hint.startswith("The next run completes the rest.")
    assert settle(graph(root)) == ("completed a write to .yggdrasil/ that was interrupted",)
    assert texts(root) == AFTER
    assert settle(graph(root)) == ()


KILLED = 9
CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "open")


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
        place = graph(root)
        with writing(place) as writer:
            sys.addaudithook(count)
            writer.commit(EDITS)
    finally:
        os._exit(0)


def test_a_process_may_be_killed_at_any_point(tmp_path: Path) -> None:
    states = []
    number = 1
    while killed(made(tmp_path / str(number)), number):
        root = tmp_path / str(number)
        notes = settle(graph(root))
        states.append(texts(root) == AFTER)
        assert texts(root) in (BEFORE, AFTER)
        expected = ("completed a write to .yggdrasil/ that was interrupted",)
        assert notes in ((), expected)
        assert not list(root.rglob(f"{PREFIX}*"))
        assert settle(graph(root)) == ()
        number += 1
    assert states == sorted(states)  # nothing, then everything
    assert {*states} == {False, True}


def interrupted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a write of which everything is prepared and nothing is in place."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, writing(graph(root)) as writer:
        patch.setattr(writer, "_carry_out", end)
        with pytest.raises(KeyboardInterrupt):
            writer.commit(EDITS)


@pytest.mark.parametrize("path", ["a", "sub/c", "old/d", "new/e"])
def test_a_file_that_was_edited_since_is_not_overwritten(
    root: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    interrupted(root, monkeypatch)
    write(root, {f"{G}/{path}": "mine, and longer"})
    (note,) = settle(graph(root))
    assert note == (
        "a write to .yggdrasil/ was interrupted and is not completed, "
        f"because '{G}/{path}' was edited since"
    )
    assert texts(root) == {**BEFORE, path: "mine, and longer"}
    assert settle(graph(root)) == ()


def test_a_journal_of_another_repository_in_the_same_place_is_not_carried_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(root, monkeypatch)
    (root / G).rename(root.parent / "away")
    made(root)
    settle(graph(root))
    assert texts(root) == BEFORE


@pytest.mark.parametrize("damage", [b"", b"x", b"[]", b"{}", "directory", "link", "fifo", "open"])
def test_anything_else_in_place_of_a_journal_is_ignored(root: Path, damage: bytes | str) -> None:
    place = Path(state_folder(str(root), G), "journal")
    match damage:
        case "directory":
            place.mkdir()
        case "link":
            place.symlink_to(root / G / "a")
        case "fifo":
            os.mkfifo(place, 0o600)
        case "open":
            place.write_text("[[], true]")
            place.chmod(0o644)
        case bytes():
            place.write_bytes(damage)
            place.chmod(0o600)
    assert settle(graph(root)) == ()
    assert texts(root) == BEFORE


# One writer at a time.


HOLD = """\
import sys, time
from yg.disk.opening import GraphKind, graph_at
from yg.disk.write import writing
with writing(graph_at(sys.argv[1], GraphKind("yggdrasil", ".yggdrasil"))):
    print("held", flush=True)
    time.sleep(600)
"""


@contextmanager
def a_writer(root: Path) -> Iterator[None]:
    """Let another process write, until it is killed."""
    with subprocess.Popen([sys.executable, "-c", HOLD, root], stdout=subprocess.PIPE) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"held\n"
            yield
        finally:
            writer.kill()


def test_a_writer_that_waits_too_long_says_for_what(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_module, "READERS_PATIENCE", 0.01)
    interrupted(root, monkeypatch)
    with a_writer(root), pytest.raises(WriteError) as caught, writing(graph(root), 0.01):
        pass
    assert caught.value.message == "another process is writing to the graph"
    assert caught.value.hint == "Wait for the other yg command to finish, then try again."


def test_a_writer_that_was_killed_or_failed_keeps_nobody_out(root: Path) -> None:
    with a_writer(root):
        pass
    with pytest.raises(ZeroDivisionError), writing(graph(root), 0.01):
        _ = 1 // 0
    with writing(graph(root), 0.01):
        pass


def test_a_second_writer_waits_for_the_first(root: Path) -> None:
    story: list[str] = []

    def second() -> None:
        with writing(graph(root)):
            story.append("second")

    thread = threading.Thread(target=second)
    with writing(graph(root)):
        thread.start()
        story.append("first")
    thread.join()
    assert story == ["first", "second"]


def test_two_repositories_do_not_wait_for_each_other(tmp_path: Path) -> None:
    one, other = (graph(made(tmp_path / name)) for name in ("a", "b"))
    with writing(one, 0.01), writing(other, 0.01):
        pass


@pytest.mark.parametrize("mode", [0o775, 0o777, 0o1777])
def test_in_folders_that_others_can_write_lock_and_journal_are_in_the_cache(
    root: Path, mode: int
) -> None:
    for directory in (root, *(path for path in root.rglob("*") if path.is_dir())):
        directory.chmod(mode)
    apply(root, *EDITS)
    assert texts(root) == AFTER
    folder = Path(state_folder(str(root), G))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "lock").stat().st_mode) == 0o600


def test_without_any_place_for_a_lock_nothing_is_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, folder in (("XDG_CACHE_HOME", "yg"), ("TMPDIR", f"yg-{os.geteuid()}")):
        write(root.parent, {f"{name}/{folder}": ""})
        monkeypatch.setenv(name, str(root.parent / name))
    assert refused(root, *EDITS) == "there is no place for a lock"
