"""A text of which something is known is not read for it, unless it has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from yg.disk.known_text import KnownText
from yg.disk.memory import EXTENT, Memory

from support import write
from yg.kernel.codec import Codec, Recipe
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Extent

FILE = ".yggdrasil/a.md"
WORDS: Recipe[tuple[str, ...]] = Recipe(
    name="words",
    make=lambda text: tuple(text.split()),
    codec=Codec(tuple[str, ...]),
)


class Room:
    """A repository with one text, which tells how often it was read."""

    def __init__(self, root: Path, content: bytes = b"one two\r\n\n") -> None:
        self.root = write(root, {FILE: content})
        self.reads = 0

    def _read(self, path: str) -> bytes:
        self.reads += 1
        try:
            return (self.root / path).read_bytes()
        except OSError as error:
            raise UnreadableError(path, "gone") from error

    def look(self, ask: Callable[[KnownText], Any]) -> tuple[Any, bool]:
        """Ask something of the text in a run of its own; tell whether all of it was settled."""
        self.reads = 0
        memory = Memory(str(self.root), ".yggdrasil")
        answer = ask(KnownText(FILE, self._read, memory))
        memory.save()
        return answer, memory.is_settled

    def keep(self, name: str, fact: Any) -> None:
        memory = Memory(str(self.root), ".yggdrasil")
        memory.keep(FILE, name, fact)
        memory.save()


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.memory.SETTLED_NS", -(1 << 62))


def extent(text: KnownText) -> Extent:
    return text.extent


def fault(text: KnownText) -> str:
    return text.fault


def value(text: KnownText) -> str:
    return text.value


def words(text: KnownText) -> tuple[str, ...]:
    return text.made(WORDS)


def reason(ask: Callable[[KnownText], Any]) -> Callable[[KnownText], str]:
    """Ask something that cannot be answered, and return why."""

    def asked(text: KnownText) -> str:
        with pytest.raises(UnreadableError) as caught:
            ask(text)
        return caught.value.reason

    return asked


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize(
    ("ask", "answer"),
    [(extent, Extent(7, 2)), (fault, ""), (words, ("one", "two"))],
)
def test_what_is_known_is_not_read_again(
    room: Room, ask: Callable[[KnownText], Any], answer: Any
) -> None:
    assert (room.look(ask), room.reads) == ((answer, True), 1)
    assert (room.look(ask), room.reads) == ((answer, True), 0)


@pytest.mark.usefixtures("_later")
def test_one_reading_serves_every_question(room: Room) -> None:
    def everything(text: KnownText) -> tuple[Any, ...]:
        return text.extent, text.made(WORDS), text.fault, text.value, text.extent

    found = (Extent(7, 2), ("one", "two"), "", "one two\r\n\n", Extent(7, 2))
    assert (room.look(everything), room.reads) == ((found, True), 1)
    assert (room.look(everything), room.reads) == ((found, True), 1)  # for its value


def test_a_young_text_is_read_again(room: Room) -> None:
    for _ in range(2):
        assert (room.look(words), room.reads) == ((("one", "two"), False), 1)


@pytest.mark.usefixtures("_later")
def test_a_changed_text_is_read_again(room: Room) -> None:
    room.look(extent)
    room.look(words)
    before = os.stat(room.root / FILE)
    while os.stat(room.root / FILE).st_ctime_ns == before.st_ctime_ns:
        write(room.root, {FILE: b"six two\n\n\n"})
        os.utime(room.root / FILE, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (room.look(words), room.reads) == ((("six", "two"), True), 1)
    assert (room.look(extent), room.reads) == ((Extent(7, 1), True), 1)


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("ask", [reason(extent), fault, reason(value), reason(words)])
def test_what_cannot_be_read_is_never_remembered(
    tmp_path: Path, ask: Callable[[KnownText], str]
) -> None:
    room = Room(tmp_path, b"a\xff")
    for _ in range(2):
        assert (room.look(ask), room.reads) == (("not UTF-8 at byte 1 (0xff)", False), 1)
    (room.root / FILE).unlink()
    assert (room.look(ask), room.reads) == (("gone", False), 1)


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize(
    "packed", [-1, 7.0, [], [1, 2], ["1", "2"], [None, 0], {"a": 1, "b": 2}, "ab", True]
)
def test_an_extent_of_another_shape_is_found_out_again(room: Room, packed: Any) -> None:
    room.keep(EXTENT, packed)
    assert (room.look(extent), room.reads) == ((Extent(7, 2), True), 1)
    assert (room.look(extent), room.reads) == ((Extent(7, 2), True), 0)


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("packed", [7, ["a"], "7", "[7]", "[[7]]", "{", "", "[" * 100_000])
def test_what_a_recipe_cannot_read_is_made_again(room: Room, packed: Any) -> None:
    room.keep(WORDS.name, packed)
    assert (room.look(words), room.reads) == ((("one", "two"), True), 1)
    assert (room.look(words), room.reads) == ((("one", "two"), True), 0)
