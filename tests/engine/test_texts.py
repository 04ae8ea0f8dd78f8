"""What is known of a text without keeping it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Content
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.yggdrasil.texts import (
    TextFacts,
    break_length,
    conflict_line,
    facts_of,
    measured,
    read_text,
    text_body,
)


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (b"", TextFacts()),
        (b"ab", TextFacts(body=2, written=2)),
        (b"ab\n", TextFacts(body=2, ending=1, written=2)),
        (b"ab\r\n\r\n", TextFacts(body=2, ending=2, written=2)),
        (b" a\tb \n\n", TextFacts(body=5, ending=1, written=3)),
        (b"\n\n", TextFacts(ending=1)),
        (b" \t\n \n", TextFacts(body=4, ending=1)),
        ("äö\u2028\n".encode(), TextFacts(body=3, ending=1, written=2)),
        ("\U0001f600\x85\n".encode(), TextFacts(body=2, ending=1, written=1)),
        ("\ufeffab\n".encode(), TextFacts(body=2, ending=1, written=2)),
        (b"a\n<<<<<<< HEAD\n", TextFacts(body=14, ending=1, written=14, conflict=2)),
        (b"a\xff", TextFacts(fault="not UTF-8 at byte 1 (0xff)")),
        (b"ab\0", TextFacts(binary=3, fault="binary, with a NUL at byte 2")),
        (b"\0\xff", TextFacts(binary=2, fault="not UTF-8 at byte 1 (0xff)")),
        (b"x" * 7_999 + b"\0", TextFacts(binary=8_000, fault="binary, with a NUL at byte 7999")),
        (b"x" * 8_000 + b"\0", TextFacts(body=8_001, written=8_001)),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_text_is_measured_in_characters(content: bytes, facts: TextFacts) -> None:
    assert measured("a.md", content) == facts
    assert facts.is_sound == (not (facts.conflict or facts.binary or facts.fault))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (Kind.OTHER, "not a regular file"),
        (UnreadableError("a.md", "permission denied"), "permission denied"),
        (b"x" * 16_000_001, "larger than 16 MB (16000001 bytes)"),
    ],
    ids=["pipe", "closed", "large"],
)
def test_a_file_that_cannot_be_read_has_a_fault(content: Content, fault: str) -> None:
    snapshot = DictSnapshot({"a.md": content})
    assert facts_of(snapshot, "a.md") == TextFacts(fault=fault)
    with pytest.raises(UnreadableError):
        read_text(snapshot, "a.md")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 0),
        ("<<<<<<< ours\n", 1),
        ("a\r\n<<<<<<< ours\r\n", 2),
        ("a\n\n<<<<<<< \n<<<<<<< \n", 3),
        (" <<<<<<< ours\n", 0),
        ("<<<<<<<\n", 0),
        ("<<<<<<<< ours\n", 0),
        ("=======\n>>>>>>> theirs\n", 0),
    ],
)
def test_a_conflict_starts_with_its_marker_at_the_start_of_a_line(text: str, line: int) -> None:
    assert conflict_line(text) == line


@given(st.lists(st.sampled_from(["a", " ", "\n", "\r\n", "\x85", "\u2028"])).map("".join))
def test_a_text_is_its_body_and_the_line_breaks_that_end_it(text: str) -> None:
    body, facts = text_body(text), measured("a.md", text.encode())
    assert text.startswith(body)
    assert text[len(body) :].strip("\r\n") == ""
    assert not body.endswith("\n")
    assert (facts.body, facts.ending) == (len(body), break_length(text, body))
    assert facts.written == len(text.strip())
