"""A Snapshot in memory: what is at a path, and what cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Content
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, DictSnapshot, Inputs, Kind, Recipe, decode_utf8

FILES: dict[str, Content] = {
    "b.md": "text\n",
    "a/c": b"\xff\x00",
    "a/B": "",
    "link": Kind.LINK,
    "a/pipe": Kind.OTHER,
    "a/empty": Kind.DIRECTORY,
    "é": "x",
}
SNAPSHOT = DictSnapshot(FILES)


def test_entries_come_by_code_point_with_their_kinds() -> None:
    assert list(SNAPSHOT.entries(".").items()) == [
        ("a", "directory"),
        ("b.md", "file"),
        ("link", "link"),
        ("é", "file"),
    ]
    assert list(SNAPSHOT.entries("a").items()) == [
        ("B", "file"),
        ("c", "file"),
        ("empty", "directory"),
        ("pipe", "other"),
    ]
    assert SNAPSHOT.entries("a/empty") == {}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".", "directory"),
        ("a", "directory"),
        ("a/empty", "directory"),
        ("a/c", "file"),
        ("a/pipe", "other"),
        ("link", "link"),
        ("link/x", None),
        ("a/gone", None),
        ("gone/x", None),
    ],
)
def test_a_path_has_a_kind_or_is_missing(path: str, kind: str | None) -> None:
    assert SNAPSHOT.kind(path) == kind


def test_a_file_has_bytes() -> None:
    assert (SNAPSHOT.read("b.md"), SNAPSHOT.read("a/c")) == (b"text\n", b"\xff\x00")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a/pipe", "not a regular file"),
        ("link", "not a regular file"),
        ("a/empty", "not a regular file"),
        ("gone", "no such file"),
    ],
)
def test_what_is_not_a_file_cannot_be_read(path: str, reason: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        SNAPSHOT.read(path)
    assert (caught.value.path, caught.value.reason) == (path, reason)


def test_a_text_may_have_16_megabytes_and_no_more() -> None:
    snapshot = DictSnapshot({"a": b"x" * MAX_TEXT, "b": b"x" * (MAX_TEXT + 1)})
    assert len(snapshot.read("a")) == 16_000_000
    with pytest.raises(UnreadableError, match="larger than 16 MB"):
        snapshot.read("b")


def test_without_a_cache_everything_is_made_again() -> None:
    calls: list[str] = []

    def length(path: str, data: bytes) -> int:
        calls.append(path)
        return len(data)

    recipe = Recipe("length", int, length)
    for _ in range(2):
        assert SNAPSHOT.made("b.md", recipe) == 5
        assert SNAPSHOT.recall("all", Inputs.ALL, int, lambda: len(calls)) == len(calls)
    assert calls == ["b.md", "b.md"]


@given(st.permutations(sorted(FILES)))
def test_the_order_of_files_never_shows(paths: list[str]) -> None:
    snapshot = DictSnapshot({path: FILES[path] for path in paths})
    for directory in (".", "a"):
        found, expected = snapshot.entries(directory), SNAPSHOT.entries(directory)
        assert list(found.items()) == list(expected.items())


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"", ""), (b"\xef\xbb\xbfa", "a"), (b"a\xef\xbb\xbf", "a\ufeff"), (b"a\r\n", "a\r\n")],
)
def test_a_byte_order_mark_is_dropped(data: bytes, text: str) -> None:
    assert decode_utf8("a", data) == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"ab\xff", "not UTF-8 at byte 2 (0xff)"),
        (b"\xef\xbb\xbf\xc3", "not UTF-8 at byte 3 (0xc3)"),
        (b"\xed\xa0\x80", "not UTF-8 at byte 0 (0xed)"),
    ],
)
def test_another_encoding_is_an_error_with_the_offset(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        decode_utf8("a", data)
    assert caught.value.reason == reason
