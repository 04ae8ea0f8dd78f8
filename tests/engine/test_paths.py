"""Paths are text: joined, split and shortened without a look at any disk."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text import paths

NAMES = st.sampled_from(["a", "b", "ab", "a b", "é", "..a", "a.", ".git", "\\"])
PATHS = st.lists(NAMES, min_size=1, max_size=5).map("/".join)
SPELLINGS = st.lists(NAMES | st.sampled_from(["", ".", ".."]), max_size=7).map("/".join)


@pytest.mark.parametrize(
    ("directory", "name", "joined"),
    [("a/b", "c", "a/b/c"), ("a", "c", "a/c"), (".", "c", "c"), ("", "c", "c")],
)
def test_a_name_in_the_root_is_alone_and_elsewhere_behind_its_directory(
    directory: str, name: str, joined: str
) -> None:
    assert paths.join(directory, name) == joined


@pytest.mark.parametrize(
    ("path", "parent", "name"),
    [("a/b/c", "a/b", "c"), ("a/b", "a", "b"), ("a", ".", "a"), (".", ".", ".")],
)
def test_a_path_is_a_name_in_its_parent(path: str, parent: str, name: str) -> None:
    assert (paths.parent(path), paths.name_of(path)) == (parent, name)


@given(PATHS)
def test_parent_and_name_joined_give_the_path_again(path: str) -> None:
    assert paths.join(paths.parent(path), paths.name_of(path)) == path


@pytest.mark.parametrize(
    ("path", "ancestors"),
    [(".", ()), ("a", (".",)), ("a/b", (".", "a")), ("a/b/c", (".", "a", "a/b"))],
)
def test_a_lineage_runs_from_the_root_down_and_leaves_the_path_itself_out(
    path: str, ancestors: tuple[str, ...]
) -> None:
    assert paths.lineage(path) == ancestors


@given(PATHS)
def test_each_ancestor_is_the_parent_of_the_next(path: str) -> None:
    line = (*paths.lineage(path), path)
    assert [paths.parent(item) for item in line[1:]] == list(line[:-1])
    assert all(paths.is_inside(path, ancestor) for ancestor in line)


@pytest.mark.parametrize(
    ("path", "directory", "answer"),
    [
        ("a/b", "a", True),
        ("a/b/c", "a", True),
        ("a", "a", True),
        ("a", ".", True),
        (".", ".", True),
        ("ab", "a", False),
        ("a", "a/b", False),
        (".", "a", False),
        ("b/a", "a", False),
    ],
)
def test_inside_means_the_directory_itself_or_anything_below_it(
    path: str,
    directory: str,
    answer: bool,  # noqa: FBT001
) -> None:
    assert paths.is_inside(path, directory) is answer


@pytest.mark.parametrize(
    ("spelling", "path"),
    [
        ("a/b", "a/b"),
        ("./a//b/", "a/b"),
        ("a/./b", "a/b"),
        ("a/../b", "b"),
        ("a/b/..", "a"),
        ("a/..", "."),
        ("", "."),
        (".", "."),
        ("./", "."),
        ("..a/...", "..a/..."),
        ("a\\..\\b", "a\\..\\b"),
    ],
)
def test_a_path_has_one_shortest_spelling(spelling: str, path: str) -> None:
    assert paths.normalise(spelling) == path


@pytest.mark.parametrize(
    "spelling", ["..", "../a", "a/../..", "a/../../a", "./..", "/", "/a", "//a"]
)
def test_a_path_that_leaves_the_root_has_no_spelling(spelling: str) -> None:
    assert paths.normalise(spelling) is None


@given(SPELLINGS)
def test_the_shortest_spelling_is_the_one_posix_gives(spelling: str) -> None:
    known = posixpath.normpath(spelling)
    leaves = f"{known}/".startswith(("/", "../"))
    assert paths.normalise(spelling) == (None if leaves else known)


@given(SPELLINGS | st.text("a./\\", max_size=8))
def test_the_quick_way_to_the_shortest_spelling_leads_where_the_long_one_does(
    spelling: str,
) -> None:
    assert paths.normalise(spelling) == paths._shortened(spelling)


@given(SPELLINGS)
def test_the_shortest_spelling_cannot_be_shortened(spelling: str) -> None:
    path = paths.normalise(spelling)
    assert path is None or paths.normalise(path) == path


@pytest.mark.parametrize("name", ["", "a.md", "é", "😀", "\x00", "\ud7ff", "\ue000"])
def test_every_character_but_half_a_surrogate_pair_is_utf8(name: str) -> None:
    assert paths.is_utf8(name)


@pytest.mark.parametrize("name", ["\udcff.md", "é\udc80", "a\ud800"])
def test_half_a_surrogate_pair_is_not_utf8(name: str) -> None:
    assert not paths.is_utf8(name)


@given(st.binary(max_size=8))
def test_a_name_is_utf8_exactly_when_its_bytes_are(name: bytes) -> None:
    try:
        name.decode()
    except UnicodeDecodeError:
        assert not paths.is_utf8(name.decode(errors="surrogateescape"))
    else:
        assert paths.is_utf8(name.decode(errors="surrogateescape"))
