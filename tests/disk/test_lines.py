"""The file of the index: what was written is read again, and nothing else ever is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any, Self
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import write
from yg.disk.lines import HEADER, NAME, Lines

often = settings(max_examples=40)

CACHE = ".yggdrasil/.cache"
FILE = f"{CACHE}/{NAME}"
LONG = "long" * 30_000  # many times what is read at once
ENTRIES: dict[str, Any] = {
    "a": 1,
    "b": [None, {"x": "y"}],
    "b/c": LONG,
    "\n\t\"'\\ ü\udcff": "strange",
    "z": {},
}
LARGE: dict[str, Any] = {"verdict": {"answer": 7}, "stamps": LONG}
texts = st.text(st.characters(), max_size=8)  # with surrogates
plain_data = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".yggdrasil").mkdir()
    return tmp_path


def save(root: Path, entries: Mapping[str, Any], large: Mapping[str, Any] = {}) -> None:
    lines = Lines(str(root))
    for key, entry in entries.items():
        lines.put(key, entry)
    for key, entry in large.items():
        lines.put_large(key, entry)
    lines.save()
    lines.close()


def found(root: Path, *keys: str) -> dict[str, Any]:
    """Return entries one by one, as a run that needs only a few of them does."""
    lines = Lines(str(root))
    entries = {key: lines.get(key) for key in keys}
    lines.close()
    return entries


def everything(root: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all entries, and the large ones."""
    lines = Lines(str(root))
    entries = {key: lines.get(key) for key in lines.keys()}  # noqa: SIM118
    large = {key: lines.get_large(key) for key in lines.large_keys}
    lines.close()
    return entries, large


def mark(file: Path) -> tuple[int, ...]:
    """Return what changes whenever a file is written, and not when it is read."""
    status = os.stat(file)
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


def checked(body: str) -> bytes:
    """Write a line, with the checksum it has to have."""
    return f"{crc32(body.encode()):08x} {body}\n".encode()


# What is written is read.


def test_entries_are_remembered_for_the_next_run(root: Path) -> None:
    save(root, ENTRIES, LARGE)
    assert everything(root) == (ENTRIES, LARGE)


def test_each_entry_is_found_by_itself(root: Path) -> None:
    save(root, ENTRIES, LARGE)
    for key, entry in ENTRIES.items():
        assert found(root, key) == {key: entry}


def test_what_was_never_written_is_not_there(root: Path) -> None:
    assert found(root, "a") == {"a": None}
    save(root, ENTRIES, LARGE)
    absent = ("", "aa", "b/", "zz", "verdict", "\0")
    assert found(root, *absent) == dict.fromkeys(absent)
    assert Lines(str(root)).get_large("a") is None


@often
@given(st.dictionaries(texts, plain_data, max_size=12), st.dictionaries(texts, plain_data))
def test_whatever_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, Any], large: dict[str, Any]
) -> None:
    root = write(tmp_path_factory.mktemp("root"), {".yggdrasil/keep": ""})
    save(root, entries, large)
    entries = {key: entry for key, entry in entries.items() if entry is not None}
    large = {key: entry for key, entry in large.items() if entry is not None}
    assert everything(root) == (entries, large)
    assert found(root, *entries) == entries


def test_however_many_there_are_each_is_found(root: Path) -> None:
    entries = {f"d{number}": "x" * (number % 97) for number in range(3_000)}
    save(root, entries)
    for number in range(0, 3_000, 500):
        assert found(root, f"d{number}", f"d{number}x") == {
            f"d{number}": "x" * (number % 97),
            f"d{number}x": None,
        }
    assert found(root, *entries) == entries


def test_more_entries_than_are_held_are_found_in_any_order(root: Path) -> None:
    entries = {f"d{number:04}": "x" * 2_000 for number in range(3_000)}
    save(root, entries)
    lines = Lines(str(root))
    for number in (*range(0, 3_000, 7), *range(2_999, 0, -11), 0, 2_999):
        assert lines.get(f"d{number:04}") == "x" * 2_000
        assert lines.get(f"d{number:04}x") is None
    lines.close()


