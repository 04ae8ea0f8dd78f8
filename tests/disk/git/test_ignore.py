"""Which files version control sees, in real repositories and without any."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest

from support import git
from yg.disk.git.ignore import LARGEST, Visibility, has_file

needs_closed_doors = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to root"
)


def write(root: Path, *files: str, **texts: str) -> Path:
    for name, text in {**dict.fromkeys(files, ""), **texts}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def repository(root: Path, *files: str, **texts: str) -> Path:
    root.mkdir(exist_ok=True)
    git(root, "init", "--quiet")
    return write(root, *files, **texts)


def seen(root: Path) -> list[str]:
    return list(Visibility(str(root)).files)


def without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


# Patterns, by git and without it.


def test_tracked_and_untracked_files_are_seen_sorted_by_code_point(tmp_path: Path) -> None:
    root = repository(tmp_path, "b", "a/z", "a.c", "Z", "ä")
    git(root, "add", "b")
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
        git(tmp_path, "init", "--quiet")
    assert sorted(set(FILES) - set(seen(tmp_path))) == hidden


@pytest.mark.parametrize("has_repository", [True, False])
def test_a_nested_gitignore_has_the_last_word_in_its_directory(
    tmp_path: Path, *, has_repository: bool
) -> None:
    write(tmp_path, "a.log", "src/a.log", "src/b.py", "src/deep/a.log", "other/b.py")
    write(tmp_path, **{".gitignore": "*.log\nb.py\n"})
    write(tmp_path, **{"src/.gitignore": "!*.log\n", "src/deep/.gitignore": "/a.log\n!b.py\n"})
    if has_repository:
        git(tmp_path, "init", "--quiet")
    ignores = [".gitignore", "src/.gitignore", "src/a.log", "src/deep/.gitignore"]
    assert seen(tmp_path) == ignores


@pytest.mark.parametrize("has_repository", [True, False])
def test_what_is_below_an_ignored_directory_cannot_be_brought_back(
    tmp_path: Path, *, has_repository: bool
) -> None:
    write(tmp_path, "out/keep.txt", **{".gitignore": "out/\n!out/keep.txt\n"})
    write(tmp_path, **{"out/.gitignore": "!keep.txt\n"})
    if has_repository:
        git(tmp_path, "init", "--quiet")
    assert seen(tmp_path) == [".gitignore"]


# What only git knows.


def test_a_tracked_file_is_seen_even_if_a_pattern_matches_it(tmp_path: Path) -> None:
    root = repository(tmp_path, "gen/kept.py", "gen/lost.py", **{".gitignore": "gen/\n"})
    git(root, "add", "--force", "gen/kept.py")
    assert seen(root) == [".gitignore", "gen/kept.py"]


def test_the_private_excludes_of_a_repository_count(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py", "mine.txt")
    write(root, **{".git/info/exclude": "mine.txt\n"})
    assert seen(root) == ["a.py"]


def test_a_tracked_file_that_is_gone_is_still_listed(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py", "b.py")
    git(root, "add", ".")
    (root / "a.py").unlink()
    assert seen(root) == ["a.py", "b.py"]


def test_a_file_in_conflict_is_listed_once(tmp_path: Path) -> None:
    root = repository(tmp_path, **{"a.py": "base\n"})
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=base")
    git(root, "checkout", "--quiet", "-b", "other")
    write(root, **{"a.py": "theirs\n"})
    git(root, "commit", "--quiet", "--all", "--message=theirs")
    git(root, "checkout", "--quiet", "-")
    write(root, **{"a.py": "ours\n"})
    git(root, "commit", "--quiet", "--all", "--message=ours")
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "merge", "other")
    assert seen(root) == ["a.py"]


def test_a_root_below_that_of_git_names_files_from_itself(tmp_path: Path) -> None:
    repository(tmp_path, "top.py", "app/src/a.py", "app/b.gen", "app/kept.gen")
    write(tmp_path, **{".gitignore": "*.gen\n"})
    git(tmp_path, "add", "--force", "app/kept.gen")
    assert seen(tmp_path / "app") == ["kept.gen", "src/a.py"]


def test_a_root_that_the_repository_above_ignores_shows_nothing(tmp_path: Path) -> None:
    repository(tmp_path, "app/src/a.py", **{".gitignore": "app/\n"})
    assert seen(tmp_path / "app") == []


@pytest.mark.parametrize("has_repository", [True, False])
def test_a_repository_inside_is_not_looked_into(tmp_path: Path, *, has_repository: bool) -> None:
    if has_repository:
        git(tmp_path, "init", "--quiet")
    write(tmp_path, "a.py")
    repository(tmp_path / "vendor", "b.py")
    inner = repository(tmp_path / "committed", "c.py")
    git(inner, "add", ".")
    git(inner, "commit", "--quiet", "--message=inner")
    assert seen(tmp_path) == ["a.py"]


@pytest.mark.parametrize("has_repository", [True, False])
def test_a_worktree_or_submodule_inside_is_not_looked_into(
    tmp_path: Path, *, has_repository: bool
) -> None:
    if has_repository:
        git(tmp_path, "init", "--quiet")
    home = repository(tmp_path / "home", "b.py")
    git(home, "add", ".")
    git(home, "commit", "--quiet", "--message=home")
    git(home, "worktree", "add", "--quiet", str(tmp_path / "sub"))
    assert (tmp_path / "sub" / ".git").is_file()
    write(tmp_path, "a.py")
    assert seen(tmp_path) == ["a.py"]


def test_a_submodule_is_not_a_file_with_files_below(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.py")
    inner = repository(root / "sub", "b.py")
    git(inner, "add", ".")
    git(inner, "commit", "--quiet", "--message=inner")
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "sub", "a.py")
    assert [file for file in seen(root) if file.startswith("sub/")] == []


@pytest.mark.parametrize("has_repository", [True, False])
def test_of_all_graphs_only_that_of_the_repository_is_not_a_source(
    tmp_path: Path, *, has_repository: bool
) -> None:
    if has_repository:
        git(tmp_path, "init", "--quiet")
    write(tmp_path, ".yggdrasil/yg-config.yaml", "src/.yggdrasil/a", "src/.yggdrasilx", "a.git")
    assert seen(tmp_path) == ["a.git", "src/.yggdrasil/a", "src/.yggdrasilx"]


@pytest.mark.parametrize("has_repository", [True, False])
def test_names_may_hold_anything(tmp_path: Path, *, has_repository: bool) -> None:
    if has_repository:
        git(tmp_path, "init", "--quiet")
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
        git(tmp_path, "init", "--quiet")
    write(tmp_path, "real/a.py")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "linked").symlink_to("real", target_is_directory=True)
    assert [file for file in seen(tmp_path) if "/" in file] == ["real/a.py"]


@pytest.mark.parametrize("has_repository", [True, False])
def test_pipes_and_sockets_are_not_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_repository: bool
) -> None:
    if has_repository:
        git(tmp_path, "init", "--quiet")
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
    assert seen(root) == [".gitignore", "a.py"]


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
    visible = Visibility(str(tmp_path))
    assert (visible.files, visible.unseen) == (("a.log", "patterns"), ())


def test_patterns_too_large_to_be_matched_are_named(tmp_path: Path) -> None:
    write(tmp_path, "a.log", "src/a.log", **{"src/.gitignore": "*.log\n"})
    os.truncate(tmp_path / "src" / ".gitignore", LARGEST + 1)
    visible = Visibility(str(tmp_path))
    assert visible.files == ("a.log", "src/.gitignore", "src/a.log")
    assert visible.unseen == ("src/.gitignore",)


@needs_closed_doors
def test_patterns_that_may_not_be_read_are_named(tmp_path: Path) -> None:
    write(tmp_path, "a.log", **{".gitignore": "*.log\n"})
    (tmp_path / ".gitignore").chmod(0)
    visible = Visibility(str(tmp_path))
    assert (visible.files, visible.unseen) == ((".gitignore", "a.log"), (".gitignore",))


@pytest.mark.parametrize("line", ["[z-a]", "[", "a\0b", "[[:no:]]", "\\"])
def test_a_pattern_that_makes_no_sense_does_not_stop_the_others(tmp_path: Path, line: str) -> None:
    write(tmp_path, "b.py", "b.log", **{".gitignore": f"{line}\n*.log\n{line}\n"})
    assert seen(tmp_path) == [".gitignore", "b.py"]


def test_git_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    visible = Visibility(str(repository(tmp_path, "a.py")))
    assert visible.files == ("a.py",)
    without_git(monkeypatch)
    write(tmp_path, "b.py")
    assert (visible.files, visible.below("."), visible.unseen) == (("a.py",), ("a.py",), ())


# Parts of a tree.


def test_below_a_directory_are_its_files_and_not_those_of_namesakes(tmp_path: Path) -> None:
    names = ("src", "src-x", "src.d", "src0", "srcs", "a/src")
    visible = Visibility(str(write(tmp_path, *(f"{name}/f" for name in names))))
    assert visible.below("src") == ("src/f",)
    assert visible.below("a") == ("a/src/f",)
    assert visible.below("sr") == ()
    assert visible.below(".") == tuple(sorted(f"{name}/f" for name in names))


@needs_closed_doors
@pytest.mark.parametrize("has_repository", [True, False])
def test_a_directory_that_may_not_be_looked_into_is_named(
    tmp_path: Path, *, has_repository: bool
) -> None:
    if has_repository:
        git(tmp_path, "init", "--quiet")
    write(tmp_path, "a.py", "src/closed/b.py")
    (tmp_path / "src" / "closed").chmod(0)
    try:
        visible = Visibility(str(tmp_path))
        assert (visible.files, visible.unseen) == (("a.py",), ("src/closed",))
    finally:
        (tmp_path / "src" / "closed").chmod(0o700)


@pytest.mark.parametrize(
    ("files", "answer"),
    [
        ((), False),
        (("a/b/c",), True),
        ((".hidden",), True),
        (("inner/.git/config",), False),
        ((".yggdrasil/a",), False),
    ],
)
def test_a_directory_has_a_file_wherever_it_lies(
    tmp_path: Path, files: tuple[str, ...], *, answer: bool
) -> None:
    assert has_file(str(write(tmp_path, *files)), ".") is answer


def test_links_and_pipes_are_not_counted_as_files(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", "a.py")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(outside / "a.py")
    (inside / "linked").symlink_to(outside, target_is_directory=True)
    os.mkfifo(inside / "pipe")
    assert not has_file(str(tmp_path), "inside")


def test_a_directory_that_is_not_there_has_no_file(tmp_path: Path) -> None:
    assert not has_file(str(tmp_path), "nowhere")
