"""git is used only in the repository that a work tree belongs to; else it counts as without git."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hostile import commit_all, config_text, configure, give_away, needs_root, sh, write
from yg.disk.commit import resolve_commit
from yg.disk.repository import UntrustedError, find_repository, require_repository
from yg.disk.visible import Visible, is_ignored, visible_files

ANOTHER = "git is not used here: the .git entry leads to the git directory of another work tree"
LINK = "git is not used here: a link in its git directory leads out of it"
SHARED = "git is not used here: the repository has its objects in another one"
ELSEWHERE = "the files of this git repository are configured to be in another directory"
NOWHERE = "the .git file of this work tree leads to no git directory"


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """Make a repository of the user, with all that git can put beside it."""
    victim = tmp_path / "victim"
    commit_all(tmp_path / "inner", {"x": "x"})
    commit_all(victim, {"secret": "secret"})
    sh(victim, "submodule", "-q", "add", str(tmp_path / "inner"), "sub")
    commit_all(victim)
    sh(victim, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    sh(tmp_path, "clone", "-q", "--bare", "victim", "bare.git")
    return victim


def stranger(tmp_path: Path) -> Path:
    """Unpack files of a stranger, without git."""
    return write(tmp_path / "stranger", {".gitignore": "*.log\n", "a.py": "", "a.log": ""})


def assert_refused(root: Path, message: str) -> None:
    """Say so where a commit is asked for; files are found without git, which is said once."""
    with pytest.raises(UntrustedError) as caught:
        require_repository(str(root))
    assert caught.value.message == message
    note = f"{message}; .gitignore files are read without it"
    assert visible_files(str(root)) == Visible((".gitignore", "a.py"), (note,))
    assert is_ignored(str(root), "a.log")


# A .git entry that leads to another repository.


@pytest.mark.parametrize(
    "target",
    [
        "../victim/.git",
        "../victim/.git/modules/sub",
        "../victim/.git/worktrees/linked",
        "../bare.git",
    ],
)
@pytest.mark.parametrize("is_link", [True, False])
@pytest.mark.usefixtures("victim")
def test_a_git_entry_that_leads_to_another_repository_is_refused(
    tmp_path: Path, target: str, *, is_link: bool
) -> None:
    root = stranger(tmp_path)
    if is_link:
        (root / ".git").symlink_to(target)
    else:
        (root / ".git").write_text(f"gitdir: {target}\n")
    is_configured = "modules" in target and not is_link
    assert_refused(root, ELSEWHERE if is_configured else ANOTHER)


@pytest.mark.parametrize("target", ["nowhere", "../..", "\0", "x" * 5_000])
def test_a_git_file_that_leads_nowhere_is_refused(tmp_path: Path, target: str) -> None:
    root = stranger(tmp_path)
    (root / ".git").write_text(f"gitdir: {target}\n")
    if target == "\0":
        assert find_repository(str(root)) is None
    else:
        assert_refused(root, NOWHERE)


@pytest.mark.parametrize("target", ["../victim/.git", "../../victim/.git", "{}/victim/.git"])
def test_a_common_directory_of_another_repository_is_refused(
    tmp_path: Path, victim: Path, target: str
) -> None:
    root = stranger(tmp_path)
    shutil.copytree(victim / ".git", root / ".git")
    write(root, {".git/commondir": f"{target.format(tmp_path)}\n"})
    assert_refused(root, ANOTHER)
    shutil.rmtree(root / ".git")
    write(root, {".git": "gitdir: store/worktrees/x\n"})
    write(root / "store/worktrees/x", {"HEAD": "x", "commondir": f"{tmp_path}/victim/.git\n"})
    shutil.rmtree(root / "store") if target.startswith("..") else None
    if (root / "store").exists():
        with pytest.raises(UntrustedError, match="another work tree"):
            find_repository(str(root))


@pytest.mark.parametrize(
    "name",
    [
        *("HEAD", "config", "index", "packed-refs", "objects", "refs", "info", "refs/heads"),
        *("objects/pack", "objects/info", "info/exclude", "objects/pack/pack-1.pack"),
    ],
)
def test_a_link_in_a_git_directory_that_leads_out_is_refused(
    tmp_path: Path, victim: Path, name: str
) -> None:
    write(victim, {".git/objects/pack/pack-1.pack": "", ".git/packed-refs": ""})
    write(victim, {".git/objects/info/x": "", ".git/info/exclude": ""})
    root = stranger(tmp_path)
    shutil.copytree(victim / ".git", root / ".git")
    entry = root / ".git" / name
    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    entry.symlink_to(victim / ".git" / name)
    assert_refused(root, LINK)
    with pytest.raises(UntrustedError) as caught:
        find_repository(str(root))
    assert caught.value.hint == f"The link is '{name}'."


def test_a_link_in_a_git_directory_that_stays_inside_is_used(victim: Path) -> None:
    (victim / ".git/HEAD").unlink()
    (victim / ".git/HEAD").symlink_to("refs/heads/main")
    assert resolve_commit(require_repository(str(victim)), "HEAD")


@pytest.mark.parametrize("way", ["shared", "reference", "copied", "fifo"])
def test_objects_of_another_repository_are_refused(tmp_path: Path, victim: Path, way: str) -> None:
    root = tmp_path / "stranger"
    if way in ("shared", "reference"):
        option = "--shared" if way == "shared" else f"--reference={victim}"
        sh(tmp_path, "clone", "-q", option, str(victim), str(root))
        (root / "secret").unlink()
        shutil.rmtree(root / "sub")
        (root / ".gitmodules").unlink()
    else:
        commit_all(root)
        alternates = root / ".git/objects/info/alternates"
        alternates.parent.mkdir(exist_ok=True)
        if way == "fifo":
            os.mkfifo(alternates)
        else:
            alternates.write_text(f"# here\n{victim}/.git/objects\n")
    stranger(tmp_path)
    assert_refused(root, SHARED)


@pytest.mark.parametrize("way", ["config", "include", "work tree configuration"])
def test_a_work_tree_that_is_configured_elsewhere_is_refused(tmp_path: Path, way: str) -> None:
    root = stranger(tmp_path)
    commit_all(root)
    settings = {"core.worktree": str(write(tmp_path / "outside", {"secret.txt": "s\n"}))}
    if way == "config":
        configure(root, settings)
    elif way == "include":
        write(root, {".git/more": config_text(settings)})
        configure(root, {"include.path": "more"})
    else:
        configure(root, {"extensions.worktreeConfig": "true"})
        write(root, {".git/config.worktree": config_text(settings)})
    assert_refused(root, ELSEWHERE)


@needs_root
@pytest.mark.parametrize("part", [".", ".git"])
def test_a_repository_of_somebody_else_is_used_only_if_the_user_trusts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    root = stranger(tmp_path)
    made = commit_all(root)
    configure(root, {"safe.directory": "*"})
    give_away(root / part)
    assert_refused(root, "git does not trust this repository: somebody else owns it")
    write(tmp_path, {"own-config": config_text({"safe.directory": str(root)})})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own-config"))
    assert resolve_commit(require_repository(str(root)), "HEAD") == made


# The three ways in which git itself leads out of a work tree.


def linked_work_tree(tmp_path: Path) -> Path:
    sh(tmp_path / "main", "worktree", "add", "-q", "--detach", str(tmp_path / "other/linked"))
    return tmp_path / "other/linked"


def linked_work_tree_of_a_bare_repository(tmp_path: Path) -> Path:
    sh(tmp_path, "clone", "-q", "--bare", "main", "bare.git")
    sh(tmp_path / "bare.git", "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    return tmp_path / "linked"


def moved_work_tree(tmp_path: Path) -> Path:
    linked_work_tree(tmp_path)
    sh(tmp_path / "main", "worktree", "move", "../other/linked", "../moved")
    return tmp_path / "moved"


def submodule(tmp_path: Path) -> Path:
    commit_all(tmp_path / "super")
    sh(tmp_path / "super", "submodule", "-q", "add", str(tmp_path / "main"), "deep/sub")
    return tmp_path / "super/deep/sub"


def work_tree_of_a_submodule(tmp_path: Path) -> Path:
    sh(submodule(tmp_path), "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    return tmp_path / "linked"


def separate_git_directory(tmp_path: Path) -> Path:
    (tmp_path / "store").mkdir()
    sh(tmp_path, "clone", "-q", "--separate-git-dir", "store/x.git", "main", "separate")
    return tmp_path / "separate"


def work_tree_of_a_separate_git_directory(tmp_path: Path) -> Path:
    separate = separate_git_directory(tmp_path)
    sh(separate, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    return tmp_path / "linked"


def configured_to_be_where_it_is(tmp_path: Path) -> Path:
    sh(tmp_path / "main", "config", "core.worktree", str(tmp_path / "main"))
    return tmp_path / "main"


def inside_its_work_tree(tmp_path: Path) -> Path:
    (tmp_path / "main/.git").rename(tmp_path / "main/store.git")
    write(tmp_path / "main", {".git": "gitdir: store.git\n"})
    return tmp_path / "main"


WAYS = [
    *(linked_work_tree, linked_work_tree_of_a_bare_repository, moved_work_tree, submodule),
    *(work_tree_of_a_submodule, separate_git_directory, work_tree_of_a_separate_git_directory),
    *(configured_to_be_where_it_is, inside_its_work_tree),
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_what_git_makes_is_used(tmp_path: Path, way: Callable[[Path], Path]) -> None:
    made = commit_all(tmp_path / "main", {"a/x": "x"})
    root = way(tmp_path)
    opened = require_repository(str(root / "a"))
    assert (opened.top, opened.prefix) == (str(root), "a")
    assert resolve_commit(opened, "HEAD") == made
    assert visible_files(str(root / "a")) == Visible(("x",))