@often
@given(
    st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 9)),
    st.dictionaries(st.sampled_from("abcdefg"), st.none() | st.integers(0, 9)),
)
def test_news_take_the_place_of_what_was_there(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, int], news: dict[str, int | None]
) -> None:
    root = tmp_path_factory.mktemp("root")
    (root / ".yggdrasil").mkdir()
    save(root, before)
    lines = Lines(str(root))
    for key, entry in news.items():
        lines.put(key, entry)
    after = {key: entry for key, entry in {**before, **news}.items() if entry is not None}
    assert (lines.keys(), lines.is_whole) == (sorted(after), True)
    lines.save()
    lines.close()
    assert everything(root) == (after, {})


def test_a_run_sees_its_own_changes_before_they_are_written(root: Path) -> None:
    save(root, {"a": 1, "b": 2}, {"v": 3, "w": 4})
    lines = Lines(str(root))
    lines.put("a", None)
    lines.put("c", 5)
    lines.put_large("v", None)
    lines.put_large("x", 6)
    assert [lines.get(key) for key in "abc"] == [None, 2, 5]
    assert [lines.get_large(key) for key in "vwx"] == [None, 4, 6]
    assert (sorted(lines.keys()), lines.large_keys) == (["b", "c"], ["w", "x"])
    lines.save()
    assert everything(root) == ({"b": 2, "c": 5}, {"w": 4, "x": 6})


def test_what_others_wrote_stays(root: Path) -> None:
    save(root, {"a": 1}, {"v": 2})
    save(root, {"b": 3})
    save(root, {}, {"w": 4})
    assert everything(root) == ({"a": 1, "b": 3}, {"v": 2, "w": 4})


def test_a_run_without_news_writes_nothing(root: Path) -> None:
    save(root, {})
    assert list((root / ".yggdrasil").iterdir()) == []
    save(root, ENTRIES, LARGE)
    before = mark(root / FILE)
    lines = Lines(str(root))
    assert (lines.get("a"), lines.get_large("verdict")) == (1, {"answer": 7})
    lines.put_large("never there", None)
    lines.save()
    assert mark(root / FILE) == before


def test_the_order_of_writing_never_shows(root: Path) -> None:
    contents = set()
    for order in (ENTRIES, dict(reversed(ENTRIES.items()))):
        save(root, order, LARGE)
        contents.add((root / FILE).read_bytes())
        (root / FILE).unlink()
    assert len(contents) == 1


def test_nothing_but_the_index_is_left_in_the_cache(root: Path) -> None:
    save(root, ENTRIES, LARGE)
    assert sorted(os.listdir(root / CACHE)) == [".gitignore", NAME]


def test_an_index_that_is_replaced_while_it_is_read_is_read_to_its_end(root: Path) -> None:
    save(root, ENTRIES, LARGE)
    lines = Lines(str(root))
    assert lines.get("a") == 1
    save(root, {"a": 2, "b": None, "z": None}, {"verdict": None})
    assert {key: lines.get(key) for key in lines.keys()} == ENTRIES  # noqa: SIM118
    assert lines.get_large("verdict") == {"answer": 7}


def test_no_file_stays_open_when_nobody_closes_it(root: Path) -> None:
    save(root, ENTRIES)
    lines = Lines(str(root))
    assert lines.get("a") == 1
    handle = lines._opened._handle
    assert os.fstat(handle).st_size > 0
    del lines
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handle)


# Damage.


def small(root: Path) -> bytes:
    """Write a small index and return its bytes."""
    save(root, {"a": 1, "b": 2, "c": [3]}, {"v": 4, "w": 5})
    return (root / FILE).read_bytes()


def assert_nothing_is_made_up(root: Path) -> None:
    """Assert that an index holds what `small` wrote into it, or less and knows it."""
    entries, large = everything(root)
    known: dict[str, Any] = {"a": 1, "b": 2, "c": [3]}
    assert all(entry in (known[key], None) for key, entry in entries.items())
    assert all({"v": 4, "w": 5}[key] == entry for key, entry in large.items() if entry is not None)
    assert all(entry in (known[key], None) for key, entry in found(root, *known).items())
    lines = Lines(str(root))
    if lines.is_whole and lines.large_keys:
        assert entries == found(root, *known) == known


def test_an_index_that_lost_its_end_is_empty(root: Path) -> None:
    whole = small(root)
    for at in range(len(whole)):
        (root / FILE).write_bytes(whole[:at])
        assert (everything(root), Lines(str(root)).is_whole) == (({}, {}), True)


