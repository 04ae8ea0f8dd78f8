"""Baselines in git: what two branches recorded is there after `git merge`, without a driver."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from support import CONFIG, NODE, git, run, write
from support import node_owning as node
from yg.yggdrasil.drift.conflicts import has_markers

STATE = ".yggdrasil/.drift-state"
FILES = {
    ".yggdrasil/yg-config.yaml": f"{CONFIG}drift:\n  hash: derived\n",
    ".yggdrasil/model/p/yg-node.yaml": NODE,
    ".yggdrasil/model/p/responsibility.md": "What all of them share, in some words.\n",
    ".yggdrasil/model/p/a/yg-node.yaml": node("src/a"),
    ".yggdrasil/model/p/b/yg-node.yaml": node("src/b"),
    **{
        f"src/{folder}/{name}.py": f"def {name}():\n    return 1\n"
        for folder in "ab"
        for name in ("b", "d", "f", "h")
    },
}


def repository(root: Path, config: str = "") -> Path:
    """Commit a graph whose nodes are all recorded."""
    write(root, {**FILES, **({".yggdrasil/yg-config.yaml": config} if config else {})})
    git(root, "init", "-q", "-b", "main")
    sync(root, "--all")
    commit(root)
    return root


def sync(root: Path, *argv: str) -> None:
    outcome = run("drift-sync", "-C", str(root), *argv)
    assert outcome.code == 0, outcome


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "x")


def code(name: str, value: int = 2) -> str:
    return f"def {name}():\n    return {value}\n"


class Branches:
    """Two branches of a repository; `ours` is `main`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        git(root, "branch", "other")

    def change(self, branch: str, files: Mapping[str, str | None], *syncs: tuple[str, ...]) -> None:
        """Write or delete files on a branch, sync some nodes, and commit."""
        git(self.root, "checkout", "-q", branch)
        for path, text in files.items():
            if text is None:
                (self.root / path).unlink()
            else:
                write(self.root, {path: text})
        for argv in syncs:
            sync(self.root, *argv)
        commit(self.root)

    def merge(self, *options: str) -> list[str]:
        """Merge the other branch; return the files with conflicts."""
        git(self.root, "checkout", "-q", "main")
        arguments = ["git", "-C", str(self.root), *options, "merge", "-q", "--no-edit", "other"]
        subprocess.run(arguments, capture_output=True, check=False)
        return git(self.root, "diff", "--name-only", "--diff-filter=U").split()


@pytest.fixture
def branches(tmp_path: Path) -> Branches:
    return Branches(repository(tmp_path))


def drift(root: Path) -> tuple[int, dict[str, str], str]:
    """Return the exit code, the state of each node that is not ok, and the notes."""
    outcome = run("drift", "-C", str(root), "--json")
    nodes = json.loads(outcome.text)["nodes"]
    states = {each["node"]: each["state"] for each in nodes if each["state"] != "ok"}
    return outcome.code, states, "\n".join(json.loads(outcome.text)["notes"])


def reasons(root: Path, name: str) -> list[str]:
    found = json.loads(run("drift", "-C", str(root), name, "--reviews", "--json").text)
    return [review["reason"] for review in found["reviews"]]


CLEAN: tuple[int, dict[str, str], str] = (0, {}, "")


def test_branches_that_sync_different_nodes_merge(branches: Branches) -> None:
    branches.change("main", {"src/a/d.py": code("d")}, ("p/a",))
    branches.change("other", {"src/b/d.py": code("d")}, ("p/b",))
    assert branches.merge() == []
    assert drift(branches.root) == CLEAN


@pytest.mark.parametrize(("ours", "theirs"), [("b", "d"), ("d", "b"), ("f", "h"), ("h", "b")])
def test_branches_that_change_different_files_of_a_node_merge(
    branches: Branches, ours: str, theirs: str
) -> None:
    branches.change("main", {f"src/a/{ours}.py": code(ours)}, ("p/a",))
    branches.change("other", {f"src/a/{theirs}.py": code(theirs)}, ("p/a",))
    assert branches.merge() == []
    assert drift(branches.root) == CLEAN


@pytest.mark.parametrize(
    ("ours", "theirs"), [("a", "c"), ("c", "a"), ("g", "i"), ("i", "g"), ("a", "i"), ("e", "g")]
)
def test_branches_that_add_files_to_a_node_merge(
    branches: Branches, ours: str, theirs: str
) -> None:
    branches.change("main", {f"src/a/{ours}.py": code(ours)}, ("p/a",))
    branches.change("other", {f"src/a/{theirs}.py": code(theirs)}, ("p/a",))
    assert branches.merge() == []
    assert drift(branches.root) == CLEAN


def test_files_added_next_to_each_other_are_both_known(branches: Branches) -> None:
    branches.change("main", {"src/a/i.py": code("i")}, ("p/a",))
    branches.change("other", {"src/a/j.py": code("j")}, ("p/a",))
    assert branches.merge() == [f"{STATE}/p/a.json"]
    resolved_by_sync(branches.root)


