"""Replacing our own files: what somebody has edited is kept, whatever is there already."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from support import REPOSITORY
from yg.kernel.digest import file_digest
from yg.kernel.edit import Copy, Edit, Write
from yg.kernel.errors import UnreadableError, YgError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.yggdrasil.start.init import (
    DIGESTS,
    SCHEMAS,
    copies_told,
    is_ours,
    platform_files,
    replaced,
)
from yg.yggdrasil.start.platforms import BEGIN, END, PLATFORMS, rules_text
from yg.yggdrasil.start.schemas import JSON_SCHEMAS, json_schema
from yg.yggdrasil.start.templates import template

if TYPE_CHECKING:
    from support import Content

WRITTEN = ("rules.md", "yg.js", *SCHEMAS, *JSON_SCHEMAS)
NEW = Write("x/rules.md", b"new\n")
OURS = rules_text().encode()


def edits(files: dict[str, Content]) -> list[Edit]:
    return list(replaced(DictSnapshot(files), NEW))


# What is ours.


@pytest.mark.parametrize("name", WRITTEN)
def test_the_digest_of_every_file_that_is_written_is_listed(name: str) -> None:
    """Whoever changes a template or a key adds the line that this test asks for."""
    text = json_schema(name) if name in JSON_SCHEMAS else template(name)
    line = f"{file_digest([text.encode()])}  {name}"
    assert line in template(DIGESTS).splitlines()


def git(*arguments: str) -> bytes:
    ran = subprocess.run(["git", "-C", REPOSITORY, *arguments], capture_output=True, check=False)
    return ran.stdout if ran.returncode == 0 else b""


def test_the_digests_of_all_earlier_versions_are_listed() -> None:
    listed = set(template(DIGESTS).splitlines())
    folder = "src/yg/yggdrasil/start/templates"
    for commit in git("log", "--format=%H", "--", folder).decode().split():
        for name in WRITTEN:
            content = git("show", f"{commit}:{folder}/{name}")
            assert not content or f"{file_digest([content])}  {name}" in listed


def test_line_endings_make_no_file_a_strange_one() -> None:
    assert is_ours(OURS)
    assert is_ours(OURS.replace(b"\n", b"\r\n"))
    assert not is_ours(OURS + b"\n")
    assert not is_ours(b"")


# Copies.


def test_what_is_not_there_is_written() -> None:
    assert edits({}) == [NEW]


def test_what_is_there_already_needs_nothing() -> None:
    assert edits({"x/rules.md": "new\n"}) == []


@pytest.mark.parametrize("content", [OURS, OURS.replace(b"\n", b"\r\n"), b""])
def test_what_we_wrote_and_what_is_empty_is_replaced(content: bytes) -> None:
    assert edits({"x/rules.md": content}) == [NEW]


@pytest.mark.parametrize(
    ("there", "copy"),
    [
        ({}, "x/rules.md.before-upgrade"),
        ({"x/rules.md.before-upgrade": "older\n"}, "x/rules.md.before-upgrade.2"),
        ({"x/rules.md.before-upgrade": Kind.LINK}, "x/rules.md.before-upgrade.2"),
        ({"x/rules.md.before-upgrade": Kind.DIRECTORY}, "x/rules.md.before-upgrade.2"),
        (
            {
                "x/rules.md.before-upgrade": UnreadableError("x", "permission denied"),
                "x/rules.md.before-upgrade.2": "older\n",
            },
            "x/rules.md.before-upgrade.3",
        ),
    ],
)
def test_what_was_edited_is_copied_to_a_free_name(there: dict[str, Content], copy: str) -> None:
    assert edits({"x/rules.md": "mine\n", **there}) == [Copy("x/rules.md", copy), NEW]


def test_a_copy_is_not_made_twice() -> None:
    copies = {"x/rules.md.before-upgrade": "older\n", "x/rules.md.before-upgrade.2": "mine\n"}
    assert edits({"x/rules.md": "mine\n", **copies}) == [NEW]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"x/rules.md": Kind.LINK}, "'x/rules.md' is a link, not a file"),
        ({"x/rules.md": Kind.DIRECTORY}, "'x/rules.md' is a directory, not a file"),
        ({"x": "a file"}, "'x' is not a directory"),
        (
            {"x/rules.md": UnreadableError("x/rules.md", "permission denied")},
            "cannot read 'x/rules.md': permission denied",
        ),
    ],
)
def test_what_cannot_be_kept_is_not_replaced(files: dict[str, Content], message: str) -> None:
    with pytest.raises(YgError) as caught:
        edits(files)
    assert caught.value.message == message
    assert "othing was written." in caught.value.hint


def test_each_copy_is_reported() -> None:
    assert copies_told([NEW, Copy("a", "a.before-upgrade")]) == [
        "a: your version is kept as a.before-upgrade"
    ]


# Platforms.


@pytest.mark.parametrize("name", PLATFORMS)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_rules_of_ours_in_a_platforms_file_are_replaced_without_a_copy(
    name: str, line_break: str
) -> None:
    files = platform_text(name, rules_text().replace("\n", line_break), line_break)
    found = platform_files(DictSnapshot(files), PLATFORMS[name])
    assert not any(isinstance(edit, Copy) for edit in found)


@pytest.mark.parametrize("name", PLATFORMS)
def test_edited_rules_in_a_platforms_file_are_kept(name: str) -> None:
    files = platform_text(name, f"{rules_text()}Mine.\n", "\n")
    (path,) = files
    found = platform_files(DictSnapshot(files), PLATFORMS[name])
    assert Copy(path, f"{path}.before-upgrade") in found
    copied = found.index(Copy(path, f"{path}.before-upgrade"))
    assert isinstance(found[copied + 1], Write)
    assert found[copied + 1].path == path


def platform_text(name: str, rules: str, line_break: str) -> dict[str, str]:
    """Return the file in which a platform finds the rules."""
    platform = PLATFORMS[name]
    if platform.needs_rules_file:
        return {".yggdrasil/agent-rules.md": rules}
    text = platform.way.placed(f"Mine.{line_break}", "RULES\n")
    text = text.replace("\r\n", "\n").replace("\n", line_break)
    return {platform.file: text.replace(f"RULES{line_break}", rules)}


def test_text_around_the_markers_is_the_users_and_needs_no_copy() -> None:
    text = f"Mine.\n{BEGIN}\n{rules_text()}{END}\nMine too.\n"
    assert platform_files(DictSnapshot({"AGENTS.md": text}), PLATFORMS["codex"]) == []