def test_an_index_with_something_behind_its_end_is_empty(root: Path) -> None:
    (root / FILE).write_bytes(small(root) + b"\n")
    assert everything(root) == ({}, {})


def test_an_index_that_lost_a_bit_lost_an_entry_and_knows_it(root: Path) -> None:
    whole = small(root)
    for at in range(len(whole)):
        for bit in (1, 8, 128):
            (root / FILE).write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
            assert_nothing_is_made_up(root)


def test_whatever_order_its_lines_come_in_nothing_is_made_up(root: Path) -> None:
    header, table, *lines = small(root).splitlines(keepends=True)
    for order in permutations(lines):
        (root / FILE).write_bytes(b"".join([header, table, *order]))
        assert_nothing_is_made_up(root)


def test_a_line_that_stands_twice_is_no_whole(root: Path) -> None:
    rows = [checked('"a"\t1'), checked('"a"\t2')]
    table = checked(f'\t{{"rows":{sum(map(len, rows))},"large":{{}}}}')
    write(root, {FILE: HEADER + table + b"".join(rows)})
    assert not Lines(str(root)).is_whole


def test_large_entries_do_not_survive_the_loss_of_others(root: Path) -> None:
    whole = small(root)
    at = whole.index(b'"b"')
    (root / FILE).write_bytes(whole[:at] + b"'" + whole[at + 1 :])
    save(root, {"d": 6}, {"x": 7})
    assert everything(root) == ({"a": 1, "c": [3], "d": 6}, {"x": 7})
    assert Lines(str(root)).is_whole


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{",
        b"\xff\xfe\0",
        b'{"version": 1, "check": 223132457}\n[]',
        HEADER,
        HEADER + b"\n",
        HEADER + b"00000000 {}\n",
        HEADER.replace(b"yg-index", b"zz-index"),
        b"\0" * 5_000,
    ],
)
def test_a_foreign_index_is_empty_and_is_replaced(root: Path, content: bytes) -> None:
    write(root, {FILE: content})
    assert everything(root) == ({}, {})
    save(root, ENTRIES, LARGE)
    assert everything(root) == (ENTRIES, LARGE)


@pytest.mark.parametrize("part", range(4))
def test_an_index_of_another_version_of_anything_is_empty(root: Path, part: int) -> None:
    whole = small(root)
    words = HEADER.split(b" ")
    words[part] = words[part].replace(b"\n", b"") + b"1" + words[part][-1:].strip(b"0123456789g")
    (root / FILE).write_bytes(b" ".join(words) + whole.removeprefix(HEADER))
    assert everything(root) == ({}, {})


@pytest.mark.parametrize(
    "table",
    [
        "{}",
        "[]",
        "null",
        "7",
        '{"rows":-1,"large":{}}',
        '{"rows":"0","large":{}}',
        '{"rows":0}',
        '{"large":{}}',
        '{"rows":0,"large":[]}',
        '{"rows":0,"large":{"v":-1}}',
        '{"rows":0,"large":{"v":null}}',
        '{"rows":99999999999999999999999999,"large":{}}',
        '{"rows":0,"large":{"v":99999999999999999999999999}}',
        '{"rows":18,"large":{"v":-18}}',
        "[" * 3_000,
        "NaN",
        "{",
    ],
)
def test_a_table_of_another_shape_is_none_though_its_checksum_is_right(
    root: Path, table: str
) -> None:
    write(root, {FILE: HEADER + checked(f"\t{table}") + checked('"a"\t1')})
    assert everything(root) == ({}, {})
    assert found(root, "a") == {"a": None}
    save(root, ENTRIES, LARGE)
    assert everything(root) == (ENTRIES, LARGE)


def test_a_row_in_place_of_the_table_is_none(root: Path) -> None:
    table = '"a"\t{"rows":0,"large":{}}'
    write(root, {FILE: HEADER + checked(table)})
    assert everything(root) == ({}, {})


