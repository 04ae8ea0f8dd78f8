"""Digests are of content: not of line endings, not of the pieces in which it came."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from yg.kernel.digest import HEAD, canonical_digest, file_digest, file_digests

# Bytes in which line endings and NULs are frequent, and which may reach over the first 8,000.
SHORT = st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b"\0", b"a", b"\xff"]), max_size=12).map(
    b"".join
)
CONTENT = st.builds(
    lambda length, end: b"x" * length + end, st.sampled_from([0, 7_994, 7_999, 8_000]), SHORT
)
CUTS = st.lists(st.integers(0, 8_020), max_size=6)


def plain(content: bytes) -> str:
    return sha256(content).hexdigest()


def cut(content: bytes, at: list[int]) -> Iterator[bytes]:
    """Yield content in pieces; two equal cuts make an empty piece."""
    places = [0, *sorted(at), len(content)]
    return (content[place : places[each + 1]] for each, place in enumerate(places[:-1]))


def is_text(content: bytes) -> bool:
    return b"\0" not in content[:8_000]


@pytest.mark.parametrize("content", [b"", b"a", b"a\nb\n", b"\n\n", "é😀\n".encode(), b"\xff\n"])
def test_a_file_with_lf_has_its_plain_sha256(content: bytes) -> None:
    assert file_digest([content]) == plain(content)


@given(st.text().map(lambda text: text.replace("\r\n", "\n").encode()))
def test_every_text_without_crlf_has_its_plain_sha256(content: bytes) -> None:
    assert file_digest([content]) == plain(content)


@pytest.mark.parametrize(
    ("content", "same_as"),
    [
        (b"a\r\nb\r\n", b"a\nb\n"),
        (b"\r\n", b"\n"),
        (b"a\r\nb\nc\r\n", b"a\nb\nc\n"),
        (b"a\rb", b"a\rb"),
        (b"a\r", b"a\r"),
        (b"\r\r\n", b"\r\n"),
        (b"\n\r", b"\n\r"),
        (b"\r", b"\r"),
        (b"\xef\xbb\xbfa\r\n", b"\xef\xbb\xbfa\n"),
    ],
)
def test_in_text_a_crlf_counts_as_lf_and_nothing_else_does(content: bytes, same_as: bytes) -> None:
    assert file_digest([content]) == plain(same_as)


@pytest.mark.parametrize(
    "content",
    [b"\0", b"\r\n\0", b"PK\r\n\0\r\n", b"x" * 7_999 + b"\0\r\n", b"\r\n" * 3_999 + b"\r\0"],
    ids=["alone", "behind a line", "within lines", "last that counts", "behind lines"],
)
def test_a_file_with_an_early_nul_is_taken_as_it_is(content: bytes) -> None:
    assert file_digest([content]) == plain(content)


def test_a_nul_behind_the_first_8000_bytes_leaves_a_file_a_text() -> None:
    assert HEAD == 8_000
    content = b"x" * 8_000 + b"\0\r\n"
    assert file_digest([content]) == plain(b"x" * 8_000 + b"\0\n")


@given(CONTENT, CUTS)
@example(b"x" * 7_999 + b"\r\n", [8_000])
@example(b"x" * 7_999 + b"\0\r\n", [7_999, 8_000, 8_001])
@example(b"x" * 8_000 + b"\0\r\n", [8_000])
@example(b"\r\n", [1, 1, 1])
@example(b"\r\r\n\r", [1, 2, 3])
def test_pieces_of_any_size_give_the_same_digest(content: bytes, at: list[int]) -> None:
    expected = content.replace(b"\r\n", b"\n") if is_text(content) else content
    assert file_digest(cut(content, at)) == file_digest([content]) == plain(expected)


@given(SHORT)
def test_single_bytes_give_the_same_digest(content: bytes) -> None:
    assert file_digest(content[at : at + 1] for at in range(len(content))) == file_digest([content])


@given(st.lists(st.sampled_from(["a", "é", "", "\t"]), max_size=9))
def test_a_checkout_with_crlf_is_the_same_file(lines: list[str]) -> None:
    unix, windows = "\n".join(lines), "\r\n".join(lines)
    assert file_digest([windows.encode()]) == file_digest([unix.encode()])


def test_a_late_nul_is_the_same_in_a_checkout_with_crlf() -> None:
    # With LF the NUL falls into the first 8,000 bytes, with CRLF it does not.
    unix = b"\n" * 7_000 + b"\0\n"
    assert file_digest([unix.replace(b"\n", b"\r\n")]) == file_digest([unix])


def test_no_pieces_are_an_empty_file() -> None:
    assert file_digest([]) == file_digest([b""]) == file_digest([b"", b""]) == plain(b"")


def test_pieces_are_asked_for_one_by_one() -> None:
    held: list[int] = []

    def pieces() -> Iterator[bytes]:
        for at in range(4):
            held.append(at)
            yield b"x" * HEAD

    assert file_digest(pieces()) == plain(b"x" * HEAD * 4)
    assert held == [0, 1, 2, 3]


def test_the_digest_of_a_map_is_that_of_its_lines() -> None:
    files = {"src/a.py": "11", ".yggdrasil/model/a/yg-node.yaml": "22"}
    lines = b".yggdrasil/model/a/yg-node.yaml:22\nsrc/a.py:11"
    assert canonical_digest(files) == plain(lines)


def test_the_lines_stand_in_code_point_order() -> None:
    names = ["😀", "\uffff", "é", "a/b", "a-b", "a", "Z", "10", "2", "A.json", "A/b"]
    ordered = ["10", "2", "A.json", "A/b", "Z", "a", "a-b", "a/b", "é", "\uffff", "😀"]
    expected = "\n".join(f"{name}:0" for name in ordered).encode()
    assert canonical_digest(dict.fromkeys(names, "0")) == plain(expected)


def test_no_files_have_the_digest_of_nothing() -> None:
    assert canonical_digest({}) == plain(b"")


@given(st.permutations(["a", "b/c", "é", "😀"]))
def test_the_order_of_files_never_shows(names: list[str]) -> None:
    assert canonical_digest({name: name for name in names}) == canonical_digest(
        {name: name for name in sorted(names)}
    )


@pytest.mark.parametrize(
    "other",
    [{"a": "1"}, {"a": "1", "b": "3"}, {"a": "1", "c": "2"}, {"a": "1", "b": "2", "c": "2"}],
    ids=["removed", "changed", "renamed", "added"],
)
def test_adding_removing_and_changing_a_file_changes_the_digest(other: dict[str, str]) -> None:
    assert canonical_digest({"a": "1", "b": "2"}) != canonical_digest(other)


@given(CONTENT, CUTS)
def test_a_stored_digest_is_that_of_the_bytes_or_of_the_text_with_lf_or_crlf(
    content: bytes, at: list[int]
) -> None:
    found = file_digests(cut(content, at))
    forms = {content}
    if is_text(content):
        with_lf = content.replace(b"\r\n", b"\n")
        forms |= {with_lf, with_lf.replace(b"\n", b"\r\n")}
    assert set(found.forms) == {plain(form) for form in forms}
    assert all(found.matches(plain(form)) for form in forms)
    assert not found.matches("")
    assert not found.matches(plain(content + b"x"))
