"""The baselines of a repository: read wherever they are, brought over without loss."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pytest

from yg.kernel.edit import Delete, Edit, Rename, Write
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.text import paths
from yg.yggdrasil.drift.baseline import Baseline
from yg.yggdrasil.drift.baselines import Baselines, Legacy

if TYPE_CHECKING:
    from support import Content

STATE = ".yggdrasil/.drift-state"
ONE = Baseline("1", {"src/a.py": "2"})
ONE_TEXT = '{\n  "hash": "1",\n  "files": {\n    "src/a.py": "2"\n  }\n}\n'
EMPTY_TEXT = '{\n  "hash": "3",\n  "files": {}\n}\n'
JSON = '{"a": {"hash": "1", "files": {"src/a.py": "2"}, "mtimes": {"src/a.py": 5}}, "b/c": "3"}'
YAML = """\
a:
  hash: "1"
  files: {src/a.py: "2"}
  mtimes: {src/a.py: 5}
b/c: "3"
"""
HOSTILE = {
    "../../x": "leaves it",
    "..": "leaves it",
    "/etc/x": "is absolute",
    "//x": "is absolute",
    "a/../../x": "leaves it in a roundabout way",
    "a/../b": "takes a detour",
    "./a": "takes a detour",
    "a//b": "takes a detour",
    "a/": "is not a path of a node",
    "": "is empty",
    ".root": "belongs to another node",
    ".hidden": "is not graph content",
    "a/.hidden/b": "is not graph content",
    ".git/config": "is not graph content",
    "../.drift-state/a": "takes a detour",
}


def baselines(files: Mapping[str, Content]) -> Baselines:
    return Baselines(DictSnapshot({".yggdrasil": Kind.DIRECTORY, **files}))


def after(files: Mapping[str, Content], edits: Iterable[Edit]) -> dict[str, Content]:
    """Carry out edits on files held in memory."""
    result = dict(files)
    for edit in edits:
        match edit:
            case Write(path, content):
                result[path] = content
            case Delete(path):
                del result[path]
            case Rename(path, to):
                assert not any(paths.is_inside(entry, to) for entry in result)
                for item in [entry for entry in result if paths.is_inside(entry, path)]:
                    result[to + item.removeprefix(path)] = result.pop(item)
            case _:
                pytest.fail(f"an unexpected edit: {edit}")
    return result


def texts(files: Mapping[str, Content]) -> dict[str, str]:
    return {
        path: content.decode() if isinstance(content, bytes) else str(content)
        for path, content in files.items()
    }


# Reading.


def test_a_baseline_is_read_from_the_file_of_its_node() -> None:
    found = baselines({f"{STATE}/a.json": ONE_TEXT, f"{STATE}/b/c.json": EMPTY_TEXT})
    assert (found.get("a"), found.get("b/c"), found.get("b")) == (ONE, Baseline("3", {}), None)
    assert found.problems == {}


def test_the_root_node_has_a_baseline_too() -> None:
    assert baselines({f"{STATE}/.root.json": ONE_TEXT}).get(".") == ONE


@pytest.mark.parametrize("files", [{}, {STATE: Kind.DIRECTORY}, {f"{STATE}/a.txt": "x"}], ids=str)
def test_no_baseline_is_not_a_problem(files: dict[str, Content]) -> None:
    found = baselines(files)
    assert (found.get("a"), found.problems, found.migration()) == (None, {}, [])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "not valid JSON in line 1, column 2"),
        ("[]", "not a JSON object"),
        (b"\xff", "not UTF-8 at byte 0 (0xff)"),
        (UnreadableError(f"{STATE}/a.json", "permission denied"), "permission denied"),
        (Kind.LINK, "it is not a file but a link"),
        (Kind.DIRECTORY, "it is not a file but a directory"),
    ],
    ids=["json", "shape", "encoding", "permission", "link", "directory"],
)
def test_a_state_file_that_cannot_be_understood_is_reported_and_survived(
    content: Content, reason: str
) -> None:
    found = baselines({f"{STATE}/a.json": content, f"{STATE}/b.json": ONE_TEXT})
    assert (found.get("a"), found.get("b")) == (None, ONE)
    assert found.problems == {f"{STATE}/a.json": reason}


def test_a_state_file_that_is_a_special_file_is_reported_and_never_read() -> None:
    found = baselines({f"{STATE}/a.json": Kind.OTHER})
    assert (found.get("a"), list(found.problems)) == (None, [f"{STATE}/a.json"])


@pytest.mark.parametrize("kind", [Kind.LINK, Kind.OTHER])
def test_a_state_directory_that_is_a_link_is_reported_and_not_followed(kind: Kind) -> None:
    found = baselines({STATE: kind})
    assert (found.get("a"), list(found.files()), found.migration()) == (None, [], [])
    assert found.problems == {STATE: "it is a link or a special file, and is not followed"}


def test_all_files_are_found_and_no_link_is_followed() -> None:
    names = ["a.json", "a/b/c.json", "a/b.json", "README.md", ".yg-tmp-1-0", "z/.hidden/x.json"]
    files: dict[str, Content] = {f"{STATE}/{name}": "" for name in names}
    links: dict[str, Content] = {f"{STATE}/link": Kind.LINK, f"{STATE}/z/fifo": Kind.OTHER}
    found = baselines({**files, **links})
    assert sorted(found.files()) == sorted(files)


# The single file of earlier versions.


@pytest.mark.parametrize("text", [JSON, YAML, JSON.replace(" ", "\n\t"), f"\ufeff{JSON}"])
def test_baselines_in_a_single_file_are_read(text: str) -> None:
    found = baselines({STATE: text})
    assert (found.get("a"), found.get("b/c"), found.get("x")) == (ONE, None, None)
    assert (found.legacy, found.problems) == (Legacy({"a": ONE}, (), ("b/c",)), {})


@pytest.mark.parametrize("text", [JSON, YAML])
def test_the_new_files_are_complete_before_the_old_one_goes(text: str) -> None:
    assert baselines({STATE: text}).migration() == [
        Write(f"{STATE}.new/a.json", ONE_TEXT.encode()),
        Rename(STATE, f"{STATE}.old"),
        Rename(f"{STATE}.new", STATE),
        Delete(f"{STATE}.old"),
    ]


MIGRATED = {f"{STATE}/a.json": ONE_TEXT}  # a hash alone makes no baseline


@pytest.mark.parametrize("cut", range(6))
@pytest.mark.parametrize("text", [JSON, YAML])
def test_a_migration_stopped_anywhere_loses_nothing_and_is_finished_later(
    text: str, cut: int
) -> None:
    before: dict[str, Content] = {STATE: text}
    between = after(before, baselines(before).migration()[:cut])
    found = baselines(between)
    assert (found.get("a"), found.get("b/c")) == (ONE, None)
    assert texts(after(between, found.migration())) == MIGRATED


@pytest.mark.parametrize("second", range(6))
@pytest.mark.parametrize("first", range(6))
def test_a_migration_may_be_stopped_twice(first: int, second: int) -> None:
    state: dict[str, Content] = {STATE: JSON}
    for cut in (first, second):
        state = after(state, baselines(state).migration()[:cut])
    assert texts(after(state, baselines(state).migration())) == MIGRATED


def test_a_migration_says_what_it_did_and_what_became_of_hashes_without_files() -> None:
    assert baselines({STATE: JSON}).migration_notes() == (
        f"the file {STATE} was converted to a directory with 1 baseline",
        "'b/c' has no baseline now: the old file had only a hash",
    )
    old = '{"b": {"hash": "1"}, "a": "2", "..": "3"}'
    assert baselines({STATE: old}).migration_notes() == (
        f"the file {STATE} had no baseline that could be converted",
        "'a' has no baseline now: the old file had only a hash",
        "'b' has no baseline now: the old file had only a hash",
        f"{STATE}: '..' is not a node path; the old file is kept as .drift-state.rejected",
    )


def test_files_that_no_baseline_lists_are_told_apart() -> None:
    files = {f"{STATE}/a.json": ONE_TEXT, f"{STATE}/gone.json": "{", f"{STATE}/x.txt": ONE_TEXT}
    assert baselines(files).unknown(["src/a.py", "src/b.py"]) == {"src/b.py"}
    assert baselines({STATE: JSON}).unknown(["src/a.py", "src/b.py"]) == {"src/b.py"}
    assert baselines({}).unknown(["src/a.py"]) == {"src/a.py"}


def test_a_migration_that_is_done_is_not_done_again() -> None:
    assert baselines(dict(MIGRATED)).migration() == []


def test_an_empty_map_leaves_nothing_behind() -> None:
    state: dict[str, Content] = {STATE: "{}"}
    assert after(state, baselines(state).migration()) == {}


@pytest.mark.parametrize("key", HOSTILE)
def test_a_key_that_is_not_a_node_path_is_never_written_and_never_lost(key: str) -> None:
    text = json.dumps({"a": {"hash": "1", "files": {"src/a.py": "2"}}, key: "3"})
    state: dict[str, Content] = {STATE: text}
    found = baselines(state)
    assert found.legacy is not None
    assert found.legacy.problems == (f"{STATE}: '{key}' is not a node path",)
    edits = found.migration()
    assert [edit.path for edit in edits if isinstance(edit, Write)] == [f"{STATE}.new/a.json"]
    assert texts(after(state, edits)) == {f"{STATE}/a.json": ONE_TEXT, f"{STATE}.rejected": text}


@pytest.mark.parametrize("cut", range(5))
def test_a_rejected_key_survives_a_migration_that_was_stopped(cut: int) -> None:
    text = '{"a": {"hash": "1", "files": {"src/a.py": "2"}}, "../../x": "3"}'
    state: dict[str, Content] = {STATE: text}
    state = after(state, baselines(state).migration()[:cut])
    state = after(state, baselines(state).migration())
    assert texts(state) == {f"{STATE}/a.json": ONE_TEXT, f"{STATE}.rejected": text}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("5", "not a JSON object"),
        ("null", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ("{}", "it has no 'files'"),
        ('{"hash": 1}', "its 'hash' is not text"),
        ('{"hash": "1", "files": 2}', "its 'files' is not a map from path to hash"),
        ('{"hash": "1", "files": {"a": 1}}', "its 'files' is not a map from path to hash"),
        ('{"hash": "1", "files": {"a": {"b": "c"}}}', "its 'files' is not a map from path to hash"),
    ],
)
def test_an_entry_of_another_shape_is_kept_aside(entry: str, reason: str) -> None:
    state: dict[str, Content] = {STATE: f'{{"a": {entry}, "b/c": "3"}}'}
    found = baselines(state)
    assert found.legacy is not None
    assert found.legacy.problems == (f"{STATE}: 'a': {reason}",)
    assert texts(after(state, found.migration())) == {f"{STATE}.rejected": str(state[STATE])}


@pytest.mark.parametrize(
    "content", ["", "null", "[]", "text", "12", "{", "a: [", b"\xff", "<<<<<<< ours\n"]
)
def test_a_single_file_that_cannot_be_understood_is_kept_aside_as_a_whole(content: Content) -> None:
    state: dict[str, Content] = {STATE: content}
    found = baselines(state)
    assert found.legacy is not None
    assert (len(found.legacy.problems), found.get("a")) == (1, None)
    assert found.legacy.problems[0].startswith(f"{STATE}: ")
    assert after(state, found.migration()) == {f"{STATE}.rejected": content}


def test_a_single_file_that_cannot_be_opened_is_reported() -> None:
    found = baselines({STATE: UnreadableError(STATE, "permission denied")})
    assert found.legacy is not None
    assert found.legacy.problems == (f"{STATE}: permission denied",)
