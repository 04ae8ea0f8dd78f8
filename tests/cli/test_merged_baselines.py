"""Baselines in git: what two branches recorded is there after `git merge`, without a driver."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, event, example, given, settings
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
    problem = "its conflict markers do not fit together"
    assert (code, states) == (1, {"p/a": "source-drift"})
    assert problem in notes
    outcome = run("drift-sync", "-C", str(branches.root), "--resolve")
    assert (outcome.code, outcome.text) == (1, f"Failed: p/a: {problem}\n")
    assert (branches.root / STATE / "p/a.json").read_text() == text


def test_conflicts_of_nodes_that_are_gone_are_left_alone_and_listed(branches: Branches) -> None:
    write(branches.root, {f"{STATE}/gone.json": '{\n<<<<<<< a\n=======\n>>>>>>> a\n"files": {}}\n'})
    outcome = run("drift-sync", "-C", str(branches.root), "--resolve")
    assert (outcome.code, outcome.text) == (0, "")
    assert outcome.notes == (
        "warning: merge conflict in the baseline of gone, which is not tracked; "
        "'yg drift-sync --all' removes it\n"
    )


PARENT = ".yggdrasil/model/p/responsibility.md"
NAMES = st.sampled_from("abcdefghij")
Step = tuple[str, str, str, int]  # what, the node, the file, a number for its new content
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["edit", "delete", "text", "move"]),
        st.sampled_from("ab"),
        NAMES,
        st.integers(3, 9),
    ),
    min_size=1,
    max_size=4,
)
SYNCED = st.sampled_from([("p/a", "p/b"), ("p/a",), ("p/b",), ()])
RANDOM = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def stepped(root: Path, steps: list[Step]) -> dict[str, str | None]:
    """Return the changes that some steps make to the nodes `p/a` and `p/b`."""
    found: dict[str, str | None] = {}
    for what, folder, name, value in steps:
        path = f"src/{folder}/{name}.py"
        is_there = (root / path).exists() and path not in found
        if what == "text":
            found[PARENT] = f"What they share is {value} words.\n"
        elif what == "edit":
            found[path] = code(name, value)
        elif is_there:
            found[path] = None
            if what == "move":
                found[f"src/{folder}/{name}{value}.py"] = code(name, 1)
    return found


@pytest.mark.slow
@settings(RANDOM, max_examples=30)
@given(STEPS, STEPS, SYNCED, SYNCED, st.sampled_from(["ours", "theirs"]))
@example([("edit", "a", "f", 3)], [("delete", "a", "h", 3)], ("p/a",), ("p/a",), "ours")
@example([("move", "b", "b", 3)], [("delete", "b", "b", 3)], ("p/b",), ("p/b",), "theirs")
@example([("edit", "a", "a", 3)], [("delete", "a", "h", 3)], ("p/a",), ("p/a",), "ours")
@example([("edit", "a", "g", 3)], [("delete", "a", "h", 3)], ("p/a",), ("p/a",), "ours")
def test_after_any_merge_a_node_has_drifted_if_no_branch_confirmed_some_file_of_it(
    ours: list[Step],
    theirs: list[Step],
    synced_here: tuple[str, ...],
    synced_there: tuple[str, ...],
    side: str,
) -> None:
    with TemporaryDirectory() as folder:
        branches = Branches(repository(Path(folder)))
        base = contents(branches.root)
        confirmed: dict[str, dict[str, dict[str, str]]] = {}  # by branch and node
        for branch, steps, synced in (
            ("main", ours, synced_here),
            ("other", theirs, synced_there),
        ):
            git(branches.root, "checkout", "-q", branch)
            syncs = [(name, "--reason", f"because of {branch}") for name in synced]
            branches.change(branch, stepped(branches.root, steps), *syncs)
            now = contents(branches.root)
            confirmed[branch] = {name: now if name in synced else base for name in ("p/a", "p/b")}
        recorded = {
            (name, branch)
            for name in ("p/a", "p/b")
            for branch in ("main", "other")
            if f"because of {branch}" in git(branches.root, "show", f"{branch}:{STATE}/{name}.json")
        }
        conflicts = branches.merge()
        event(f"conflicts in baselines: {sum(path.startswith(STATE) for path in conflicts)}")
        settle(branches.root, conflicts, side)
        now = contents(branches.root)
        expected = {
            name
            for name in ("p/a", "p/b")
            if not is_confirmed(
                name, base, [confirmed[branch][name] for branch in ("main", "other")], now
            )
        }
        assert {*drift(branches.root)[1]} == expected
        found = {
            (name, reason.removeprefix("because of "))
            for name in ("p/a", "p/b")
            for reason in reasons(branches.root, name)
        }
        assert found == recorded


def is_confirmed(
    name: str, base: Mapping[str, str], sides: list[dict[str, str]], now: Mapping[str, str]
) -> bool:
    """Tell whether each file of a node is as the merged entry of its baseline says.

    If one branch alone recorded another content than before, it is that; if both did, either. All
    files may also be those of one branch: git merges a move and a deletion by leaving one of them.
    """
    every = {*base, *sides[0], *sides[1], *now}
    own = {path for path in every if path == PARENT or path.startswith(f"src/{name[-1]}/")}
    if any(all(now.get(path) == side.get(path) for path in own) for side in sides):
        return True
    for path in own:
        changed = [side.get(path) for side in sides if side.get(path) != base.get(path)]
        if now.get(path) not in (changed or [base.get(path)]):
            return False
    return True


Change = tuple[Mapping[str, str | None], tuple[str, ...]]  # the files, and what is synced


def edited(folder: str, name: str, value: int) -> dict[str, str | None]:
    return {f"src/{folder}/{name}.py": code(name, value)}


@st.composite
def clean_pairs(draw: st.DrawFn) -> tuple[Change, Change]:
    """Return the changes of two branches that git must merge without a conflict in baselines."""
    one, two = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    row = draw(st.sampled_from(["nodes", "files", "new files", "text and code"]))
    event(row)
    if row == "nodes":
        return (edited("a", draw(NAMES), one), ("p/a",)), (edited("b", draw(NAMES), two), ("p/b",))
    if row == "text and code":
        text = {PARENT: f"What they share is {one} words.\n"}
        return (text, ("--all",)), (edited("a", draw(st.sampled_from("bdfh")), two), ("p/a",))
    # Of the new files none stands next to another in the list: b, d, f and h are between them.
    names = "bdfh" if row == "files" else "acegi"
    ours, theirs = draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True))
    return (edited("a", ours, one), ("p/a",)), (edited("a", theirs, two), ("p/a",))


@pytest.mark.slow
@settings(RANDOM, max_examples=20)
@given(clean_pairs(), st.sampled_from([("main", "other"), ("other", "main")]))
def test_branches_that_record_different_things_never_conflict(
    pair: tuple[Change, Change], order: tuple[str, str]
) -> None:
    with TemporaryDirectory() as folder:
        branches = Branches(repository(Path(folder)))
        for branch, (files, synced) in zip(order, pair, strict=True):
            branches.change(branch, files, synced)
        assert branches.merge() == []
        assert drift(branches.root) == CLEAN


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
    found = [*(root / "src").rglob("*.py"), root / PARENT]
    return {str(path.relative_to(root)): path.read_text() for path in found}
