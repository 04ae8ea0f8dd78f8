"""Edits as text and as data."""

from __future__ import annotations

from typing import Any

from schemas import faults_in
from yg.commands.edits import edits_text
from yg.commands.init import Init
from yg.kernel.document import plain
from yg.kernel.edit import Copy, Delete, Edit, MakeDirectory, Rename, Write

EDITS: list[Edit] = [
    Write("a/b.md", "é\n".encode()),
    Write("empty", b""),
    Delete("a/old.md"),
    Rename("a", "b"),
    Copy("a", "c"),
    MakeDirectory("a/c"),
]


def data(edits: list[Edit]) -> dict[str, Any]:
    found = Init(
        platform="codex",
        platforms=("codex", "amp"),
        dry_run=True,
        edits=tuple(edits),
        warnings=("One.",),
        unfinished=("model/a/node.yaml",),
        steps="",
    )
    return plain(found)


def test_each_edit_is_a_line() -> None:
    assert edits_text(EDITS) == (
        "write   a/b.md (3 bytes)\n"
        "write   empty (0 bytes)\n"
        "delete  a/old.md\n"
        "rename  a -> b\n"
        "copy    a -> c\n"
        "make    a/c/\n"
    )


def test_each_edit_is_data() -> None:
    assert data(EDITS)["edits"] == [
        {"edit": "write", "path": "a/b.md", "bytes": 3},
        {"edit": "write", "path": "empty", "bytes": 0},
        {"edit": "delete", "path": "a/old.md"},
        {"edit": "rename", "path": "a", "to": "b"},
        {"edit": "copy", "path": "a", "to": "c"},
        {"edit": "make-directory", "path": "a/c"},
    ]
    assert faults_in(data(EDITS)) == []


def test_the_first_platform_is_named_apart() -> None:
    found = data([])
    assert (found["platform"], found["platforms"]) == ("codex", ["codex", "amp"])
    assert found["unfinished"] == ["model/a/node.yaml"]


def test_no_edits_have_no_lines() -> None:
    assert (edits_text([]), data([])["edits"]) == ("", [])


def test_a_strange_name_cannot_forge_a_line() -> None:
    assert edits_text([Delete("a\ndelete  b\x1b[31m")]) == "delete  a\\ndelete  b\\x1b[31m\n"
