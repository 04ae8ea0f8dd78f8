"""An overlay: a snapshot as it would be after some changes."""

from __future__ import annotations

import pytest

from yg.kernel.errors import UnreadableError
from yg.kernel.overlay import OverlaySnapshot, OverlaySources, can_be_file
from yg.kernel.snapshot import MAX_TEXT, DictSnapshot, Kind, Names
from yg.kernel.sources import SnapshotSources

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


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/x", True),
        ("a/new", True),
        ("new/new", True),
        ("a/l", False),
        ("a/l/x", False),
        ("a/x/y", False),
        ("a", False),
        ("../x", False),
        (".", False),
    ],
)
def test_a_file_is_never_behind_a_link(path: str, expected: bool) -> None:  # noqa: FBT001
    assert can_be_file(BASE, path) is expected


def test_a_buffer_may_be_too_large_or_not_utf8() -> None:
    contents = {
        "a/x": b"x" * (MAX_TEXT + 1),
        "a/y": "\ud800".encode("utf-8", "surrogatepass"),
    }
    snapshot = OverlaySnapshot(BASE, contents)
    with pytest.raises(UnreadableError):
        snapshot.read("a/x")
    assert snapshot.text("a/y").fault.startswith("not UTF-8")


def test_sources_have_new_files_unless_they_would_be_ignored() -> None:
    base = DictSnapshot({"src/a.py": "a = 1\n"})
    contents = {"src/a.py": b"b", "src/new.py": b"n", "src/new.log": b"l", ".yggdrasil/x": b""}
    overlay = OverlaySnapshot(base, contents)
    sources = OverlaySources(SnapshotSources(base), overlay, lambda file: file.endswith(".log"))
    assert sources.files("src") == ("src/a.py", "src/new.py")
    assert sources.files(".") == ("src/a.py", "src/new.py")
    assert (sources.read("src/a.py"), sources.read("src/new.py")) == (b"b", b"n")
    assert sources.lacking("src/new.py", frozenset({"n", "m"})) == {"m"}
    assert sources.digest("src/a.py") != SnapshotSources(base).digest("src/a.py")
    assert [sources.ignores(file) for file in ("src/new.py", "src/new.log")] == [False, True]
    assert not sources.is_ignored("src")
