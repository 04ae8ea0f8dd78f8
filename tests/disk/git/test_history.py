"""Old versions of files are found in git by their content, wherever they lie."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from support import git, write
from yg.disk.git import history as module
from yg.disk.git.history import History, OldVersion


def commit(root: Path, files: Mapping[str, str | bytes]) -> str:
    """Write files, commit everything there is, and return the id of the commit."""
    if not (root / ".git").exists():
        git(root, "init", "-q")
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "message")
    return git(root, "rev-parse", "HEAD")


def digest(content: str | bytes) -> str:
    return sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


def found(root: Path, wanted: Mapping[str, str]) -> dict[str, tuple[str, str, bytes]]:
    """Return where the wanted contents are, by path."""
    versions = History(str(root)).at_paths({path: {each} for path, each in wanted.items()})
    return {path: _told(version) for (path, _), version in versions.items()}


def _told(version: OldVersion) -> tuple[str, str, bytes]:
    return version.path, version.commit, version.content


def test_a_content_is_found_in_the_last_commit_and_in_earlier_ones(tmp_path: Path) -> None:
    first = commit(tmp_path, {"src/a.py": "one\n", "src/b.py": "b\n"})
    commit(tmp_path, {"src/a.py": "two\n"})
    last = commit(tmp_path, {"src/a.py": "three\n", "c": "c"})
    for text, where in (("one\n", first), ("three\n", "")):
        expected = {"src/a.py": ("src/a.py", where, text.encode())}
        assert found(tmp_path, {"src/a.py": digest(text)}) == expected
    git(tmp_path, "rm", "-q", "--cached", "c")
    assert found(tmp_path, {"c": digest("c")}) == {"c": ("c", last, b"c")}


def test_the_newest_commit_with_a_content_is_taken(tmp_path: Path) -> None:
    commit(tmp_path, {"a": "one\n"})
    commit(tmp_path, {"a": "two\n"})
    again = commit(tmp_path, {"a": "one\n"})
    commit(tmp_path, {"a": "three\n"})
    assert found(tmp_path, {"a": digest("one\n")})["a"][1] == again


def test_two_versions_of_one_path_are_found(tmp_path: Path) -> None:
    for text in ("one\n", "two\n", "three\n"):
        commit(tmp_path, {"a": text})
    wanted = {digest("one\n"), digest("two\n"), digest("never\n")}
    versions = History(str(tmp_path)).at_paths({"a": wanted})
    assert {key[1]: version.content for key, version in versions.items()} == {
        digest("one\n"): b"one\n",
        digest("two\n"): b"two\n",
    }


def test_what_is_only_staged_is_found(tmp_path: Path) -> None:
    commit(tmp_path, {"a": "one\n"})
    write(tmp_path, {"a": "two\n"})
    git(tmp_path, "add", "a")
    write(tmp_path, {"a": "three\n"})
    assert found(tmp_path, {"a": digest("two\n")}) == {"a": ("a", "", b"two\n")}
    assert found(tmp_path, {"a": digest("three\n")}) == {}


def test_a_deleted_file_is_found_at_its_old_path(tmp_path: Path) -> None:
    first = commit(tmp_path, {"a": "one\n", "b": "b"})
    (tmp_path / "a").unlink()
    commit(tmp_path, {})
    assert found(tmp_path, {"a": digest("one\n")}) == {"a": ("a", first, b"one\n")}


def test_a_version_that_only_a_merge_has_is_found(tmp_path: Path) -> None:
    commit(tmp_path, {"a": "base\n"})
    git(tmp_path, "checkout", "-q", "-b", "side")
    commit(tmp_path, {"a": "side\n"})
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, {"a": "main\n"})
    git(tmp_path, "merge", "-q", "-s", "ours", "--no-commit", "side")
    merge = commit(tmp_path, {"a": "both\n"})
    commit(tmp_path, {"a": "later\n"})
    assert found(tmp_path, {"a": digest("both\n")})["a"][1] == merge


def test_line_endings_do_not_matter_but_the_bytes_of_another_tool_count(tmp_path: Path) -> None:
    commit(tmp_path, {"a": b"one\r\ntwo\r\n"})
    for stored in (digest("one\ntwo\n"), digest(b"one\r\ntwo\r\n")):
        assert found(tmp_path, {"a": stored})["a"][2] == b"one\r\ntwo\r\n"


def test_a_graph_below_the_top_names_paths_from_its_own_root(tmp_path: Path) -> None:
    commit(tmp_path, {"sub/a": "one\n", "a": "top\n"})
    here = tmp_path / "sub"
    assert found(here, {"a": digest("one\n")})["a"][0] == "a"
    assert found(here, {"a": digest("top\n")}) == {}
    assert History(str(here)).anywhere({digest("top\n"): "a"}) == {}


def test_a_content_at_another_path_is_found(tmp_path: Path) -> None:
    first = commit(tmp_path, {"old/a.py": "one\n", "x.txt": "x"})
    (tmp_path / "old/a.py").unlink()
    commit(tmp_path, {})
    (version,) = History(str(tmp_path)).anywhere({digest("one\n"): "new/b.py"}).values()
    assert _told(version) == ("old/a.py", first, b"one\n")


def test_of_equal_contents_the_file_of_the_same_name_is_taken(tmp_path: Path) -> None:
    commit(tmp_path, {"a.txt": "same\n", "z/b.py": "same\n"})
    last = commit(tmp_path, {"y.py": "other\n"})
    (version,) = History(str(tmp_path)).anywhere({digest("other\n"): "b.py"}).values()
    assert _told(version)[:2] == ("y.py", last)
    (version,) = History(str(tmp_path)).anywhere({digest("same\n"): "b.py"}).values()
    assert version.content == b"same\n"


def test_many_paths_are_found_in_one_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PATHS", 2)
    first = commit(tmp_path, {f"f{number}": f"old {number}\n" for number in range(5)})
    commit(tmp_path, {f"f{number}": f"new {number}\n" for number in range(5)})
    wanted = {f"f{number}": digest(f"old {number}\n") for number in range(5)}
    assert {commit for _, commit, _ in found(tmp_path, wanted).values()} == {first}
    assert len(found(tmp_path, wanted)) == 5


def test_without_git_or_commits_nothing_is_found(tmp_path: Path) -> None:
    write(tmp_path, {"a": "one\n"})
    assert not History(str(tmp_path)).has_git
    assert found(tmp_path, {"a": digest("one\n")}) == {}
    git(tmp_path, "init", "-q")
    history = History(str(tmp_path))
    assert history.has_git
    assert (history.at_paths({"a": {digest("one\n")}}), history.anywhere({"0": "a"})) == ({}, {})


@pytest.mark.parametrize("path", ["../a", "/etc/passwd", "a\0b", "\ud800", "x" * 5000, ".", "./a"])
def test_git_is_not_asked_for_paths_that_no_file_can_have(tmp_path: Path, path: str) -> None:
    commit(tmp_path, {"a": "one\n"})
    wanted = {path: digest("one\n"), "a": digest("one\n")}
    assert list(found(tmp_path, wanted)) == ["a"]


def test_names_with_pathspec_characters_are_plain_names(tmp_path: Path) -> None:
    files = {"*": "star\n", ":(top)a": "magic\n", "a b": "blank\n", "-x": "dash\n", "ä": "umlaut\n"}
    commit(tmp_path, files)
    commit(tmp_path, dict.fromkeys(files, "new\n"))
    wanted = {path: digest(text) for path, text in files.items()}
    assert {path: each[2].decode() for path, each in found(tmp_path, wanted).items()} == files
