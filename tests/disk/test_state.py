"""The state of a tree in one piece: equal while nothing has changed, and never after."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yg.disk.memory import stamp_of
from yg.disk.state import is_as_packed, packed_state

from support import write

often = settings(max_examples=60)

FILES = {"g/a/x": "1", "g/a/y": "22", "g/b/c/z": "333", "g/top": "4"}
FOLDERS = ("g", "g/a", "g/b", "g/b/c")
KNOWN = {"g/a": ("x", "y"), "g/b": (), "g/b/c": ("z",), "g": ("top",)}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def state(root: Path, unlisted: tuple[str, ...] = ()) -> Any:
    """Write down the state as a later run finds it."""
    found = (
        (
            folder,
            None if folder in unlisted else stamp_of(os.lstat(root / folder)),
            [(name, stamp_of(os.lstat(root / folder / name))) for name in names],
        )
        for folder, names in KNOWN.items()
    )
    return json.loads(json.dumps(packed_state(found)))


def tick(root: Path) -> None:
    """Wait until the clock of the file system has moved on."""
    probe = root.parent / f"{root.name}-probe"
    probe.touch()
    before = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == before:
        probe.write_bytes(b"")


def is_same(root: Path, packed: Any) -> bool:
    return is_as_packed(str(root), "g", packed)


def test_what_has_not_changed_is_as_it_was(root: Path) -> None:
    packed = state(root)
    assert is_same(root, packed)
    assert (root / "g/a/x").read_text(encoding="utf-8") == "1"  # reading changes nothing
    assert is_same(root, packed)


def in_secret(root: Path) -> None:
    """Change a file, and keep its size and mtime."""
    before = os.stat(root / "g/a/x")
    (root / "g/a/x").write_bytes(b"9")
    os.utime(root / "g/a/x", ns=(before.st_atime_ns, before.st_mtime_ns))


def another_file(root: Path) -> None:
    """Put another file of the same size and mtime in place of one."""
    before = os.stat(root / "g/a/x")
    (root / "new").write_bytes(b"9")
    os.utime(root / "new", ns=(before.st_atime_ns, before.st_mtime_ns))
    os.replace(root / "new", root / "g/a/x")


def another_folder(root: Path) -> None:
    (root / "g/b/c").rename(root / "away")
    write(root, {"g/b/c/z": "333"})


def a_link_in_its_place(root: Path) -> None:
    (root / "g/b/c").rename(root / "away")
    (root / "g/b/c").symlink_to(root / "away")


@pytest.mark.parametrize(
    "edit",
    [
        lambda root: (root / "g/a/x").write_bytes(b"longer"),
        in_secret,
        another_file,
        another_folder,
        a_link_in_its_place,
        lambda root: (root / "g/a/x").unlink(),
        lambda root: (root / "g/a/new").touch(),
        lambda root: (root / "g/b/new").mkdir(),
        lambda root: (root / "g/a/x").rename(root / "g/a/w"),
        lambda root: os.utime(root / "g/a/x", ns=(1, 1)),
        lambda root: os.utime(root / "g/a", ns=(1, 1)),
        lambda root: (root / "g/a").chmod(0o700),
        lambda root: (root / "g").rename(root / "h"),
    ],
)
def test_any_change_shows(root: Path, edit: Callable[[Path], object]) -> None:
    packed = state(root)
    tick(root)
    edit(root)
    assert not is_same(root, packed)


def test_what_was_not_known_does_not_show(root: Path) -> None:
    packed = state(root, unlisted=FOLDERS)
    tick(root)
    write(root, {"g/a/new": "", "g/other": "", "elsewhere": ""})
    assert is_same(root, packed)
    (root / "g/b/c/z").unlink()
    assert not is_same(root, packed)


def test_a_directory_of_any_age_is_looked_at(root: Path) -> None:
    for folder in FOLDERS:
        os.utime(root / folder, ns=(-1, -1))  # a time that could stand for none
    packed = state(root)
    assert is_same(root, packed)
    tick(root)
    (root / "g/a/new").touch()
    assert not is_same(root, packed)


def test_the_top_may_be_a_link(root: Path) -> None:
    (root / "g").rename(root / "store")
    (root / "g").symlink_to("store")
    write(root, {"other/top": "4", "other/a/x": "1", "other/a/y": "22", "other/b/c/z": "333"})
    packed = packed_state([("g", stamp_of(os.stat(root / "g")), [])])
    assert is_same(root, packed)
    (root / "g").unlink()
    (root / "g").symlink_to("other")
    assert not is_same(root, packed)


def test_an_empty_state_is_that_of_nothing(root: Path) -> None:
    packed = json.loads(json.dumps(packed_state([])))
    assert packed == {"names": "", "stamps": ""}
    assert not is_same(root, packed)  # which at worst costs time


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "\n", "\t"])
def test_a_name_that_could_be_two_is_not_written_down(name: str) -> None:
    assert packed_state([("g", None, [(name, "1 1 1 1")])]) is None
    assert packed_state([(f"g/{name}", None, [])]) is None


@pytest.mark.parametrize("number", [1 << 63, -(1 << 63) - 1, 1 << 64, "", None, 1.5, "x"])
def test_a_number_that_is_too_large_or_none_is_not_written_down(number: Any) -> None:
    assert packed_state([("g", None, [("a", f"1 1 1 {number}")])]) is None
    assert packed_state([("g", f"1 1 1 {number}", [])]) is None


@often
@given(st.lists(st.binary(min_size=1, max_size=9), min_size=1, max_size=4, unique=True))
def test_any_other_name_can_be_written_down(
    tmp_path_factory: pytest.TempPathFactory, names: list[bytes]
) -> None:
    root = tmp_path_factory.mktemp("root")
    (root / "g").mkdir()
    written = []
    for name in map(os.fsdecode, names):
        if {"/", "\0", "\n", "\t"}.isdisjoint(name) and name not in (".", ".."):
            (root / "g" / name).write_bytes(b"")
            written.append((name, stamp_of(os.lstat(root / "g" / name))))
    packed = packed_state([("g", stamp_of(os.lstat(root / "g")), written)])
    assert is_same(root, json.loads(json.dumps(packed)))


@pytest.mark.parametrize(
    "packed",
    [
        7,
        [],
        {},
        "names",
        {"names": "g"},
        {"stamps": ""},
        {"names": 7, "stamps": ""},
        {"names": ["g"], "stamps": ""},
        {"names": "g", "stamps": 7},
        {"names": "g", "stamps": ""},
        {"names": "g", "stamps": "AA"},
        {"names": "g", "stamps": "ä"},
        {"names": "g", "stamps": "!!!"},
        {"names": "g\0", "stamps": "//////////8="},
    ],
)
def test_a_state_of_another_shape_is_that_of_nothing(root: Path, packed: Any) -> None:
    assert not is_same(root, packed)


def test_a_state_with_fewer_or_more_stamps_than_names_is_that_of_nothing(root: Path) -> None:
    packed = state(root)
    for names in ("", "g", f"{packed['names']}\ng/a", f"{packed['names']}\ttop"):
        assert not is_same(root, {**packed, "names": names})
