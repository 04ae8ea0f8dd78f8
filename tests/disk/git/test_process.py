"""git answers from commits and about changes; asking it never runs or writes anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import pytest

from support import git, write
from yg.disk.git.changed_files import changed_among
from yg.disk.git.changed_files import changed_files as compared
from yg.disk.git.commits import GitSnapshot
from yg.disk.git.process import GitError, commit_of
from yg.disk.git.repository import prefix_of
from yg.disk.reading.worktree import WorkTree
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, PIECE, Kind

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

needs_any_name = pytest.mark.skipif(
    sys.platform in ("darwin", "win32"), reason="file names are text on this system"
)


def commit(root: Path, files: Mapping[str, str | bytes] = {}, message: str = "one") -> str:
    """Write files, commit everything there is, and return the id of the commit."""
    if not (root / ".git").exists():
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "-q")
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


def changed_files(directory: str, since: str, *, staged: bool) -> tuple[str, ...]:
    found = compared(directory, since, staged=staged)
    assert not found.uncertain
    return found.files


def snapshot(root: Path, files: Mapping[str, str | bytes] = {}, prefix: str = "") -> GitSnapshot:
    """Commit files and open that commit."""
    return GitSnapshot(str(root), commit(root, files), prefix)


def shown(tree: GitSnapshot | WorkTree, directory: str = ".") -> dict[str, Kind | bytes]:
    """Walk a snapshot through its entries: what each path is, and the content of files."""
    found: dict[str, Kind | bytes] = {}
    for name, kind in tree.entries(directory).items():
        path = name if directory == "." else f"{directory}/{name}"
        assert tree.kind(path) is kind
        found[path] = tree.read(path) if kind is Kind.FILE else kind
        if kind is Kind.DIRECTORY and name != ".git":
            found |= shown(tree, path)
    return found


# A commit as a snapshot.


def test_a_commit_shows_the_files_that_went_into_it(tmp_path: Path) -> None:
    found = shown(snapshot(tmp_path, FILES))
    contents = {path: data for path, data in found.items() if isinstance(data, bytes)}
    assert contents == {
        path: text if isinstance(text, bytes) else text.encode() for path, text in FILES.items()
    }
    folders = {path for path, data in found.items() if data is Kind.DIRECTORY}
    assert folders == {"a", "a/b", "a b", "ä", "-x", ".hidden"}


def test_a_commit_shows_what_its_work_tree_shows(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "a" / "dangling").symlink_to("nowhere")
    (tmp_path / "a" / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "a" / "tool").chmod(0o755)
    from_commit = shown(snapshot(tmp_path))
    from_disk = shown(WorkTree(str(tmp_path), ".yggdrasil"))
    assert from_commit == {
        path: data for path, data in from_disk.items() if path.split("/")[0] != ".git"
    }


def test_entries_come_by_code_point(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, dict.fromkeys(("b", "a-b/x", "a/x", "a.b", "Z", "é", "😀"), ""))
    assert list(opened.entries(".")) == ["Z", "a", "a-b", "a.b", "b", "é", "😀"]


def test_what_is_not_committed_is_not_seen(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, {"a": "then", "b": "then"})
    write(tmp_path, {"a": "now", "c": "now"})
    (tmp_path / "b").unlink()
    git(tmp_path, "add", "-A")
    assert shown(opened) == {"a": b"then", "b": b"then"}


def test_only_what_lies_below_the_prefix_is_seen(tmp_path: Path) -> None:
    files = {"a/b/x": "in", "a/b/c/y": "in", "a/x": "out", "a/bb/x": "out", "x": "out"}
    assert shown(snapshot(tmp_path, files, "a/b")) == {
        "x": b"in",
        "c": Kind.DIRECTORY,
        "c/y": b"in",
    }


def test_a_commit_without_files_is_an_empty_directory(tmp_path: Path) -> None:
    opened = snapshot(tmp_path)
    assert (opened.kind("."), opened.entries("."), opened.kind("x")) == (Kind.DIRECTORY, {}, None)


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


def test_links_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"a/x": "x"})
    (tmp_path / "file").symlink_to("a/x")
    (tmp_path / "folder").symlink_to("a")
    opened = snapshot(tmp_path)
    assert (opened.kind("file"), opened.kind("folder")) == (Kind.LINK, Kind.LINK)
    assert opened.kind("folder/x") is None
    with pytest.raises(UnreadableError):
        opened.read("file")
    with pytest.raises(UnreadableError):
        opened.entries("folder")


def test_a_submodule_is_an_empty_directory(tmp_path: Path) -> None:
    commit(tmp_path / "other", {"x": "x"})
    commit(tmp_path / "main", {"a": "a"})
    source = str(tmp_path / "other")
    git(tmp_path / "main", "-c", "protocol.file.allow=always", "submodule", "-q", "add", source)
    opened = snapshot(tmp_path / "main")
    assert (opened.kind("other"), opened.entries("other")) == (Kind.DIRECTORY, {})
    assert opened.kind("other/x") is None


@needs_any_name
def test_names_that_are_not_text_are_kept(tmp_path: Path) -> None:
    commit(tmp_path)
    (tmp_path / os.fsdecode(b"\xff")).mkdir()
    (tmp_path / os.fsdecode(b"\xff/two\nlines\t")).write_text("x")
    opened = snapshot(tmp_path)
    assert shown(opened) == {"\udcff": Kind.DIRECTORY, "\udcff/two\nlines\t": b"x"}


def test_a_text_is_read_once_and_decoded(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, FILES)
    text = opened.text("a/b/c.md")
    assert text.value == "BOM é😀\r\nCRLF\r\n"
    assert opened.text("a/b/c.md") is text
    with pytest.raises(UnreadableError, match="not UTF-8 at byte 0"):
        _ = opened.text("ä/ö.md").value


def test_one_process_hands_out_all_contents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = snapshot(tmp_path, {f"{at}.md": f"{at}\n" for at in range(50)})
    started: list[object] = []
    popen = subprocess.Popen

    def watched(*arguments: object, **options: object) -> object:
        started.append(arguments)
        return popen(*arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", watched)
    assert [opened.read(f"{at}.md") for at in range(50)] == [b"%d\n" % at for at in range(50)]
    assert len(started) == 2  # one lists, one reads


def test_content_larger_than_a_text_may_be_is_skipped_and_never_held(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.md": bytes(MAX_TEXT + 1),
        "b.md": bytes(MAX_TEXT),
        "c.md": "c",
    }
    found = snapshot(tmp_path, files)
    assert found.read("c.md") == b"c"
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableError, match=r"larger than 16 MB \(16000001 bytes\)"):
            found.read("a.md")
        assert tracemalloc.get_traced_memory()[1] < 4 * PIECE
    finally:
        tracemalloc.stop()
    assert (found.read("c.md"), len(found.read("b.md"))) == (b"c", MAX_TEXT)


def test_content_of_any_size_comes_in_pieces(tmp_path: Path) -> None:
    found = snapshot(tmp_path, {"a.py": bytes(MAX_TEXT + 1), "b.py": "0123456789"})
    assert sum(map(len, found.pieces("a.py", PIECE))) == MAX_TEXT + 1
    assert list(found.pieces("b.py", 4)) == [b"0123", b"4567", b"89"]
    for piece in found.pieces("a.py", PIECE):  # who stops half-way leaves nothing behind
        assert len(piece) == PIECE
        break
    assert found.read("b.py") == b"0123456789"
    with pytest.raises(UnreadableError, match="no such file in that commit"):
        found.pieces("c.py", 1)


def test_content_that_git_does_not_have_is_reported(tmp_path: Path) -> None:
    opened = snapshot(tmp_path, {"a": "gone", "b": "there"})
    blob = git(tmp_path, "rev-parse", "HEAD:a")
    (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UnreadableError) as caught:
        opened.read("a")
    assert caught.value.path == "a"
    assert "git does not have its content" in caught.value.reason
    assert opened.read("b") == b"there"


@pytest.mark.parametrize("name", [b"/", b"..", b".", b"a//b", b"./a"])
def test_a_commit_with_names_that_no_work_tree_can_have_is_refused(
    tmp_path: Path, name: bytes
) -> None:
    commit(tmp_path, {"a.md": "a"})
    entry = b"100644 " + name + b"\0" + bytes.fromhex(git(tmp_path, "rev-parse", "HEAD:a.md"))
    (tmp_path / "entry").write_bytes(entry)
    tree = git(tmp_path, "hash-object", "-t", "tree", "-w", "--literally", str(tmp_path / "entry"))
    damaged = git(tmp_path, "commit-tree", "-m", "damaged", tree)
    with pytest.raises(GitError) as caught:
        GitSnapshot(str(tmp_path), damaged, "").entries(".")
    shown = f"{damaged[:12]} has a file '{name.decode()}', which no work tree can have"
    assert (caught.value.message, "git fsck" in caught.value.hint) == (shown, True)


def test_a_commit_that_does_not_exist_cannot_be_listed(tmp_path: Path) -> None:
    commit(tmp_path)
    with pytest.raises(GitError, match="git could not list the files of 0123456789ab"):
        GitSnapshot(str(tmp_path), "0123456789abcdef", "").entries(".")


def test_a_bare_repository_has_the_same_commits(tmp_path: Path) -> None:
    made = commit(tmp_path / "main", FILES)
    git(tmp_path, "clone", "-q", "--bare", "main", "bare")
    bare = str(tmp_path / "bare")
    assert commit_of(bare, "HEAD") == made
    assert shown(GitSnapshot(bare, made, prefix_of(bare))) == shown(
        GitSnapshot(str(tmp_path / "main"), made, "")
    )


def test_an_empty_commit_id_means_what_is_staged(tmp_path: Path) -> None:
    commit(tmp_path, {"same": "1", "in/changed": "1", "in/gone": "1", "in/later": "1"})
    write(tmp_path, {"in/changed": "2", "in/new": "2"})
    git(tmp_path, "rm", "-q", "in/gone")
    git(tmp_path, "add", "-A")
    write(tmp_path, {"in/changed": "3", "in/later": "3", "in/untracked": "3"})
    assert shown(GitSnapshot(str(tmp_path / "in"), "", "")) == {
        "changed": b"2",
        "later": b"1",
        "new": b"2",
    }


# Names of commits.


def test_every_way_to_name_a_commit_gives_its_id(tmp_path: Path) -> None:
    first = commit(tmp_path, {"a": "1"}, "first one")
    git(tmp_path, "tag", "light")
    git(tmp_path, "tag", "-a", "-m", "note", "heavy")
    second = commit(tmp_path, {"a": "2"}, "second one")
    root = str(tmp_path)
    for name in ("HEAD~1", "HEAD^", "light", "heavy", "refs/tags/heavy", first, first[:9]):
        assert commit_of(root, name) == first
    for name in ("HEAD", "@", "main", "heads/main", "HEAD^{/second}", "HEAD@{0}"):
        assert commit_of(root, name) == second


def test_a_detached_head_is_a_commit_like_any_other(tmp_path: Path) -> None:
    first = commit(tmp_path, {"a": "1"})
    commit(tmp_path, {"a": "2"})
    git(tmp_path, "checkout", "-q", "--detach", "HEAD~1")
    git(tmp_path, "branch", "-q", "-D", "main")
    assert commit_of(str(tmp_path), "HEAD") == first


def test_the_same_commits_are_seen_from_below_and_from_a_linked_work_tree(tmp_path: Path) -> None:
    made = commit(tmp_path / "main", {"a/b/x": "x"})
    git(tmp_path / "main", "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    for place in ("main/a/b", "linked", "linked/a", "main/.git"):
        assert commit_of(str(tmp_path / place), "HEAD") == made


@pytest.mark.parametrize(
    "revision",
    [
        "nope",
        "-x",
        "--all",
        "--help",
        "-",
        "HEAD~9",
        "HEAD:a",
        "HEAD^{tree}",
        "HEAD..HEAD",
        "",
        " ",
    ],
)
def test_what_names_no_commit_is_one_clear_sentence(tmp_path: Path, revision: str) -> None:
    commit(tmp_path, {"a": "1"})
    with pytest.raises(GitError) as caught:
        commit_of(str(tmp_path), revision)
    assert caught.value.message == f"there is no revision '{revision}'"
    assert caught.value.hint == "'git log' lists the commits."


def test_a_place_without_git_is_told(tmp_path: Path) -> None:
    with pytest.raises(GitError) as caught:
        commit_of(str(tmp_path), "HEAD")
    assert caught.value.message == "this is not a git repository"


def test_a_repository_without_commits_is_reported(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(GitError) as caught:
        commit_of(str(tmp_path), "HEAD")
    assert caught.value.message == "this git repository has no commits yet"


def test_the_missing_history_of_a_shallow_clone_is_told(tmp_path: Path) -> None:
    commit(tmp_path / "main", {"a": "1"})
    second = commit(tmp_path / "main", {"a": "2"})
    git(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "main").as_uri(), "shallow")
    shallow = str(tmp_path / "shallow")
    assert commit_of(shallow, "HEAD") == second
    with pytest.raises(GitError) as caught:
        commit_of(shallow, "HEAD~1")
    assert caught.value.message == "there is no revision 'HEAD~1' here"
    assert "git fetch --unshallow" in caught.value.hint


def test_a_machine_without_git_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError) as caught:
        commit_of(str(tmp_path), "HEAD")
    assert caught.value.message == "git is not installed"


def test_variables_that_name_another_repository_mislead_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = commit(tmp_path / "main", {"a/x": "1"})
    commit(tmp_path / "other", {"y": "1"})
    write(tmp_path / "main", {"a/x": "2"})
    for name, value in (("DIR", ".git"), ("WORK_TREE", "."), ("INDEX_FILE", ".git/index")):
        place = value if name == "INDEX_FILE" else str(tmp_path / "other" / value)
        monkeypatch.setenv(f"GIT_{name}", place)
    below = str(tmp_path / "main" / "a")
    assert (commit_of(below, "HEAD"), prefix_of(below)) == (made, "a")
    assert changed_files(below, made, staged=False) == ("x",)
    assert GitSnapshot(below, made, "a").read("x") == b"1"


# Places in a repository.


def test_a_place_is_told_from_the_top_of_the_repository(tmp_path: Path) -> None:
    commit(tmp_path, {"a b/ä/x": "x"})
    (tmp_path / "new" / "empty").mkdir(parents=True)
    found = [prefix_of(str(tmp_path / place)) for place in (".", "a b", "a b/ä", "new/empty")]
    assert found == ["", "a b", "a b/ä", "new/empty"]


def test_a_place_is_reported_behind_a_link_to_it(tmp_path: Path) -> None:
    commit(tmp_path / "main", {"a/b/x": "x"})
    (tmp_path / "link").symlink_to(tmp_path / "main" / "a")
    assert prefix_of(str(tmp_path / "link" / "b")) == "a/b"


def test_without_a_work_tree_every_place_is_the_top(tmp_path: Path) -> None:
    commit(tmp_path / "main", {"a/x": "x"})
    git(tmp_path, "clone", "-q", "--bare", "main", "bare")
    (tmp_path / "plain").mkdir()
    assert [prefix_of(str(tmp_path / place)) for place in ("bare", "bare/objects", "plain")] == [
        "",
        "",
        "",
    ]


# Changed files.


def test_every_kind_of_change_is_found(tmp_path: Path) -> None:
    names = (
        "same",
        "edited",
        "staged",
        "twice",
        "deleted",
        "removed",
        "old name",
        "linked",
        "mode",
    )
    files = {name: f"{name}\n" * 9 for name in names}
    made = commit(tmp_path, {**files, ".gitignore": "*.log\nbuild/\n"})
    write(tmp_path, {"edited": "2", "staged": "2", "twice": "2", "new": "1", "added": "1"})
    git(tmp_path, "add", "staged", "twice", "added")
    write(tmp_path, {"twice": "3", "folder/new": "1", "x.log": "1", "build/y": "1"})
    (tmp_path / "deleted").unlink()
    git(tmp_path, "rm", "-q", "removed")
    git(tmp_path, "mv", "old name", "new name")
    (tmp_path / "linked").unlink()
    (tmp_path / "linked").symlink_to("same")
    (tmp_path / "mode").chmod(0o755)
    write(tmp_path, {"intended": "1"})
    git(tmp_path, "add", "--intent-to-add", "intended")
    assert changed_files(str(tmp_path), made, staged=False) == (
        "added",
        "deleted",
        "edited",
        "folder/new",
        "intended",
        "linked",
        "mode",
        "new",
        "new name",
        "old name",
        "removed",
        "staged",
        "twice",
    )
    assert changed_files(str(tmp_path), made, staged=True) == (
        "added",
        "new name",
        "old name",
        "removed",
        "staged",
        "twice",
    )


def test_what_is_only_intended_to_be_added_is_compared_with_the_commit(tmp_path: Path) -> None:
    made = commit(tmp_path, {"gone": "", "kept": "1", "old": "1"})
    git(tmp_path, "rm", "-q", "--cached", "gone", "kept", "old")
    write(tmp_path, {"old": "2", "empty": ""})
    git(tmp_path, "add", "--intent-to-add", "gone", "kept", "old", "empty")
    assert changed_files(str(tmp_path), made, staged=False) == ("empty", "old")


def test_changes_among_visible_files_are_those_of_all(tmp_path: Path) -> None:
    files = {"a/same": "1", "a/edited": "1", "a/deleted": "1", "top": "1", ".graph/x": "1"}
    made = commit(tmp_path, {**files, ".gitignore": "*.log\n"})
    write(tmp_path, {"a/edited": "2", "b/new": "1", ".graph/x": "2", ".graph/y": "1"})
    (tmp_path / "a/deleted").unlink()
    write(tmp_path, {"b/staged": "1"})
    git(tmp_path, "add", "b/staged")
    visible = ("top", "b/staged", "b/new", "a/same", "a/edited", ".gitignore")
    found = changed_among(str(tmp_path), made, visible, without=".graph")
    assert found.files == ("b/staged", "b/new", "a/edited")
    every = compared(str(tmp_path), made, staged=False).files
    assert {*found.files} == {*every} & {*visible}
    below = changed_among(str(tmp_path / "a"), made, ("same", "edited"), without=".graph")
    assert below.files == ("edited",)
    with pytest.raises(GitError, match="there is no work tree"):
        changed_among(str(tmp_path.parent), made, ())


def test_nothing_changed_is_nothing_found(tmp_path: Path) -> None:
    made = commit(tmp_path, FILES)
    os.utime(tmp_path / "top.md", (1, 1))
    assert changed_files(str(tmp_path), made, staged=False) == ()


def test_a_change_that_was_taken_back_is_none(tmp_path: Path) -> None:
    made = commit(tmp_path, {"a": "1"})
    write(tmp_path, {"a": "2"})
    git(tmp_path, "add", "a")
    write(tmp_path, {"a": "1"})
    assert changed_files(str(tmp_path), made, staged=False) == ()


def test_changes_since_an_older_commit_include_those_of_later_ones(tmp_path: Path) -> None:
    first = commit(tmp_path, {"a": "1", "b": "1"})
    commit(tmp_path, {"a": "2", "c": "2"})
    write(tmp_path, {"d": "3"})
    assert changed_files(str(tmp_path), first, staged=False) == ("a", "c", "d")
    assert changed_files(str(tmp_path), first, staged=True) == ("a", "c")


def test_only_changes_below_the_directory_count_and_are_named_from_there(tmp_path: Path) -> None:
    made = commit(tmp_path, {"in/a": "1", "out": "1", "inn/x": "1"})
    write(tmp_path, {"in/a": "2", "out": "2", "inn/x": "2", "in/new": "2", "new": "2"})
    assert changed_files(str(tmp_path / "in"), made, staged=False) == ("a", "new")
    git(tmp_path, "add", "-A")
    assert changed_files(str(tmp_path / "in"), made, staged=True) == ("a", "new")


def test_unusual_names_are_found_as_they_are(tmp_path: Path) -> None:
    names = ("-x", "--", "a b", "it's", 'say "hi"', "back\\slash", "ä/ö", "*", ":(top)x")
    made = commit(tmp_path, dict.fromkeys(names[:5], "1"))
    write(tmp_path, dict.fromkeys(names, "2"))
    assert changed_files(str(tmp_path), made, staged=False) == tuple(sorted(names))


@needs_any_name
def test_names_that_are_not_text_are_found(tmp_path: Path) -> None:
    made = commit(tmp_path, {"a\nb": "1"})
    write(tmp_path, {"a\nb": "2", os.fsdecode(b"\xff"): "2"})
    assert changed_files(str(tmp_path), made, staged=False) == ("a\nb", "\udcff")


def test_a_repository_inside_is_one_change(tmp_path: Path) -> None:
    made = commit(tmp_path, {"a": "1"})
    commit(tmp_path / "inside", {"x": "1", "y": "1"})
    assert changed_files(str(tmp_path), made, staged=False) == ("inside",)


def test_a_conflict_is_one_change(tmp_path: Path) -> None:
    commit(tmp_path, {"a": "1\n"})
    git(tmp_path, "checkout", "-q", "-b", "side")
    commit(tmp_path, {"a": "2\n"})
    git(tmp_path, "checkout", "-q", "main")
    made = commit(tmp_path, {"a": "3\n"})
    with pytest.raises(subprocess.CalledProcessError):
        git(tmp_path, "merge", "side")
    assert changed_files(str(tmp_path), made, staged=False) == ("a",)


def test_a_commit_that_does_not_exist_cannot_be_compared(tmp_path: Path) -> None:
    commit(tmp_path)
    with pytest.raises(GitError, match="git could not list the files of 0123456789"):
        changed_files(str(tmp_path), "0123456789", staged=False)


@pytest.mark.skipif(shutil.which("sh") is None, reason="the traps are shell scripts")
def test_nothing_that_a_repository_configures_is_run(tmp_path: Path) -> None:
    root, trap, mark = tmp_path / "main", tmp_path / "trap", tmp_path / "sprung"
    made = commit(root, {"a": "1", ".gitattributes": "* diff=trap\n"})
    trap.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    trap.chmod(0o755)
    for setting in ("core.fsmonitor", "diff.external", "diff.trap.command", "diff.trap.textconv"):
        git(root, "config", setting, str(trap))
    write(root, {"a": "2", "b": "1"})
    assert changed_files(str(root), made, staged=False) == ("a", "b")
    assert changed_files(str(root), made, staged=True) == ()
    assert GitSnapshot(str(root), commit_of(str(root), "HEAD"), "").read("a") == b"1"
    assert not mark.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("core.quotePath", "true"),
        ("diff.renames", "copies"),
        ("diff.noprefix", "true"),
        ("diff.relative", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("color.ui", "always"),
        ("core.pager", "false"),
        ("status.showUntrackedFiles", "no"),
    ],
)
def test_settings_of_a_user_do_not_change_the_answer(tmp_path: Path, name: str, value: str) -> None:
    made = commit(tmp_path, {"ä": "text\n" * 9, "b": "1"})
    git(tmp_path, "config", name, value)
    git(tmp_path, "mv", "ä", "ö")
    write(tmp_path, {"new": "1"})
    assert changed_files(str(tmp_path), made, staged=False) == ("new", "ä", "ö")
