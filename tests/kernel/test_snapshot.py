"""Snapshots show files as they are, read each once, and say what they cannot read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, DictSnapshot, Extent, Kind, Text, decode_utf8, extent_of

BREAKS = re.compile(r"(?:\r?\n)+\Z")


def reason_of(data: bytes) -> str:
    """Return why bytes are no text."""
    with pytest.raises(UnreadableError) as caught:
        decode_utf8("a.md", data)
    assert caught.value.path == "a.md"
    assert caught.value.message == f"cannot read 'a.md': {caught.value.reason}"
    return caught.value.reason


def test_a_text_has_so_many_bytes_and_other_files_any_number() -> None:
    files = DictSnapshot({"a": bytes(MAX_TEXT), "b": bytes(MAX_TEXT + 1), "c": "0123456789"})
    assert len(files.read("a")) == MAX_TEXT
    assert files.text("b").fault == "larger than 16 MB (16000001 bytes)"
    assert sum(map(len, files.pieces("b", 1 << 20))) == MAX_TEXT + 1
    assert list(files.pieces("c", 4)) == [b"0123", b"4567", b"89"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a\r\nb\n", "a\r\nb\n"),
        (b"\xef\xbb\xbfa", "a"),
        (b"\xef\xbb\xbf", ""),
        (b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa"),
        (b"a\xef\xbb\xbf", "a\ufeff"),
        (b"\xf0\x9f\x98\x80\x00", "😀\x00"),
    ],
)
def test_a_text_is_its_bytes_as_utf8_without_one_byte_order_mark(data: bytes, text: str) -> None:
    assert decode_utf8("a.md", data) == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"caf\xe9", "not UTF-8 at byte 3 (0xe9)"),
        (b"\xef\xbb\xbfcaf\xe9", "not UTF-8 at byte 6 (0xe9)"),
        (b"ab\xc3", "not UTF-8 at byte 2 (0xc3)"),
        (b"\xef\xbb", "not UTF-8 at byte 0 (0xef)"),
        (b"\xed\xa0\x80", "not UTF-8 at byte 0 (0xed)"),
        (b"\xc0\x80", "not UTF-8 at byte 0 (0xc0)"),
        (b"\xff\xfea\x00", "not UTF-8 at byte 0 (0xff)"),
    ],
)
def test_another_encoding_is_reported_with_the_byte_where_it_shows(
    data: bytes, reason: str
) -> None:
    assert reason_of(data) == reason


@given(st.text())
def test_every_text_comes_back_from_its_bytes(text: str) -> None:
    assert decode_utf8("a.md", text.encode("utf-8-sig")) == text


@given(st.text(max_size=4), st.sampled_from([b"\x80", b"\xc0", b"\xf5", b"\xff"]), st.booleans())
def test_the_first_bad_byte_is_found_behind_any_text(text: str, bad: bytes, has_mark: bool) -> None:  # noqa: FBT001
    before = (b"\xef\xbb\xbf" if has_mark else b"") + text.encode()
    assert reason_of(before + bad) == f"not UTF-8 at byte {len(before)} (0x{bad[0]:02x})"


@pytest.mark.parametrize(
    ("text", "extent"),
    [
        ("", Extent(0, 0)),
        ("\n", Extent(0, 1)),
        ("\r\n", Extent(0, 2)),
        ("\n\r\n", Extent(0, 1)),
        ("a", Extent(1, 0)),
        ("a\n", Extent(1, 1)),
        ("a\r\n", Extent(1, 2)),
        ("a\n\n\n", Extent(1, 1)),
        ("a\r\n\n", Extent(1, 2)),
        ("a b", Extent(3, 0)),
        ("a   ", Extent(4, 0, is_sparse=True)),
        ("  \n \n", Extent(4, 1, is_sparse=True)),
        ("ab\n\n\n\ncd\n", Extent(8, 1)),
        ("ab\n\n\n\n\n\n\ncd\n", Extent(11, 1, is_sparse=True)),
        ("a\n\r\n", Extent(1, 1)),
        ("a\r", Extent(1, 2)),
        ("a\r\r\n", Extent(2, 2)),
        ("a\n \n", Extent(3, 1, is_sparse=True)),
        ("😀\n", Extent(1, 1)),
    ],
)
def test_an_extent_counts_the_body_and_the_first_of_the_final_line_breaks(
    text: str, extent: Extent
) -> None:
    assert extent_of(text) == extent


@given(st.text(alphabet="a \r\n", max_size=12))
def test_nothing_but_line_breaks_follows_the_body(text: str) -> None:
    extent = extent_of(text)
    found = BREAKS.search(text)
    end = found.start() if found else len(text)
    assert extent.body == (end - 1 if not found and text.endswith("\r") else end)
    assert text[extent.body :][: extent.ending] in ("", "\r", "\n", "\r\n")
    assert bool(extent.ending) == bool(found or text.endswith("\r"))


def test_a_text_is_read_when_first_looked_at_and_never_again() -> None:
    reads: list[str] = []

    def read(path: str) -> bytes:
        reads.append(path)
        return b"\xef\xbb\xbfone\n\n"

    text = Text("a.md", read)
    assert (reads, text.path) == ([], "a.md")
    assert (text.extent, text.value, text.value, text.extent) == (
        Extent(3, 1),
        "one\n\n",
        "one\n\n",
        Extent(3, 1),
    )
    assert reads == ["a.md"]


def test_an_empty_text_is_read_once_as_well() -> None:
    reads: list[str] = []

    def read(path: str) -> bytes:
        reads.append(path)
        return b""

    text = Text("a.md", read)
    assert (text.value, text.value, text.extent) == ("", "", Extent(0, 0))
    assert reads == ["a.md"]


def test_a_text_that_cannot_be_read_says_so_each_time_and_is_tried_once() -> None:
    reads: list[str] = []

    def read(path: str) -> bytes:
        reads.append(path)
        raise UnreadableError(path, "permission denied")

    text = Text("a.md", read)
    for look in (lambda: text.value, lambda: text.extent, lambda: text.value):
        with pytest.raises(UnreadableError, match=r"^cannot read 'a\.md': permission denied$"):
            look()
    assert reads == ["a.md"]


SHOP: dict[str, str | bytes | Kind | UnreadableError] = {
    "b.md": "b",
    "a/z.md": "z",
    "a/b/c.md": b"\xef\xbb\xbfc\r\n",
    "Z.md": "Z",
    "é.md": "e",
    "link": Kind.LINK,
    "pipe": Kind.OTHER,
    "empty": Kind.DIRECTORY,
}


@pytest.mark.parametrize(
    ("directory", "entries"),
    [
        (
            ".",
            [
                ("Z.md", Kind.FILE),
                ("a", Kind.DIRECTORY),
                ("b.md", Kind.FILE),
                ("empty", Kind.DIRECTORY),
                ("link", Kind.LINK),
                ("pipe", Kind.OTHER),
                ("é.md", Kind.FILE),
            ],
        ),
        ("a", [("b", Kind.DIRECTORY), ("z.md", Kind.FILE)]),
        ("a/b", [("c.md", Kind.FILE)]),
        ("empty", []),
    ],
)
def test_entries_stand_in_code_point_order(directory: str, entries: list[tuple[str, Kind]]) -> None:
    assert list(DictSnapshot(SHOP).entries(directory).items()) == entries


@given(st.permutations(sorted(SHOP.items())))
@settings(max_examples=50, deadline=None)
def test_the_order_in_which_files_are_given_never_shows(
    files: list[tuple[str, str | bytes | Kind | UnreadableError]],
) -> None:
    given_so, sorted_so = DictSnapshot(dict(files)), DictSnapshot(SHOP)
    for directory in (".", "a", "a/b", "empty"):
        shuffled = list(given_so.entries(directory).items())
        assert shuffled == list(sorted_so.entries(directory).items())


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".", Kind.DIRECTORY),
        ("a", Kind.DIRECTORY),
        ("a/b", Kind.DIRECTORY),
        ("empty", Kind.DIRECTORY),
        ("a/b/c.md", Kind.FILE),
        ("link", Kind.LINK),
        ("pipe", Kind.OTHER),
        ("link/c.md", None),
        ("b.md/c.md", None),
        ("a/c.md", None),
        ("none", None),
    ],
)
def test_a_path_has_a_kind_or_does_not_exist(path: str, kind: Kind | None) -> None:
    assert DictSnapshot(SHOP).kind(path) is kind


def test_a_file_has_its_text_and_keeps_it() -> None:
    snapshot = DictSnapshot(SHOP)
    assert snapshot.text("a/b/c.md").value == "c\r\n"
    assert snapshot.text("a/b/c.md") is snapshot.text("a/b/c.md")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("none", "no such file"),
        ("locked", "permission denied"),
        ("latin", "not UTF-8 at byte 3 (0xe9)"),
    ],
)
def test_what_has_no_text_says_why(path: str, reason: str) -> None:
    locked = UnreadableError("locked", "permission denied")
    snapshot = DictSnapshot({**SHOP, "locked": locked, "latin": b"caf\xe9"})
    with pytest.raises(UnreadableError) as caught:
        _ = snapshot.text(path).value
    assert (caught.value.path, caught.value.reason) == (path, reason)


@pytest.mark.parametrize(
    ("directory", "reason"),
    [
        ("none", "no such directory"),
        ("b.md", "no such directory"),
        ("link", "no such directory"),
        ("locked", "permission denied"),
    ],
)
def test_what_has_no_entries_says_why(directory: str, reason: str) -> None:
    locked = UnreadableError("locked", "permission denied")
    with pytest.raises(UnreadableError) as caught:
        DictSnapshot({**SHOP, "locked": locked, "locked/a.md": ""}).entries(directory)
    assert (caught.value.path, caught.value.reason) == (directory, reason)
