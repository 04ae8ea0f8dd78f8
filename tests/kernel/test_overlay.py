"""An overlay: a snapshot as it would be after some changes."""

from __future__ import annotations

import pytest

from yg.kernel.errors import UnreadableError
from yg.kernel.overlay import OverlaySnapshot
from yg.kernel.snapshot import DictSnapshot, Kind, Names

BASE = DictSnapshot({"a/x": "x", "a/y": "y", "a/l": Kind.LINK, "b": "b"})
OVER = OverlaySnapshot(BASE, {"a/x": b"new", "a/y": None, "c/d/e": b"e", "gone": None})


def test_it_has_the_changed_files_and_the_others() -> None:
    assert (OVER.read("a/x"), OVER.text("a/x").value, OVER.read("b")) == (b"new", "new", b"b")
    assert b"".join(OVER.pieces("a/x", 2)) == b"new"
    assert b"".join(OVER.pieces("b", 2)) == b"b"
    assert OVER.text("b").value == "b"


@pytest.mark.parametrize("path", ["a/y", "gone"])
def test_what_is_removed_cannot_be_read(path: str) -> None:
    assert OVER.kind(path) is None
    with pytest.raises(UnreadableError):
        OVER.read(path)
    assert OVER.text(path).fault == "no such file or directory"


def test_directories_hold_what_is_there_and_what_is_added() -> None:
    assert dict(OVER.entries("a")) == {"l": Kind.LINK, "x": Kind.FILE}
    assert OVER.names("a") == Names(("x",), (), ("l",), ())
    assert dict(OVER.entries("c")) == {"d": Kind.DIRECTORY}
    assert dict(OVER.entries(".")) == {
        "a": Kind.DIRECTORY,
        "b": Kind.FILE,
        "c": Kind.DIRECTORY,
    }
    assert [OVER.kind(path) for path in ("c", "c/d", "c/d/e", "a", "a/l")] == [
        Kind.DIRECTORY,
        Kind.DIRECTORY,
        Kind.FILE,
        Kind.DIRECTORY,
        Kind.LINK,
    ]
