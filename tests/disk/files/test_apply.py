"""Edits are carried out whole or not at all, inside one directory, and through no link."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yg.disk.files.apply import MANY, Applier, ApplyError
from yg.disk.files.barrier import sync_file_system
from yg.kernel.edit import Copy, Delete, Edit, Rename, Write

often = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

STATE = ".yggdrasil/.drift-state"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository beside a directory that nobody may touch."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "precious.json").write_bytes(b"precious")
    (tmp_path / "root" / ".yggdrasil").mkdir(parents=True)
    (tmp_path / "root" / "src").mkdir()
    return tmp_path / "root"


def listing(directory: Path) -> dict[str, bytes | str]:
    """Return everything below a directory: the content of files, the targets of links."""
    found: dict[str, bytes | str] = {}
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        else:
            found[name] = path.read_bytes() if path.is_file() else "directory"
    return found


def apply(root: Path, *edits: Edit) -> None:
    Applier(str(root), STATE).apply(edits)


def refused(root: Path, *edits: Edit) -> str:
    """Return why edits are refused, which leaves everything as it is."""
    before = listing(root.parent)
    with pytest.raises(ApplyError) as caught:
        apply(root, *edits)
    assert listing(root.parent) == before
    assert (caught.value.exit_code, caught.value.code) == (1, "cannot-write")
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


def test_a_write_makes_the_directories_it_needs(root: Path) -> None:
    apply(root, Write(f"{STATE}/a/b.json", b"x"), Write(f"{STATE}/a/c/d.json", b""))
    assert listing(root / STATE) == {
        "a": "directory",
        "a/b.json": b"x",
        "a/c": "directory",
        "a/c/d.json": b"",
    }


def test_a_write_puts_a_new_file_in_the_place_of_the_old(root: Path) -> None:
    apply(root, Write(f"{STATE}/a.json", b"old"))
    with open(root / STATE / "a.json", "rb") as reader:
        apply(root, Write(f"{STATE}/a.json", b"new"))
        assert reader.read() == b"old"  # whoever has it open sees all of the old one
    assert listing(root / STATE) == {"a.json": b"new"}


def test_a_write_gives_the_permissions_of_any_new_file(root: Path) -> None:
    apply(root, Write(f"{STATE}/a.json", b""))
    (root / "any").touch()
    assert os.stat(root / STATE / "a.json").st_mode == os.stat(root / "any").st_mode


def test_edits_are_carried_out_in_order(root: Path) -> None:
    edits = (
        Write(f"{STATE}/a", b"1"),
        Rename(f"{STATE}/a", f"{STATE}/b"),
        Write(f"{STATE}/a", b"2"),
        Write(f"{STATE}/c", b"3"),
        Delete(f"{STATE}/c"),
    )
    apply(root, *edits)
    assert listing(root / STATE) == {"a": b"2", "b": b"1"}


def test_of_two_writes_the_last_counts(root: Path) -> None:
    apply(root, Write(f"{STATE}/a", b"1"), Write(f"{STATE}/a", b"2"))
    assert listing(root / STATE) == {"a": b"2"}


def test_no_edits_change_nothing(root: Path) -> None:
    before = listing(root.parent)
    apply(root)
    assert listing(root.parent) == before


def test_more_edits_than_fit_into_one_batch_are_all_carried_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.apply.BATCH", 2)
    apply(root, *(Write(f"{STATE}/{at}", b"x") for at in range(5)))
    assert listing(root / STATE) == {str(at): b"x" for at in range(5)}


def test_a_delete_takes_the_directories_along_that_become_empty(root: Path) -> None:
    apply(root, Write(f"{STATE}/a/b/c.json", b""), Write(f"{STATE}/a/d.json", b""))
    apply(root, Delete(f"{STATE}/a/b/c.json"))
    assert listing(root / STATE) == {"a": "directory", "a/d.json": b""}
    apply(root, Delete(f"{STATE}/a/d.json"))
    assert listing(root) == {
        ".yggdrasil": "directory",
        STATE: "directory",
        "src": "directory",
    }


def test_a_rename_moves_a_directory_with_all_in_it(root: Path) -> None:
    apply(root, Write(f"{STATE}/a/b.json", b"x"), Rename(f"{STATE}/a", f"{STATE}/c"))
    assert listing(root / STATE) == {"c": "directory", "c/b.json": b"x"}


def test_the_graphs_folder_itself_may_be_a_link(root: Path) -> None:
    (root / ".yggdrasil").rename(root / "src" / "graph")
    (root / ".yggdrasil").symlink_to("src/graph")
    apply(root, Write(f"{STATE}/a.json", b"x"))
    assert listing(root / "src" / "graph") == {
        ".drift-state": "directory",
        ".drift-state/a.json": b"x",
    }


# What they never do.


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "../outside/x",
        "../../x",
        "/x",
        "//x",
        "src/a.py",
        ".yggdrasil",
        ".yggdrasil/x",
        ".yggdrasil/.drift-state-x/a",
        f"{STATE}/..",
        f"{STATE}/../x",
        f"{STATE}/../../src/x",
        f"{STATE}/a/../../../x",
        f"{STATE}/./x",
        f"{STATE}//x",
        f"{STATE}/x/",
        f"./{STATE}/x",
    ],
)
def test_nothing_outside_is_ever_changed(root: Path, path: str) -> None:
    message = f"'{path}' is outside .yggdrasil/.drift-state/"
    assert refused(root, Write(path, b"x")) == message
    assert refused(root, Delete(path)) == message
    assert refused(root, Rename(path, f"{STATE}/y")) == message


@pytest.mark.parametrize("to", ["../x", "/x", "src/x", f"{STATE}/../x", f"{STATE}/a/../../x"])
def test_nothing_is_moved_to_the_outside(root: Path, to: str) -> None:
    apply(root, Write(f"{STATE}/a", b"x"))
    assert refused(root, Rename(f"{STATE}/a", to)) == f"'{to}' is outside .yggdrasil/.drift-state/"


@often
@given(st.text("./ab\\~ :", max_size=10), st.sampled_from(["", f"{STATE}/"]))
def test_whatever_a_path_looks_like_it_stays_inside(text: str, start: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        (top / "root" / ".yggdrasil").mkdir(parents=True)
        try:
            apply(top / "root", Write(f"{start}{text}", b"x"))
        except ApplyError:
            assert all(content != b"x" for content in listing(top).values())
            return
        written = [path for path, content in listing(top).items() if content == b"x"]
        assert written == [f"root/{start}{text}"]


def test_a_state_directory_that_is_a_link_is_not_followed(root: Path) -> None:
    (root / STATE).symlink_to(root.parent / "outside")
    message = f"'{STATE}' is a link or a file, but must be a directory"
    assert refused(root, Write(f"{STATE}/a.json", b"x")) == message
    assert refused(root, Write(f"{STATE}/a/b.json", b"x")) == message
    assert refused(root, Delete(f"{STATE}/precious.json")) == message
    assert refused(root, Rename(f"{STATE}/precious.json", f"{STATE}/x.json")) == message


def test_a_linked_directory_further_down_is_not_followed(root: Path) -> None:
    (root / STATE).mkdir()
    (root / STATE / "a").symlink_to(root.parent / "outside")
    message = f"'{STATE}/a' is a link or a file, but must be a directory"
    assert refused(root, Write(f"{STATE}/a/precious.json", b"x")) == message
    assert refused(root, Write(f"{STATE}/a/b/c.json", b"x")) == message
    assert refused(root, Delete(f"{STATE}/a/precious.json")) == message


def test_a_broken_link_is_not_fixed(root: Path) -> None:
    (root / STATE).mkdir()
    (root / STATE / "a").symlink_to(root.parent / "nowhere")
    refused(root, Write(f"{STATE}/a/b.json", b"x"))


def test_a_linked_file_is_never_written_through(root: Path) -> None:
    (root / STATE).mkdir()
    (root / STATE / "a.json").symlink_to(root.parent / "outside" / "precious.json")
    with suppress(ApplyError):
        apply(root, Write(f"{STATE}/a.json", b"x"))
    assert listing(root.parent / "outside") == {"precious.json": b"precious"}


def test_deleting_a_link_leaves_its_target_alone(root: Path) -> None:
    (root / STATE).mkdir()
    (root / STATE / "a.json").symlink_to(root.parent / "outside" / "precious.json")
    apply(root, Delete(f"{STATE}/a.json"))
    assert listing(root.parent / "outside") == {"precious.json": b"precious"}


def test_a_file_where_a_directory_has_to_be_stays(root: Path) -> None:
    apply(root, Write(f"{STATE}/a", b"mine"))
    message = f"'{STATE}/a' is a link or a file, but must be a directory"
    assert refused(root, Write(f"{STATE}/a/b.json", b"x")) == message


def test_a_directory_where_a_file_has_to_be_stays(root: Path) -> None:
    apply(root, Write(f"{STATE}/a.json/b", b"mine"))
    assert refused(root, Write(f"{STATE}/a.json", b"x")) == (
        f"cannot write '{STATE}/a.json': Is a directory"
    )
    refused(root, Delete(f"{STATE}/a.json"))


def test_a_copy_has_the_same_content_and_leaves_the_file_as_it_is(root: Path) -> None:
    apply(root, Write(f"{STATE}/a", b"a\r\n\0"), Copy(f"{STATE}/a", f"{STATE}/deep/b"))
    assert listing(root / STATE) == {"a": b"a\r\n\0", "deep": "directory", "deep/b": b"a\r\n\0"}


def test_a_copy_is_made_before_the_next_write(root: Path) -> None:
    apply(
        root,
        Write(f"{STATE}/a", b"old"),
        Copy(f"{STATE}/a", f"{STATE}/b"),
        Write(f"{STATE}/a", b"new"),
    )
    assert listing(root / STATE) == {"a": b"new", "b": b"old"}


def test_no_link_and_no_device_is_copied(root: Path) -> None:
    (root / STATE).mkdir()
    (root / STATE / "link").symlink_to(root.parent / "outside" / "precious.json")
    os.mkfifo(root / STATE / "fifo")
    with pytest.raises(ApplyError):
        apply(root, Copy(f"{STATE}/link", f"{STATE}/b"))
    with pytest.raises(ApplyError) as caught:
        apply(root, Copy(f"{STATE}/fifo", f"{STATE}/b"))
    assert caught.value.message == f"cannot write '{STATE}/b': not a regular file"
    assert sorted(os.listdir(root / STATE)) == ["fifo", "link"]


@pytest.mark.parametrize("kind", ["file", "directory", "link"])
def test_a_rename_or_a_copy_never_covers_anything(root: Path, kind: str) -> None:
    apply(root, Write(f"{STATE}/a", b"a"))
    if kind == "file":
        (root / STATE / "b").touch()
    elif kind == "directory":
        (root / STATE / "b").mkdir()
    else:
        (root / STATE / "b").symlink_to("nowhere")
    assert refused(root, Rename(f"{STATE}/a", f"{STATE}/b")) == (
        f"cannot rename '{STATE}/a': '{STATE}/b' exists"
    )
    assert refused(root, Copy(f"{STATE}/a", f"{STATE}/b")) == (
        f"cannot copy '{STATE}/a': '{STATE}/b' exists"
    )


@pytest.mark.parametrize("edit", [Delete(f"{STATE}/a"), Rename(f"{STATE}/a", f"{STATE}/b")])
def test_what_is_not_there_cannot_be_moved_or_deleted(root: Path, edit: Edit) -> None:
    (root / STATE).mkdir()
    assert refused(root, edit).endswith("No such file or directory")


# When the machine fails.


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_full_disk_leaves_all_files_of_a_batch_as_they_were(
    root: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    apply(root, Write(f"{STATE}/1", b"old"), Write(f"{STATE}/3", b"old"))
    failing(monkeypatch, "fsync", at)
    writes = [Write(f"{STATE}/{name}", b"new") for name in range(1, 4)]
    assert refused(root, *writes) == f"cannot write '{STATE}/{at}': No space left on device"


def test_batches_before_the_one_that_failed_are_whole(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.apply.BATCH", 2)
    apply(root, *(Write(f"{STATE}/{name}", b"old") for name in range(1, 6)))
    failing(monkeypatch, "fsync", 4)
    with pytest.raises(ApplyError):
        apply(root, *(Write(f"{STATE}/{name}", b"new") for name in range(1, 6)))
    assert listing(root / STATE) == {
        "1": b"new",
        "2": b"new",
        "3": b"old",
        "4": b"old",
        "5": b"old",
    }


def test_a_file_that_cannot_be_put_in_place_leaves_no_trace(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(root, *(Write(f"{STATE}/{name}", b"old") for name in range(1, 4)))
    failing(monkeypatch, "replace", 2)
    with pytest.raises(ApplyError) as caught:
        apply(root, *(Write(f"{STATE}/{name}", b"new") for name in range(1, 4)))
    assert caught.value.message == f"cannot write '{STATE}/2': No space left on device"
    assert caught.value.hint == "Earlier files are complete. Fix the cause and run it again."
    assert listing(root / STATE) == {"1": b"new", "2": b"old", "3": b"old"}


def test_the_first_file_has_none_before_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "replace", 1)
    with pytest.raises(ApplyError) as caught:
        apply(root, Write(f"{STATE}/1", b"new"))
    assert caught.value.hint == "Fix the cause and run it again."


@pytest.mark.parametrize("call", ["open", "mkdir"])
def test_without_permission_nothing_is_written(
    root: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    if call == "open":
        (root / STATE).mkdir()
    failing(monkeypatch, call, 1, errno.EACCES)
    message = refused(root, Write(f"{STATE}/a.json", b"x"))
    assert message == f"cannot write '{STATE}/a.json': Permission denied"


@pytest.mark.parametrize("call", ["unlink", "rename"])
def test_a_delete_or_rename_that_fails_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    apply(root, Write(f"{STATE}/a", b"x"))
    failing(monkeypatch, call, 1, errno.EIO)
    edit = Delete(f"{STATE}/a") if call == "unlink" else Rename(f"{STATE}/a", f"{STATE}/b")
    assert refused(root, edit).endswith("Input/output error")


def test_edits_after_one_that_failed_are_not_carried_out(root: Path) -> None:
    with pytest.raises(ApplyError):
        apply(root, Write(f"{STATE}/a", b"1"), Delete(f"{STATE}/none"), Write(f"{STATE}/b", b"2"))
    assert listing(root / STATE) == {"a": b"1"}


def test_an_interrupted_write_leaves_no_half_file(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(root, Write(f"{STATE}/a", b"old"))

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        apply(root, Write(f"{STATE}/a", b"new"))
    assert listing(root / STATE) == {"a": b"old"}


def test_content_is_safe_on_the_disk_before_it_gets_its_name(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story: list[str] = []
    fsync, replace = os.fsync, os.replace

    def watched_fsync(handle: int) -> None:
        assert stat.S_ISREG(os.fstat(handle).st_mode)
        story.append(f"safe: {os.fstat(handle).st_size} bytes")
        fsync(handle)

    def watched_replace(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        story.append(f"named: {target}")
        assert src_dir_fd == dst_dir_fd
        replace(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    apply(root, Write(f"{STATE}/a", b"12"), Write(f"{STATE}/b/c", b"123"))
    assert story == ["safe: 2 bytes", "safe: 3 bytes", "named: a", "named: c"]


def test_many_files_are_safe_on_the_disk_by_one_call_before_the_first_gets_its_name(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story: list[str] = []
    replace = os.replace

    def watched_sync(handle: int) -> None:
        assert stat.S_ISDIR(os.fstat(handle).st_mode)
        sizes = [file.stat().st_size for file in (root / STATE).iterdir()]
        story.append(f"safe: {len(sizes)} files, {sum(sizes)} bytes")

    def watched_replace(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        story.append("named")
        replace(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr("yg.disk.files.apply.sync_file_system", watched_sync)
    monkeypatch.setattr(os, "replace", watched_replace)
    apply(root, *(Write(f"{STATE}/{name}", b"12") for name in range(MANY)))
    assert story == [f"safe: {MANY} files, {2 * MANY} bytes", *["named"] * MANY]


@pytest.mark.skipif(sync_file_system is None, reason="this system syncs files one by one")
def test_many_files_that_cannot_be_synced_stay_as_they_were(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [str(name) for name in range(MANY)]
    apply(root, *(Write(f"{STATE}/{name}", b"old") for name in names))

    def fail(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("yg.disk.files.apply.sync_file_system", fail)
    writes = [Write(f"{STATE}/{name}", b"new") for name in names]
    assert refused(root, *writes) == f"cannot write '{STATE}/0': Input/output error"
    assert listing(root / STATE) == dict.fromkeys(names, b"old")


def test_a_system_without_that_call_syncs_every_file(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.apply.sync_file_system", None)
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    apply(root, *(Write(f"{STATE}/{name}", b"12") for name in range(MANY)))
    assert len(synced) == MANY


@pytest.mark.skipif(sync_file_system is None, reason="this system syncs files one by one")
def test_syncing_the_file_system_of_a_closed_file_is_an_error() -> None:
    assert sync_file_system is not None
    with pytest.raises(OSError, match="Bad file descriptor"):
        sync_file_system(-1)