def resolved_by_sync(root: Path) -> None:
    note = "merge conflict in the baseline of p/a; yg drift-sync p/a resolves it"
    assert drift(root) == (0, {}, note)
    assert "E025" in run("validate", "-C", str(root)).text
    sync(root, "p/a")
    assert drift(root) == CLEAN
    assert not has_markers((root / STATE / "p/a.json").read_text())


def test_a_changed_text_of_the_parent_and_changed_code_of_a_child_merge(
    branches: Branches,
) -> None:
    text = {".yggdrasil/model/p/responsibility.md": "Other words about what they share.\n"}
    branches.change("main", text, ("--all",))
    branches.change("other", {"src/a/d.py": code("d")}, ("p/a",))
    assert branches.merge() == []
    assert drift(branches.root) == CLEAN


def test_reasons_of_both_branches_are_kept_ours_first(branches: Branches) -> None:
    branches.change("main", {"src/a/b.py": code("b")}, ("p/a", "--reason", "before"))
    git(branches.root, "branch", "-f", "other", "main")
    branches.change("main", {"src/a/d.py": code("d")}, ("p/a", "--reason", "ours"))
    branches.change("other", {"src/a/h.py": code("h")}, ("p/a", "--reason", "theirs"))
    assert branches.merge() == [f"{STATE}/p/a.json"]
    assert reasons(branches.root, "p/a") == ["before", "ours", "theirs"]
    resolved_by_sync(branches.root)
    assert reasons(branches.root, "p/a") == ["before", "ours", "theirs"]


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_a_file_that_both_changed_is_confirmed_as_either_side_has_it(
    branches: Branches, style: str, side: str
) -> None:
    branches.change("main", {"src/a/d.py": code("d", 3)}, ("p/a",))
    branches.change("other", {"src/a/d.py": code("d", 4)}, ("p/a",))
    file = f"{STATE}/p/a.json"
    assert branches.merge("-c", f"merge.conflictStyle={style}") == [file, "src/a/d.py"]
    git(branches.root, "checkout", f"--{side}", "src/a/d.py")
    resolved_by_sync(branches.root)


def test_code_that_is_neither_side_has_drifted(branches: Branches) -> None:
    branches.change("main", {"src/a/d.py": code("d", 3)}, ("p/a",))
    branches.change("other", {"src/a/d.py": code("d", 4)}, ("p/a",))
    branches.merge()
    write(branches.root, {"src/a/d.py": code("d", 5)})
    before = (branches.root / STATE / "p/a.json").read_text()
    assert drift(branches.root)[:2] == (1, {"p/a": "source-drift"})
    outcome = run("drift-sync", "-C", str(branches.root), "--resolve")
    assert (outcome.code, outcome.text) == (
        1,
        "Failed: p/a: it differs from both sides of its baseline (source-drift)\n",
    )
    assert (branches.root / STATE / "p/a.json").read_text() == before


def test_a_file_that_one_side_deleted_may_be_gone(branches: Branches) -> None:
    branches.change("main", {"src/a/d.py": None}, ("p/a",))
    branches.change("other", {"src/a/d.py": code("d", 4)}, ("p/a",))
    assert f"{STATE}/p/a.json" in branches.merge()
    (branches.root / "src/a/d.py").unlink(missing_ok=True)
    resolved_by_sync(branches.root)


def test_all_confirmed_conflicts_are_resolved_at_once(branches: Branches) -> None:
    for name, branch in (("i", "main"), ("j", "other")):
        new = {f"src/a/{name}.py": code(name), f"src/b/{name}.py": code(name)}
        branches.change(branch, new, ("p/a", "--reason", branch), ("p/b",))
    assert branches.merge() == [f"{STATE}/p/a.json", f"{STATE}/p/b.json"]
    outcome = run("drift-sync", "-C", str(branches.root), "--resolve")
    assert (outcome.code, outcome.text) == (
        0,
        "Merge conflicts resolved: 2 baselines\nUnchanged: 2 nodes\n",
    )
    assert drift(branches.root) == CLEAN
    assert reasons(branches.root, "p/a") == ["main", "other"]


def test_a_union_merge_leaves_nothing_to_do_by_hand(branches: Branches) -> None:
    write(branches.root, {".gitattributes": f"{STATE}/** merge=union\n"})
    commit(branches.root)
    git(branches.root, "branch", "-f", "other", "main")
    branches.change(
        "main",
        {"src/a/d.py": code("d", 3), "src/a/i.py": code("i")},
        ("p/a", "--reason", "ours"),
    )
    branches.change(
        "other",
        {"src/a/d.py": code("d", 4), "src/a/j.py": code("j")},
        ("p/a", "--reason", "theirs"),
    )
    assert branches.merge() == ["src/a/d.py"]
    git(branches.root, "checkout", "--theirs", "src/a/d.py")
    assert drift(branches.root)[:2] == (0, {})
    assert reasons(branches.root, "p/a") == ["ours", "theirs"]
    sync(branches.root, "--resolve")
    assert drift(branches.root) == CLEAN
    assert reasons(branches.root, "p/a") == ["ours", "theirs"]


