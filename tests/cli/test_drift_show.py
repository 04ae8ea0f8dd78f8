"""`yg drift --show`: the difference since the baseline, found in git by content."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from schemas import faults
from support import git, run, write, write_graph
from yg.kernel.palette import Palette
from yg.surfaces.cli.main import answer
from yg.surfaces.cli.outcome import Outcome, Terminal

OLD = "def f(a):\n    return a\n"
NEW = "def f(a, b):\n    return a\n"


def commit(root: Path) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "message")
    return git(root, "rev-parse", "--short=12", "HEAD")


def repository(root: Path, files: dict[str, str | bytes], *, has_git: bool = True) -> Path:
    """Write a repository with one node and its baseline, and commit it."""
    node = "name: N\ntype: service\nmapping: {paths: [src]}\n"
    write_graph(root, {"model/a/yg-node.yaml": node, "model/a/responsibility.md": "One.\n"})
    write(root, files)
    if has_git:
        git(root, "init", "-q")
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    if has_git:
        commit(root)
    return root


def show(root: Path, *argv: str) -> Outcome:
    return run("drift", "-C", str(root), "--show", *argv)


SUMMARY = (
    "Summary: 1 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 0 ok\n"
)


def test_a_change_is_a_unified_diff(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD, "src/b.py": "b = 1\n"})
    write(root, {"src/a.py": NEW})
    assert show(root) == Outcome(
        "[drift] a\n"
        "src/a.py (signature: f changed)\n"
        "--- a/src/a.py\n"
        "+++ b/src/a.py\n"
        "@@ -1,2 +1,2 @@\n"
        "-def f(a):\n"
        "+def f(a, b):\n"
        "     return a\n"
        f"\n{SUMMARY}",
        1,
    )


def test_git_can_apply_what_is_shown(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD, "src/gone.py": "gone = 1\n", "src/x": "x"})
    write(root, {"src/a.py": NEW, "src/new.py": "new = 1\n", "src/x": "y\nz"})
    (root / "src/gone.py").unlink()
    patch = show(root).text
    git(root, "stash", "-q", "-u")
    subprocess.run(["git", "-C", str(root), "apply"], input=patch.encode(), check=True)
    assert (root / "src/a.py").read_text() == NEW
    assert (root / "src/x").read_text() == "y\nz"
    assert [(root / f"src/{name}.py").exists() for name in ("new", "gone")] == [True, False]


def test_the_commit_that_has_the_old_text_is_named_if_it_is_not_staged(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD})
    old = git(root, "rev-parse", "--short=12", "HEAD")
    write(root, {"src/a.py": NEW})
    commit(root)
    assert f"--- a/src/a.py\t({old})\n" in show(root).text
    (entry,) = json.loads(show(root, "--json").text)["nodes"][0]["source"]
    assert entry["difference"]["commit"].startswith(old)


def test_a_graph_file_is_shown_once_for_all_nodes_with_the_same_baseline(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD, "b.py": ""})
    node = "name: B\ntype: service\nmapping: {paths: [b.py]}\n"
    write_graph(root, {"model/a/b/yg-node.yaml": node, "model/a/b/responsibility.md": "B.\n"})
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    write_graph(root, {"model/a/responsibility.md": "Two.\n"})
    commit(root)
    text = show(root).text
    file = ".yggdrasil/model/a/responsibility.md"
    assert text.count("-One.\n+Two.\n") == 1
    assert f"[drift] a/b\n{file} (changed)\n  see above\n" in text


def test_nodes_with_other_baselines_have_other_differences(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD, "b.py": ""})
    node = "name: B\ntype: service\nmapping: {paths: [b.py]}\n"
    write_graph(root, {"model/a/b/yg-node.yaml": node, "model/a/b/responsibility.md": "B.\n"})
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    for text in ("Two.\n", "Three.\n"):
        write_graph(root, {"model/a/responsibility.md": text})
        if text == "Two.\n":
            assert run("drift-sync", "-C", str(root), "a/b").code == 0
        commit(root)
    shown = show(root).text
    assert ("-One.\n+Three.\n" in shown, "-Two.\n+Three.\n" in shown) == (True, True)


# Moved, new, deleted, binary and unknown files.


def test_a_file_that_only_moved_shows_no_lines(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD})
    (root / "src/a.py").rename(root / "src/b.py")
    assert show(root).text == (f"[drift] a\nsrc/a.py (moved to src/b.py)\n\n{SUMMARY}")


def test_a_file_that_was_renamed_and_then_changed_is_compared_with_its_old_text(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path, {"src/a.py": OLD, "src/c.py": "c = 1\n"})
    git(root, "mv", "src/a.py", "src/b.py")
    commit(root)
    write(root, {"src/b.py": NEW})
    text = show(root).text
    assert "src/a.py (deleted; signature: f removed)\n  renamed to src/b.py and changed\n" in text
    assert "--- a/src/a.py\n+++ b/src/b.py\n@@ -1,2 +1,2 @@\n-def f(a):\n+def f(a, b):\n" in text


def test_an_old_text_is_found_at_another_path(tmp_path: Path) -> None:
    write(tmp_path, {"lib/old.py": OLD})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    shutil.move(tmp_path / "lib/old.py", tmp_path / "lib/gone.py")
    (tmp_path / "lib/gone.py").unlink()
    root = repository(tmp_path, {"src/a.py": OLD}, has_git=False)
    write(root, {"src/a.py": NEW})
    assert "--- a/lib/old.py\t(" in show(root).text
    assert "-def f(a):\n+def f(a, b):\n" in show(root).text


def test_deleted_and_new_files_are_shown_whole(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD, "src/c.py": "c = 1\n"})
    (root / "src/a.py").unlink()
    write(root, {"src/new.py": "n = 1\nm = 2"})
    text = show(root).text
    assert "--- a/src/a.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-def f(a):\n-    return a\n" in text
    new = "--- /dev/null\n+++ b/src/new.py\n@@ -0,0 +1,2 @@\n+n = 1\n+m = 2\n"
    assert f"{new}\\ No newline at end of file\n" in text


def test_binary_files_are_not_shown(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.bin": b"\0old", "src/b.bin": b"text"})
    write(root, {"src/a.bin": b"\0new", "src/b.bin": b"\0binary"})
    text = show(root).text
    for name in ("a", "b"):
        assert f"src/{name}.bin (changed)\n  binary files differ\n" in text


def test_bytes_that_are_not_utf8_are_shown_as_escapes(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.txt": b"\xff\n"})
    write(root, {"src/a.txt": b"\xfe\n"})
    assert "-\\xff\n+\\xfe\n" in show(root).text
    assert faults(show(root, "--json").text) == []


def test_a_text_that_git_does_not_have_is_reported_in_one_line(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD})
    write(root, {"src/a.py": NEW})
    assert run("drift-sync", "-C", str(root), "a").code == 0
    write(root, {"src/a.py": OLD})
    assert show(root).text == (
        "[drift] a\nsrc/a.py (signature: f changed)\n"
        f"  the old text is not known: git does not have it\n\n{SUMMARY}"
    )
    (entry,) = json.loads(show(root, "--json").text)["nodes"][0]["source"]
    assert entry["difference"] == {
        "diff": "",
        "commit": None,
        "note": "the old text is not known: git does not have it",
    }


def test_without_git_every_file_has_that_line(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD, "src/b.py": OLD}, has_git=False)
    write(root, {"src/a.py": NEW})
    (root / "src/b.py").unlink()
    text = show(root).text
    assert text.count("  the old text is not known: this is not a git repository\n") == 2


def test_other_line_endings_are_not_shown(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD})
    write(root, {"src/a.py": NEW.replace("\n", "\r\n").encode()})
    assert show(root).text.count("\n-") == 2  # the heading and one line


def test_a_node_without_a_baseline_has_nothing_to_compare_with(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD})
    (root / ".yggdrasil/.drift-state/a.json").unlink()
    assert show(root).text == f"[drift] a  no baseline\n\n{SUMMARY}"


def test_a_clean_graph_shows_only_the_summary(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.py": OLD})
    outcome = show(root)
    assert (outcome.code, outcome.text.count("\n")) == (0, 1)


def test_a_graph_below_the_top_of_the_repository_finds_its_old_texts(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    root = repository(tmp_path / "services/shop", {"src/a.py": OLD}, has_git=False)
    commit(tmp_path)
    write(root, {"src/a.py": NEW})
    assert "--- a/src/a.py\n+++ b/src/a.py\n" in show(root).text


def test_the_difference_is_coloured_and_cannot_control_a_terminal(tmp_path: Path) -> None:
    root = repository(tmp_path, {"src/a.txt": "plain\n"})
    write(root, {"src/a.txt": "\x1b[2Jred\u202e\n"})
    assert "\x1b" not in show(root).text
    palette = Palette(is_on=True, mark="<")
    argv = ["drift", "-C", str(root), "--show"]
    text = answer(argv, Terminal(lambda: (), out=palette)).text
    assert "<1m--- a/src/a.txt<0m\n<1m+++ b/src/a.txt<0m\n<36m@@ -1 +1 @@<0m\n" in text
    assert "<31m-plain<0m\n<32m+\\x1b[2Jred\\u202e<0m\n" in text


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a\0b", "src"])
def test_paths_of_a_hostile_baseline_lead_nowhere(tmp_path: Path, path: str) -> None:
    root = repository(tmp_path, {"src/a.py": OLD})
    file = root / ".yggdrasil/.drift-state/a.json"
    baseline = json.loads(file.read_text(encoding="utf-8"))
    baseline["files"][path] = "0" * 64
    file.write_text(json.dumps(baseline), encoding="utf-8")
    outcome = show(root)
    assert outcome.code == 1
    assert "root:" not in outcome.text
    assert "the old text is not known: git does not have it" in outcome.text


def test_no_program_of_a_hostile_configuration_runs(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", {"src/a.py": OLD})
    write(root, {"src/a.py": NEW})
    commit(root)
    mark = tmp_path / "ran"
    program = tmp_path / "program.sh"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    write(root, {".gitattributes": "* diff=evil filter=evil textconv=evil\n"})
    for setting in (
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "core.fsmonitor",
        "core.pager",
        "gpg.program",
        "core.sshCommand",
    ):
        git(root, "config", setting, str(program))
    git(root, "config", "log.showSignature", "true")
    git(root, "config", "core.hooksPath", str(tmp_path))
    write(root, {"src/a.py": NEW + "# more\n"})
    assert "-def f(a):\n+def f(a, b):\n" in show(root).text
    assert not mark.exists()
