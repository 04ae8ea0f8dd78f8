"""Which files git sees, in repositories and without any; which are ignored; which have changed."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hostile import commit_all, sh, touch_everything
from hostile import write as write_texts
from yg.disk.git import GitError
from yg.disk.repository import require_repository
from yg.disk.visible import LARGEST, Visible, changed_files, is_ignored, visible_files


def write(root: Path, *files: str, **texts: str) -> Path:
    return write_texts(root, {**dict.fromkeys(files, ""), **texts})


def repository(root: Path, *files: str, **texts: str) -> Path:
    root.mkdir(exist_ok=True)
    sh(root, "init", "--quiet")
    return write(root, *files, **texts)


def seen(root: Path) -> list[str]:
    return list(visible_files(str(root)).files)


def changed(directory: Path, since: str) -> tuple[str, ...]:
    return changed_files(require_repository(str(directory)), since)


def without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


# Patterns, by git and without it.


def test_tracked_and_untracked_files_are_seen_sorted_by_code_point(tmp_path: Path) -> None:
    root = repository(tmp_path, "b", "a/z", "a.c", "Z", "ä")
    sh(root, "add", "b")
    assert seen(root) == ["Z", "a.c", "a/z", "b", "ä"]


def test_an_empty_directory_shows_nothing(tmp_path: Path) -> None:
    assert seen(tmp_path) == []
    assert seen(repository(tmp_path)) == []


FILES = (
    *("a.log", "a.py", "build/a.py", "src/a.log", "src/build/a.py", "src/build/b.log"),
    *("src/keep/a.py", "src/keep/b.log"),
)
LOGS = ["a.log", "src/a.log", "src/build/b.log", "src/keep/b.log"]
BUILDS = ["build/a.py", "src/build/a.py", "src/build/b.log"]


@pytest.mark.parametrize("has_repository", [True, False])
@pytest.mark.parametrize(
    ("patterns", "hidden"),
    [
        ("*.log", LOGS),
        ("build", BUILDS),
        ("build/", BUILDS),
        ("/build", ["build/a.py"]),
        ("*.log\n!src/keep/*.log", ["a.log", "src/a.log", "src/build/b.log"]),
        ("/*\n!/src", ["a.log", "a.py", "build/a.py"]),
        ("src/*\n!src/keep/", ["src/a.log", "src/build/a.py", "src/build/b.log"]),
        ("src\n!src/keep", [file for file in FILES if file.startswith("src/")]),
        ("# a.py\n\n\\#\n*.log\r\nbuild \n", sorted({*LOGS, *BUILDS})),
        ("**/keep", ["src/keep/a.py", "src/keep/b.log"]),
        ("src/**/a.py", ["src/build/a.py", "src/keep/a.py"]),
        ("[ab].*\n!a.py", LOGS),
        ("?.py", [file for file in FILES if file.endswith(".py")]),
    ],
    ids=lambda value: value.replace("\n", " ") if isinstance(value, str) else "",
)
def test_patterns_mean_the_same_with_git_and_without(
    tmp_path: Path, patterns: str, hidden: list[str], *, has_repository: bool
) -> None:
    write(tmp_path, *FILES)
    (tmp_path / ".gitignore").write_bytes(patterns.encode())
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    assert sorted(set(FILES) - set(seen(tmp_path))) == hidden


@pytest.mark.parametrize("has_repository", [True, False])
def test_a_nested_gitignore_has_the_last_word_in_its_directory(
    tmp_path: Path, *, has_repository: bool
) -> None:
    write(tmp_path, "a.log", "src/a.log", "src/b.py", "src/deep/a.log", "other/b.py")
    write(tmp_path, **{".gitignore": "*.log\nb.py\n"})
    write(tmp_path, **{"src/.gitignore": "!*.log\n", "src/deep/.gitignore": "/a.log\n!b.py\n"})
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    ignores = [".gitignore", "src/.gitignore", "src/a.log", "src/deep/.gitignore"]
    assert seen(tmp_path) == ignores


@pytest.mark.parametrize("has_repository", [True, False])
def test_what_is_below_an_ignored_directory_cannot_be_brought_back(
    tmp_path: Path, *, has_repository: bool
) -> None:
    write(tmp_path, "out/keep.txt", **{".gitignore": "out/\n!out/keep.txt\n"})
    write(tmp_path, **{"out/.gitignore": "!keep.txt\n"})
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    assert seen(tmp_path) == [".gitignore"]


# What only git knows.


def test_a_tracked_file_is_seen_even_if_a_pattern_matches_it(tmp_path: Path) -> None:
    root = repository(tmp_path, "gen/kept.py", "gen/lost.py", **{".gitignore": "gen/\n"})
    sh(root, "add", "--force", "gen/kept.py")
    assert seen(root) == [".gitignore", "gen/kept.py"]


def test_the_private_excludes_of_a_repository_count(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py", "mine.txt")
    write(root, **{".git/info/exclude": "mine.txt\n"})
    assert seen(root) == ["a.py"]


def test_a_tracked_file_that_is_gone_is_still_listed(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py", "b.py")
    sh(root, "add", ".")
    (root / "a.py").unlink()
    assert seen(root) == ["a.py", "b.py"]


def test_a_file_in_conflict_is_listed_once(tmp_path: Path) -> None:
    root = repository(tmp_path, **{"a.py": "base\n"})
    sh(root, "add", ".")
    sh(root, "commit", "--quiet", "--message=base")
    sh(root, "checkout", "--quiet", "-b", "other")
    write(root, **{"a.py": "theirs\n"})
    sh(root, "commit", "--quiet", "--all", "--message=theirs")
    sh(root, "checkout", "--quiet", "-")
    write(root, **{"a.py": "ours\n"})
    sh(root, "commit", "--quiet", "--all", "--message=ours")
    with pytest.raises(subprocess.CalledProcessError):
        sh(root, "merge", "other")
    assert seen(root) == ["a.py"]


def test_a_root_below_that_of_git_names_files_from_itself(tmp_path: Path) -> None:
    repository(tmp_path, "top.py", "app/src/a.py", "app/b.gen", "app/kept.gen")
    write(tmp_path, **{".gitignore": "*.gen\n"})
    sh(tmp_path, "add", "--force", "app/kept.gen")
    assert seen(tmp_path / "app") == ["kept.gen", "src/a.py"]


def test_a_root_that_the_repository_above_ignores_shows_nothing(tmp_path: Path) -> None:
    repository(tmp_path, "app/src/a.py", **{".gitignore": "app/\n"})
    assert seen(tmp_path / "app") == []


@pytest.mark.parametrize("has_repository", [True, False])
def test_a_repository_inside_is_not_looked_into(tmp_path: Path, *, has_repository: bool) -> None:
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    write(tmp_path, "a.py")
    repository(tmp_path / "vendor", "b.py")
    inner = repository(tmp_path / "committed", "c.py")
    sh(inner, "add", ".")
    sh(inner, "commit", "--quiet", "--message=inner")
    assert seen(tmp_path) == ["a.py"]


@pytest.mark.parametrize("has_repository", [True, False])
def test_a_worktree_or_submodule_inside_is_not_looked_into(
    tmp_path: Path, *, has_repository: bool
) -> None:
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    home = repository(tmp_path / "home", "b.py")
    sh(home, "add", ".")
    sh(home, "commit", "--quiet", "--message=home")
    sh(home, "worktree", "add", "--quiet", str(tmp_path / "sub"))
    assert (tmp_path / "sub" / ".git").is_file()
    write(tmp_path, "a.py")
    assert seen(tmp_path) == ["a.py"]


def test_a_submodule_is_not_a_file_with_files_below(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py")
    inner = repository(root / "sub", "b.py")
    sh(inner, "add", ".")
    sh(inner, "commit", "--quiet", "--message=inner")
    sh(root, "-c", "advice.addEmbeddedRepo=false", "add", "sub", "a.py")
    assert [file for file in seen(root) if file.startswith("sub/")] == []


@pytest.mark.parametrize("has_repository", [True, False])
def test_names_may_hold_anything(tmp_path: Path, *, has_repository: bool) -> None:
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    names = [" a", "a b", "a\nb", 'a"b', "a\\b", "b\udcff", "ü/é", "-n", "#x", "!y", "*", ":z"]
    for name in names:
        path = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb"):
            pass
    assert seen(tmp_path) == sorted(names)


@pytest.mark.parametrize("has_repository", [True, False])
def test_links_to_directories_are_not_followed(tmp_path: Path, *, has_repository: bool) -> None:
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    write(tmp_path, "real/a.py")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "linked").symlink_to("real", target_is_directory=True)
    assert [file for file in seen(tmp_path) if "/" in file] == ["real/a.py"]


@pytest.mark.parametrize("has_repository", [True, False])
def test_pipes_and_sockets_are_not_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_repository: bool
) -> None:
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    write(tmp_path, "a.py")
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # a socket's address has to be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert seen(tmp_path) == ["a.py"]


# Without the program.


def test_without_git_installed_the_patterns_are_worked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path, "a.py", "a.log", "src/b.log", **{".gitignore": "*.log\n"})
    without_git(monkeypatch)
    note = "git is not installed; .gitignore files are read without it"
    assert visible_files(str(root)) == Visible((".gitignore", "a.py"), (note,))
    assert is_ignored(str(root), "src/b.log")


def test_a_damaged_repository_is_read_as_if_there_were_none(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py", "a.log", **{".gitignore": "*.log\n"})
    (root / ".git" / "HEAD").unlink()
    assert seen(root) == [".gitignore", "a.py"]


def test_patterns_that_are_not_utf_8_do_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "a.log")
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe*\n*.log\n")
    assert seen(tmp_path) == [".gitignore", "a.py"]


STARS = {"names": "a*" * 12 + "b", "paths": "**/*a*/" * 12 + "b"}


@pytest.mark.parametrize("pattern", STARS.values(), ids=STARS.keys())
def test_a_pattern_of_many_stars_is_matched_at_once(tmp_path: Path, pattern: str) -> None:
    file = f"{'a' * 60}/{'a' * 200}"
    write(tmp_path, file, f"{'a' * 60}/{'a' * 200}b", **{".gitignore": f"{pattern}\n"})
    assert file in seen(tmp_path)


@pytest.mark.parametrize("kind", ["directory", "pipe", "link"])
def test_what_is_named_like_patterns_and_is_not_a_file_has_none(tmp_path: Path, kind: str) -> None:
    write(tmp_path, "a.log", patterns="*.log\n")
    if kind == "directory":
        (tmp_path / ".gitignore").mkdir()
    elif kind == "pipe":
        os.mkfifo(tmp_path / ".gitignore")
    else:
        (tmp_path / ".gitignore").symlink_to("patterns")
    assert visible_files(str(tmp_path)) == Visible(("a.log", "patterns"))


def test_patterns_too_large_to_be_matched_are_not_used(tmp_path: Path) -> None:
    write(tmp_path, "a.log", "src/a.log", **{"src/.gitignore": "*.log\n"})
    os.truncate(tmp_path / "src" / ".gitignore", LARGEST + 1)
    assert seen(tmp_path) == ["a.log", "src/.gitignore", "src/a.log"]


@pytest.mark.parametrize("line", ["[z-a]", "[", "a\0b", "[[:no:]]", "\\"])
def test_a_pattern_that_makes_no_sense_does_not_stop_the_others(tmp_path: Path, line: str) -> None:
    write(tmp_path, "b.py", "b.log", **{".gitignore": f"{line}\n*.log\n{line}\n"})
    assert seen(tmp_path) == [".gitignore", "b.py"]


# Single paths.


@pytest.mark.parametrize("has_repository", [True, False])
def test_a_path_is_ignored_whether_it_exists_or_not(
    tmp_path: Path, *, has_repository: bool
) -> None:
    write(tmp_path, "a.log", "a.py", "build/x", **{".gitignore": "*.log\nbuild/\n"})
    write(tmp_path, **{"src/.gitignore": "!*.log\n/private\n"})
    if has_repository:
        sh(tmp_path, "init", "--quiet")
    paths = ("a.log", "a.py", "build/x", "build", "src/a.log", "src/private/x", "gone/private")
    assert {path: is_ignored(str(tmp_path), path) for path in paths} == {
        "a.log": True,
        "a.py": False,
        "build/x": True,
        "build": True,
        "src/a.log": False,
        "src/private/x": True,
        "gone/private": False,
    }


def test_a_tracked_file_is_not_ignored(tmp_path: Path) -> None:
    root = repository(tmp_path, "app/gen/kept.py", "app/gen/x.py", **{".gitignore": "gen/\n"})
    sh(root, "add", "--force", "app/gen/kept.py")
    assert not is_ignored(str(root / "app"), "gen/kept.py")
    assert is_ignored(str(root / "app"), "gen/x.py")


def test_a_file_of_a_repository_inside_is_judged_by_that_one(tmp_path: Path) -> None:
    root = repository(tmp_path, **{".gitignore": "*.py\n"})
    repository(root / "inside", "a.py", "a.log", **{".gitignore": "*.log\n"})
    assert not is_ignored(str(root), "inside/a.py")
    assert is_ignored(str(root), "inside/a.log")


# Changes since a commit.


COMMITTED = {
    "top": "top\n",
    "a/b": "b\n",
    "a b/it's": "quote\n",
    "ä/ö": "ö\n",
    "-x": "dash\n",
    "many": "line\n" * 10_000,
}


def test_nothing_changed_is_nothing_found_whatever_the_times_are(tmp_path: Path) -> None:
    made = commit_all(tmp_path, COMMITTED)
    touch_everything(tmp_path)
    assert changed(tmp_path, made) == ()


def test_a_change_that_was_taken_back_is_none(tmp_path: Path) -> None:
    made = commit_all(tmp_path, {"a": "1"})
    write_texts(tmp_path, {"a": "2"})
    sh(tmp_path, "add", "a")
    write_texts(tmp_path, {"a": "1"})
    assert changed(tmp_path, made) == ()


def test_changes_since_an_older_commit_include_those_of_later_ones(tmp_path: Path) -> None:
    first = commit_all(tmp_path, {"a": "1", "b": "1"})
    commit_all(tmp_path, {"a": "2", "c": "2"})
    write_texts(tmp_path, {"d": "3"})
    assert changed(tmp_path, first) == ("a", "c", "d")


def test_only_changes_below_the_directory_count_and_are_named_from_there(tmp_path: Path) -> None:
    made = commit_all(tmp_path, {"in/a": "1", "out": "1", "inn/x": "1"})
    write_texts(tmp_path, {"in/a": "2", "out": "2", "inn/x": "2", "in/new": "2", "new": "2"})
    assert changed(tmp_path / "in", made) == ("a", "new")


def test_unusual_names_are_found_as_they_are(tmp_path: Path) -> None:
    names = ("-x", "--", "a b", "it's", 'say "hi"', "back\\slash", "ä/ö", "*", ":(top)x")
    made = commit_all(tmp_path, dict.fromkeys(names[:5], "1"))
    write_texts(tmp_path, dict.fromkeys(names, "2"))
    assert changed(tmp_path, made) == tuple(sorted(names))


def test_a_repository_inside_and_a_conflict_are_one_change_each(tmp_path: Path) -> None:
    commit_all(tmp_path, {"a": "1\n"})
    sh(tmp_path, "checkout", "-q", "-b", "side")
    commit_all(tmp_path, {"a": "2\n"})
    sh(tmp_path, "checkout", "-q", "main")
    made = commit_all(tmp_path, {"a": "3\n"})
    with pytest.raises(subprocess.CalledProcessError):
        sh(tmp_path, "merge", "side")
    commit_all(tmp_path / "inside", {"x": "1", "y": "1"})
    assert changed(tmp_path, made) == ("a", "inside")


def test_a_submodule_on_another_commit_is_a_change(tmp_path: Path) -> None:
    commit_all(tmp_path / "inner", {"x": "1\n"})
    root = tmp_path / "root"
    commit_all(root, {"a": "1\n"})
    sh(root, "submodule", "-q", "add", str(tmp_path / "inner"), "sub")
    made = commit_all(root)
    assert changed(root, made) == ()
    commit_all(root / "sub", {"x": "2\n"})
    assert changed(root, made) == ("sub",)


@pytest.mark.parametrize(
    ("attributes", "setting"), [("* text=auto\n", "false"), ("", "true"), ("* eol=crlf\n", "false")]
)
def test_line_ends_that_git_converts_are_not_a_change(
    tmp_path: Path, attributes: str, setting: str
) -> None:
    root = write(tmp_path, **{".gitattributes": attributes, "a": "1\r\n2\r\n", "b": "1\r\n"})
    sh(root, "init", "-q")
    sh(root, "config", "core.autocrlf", setting)
    made = commit_all(root)
    assert sh(root, "cat-file", "-s", "HEAD:a") == "4"
    touch_everything(root)
    assert changed(root, made) == ()
    write_texts(root, {"a": "1\r\n3\r\n"})
    assert changed(root, made) == ("a",)


def test_a_mode_counts_unless_git_is_told_that_it_does_not(tmp_path: Path) -> None:
    made = commit_all(tmp_path, {"a": "1\n"})
    (tmp_path / "a").chmod(0o755)
    assert changed(tmp_path, made) == ("a",)
    sh(tmp_path, "config", "core.fileMode", "false")
    assert changed(tmp_path, made) == ()


def test_a_sparse_checkout_and_assumed_files_are_not_a_change(tmp_path: Path) -> None:
    made = commit_all(tmp_path, {"in/a": "1\n", "out/b": "1\n", "c": "1\n"})
    sh(tmp_path, "sparse-checkout", "set", "in")
    sh(tmp_path, "update-index", "--assume-unchanged", "c")
    write_texts(tmp_path, {"c": "2\n"})
    assert not (tmp_path / "out").exists()
    assert changed(tmp_path, made) == ()


def test_files_behind_a_link_are_gone(tmp_path: Path) -> None:
    root = tmp_path / "root"
    made = commit_all(root, {"folder/a": "1\n"})
    (root / "folder").rename(tmp_path / "elsewhere")
    (root / "folder").symlink_to(tmp_path / "elsewhere")
    assert changed(root, made) == ("folder", "folder/a")


def replace_by_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("x")


def test_the_same_files_differ_as_git_says_whatever_happened(tmp_path: Path) -> None:
    names = [f"d{at % 3}/f{at}" for at in range(30)]
    made = commit_all(tmp_path, dict.fromkeys(names, "one\n"))
    changes: list[Callable[[Path], object]] = [
        lambda file: file.write_text("two\n"),
        Path.unlink,
        lambda file: file.chmod(0o755),
        lambda file: os.utime(file, (5, 5)),
        replace_by_link,
        lambda file: file.write_text("one\n"),
    ]
    for at, name in enumerate(names):
        changes[at % len(changes)](tmp_path / name)
        if at % 4 == 0:
            sh(tmp_path, "add", "-A", name)
    expected = sh(tmp_path, "diff", "--name-only", "--no-renames", made).split("\n")
    assert list(changed(tmp_path, made)) == expected


def test_a_commit_that_does_not_exist_cannot_be_compared(tmp_path: Path) -> None:
    commit_all(tmp_path)
    with pytest.raises(GitError, match="git could not compare the files with 0123456789"):
        changed(tmp_path, "0123456789")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("core.quotePath", "true"),
        ("diff.renames", "copies"),
        ("diff.noprefix", "true"),
        ("diff.relative", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("color.ui", "always"),
        ("status.showUntrackedFiles", "no"),
    ],
)
def test_settings_of_a_user_do_not_change_the_answer(tmp_path: Path, name: str, value: str) -> None:
    made = commit_all(tmp_path, {"ä": "text\n" * 9, "b": "1"})
    sh(tmp_path, "config", name, value)
    sh(tmp_path, "mv", "ä", "ö")
    write_texts(tmp_path, {"new": "1"})
    assert changed(tmp_path, made) == ("new", "ä", "ö")