def test_a_conflict_in_nothing_but_the_hash_names_the_key_that_prevents_it(
    tmp_path: Path,
) -> None:
    branches = Branches(repository(tmp_path, CONFIG))
    branches.change("main", {"src/a/b.py": code("b")}, ("p/a",))
    branches.change("other", {"src/a/h.py": code("h")}, ("p/a",))
    assert branches.merge() == [f"{STATE}/p/a.json"]
    assert drift(tmp_path)[:2] == (0, {})
    outcome = run("drift-sync", "-C", str(tmp_path), "p/a")
    assert "with 'drift: {hash: derived}' in .yggdrasil/yg-config.yaml" in outcome.notes
    assert drift(tmp_path) == CLEAN


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< a\n{\n",
        "<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> b\n=======\n>>>>>>> a\n",
        '{"files": {}}\n>>>>>>> a\n',
        "<<<<<<< a\n=======\n=======\n>>>>>>> a\n",
    ],
)
def test_markers_that_do_not_fit_together_make_no_baseline(branches: Branches, text: str) -> None:
    write(branches.root, {f"{STATE}/p/a.json": text})
    code, states, notes = drift(branches.root)
    assert (code, states) == (1, {"p/a": "source-drift"})
    assert "its conflict markers do not fit together" in notes


NAMES = st.sampled_from("abcdefghij")
STEPS = st.lists(
    st.tuples(st.sampled_from(["edit", "delete", "text", "move"]), NAMES, st.integers(3, 9)),
    min_size=1,
    max_size=3,
)


def stepped(root: Path, steps: list[tuple[str, str, int]]) -> dict[str, str | None]:
    """Return the changes that some steps make to node `p/a`."""
    found: dict[str, str | None] = {}
    for what, name, value in steps:
        path = f"src/a/{name}.py"
        is_there = (root / path).exists() and path not in found
        if what == "text":
            found[".yggdrasil/model/p/responsibility.md"] = f"What they share is {value} words.\n"
        elif what == "edit":
            found[path] = code(name, value)
        elif is_there:
            found[path] = None
            if what == "move":
                found[f"src/a/{name}{value}.py"] = code(name, 1)
    return found


@pytest.mark.slow
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(STEPS, STEPS, st.sampled_from(["ours", "theirs"]))
@example([("edit", "f", 3)], [("delete", "h", 3)], "ours")  # git closes an object on one side
@example([("edit", "a", 3)], [("delete", "h", 3)], "ours")  # git leaves reasons twice, unmarked
def test_after_any_merge_drift_is_what_neither_branch_confirmed(
    ours: list[tuple[str, str, int]], theirs: list[tuple[str, str, int]], side: str
) -> None:
    with TemporaryDirectory() as folder:
        branches = Branches(repository(Path(folder)))
        confirmed = []
        for branch, steps in (("main", ours), ("other", theirs)):
            git(branches.root, "checkout", "-q", branch)
            changes = stepped(branches.root, steps)
            branches.change(branch, changes, ("p/a", "--reason", branch), ("--all",))
            confirmed.append(contents(branches.root))
        settle(branches.root, branches.merge(), side)
        now = contents(branches.root)
        known = [path for each in confirmed for path in each]
        strange = [
            path
            for path in {*known, *now}
            if now.get(path) not in [each.get(path) for each in confirmed]
        ]
        assert bool(drift(branches.root)[1]) == bool(strange)
        given_reasons = reasons(branches.root, "p/a")
        recorded = [branch for branch, steps in (("main", ours), ("other", theirs)) if steps]
        assert set(given_reasons) <= set(recorded)
        for branch in recorded:
            shown = git(branches.root, "show", f"{branch}:{STATE}/p/a.json")
            assert (f'"reason": "{branch}"' in shown) == (branch in given_reasons)


def settle(root: Path, conflicts: list[str], side: str) -> None:
    """Resolve all conflicts outside of baselines to one side."""
    for path in (path for path in conflicts if not path.startswith(STATE)):
        kept = subprocess.run(
            ["git", "-C", str(root), "checkout", "-q", f"--{side}", path],
            capture_output=True,
            check=False,
        )
        if kept.returncode:  # that side does not have the file
            (root / path).unlink(missing_ok=True)


def contents(root: Path) -> dict[str, str]:
    """Return the tracked files: the code, and the text above it."""
    found = [*(root / "src").rglob("*.py"), root / ".yggdrasil/model/p/responsibility.md"]
    return {str(path.relative_to(root)): path.read_text() for path in found}