@pytest.mark.parametrize("key", ["a", '"a', "7", "null", "[]", '{"a":1}', "\ufffd", "[" * 5_000])
def test_a_key_of_another_shape_is_none_though_its_checksum_is_right(root: Path, key: str) -> None:
    row = checked(f"{key}\t1")
    table = checked(f'\t{{"rows":{len(row)},"large":{{}}}}')
    write(root, {FILE: HEADER + table + row})
    assert everything(root) == ({}, {})
    assert found(root, "a", "b") == {"a": None, "b": None}


def test_a_large_entry_is_not_taken_for_another(root: Path) -> None:
    lines = small(root).splitlines(keepends=True)
    (root / FILE).write_bytes(b"".join([*lines[:-2], lines[-1], lines[-2]]))
    assert everything(root) == ({"a": 1, "b": 2, "c": [3]}, {"v": None, "w": None})


# What may stand in its way.


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def a_directory(path: Path) -> None:
    path.mkdir()


def a_loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize("put", [a_fifo, a_directory, a_loop])
def test_what_stands_in_place_of_the_index_is_empty(
    root: Path, put: Callable[[Path], None]
) -> None:
    (root / CACHE).mkdir()
    put(root / FILE)
    assert everything(root) == ({}, {})
    save(root, {"a": 1})
    kept = {} if put is a_directory else {"a": 1}
    assert everything(root) == (kept, {})
    assert sorted(os.listdir(root / CACHE)) == [".gitignore", NAME]


def test_an_index_that_is_a_link_is_neither_read_nor_written_through(root: Path) -> None:
    save(root, {"a": "forged"})
    (root / FILE).rename(root / "elsewhere")
    (root / FILE).symlink_to(root / "elsewhere")
    before = (root / "elsewhere").read_bytes()
    assert everything(root) == ({}, {})
    save(root, {"b": 1})
    assert (root / "elsewhere").read_bytes() == before
    assert everything(root) == ({"b": 1}, {})


@pytest.mark.parametrize("target", ["elsewhere", "nowhere"])
def test_nothing_is_written_to_a_linked_cache(root: Path, target: str) -> None:
    (root / "elsewhere").mkdir()
    (root / CACHE).symlink_to(root / target)
    save(root, ENTRIES)
    assert list((root / "elsewhere").iterdir()) == []
    assert not (root / "nowhere").exists()


def test_nothing_is_read_from_a_linked_cache(root: Path) -> None:
    save(root, {"a": "forged"})
    (root / CACHE).rename(root / "elsewhere")
    (root / CACHE).symlink_to(root / "elsewhere")
    assert everything(root) == ({}, {})


def test_where_nothing_can_be_written_nothing_is_remembered(root: Path) -> None:
    (root / CACHE).write_bytes(b"in the way")
    save(root, ENTRIES)
    assert everything(root) == ({}, {})
    assert (root / CACHE).read_bytes() == b"in the way"


@pytest.mark.parametrize("step", ["open", "replace"])
def test_a_write_that_fails_leaves_the_old_index_whole(
    root: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    save(root, {"a": 1}, {"v": 2})
    before = (root / FILE).read_bytes()
    lines = Lines(str(root))
    lines.put("b", 3)
    assert lines.get("a") == 1

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    lines.save()
    monkeypatch.undo()
    assert (root / FILE).read_bytes() == before
    assert sorted(os.listdir(root / CACHE)) == [".gitignore", NAME]


def test_a_full_disk_leaves_the_old_index_whole(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(root, {"a": 1}, {"v": 2})
    before = (root / FILE).read_bytes()

    class FullDisk:
        """A file of which only the first bytes can be written."""

        def __init__(self, handle: int, mode: str) -> None:
            self._file = os.fdopen(handle, mode)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()

        def writelines(self, pieces: Iterable[bytes]) -> None:
            self._file.write(next(iter(pieces)))
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("yg.disk.lines.open", FullDisk, raising=False)
    save(root, {"b": 3})
    assert (root / FILE).read_bytes() == before
    assert sorted(os.listdir(root / CACHE)) == [".gitignore", NAME]


def test_deleting_the_cache_loses_nothing_but_time(root: Path) -> None:
    save(root, ENTRIES, LARGE)
    for each in (root / CACHE).iterdir():
        each.unlink()
    (root / CACHE).rmdir()
    assert everything(root) == ({}, {})
    save(root, ENTRIES, LARGE)
    assert everything(root) == (ENTRIES, LARGE)
