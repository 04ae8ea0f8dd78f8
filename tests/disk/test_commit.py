"""A commit is a Snapshot of its files; names of commits are resolved or refused with a reason."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hostile import commit_all, sh, write
from yg.disk.commit import CommitSnapshot, merge_base, resolve_commit
from yg.disk.git import GitError
from yg.disk.repository import Repository, require_repository
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, Kind, Recipe

FILES: dict[str, str | bytes] = {
    "top.md": "top\n",
    "a/z.md": "no line break",
    "a/b/c.md": "\ufeffBOM é😀\r\nCRLF\r\n",
    "a/empty": "",
    'a b/it\'s "quoted"': "blob 3\n\0\n",
    "ä/ö.md": b"\xff\xfe\x00 no text",
    "-x/--y": "dashes",
    ".hidden/x": "x",
    "many lines": "line\n" * 70_000,
}


def repository(root: Path) -> Repository:
    return require_repository(str(root))


def snapshot(root: Path, files: Mapping[str, str | bytes] = {}) -> CommitSnapshot:
    """Commit files and open that commit."""
    made = commit_all(root, files)
    return CommitSnapshot(repository(root), made)


def shown(tree: CommitSnapshot, directory: str = ".") -> dict[str, Kind | bytes]:
    """Walk a snapshot through its entries: what each path is, and the content of files."""
    found: dict[str, Kind | bytes] = {}
    for name, kind in tree.entries(directory).items():
        path = name if directory == "." else f"{directory}/{name}"
        assert tree.kind(path) is kind
        found[path] = tree.read(path) if kind is Kind.FILE else kind
        if kind is Kind.DIRECTORY:
            found |= shown(tree, path)
    return found


# Its files.


def test_a_commit_shows_the_files_that_went_into_it(tmp_path: Path) -> None:
    found = shown(snapshot(tmp_path, FILES))
    contents = {path: data for path, data in found.items() if isinstance(data, bytes)}
    assert contents == {
        path: text if isinstance(text, bytes) else text.encode() for path, text in FILES.items()
    }
    folders = {path for path, data in found.items() if data is Kind.DIRECTORY}
    assert folders == {"a", "a/b", "a b", "ä", "-x", ".hidden"}


def test_entries_come_by_code_point(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, dict.fromkeys(("b", "a-b/x", "a/x", "a.b", "Z", "é", "😀"), ""))
    assert list(opened.entries(".")) == ["Z", "a", "a-b", "a.b", "b", "é", "😀"]


def test_what_is_not_committed_is_not_seen(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, {"a": "then", "b": "then"})
    write(tmp_path, {"a": "now", "c": "now"})
    (tmp_path / "b").unlink()
    sh(tmp_path, "add", "-A")
    assert shown(opened) == {"a": b"then", "b": b"then"}


def test_paths_are_relative_to_the_directory_of_the_repository(tmp_path: Path) -> None:
    files = {"a/b/x": "in", "a/b/c/y": "in", "a/x": "out", "a/bb/x": "out", "x": "out"}
    made = commit_all(tmp_path, files)
    below = CommitSnapshot(repository(tmp_path / "a" / "b"), made)
    assert shown(below) == {"x": b"in", "c": Kind.DIRECTORY, "c/y": b"in"}


def test_a_commit_without_the_directory_is_empty(tmp_path: Path) -> None:
    first = commit_all(tmp_path, {"x": "x"})
    commit_all(tmp_path, {"later/y": "y"})
    assert shown(CommitSnapshot(repository(tmp_path / "later"), first)) == {}


@pytest.mark.parametrize("path", ["gone", "a/gone", "a/z.md/below", "gone/z.md", "a/", ""])
def test_nothing_is_at_other_paths(tmp_path: Path, path: str) -> None:
    assert snapshot(tmp_path, {"a/z.md": "z"}).kind(path) is None


def test_what_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, {"a/z.md": "z"})
    for path in ("gone", "a"):
        with pytest.raises(UnreadableError) as caught:
            opened.read(path)
        assert caught.value.message == f"cannot read '{path}': no such file in that commit"
    with pytest.raises(UnreadableError, match="no such directory in that commit"):
        opened.entries("a/z.md")


def test_links_are_not_followed_and_submodules_are_empty(tmp_path: Path) -> None:
    commit_all(tmp_path / "other", {"x": "x"})
    commit_all(tmp_path / "main", {"a/x": "x"})
    sh(tmp_path / "main", "submodule", "-q", "add", str(tmp_path / "other"), "sub")
    (tmp_path / "main" / "file").symlink_to("a/x")
    (tmp_path / "main" / "folder").symlink_to("a")
    opened = snapshot(tmp_path / "main")
    kinds = {name: opened.kind(name) for name in ("file", "folder", "sub", "folder/x", "sub/x")}
    assert kinds == {
        "file": Kind.LINK,
        "folder": Kind.LINK,
        "sub": Kind.DIRECTORY,
        "folder/x": None,
        "sub/x": None,
    }
    assert opened.entries("sub") == {}
    with pytest.raises(UnreadableError):
        opened.read("file")
    with pytest.raises(UnreadableError):
        opened.entries("folder")


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are text on this system")
def test_names_that_are_not_text_are_kept(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff")).mkdir()
    (tmp_path / os.fsdecode(b"\xff/two\nlines\t")).write_text("x")
    found = shown(snapshot(tmp_path))
    assert found == {"\udcff": Kind.DIRECTORY, "\udcff/two\nlines\t": b"x"}


def test_a_recipe_gets_the_bytes(tmp_path: Path) -> None:
    recipe = Recipe("length", int, lambda path, data: (path, len(data)))
    assert snapshot(tmp_path, {"a": "1234"}).made("a", recipe) == ("a", 4)


def test_two_processes_hand_out_all_contents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = snapshot(tmp_path, {f"{at}.md": f"{at}\n" for at in range(50)})
    started: list[object] = []
    popen = subprocess.Popen

    def watched(command: list[str], **options: object) -> object:
        started.append(next(word for word in command if word in ("ls-tree", "cat-file", "config")))
        return popen(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", watched)
    assert [opened.read(f"{at}.md") for at in range(50)] == [b"%d\n" % at for at in range(50)]
    assert started == ["ls-tree", "cat-file"]


def test_content_larger_than_a_text_may_be_is_skipped(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.md": bytes(MAX_TEXT + 1),
        "b.md": bytes(MAX_TEXT),
        "c.md": "c",
    }
    found = snapshot(tmp_path, files)
    assert found.read("c.md") == b"c"
    with pytest.raises(UnreadableError, match=r"larger than 16 MB \(16000001 bytes\)"):
        found.read("a.md")
    assert (found.read("c.md"), len(found.read("b.md"))) == (b"c", MAX_TEXT)


def test_content_that_git_does_not_have_is_reported(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, {"a": "gone", "b": "there"})
    blob = sh(tmp_path, "rev-parse", "HEAD:a")
    (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UnreadableError, match="git does not have its content"):
        opened.read("a")
    assert opened.read("b") == b"there"


@pytest.mark.parametrize("name", [b"/", b"..", b".", b"a//b", b"./a"])
def test_a_commit_with_names_that_no_work_tree_can_have_is_refused(
    tmp_path: Path, name: bytes
) -> None:
    commit_all(tmp_path, {"a.md": "a"})
    entry = b"100644 " + name + b"\0" + bytes.fromhex(sh(tmp_path, "rev-parse", "HEAD:a.md"))
    write(tmp_path, {"entry": entry})
    tree = sh(tmp_path, "hash-object", "-t", "tree", "-w", "--literally", str(tmp_path / "entry"))
    damaged = sh(tmp_path, "commit-tree", "-m", "damaged", tree)
    with pytest.raises(GitError) as caught:
        CommitSnapshot(repository(tmp_path), damaged).entries(".")
    expected = f"{damaged[:12]} has a file '{name.decode()}', which no work tree can have"
    assert (caught.value.message, "git fsck" in caught.value.hint) == (expected, True)


def test_a_commit_that_does_not_exist_cannot_be_listed(tmp_path: Path) -> None:
    commit_all(tmp_path)
    with pytest.raises(GitError, match="git could not list the files of 0123456789ab"):
        CommitSnapshot(repository(tmp_path), "0123456789abcdef").entries(".")


# Names of commits.


def test_every_way_to_name_a_commit_gives_its_id(tmp_path: Path) -> None:
    first = commit_all(tmp_path, {"a": "1"})
    sh(tmp_path, "tag", "light")
    sh(tmp_path, "tag", "-a", "-m", "note", "heavy")
    second = commit_all(tmp_path, {"a": "2"})
    opened = repository(tmp_path)
    for name in ("HEAD~1", "HEAD^", "light", "heavy", "refs/tags/heavy", first, first[:9]):
        assert resolve_commit(opened, name) == first
    for name in ("HEAD", "@", "main", "heads/main", "HEAD^{/one}", "HEAD@{0}"):
        assert resolve_commit(opened, name) == second


def test_the_same_commits_are_seen_from_below_and_from_a_linked_work_tree(tmp_path: Path) -> None:
    made = commit_all(tmp_path / "main", {"a/b/x": "x"})
    sh(tmp_path / "main", "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    for place in ("main/a/b", "linked", "linked/a", "main/.git"):
        assert resolve_commit(repository(tmp_path / place), "HEAD") == made


NAMELESS = ["nope", "-x", "--all", "--help", "-", "HEAD~9", "HEAD:a", "HEAD^{tree}", "HEAD..HEAD"]


@pytest.mark.parametrize("revision", [*NAMELESS, "", " ", "a\0b"])
def test_what_names_no_commit_is_one_clear_sentence(tmp_path: Path, revision: str) -> None:
    commit_all(tmp_path, {"a": "1"})
    for resolve in (resolve_commit, merge_base):
        with pytest.raises(GitError) as caught:
            resolve(repository(tmp_path), revision)
        assert caught.value.message == f"there is no revision '{revision}'"
        assert caught.value.hint == "'git log' lists the commits."


def test_a_place_without_git_or_without_commits_is_reported(tmp_path: Path) -> None:
    with pytest.raises(GitError) as caught:
        require_repository(str(tmp_path))
    assert caught.value.message == "this is not a git repository"
    sh(tmp_path, "init", "-q")
    with pytest.raises(GitError) as caught:
        resolve_commit(repository(tmp_path), "HEAD")
    assert caught.value.message == "this git repository has no commits yet"


def test_a_machine_without_git_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_all(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError) as caught:
        require_repository(str(tmp_path))
    assert caught.value.message == "git is not installed"


def test_the_merge_base_is_the_last_commit_in_common(tmp_path: Path) -> None:
    base = commit_all(tmp_path, {"a": "1"})
    sh(tmp_path, "checkout", "-q", "-b", "side")
    commit_all(tmp_path, {"b": "1"})
    sh(tmp_path, "checkout", "-q", "main")
    commit_all(tmp_path, {"c": "1"})
    assert merge_base(repository(tmp_path), "side") == base
    sh(tmp_path, "checkout", "-q", "--orphan", "other")
    commit_all(tmp_path, {"d": "1"})
    with pytest.raises(GitError) as caught:
        merge_base(repository(tmp_path), "side")
    assert caught.value.message == "'side' and HEAD have no commit in common"


@pytest.fixture
def shallow(tmp_path: Path) -> Path:
    """Clone only the last commit of a repository with a branch."""
    commit_all(tmp_path / "main", {"a": "1"})
    sh(tmp_path / "main", "branch", "side")
    commit_all(tmp_path / "main", {"a": "2"})
    sh(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "main").as_uri(), "shallow")
    return tmp_path / "shallow"


@pytest.mark.parametrize(
    ("revision", "command"),
    [
        ("HEAD~1", "'git fetch --unshallow'"),
        ("0123456789", "'git fetch --unshallow'"),
        ("side", "'git fetch --unshallow origin side:side'"),
        ("origin/side", "'git fetch --unshallow origin side:refs/remotes/origin/side'"),
        ("a;rm -rf", "'git fetch --unshallow'"),
    ],
)
def test_the_missing_history_of_a_shallow_clone_is_reported(
    shallow: Path, revision: str, command: str
) -> None:
    with pytest.raises(GitError) as caught:
        resolve_commit(repository(shallow), revision)
    assert caught.value.message == f"there is no revision '{revision}' here"
    hint = f"This clone is shallow; {command} fetches the rest of the history."
    assert caught.value.hint == hint


def test_a_merge_base_that_a_shallow_clone_lacks_is_reported(shallow: Path) -> None:
    sh(shallow, "fetch", "-q", "--depth", "1", "origin", "side:side")
    with pytest.raises(GitError) as caught:
        merge_base(repository(shallow), "side")
    assert caught.value.message == (
        "this clone does not have the last common commit of 'side' and HEAD"
    )
    assert "'git fetch --unshallow'" in caught.value.hint
