"""The state of a repository is the same when it is asked for again as at a first look."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from support import git, write
from yg.disk.git.changed_files import changed_since, head_commit, head_state
from yg.disk.git.commits import tree_rows
from yg.disk.git.repository import Repository, find_repository
from yg.disk.index.head_states import HeadStates
from yg.disk.index.head_value import head_value

FILES = {"a.md": "one\n", "sub/b.md": "two\n", ".gitignore": "*.log\n"}


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def replaced(root: Path) -> None:
    (root / "a.md").unlink()
    (root / "a.md").symlink_to("sub/b.md")


def moved_behind_a_link(root: Path) -> None:
    os.rename(root / "sub", root / "other")
    (root / "sub").symlink_to("other")


def staged(root: Path) -> None:
    write(root, {"a.md": "staged\n"})
    git(root, "add", ".")


def committed(root: Path) -> None:
    staged(root)
    git(root, "commit", "-qm", "second")


STEPS: dict[str, Callable[[Path], object]] = {
    "edited": lambda root: write(root, {"a.md": "other text\n"}),
    "of the same size": lambda root: write(root, {"a.md": "eno\n"}),
    "deleted": lambda root: (root / "a.md").unlink(),
    "untracked": lambda root: write(root, {"new.md": "x"}),
    "ignored": lambda root: write(root, {"new.log": "x"}),
    "executable": lambda root: (root / "a.md").chmod(0o755),
    "replaced": replaced,
    "behind a link": moved_behind_a_link,
    "staged": staged,
    "committed": committed,
    "assumed": lambda root: git(root, "update-index", "--assume-unchanged", "a.md"),
    "touched": lambda root: os.utime(root / "a.md", (1, 1)),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_change_is_seen(root: Path, name: str) -> None:
    states = HeadStates()
    for place in (root, root / "sub", root):
        assert state(states, str(place)) == head_state(str(place)) == (*head(root), False)
    STEPS[name](root)
    for _ in range(2):
        assert state(states, str(root)) == head_state(str(root))
    git(root, "reset", "-q", "--hard")
    assert state(states, str(root)) == head_state(str(root))


def state(states: HeadStates, directory: str) -> tuple[str | None, bool] | None:
    found = states.get(directory)
    return None if found is None else (found.commit, found.is_dirty)


def head(root: Path) -> tuple[str]:
    words = ["git", "rev-parse", "HEAD"]
    return (
        subprocess.run(words, cwd=root, check=True, capture_output=True, text=True).stdout[:-1],
    )


def test_the_commit_is_listed_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[str] = []

    def counted(directory: str, commit: str, prefix: str) -> object:
        listed.append(commit)
        return tree_rows(directory, commit, prefix)

    monkeypatch.setattr("yg.disk.git.changed_files.tree_rows", counted)
    states = HeadStates()
    assert [state(states, str(root)) for _ in range(3)] == [(*head(root), False)] * 3
    assert len(listed) == 1


def test_an_index_that_was_just_written_is_not_trusted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", 1 << 62)
    states = HeadStates()
    assert state(states, str(root)) == (*head(root), False)
    write(root, {"a.md": "eno\n"})
    assert state(states, str(root)) == (*head(root), True)


def test_without_a_commit_or_git(tmp_path: Path) -> None:
    states = HeadStates()
    assert state(states, str(tmp_path)) is None
    git(tmp_path, "init", "-q")
    assert state(states, str(tmp_path)) == (None, False)
    write(tmp_path, FILES)
    assert state(states, str(tmp_path)) == (None, True)


@pytest.mark.parametrize("name", ["edited", "deleted", "executable", "staged"])
def test_a_change_is_looked_for_once(
    root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[object] = []

    def counted(repository: Repository, commit: str, only: Sequence[str] = ()) -> set[str]:
        compared.append(only)
        return changed_since(repository, commit, only)

    monkeypatch.setattr("yg.disk.index.head_states.changed_since", counted)
    states = HeadStates()
    state(states, str(root))
    STEPS[name](root)
    assert [state(states, str(root)) for _ in range(3)] == [(*head(root), True)] * 3
    assert compared == [() if name == "staged" else ("a.md",)]
    write(root, {"a.md": "another text\n"})
    assert state(states, str(root)) == (*head(root), True)
    assert len(compared) == 2


def test_a_change_that_is_too_recent_is_looked_at_each_time(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = HeadStates()
    write(root, {"a.md": "eno\n"})
    monkeypatch.setattr("yg.disk.index.head_states.is_settled", lambda stamp, _: len(stamp) > 32)
    assert state(states, str(root)) == (*head(root), True)
    assert states._changes == {}
    write(root, {"a.md": "one\n"})
    assert state(states, str(root)) == (*head(root), False)


def packed(root: Path) -> Path:
    git(root, "pack-refs", "--all")
    return root


def detached(root: Path) -> Path:
    git(root, "checkout", "-q", "--detach")
    return root


def linked(root: Path) -> Path:
    git(root, "worktree", "add", "-q", "-b", "other", str(root.parent / f"{root.name}-linked"))
    return root.parent / f"{root.name}-linked"


def symbolic(root: Path) -> Path:
    git(root, "branch", "other")
    git(root, "symbolic-ref", "refs/heads/alias", "refs/heads/other")
    git(root, "symbolic-ref", "HEAD", "refs/heads/alias")
    return root


@pytest.mark.parametrize("arrange", [lambda root: root, packed, detached, linked, symbolic])
def test_another_commit_is_seen(root: Path, arrange: Callable[[Path], Path]) -> None:
    place = arrange(root)
    states = HeadStates()
    first = head(place)
    for _ in range(2):
        assert state(states, str(place)) == (*first, False)
    committed(place)
    for _ in range(2):
        assert state(states, str(place)) == (*head(place), False)
    git(place, "reset", "-q", "--hard", *first)
    assert state(states, str(place)) == (*first, False)


@pytest.mark.parametrize(
    ("arrange", "most"), [(lambda root: root, 1), (packed, 1), (linked, 1), (symbolic, 3)]
)
def test_git_is_asked_for_the_commit_once(
    root: Path, arrange: Callable[[Path], Path], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = arrange(root)
    asked: list[str] = []

    def counted(repository: Repository) -> object:
        asked.append(repository.top)
        return head_commit(repository)

    monkeypatch.setattr("yg.disk.index.head_states.head_commit", counted)
    states = HeadStates()
    assert [state(states, str(place)) for _ in range(3)] == [(*head(place), False)] * 3
    assert len(asked) == most


def test_a_head_that_is_no_regular_file_is_not_read(root: Path) -> None:
    (root / ".git" / "HEAD").unlink()
    os.mkfifo(root / ".git" / "HEAD")
    repository = find_repository(str(root))
    assert repository is not None
    assert head_value(repository) is None


def test_a_file_that_was_written_again_is_compared_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[object] = []

    def counted(repository: Repository, commit: str, only: Sequence[str] = ()) -> set[str]:
        compared.append(only)
        return changed_since(repository, commit, only)

    monkeypatch.setattr("yg.disk.index.head_states.changed_since", counted)
    states = HeadStates()
    states.get(str(root))
    os.utime(root / "a.md", (1, 1))
    found = [states.get(str(root)) for _ in range(3)]
    assert [item and item.is_dirty for item in found] == [False] * 3
    assert [bool(item and item.tracked) for item in found] == [False, True, True]
    assert compared == [("a.md",)]
    write(root, {"a.md": "eno\n"})
    assert state(states, str(root)) == (*head(root), True)
