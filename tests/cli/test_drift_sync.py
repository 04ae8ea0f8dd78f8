"""`yg drift-sync`: records what is, loses nothing, and touches nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from schemas import faults_in
from support import CONFIG, NODE, a_dead_process, git, run, write
from support import node_owning as node
from yg.disk.files.apply import Applier
from yg.disk.reading.worktree import WorkTree
from yg.surfaces.cli.outcome import Outcome
from yg.yggdrasil.drift.baselines import Baselines

STATE = ".yggdrasil/.drift-state"
OLD_STATE = {"hash": "1", "files": {"src/a.py": "2"}}


TWO = {
    ".yggdrasil/model/a/yg-node.yaml": node("src/a.py"),
    ".yggdrasil/model/b/yg-node.yaml": node("src/b"),
    "src/a.py": "a\n",
    "src/b/x.py": "x\r\n",
    "src/b/é.py": "y\n",
}
NESTED = {
    ".yggdrasil/model/a/yg-node.yaml": NODE,
    ".yggdrasil/model/a/b/yg-node.yaml": node("src/b.py"),
    ".yggdrasil/model/a/b/c/yg-node.yaml": node("src/c.py"),
    ".yggdrasil/model/ab/yg-node.yaml": node("src/ab.py"),
    ".yggdrasil/model/z/yg-node.yaml": NODE,
    "src/b.py": "b",
    "src/c.py": "c",
    "src/ab.py": "ab",
}


def repository(root: Path, files: Mapping[str, str | bytes] = TWO) -> Path:
    return write(root, {".yggdrasil/yg-config.yaml": CONFIG, **files})


def mark(file: Path) -> tuple[int, ...]:
    """Return what changes whenever a file is written, and not when it is read."""
    status = os.stat(file)
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


def sync(root: Path, *argv: str) -> Outcome:
    return run("drift-sync", "-C", str(root), *argv)


def is_clean(root: Path) -> bool:
    outcome = run("drift", "-C", str(root))
    return (outcome.code, outcome.notes) == (0, "")


def document(root: Path, *argv: str) -> dict[str, Any]:
    """Return the answer as data, which has to follow its schema."""
    outcome = sync(root, "--json", *argv)
    found: dict[str, Any] = json.loads(outcome.text)
    assert faults_in(found) == []
    failed = any(item["status"] == "failed" for item in found["nodes"])
    assert outcome.code == (1 if failed else 0)
    return found


def kept(root: Path) -> list[Path]:
    """Return everything below a directory."""
    return sorted(root.rglob("*"))


def contents(root: Path) -> dict[str, bytes | str]:
    """Return what is kept: the content of files, the targets of links."""
    found: dict[str, bytes | str] = {}
    for path in kept(root):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def states(root: Path) -> dict[str, Any]:
    """Return the state files by name, decoded."""
    found = contents(root / STATE) if (root / STATE).exists() else {}
    return {name: json.loads(content) for name, content in found.items()}


def plain(content: str) -> str:
    return sha256(content.encode()).hexdigest()


# What is recorded.


def test_a_baseline_is_the_digests_of_all_tracked_files(tmp_path: Path) -> None:
    root = repository(tmp_path)
    files = {
        ".yggdrasil/model/b/yg-node.yaml": plain(node("src/b")),
        "src/b/x.py": plain("x\n"),
        "src/b/é.py": plain("y\n"),
    }
    digest = plain("\n".join(f"{path}:{each}" for path, each in files.items()))
    assert sync(root, "b") == Outcome(f"Synchronized: b\n  Hash: none -> {digest[:8]}\n")
    text = (root / STATE / "b.json").read_text(encoding="utf-8")
    assert text.partition('  "code": ')[0] == (
        "{\n"
        f'  "hash": "{digest}",\n'
        '  "files": {\n'
        f'    ".yggdrasil/model/b/yg-node.yaml": "{files[".yggdrasil/model/b/yg-node.yaml"]}"\n'
        ",\n\n"
        f'    "src/b/x.py": "{files["src/b/x.py"]}"\n'
        ",\n\n"
        f'    "src/b/é.py": "{files["src/b/é.py"]}"\n'
        "  }\n,\n\n"
    )


def test_each_node_has_a_file_of_its_own_below_its_path(tmp_path: Path) -> None:
    root = repository(tmp_path, {**NESTED, ".yggdrasil/model/yg-node.yaml": node("src/b.py")})
    sync(root, "--all")
    assert sorted(states(root)) == [".root.json", "a/b.json", "a/b/c.json", "ab.json"]


def test_after_recording_there_is_no_drift(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "--all")
    assert is_clean(root)


def test_both_hashes_are_shown_when_a_baseline_changes(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "--all")
    before = states(root)["a.json"]["hash"]
    write(root, {"src/a.py": "!"})
    outcome = sync(root, "--node", "a")
    after = states(root)["a.json"]["hash"]
    assert outcome == Outcome(f"Synchronized: a\n  Hash: {before[:8]} -> {after[:8]}\n")


def test_data_says_what_became_of_every_node(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "a")
    write(root, {f"{STATE}/gone.json": json.dumps(OLD_STATE)})
    found = document(root, "--all")
    hashes = {name: state["hash"] for name, state in states(root).items()}
    assert found == {
        "schema": "yg-drift-sync/1",
        "nodes": [
            {
                "node": "a",
                "status": "unchanged",
                "before": hashes["a.json"],
                "after": hashes["a.json"],
                "failure": None,
            },
            {
                "node": "b",
                "status": "synchronized",
                "before": None,
                "after": hashes["b.json"],
                "failure": None,
            },
        ],
        "removed": [f"{STATE}/gone.json"],
        "notes": [],
    }
    assert list(found) == ["schema", "nodes", "removed", "notes"]


def test_two_copies_of_a_repository_have_the_same_bytes(tmp_path: Path) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two" / "deep")
    for path in kept(two):
        os.utime(path, ns=(1, 1))
    sync(one, "--all")
    sync(two, "--all")
    assert contents(one / STATE) == contents(two / STATE)


def test_a_baseline_has_hashes_and_no_times(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "--all")
    for state in states(root).values():
        assert list(state) == ["hash", "files", "code"]
        digests = [state["hash"], *state["files"].values()]
        assert all(len(digest) == 64 and int(digest, 16) >= 0 for digest in digests)


# What is written, and what is not.


@pytest.mark.parametrize("argv", [("--all",), ("a",), ("--node", "b", "--recursive")], ids=" ".join)
def test_recording_the_same_again_writes_nothing(tmp_path: Path, argv: tuple[str, ...]) -> None:
    root = repository(tmp_path)
    sync(root, "--all")
    paths = kept(root)
    before = [mark(path) for path in paths]
    outcome = sync(root, *argv)
    assert (outcome.code, outcome.text.split(":")[0]) == (0, "Unchanged")
    assert kept(root) == paths
    assert [mark(path) for path in paths] == before


def test_only_the_baselines_that_changed_are_written(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "--all")
    before = {name: mark(root / STATE / name) for name in ("a.json", "b.json")}
    write(root, {"src/a.py": "!"})
    sync(root, "--all")
    assert mark(root / STATE / "b.json") == before["b.json"]
    assert mark(root / STATE / "a.json") != before["a.json"]


def test_nothing_but_state_and_cache_is_ever_written(tmp_path: Path) -> None:
    root = repository(tmp_path / "root")
    before = contents(tmp_path)
    sync(root, "--all")
    after = contents(tmp_path)
    assert sorted(after.keys() - before.keys()) == [f"root/{STATE}/a.json", f"root/{STATE}/b.json"]
    assert {name: after[name] for name in before} == before


def test_a_baseline_of_another_layout_is_right_and_is_rewritten_once(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "--all")
    state = states(root)["a.json"]
    foreign = {"mtimes": {"src/a.py": 5}, **state, "hash": "of another recipe"}
    write(root, {f"{STATE}/a.json": json.dumps(foreign)})
    assert is_clean(root)
    rewritten = "Written in the current layout: 1 baseline\nUnchanged: 2 nodes\n"
    assert sync(root, "--all") == Outcome(rewritten)
    assert states(root)["a.json"] == state
    before = mark(root / STATE / "a.json")
    assert sync(root, "--all") == Outcome("Unchanged: 2 nodes\n")
    assert mark(root / STATE / "a.json") == before
    assert is_clean(root)


def test_a_baseline_of_another_tool_that_is_no_longer_right_is_replaced(tmp_path: Path) -> None:
    root = repository(tmp_path)
    foreign = {"hash": "of another recipe", **OLD_STATE, "mtimes": {"src/a.py": 5}, "by": ["é", {}]}
    write(root, {f"{STATE}/a.json": json.dumps(foreign)})
    assert sync(root, "a").code == 0
    assert list(states(root)["a.json"]) == ["hash", "files", "by", "code"]
    assert states(root)["a.json"]["by"] == ["é", {}]


@pytest.mark.parametrize("content", ["", "{", "[]", "<<<<<<< ours\n", b"\xff", '"bare"'])
def test_a_damaged_baseline_is_replaced(tmp_path: Path, content: str | bytes) -> None:
    root = repository(tmp_path, {**TWO, f"{STATE}/a.json": content})
    assert sync(root, "--all").code == 0
    assert is_clean(root)


# Which nodes.


@pytest.mark.parametrize(
    ("argv", "files"),
    [
        (("a/b",), ["a/b.json"]),
        (("--node", "a/b"), ["a/b.json"]),
        (("--node", "./model/a/b/"), ["a/b.json"]),
        (("a/b", "--node", "a/b"), ["a/b.json"]),
        (("--node", "a/b", "--recursive"), ["a/b.json", "a/b/c.json"]),
        (("--node", "a", "--recursive"), ["a/b.json", "a/b/c.json"]),
        (("a/b", "ab"), ["a/b.json", "ab.json"]),
        (("ab", "--node", "a/b/c", "ab"), ["a/b/c.json", "ab.json"]),
        (("ab", "a", "--recursive"), ["a/b.json", "a/b/c.json", "ab.json"]),
        (("--all",), ["a/b.json", "a/b/c.json", "ab.json"]),
    ],
    ids=" ".join,
)
def test_some_nodes_or_all_below_them_or_all_nodes_are_recorded(
    tmp_path: Path, argv: tuple[str, ...], files: list[str]
) -> None:
    root = repository(tmp_path, NESTED)
    assert sync(root, *argv).code == 0
    assert sorted(states(root)) == files


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        ((), 2, "name a node, or use --all"),
        (("--recursive",), 2, "name a node, or use --all"),
        (("--all", "a/b"), 2, "name a node, or use --all"),
        (("a/b", ""), 2, "empty node name"),
        (("a/b", "nowhere", "ab"), 1, "no node at 'nowhere'"),
        (("a/b", "--node", "a"), 1, "node 'a' has no mapping, so there is nothing to synchronize"),
        (("a", "z", "--recursive"), 1, "neither 'z' nor any node below it has a mapping"),
        (("",), 2, "empty node name"),
        (("nowhere",), 1, "no node at 'nowhere'"),
        (("../a",), 1, "no node at '../a'"),
        (("a",), 1, "node 'a' has no mapping, so there is nothing to synchronize"),
        (("z", "--recursive"), 1, "neither 'z' nor any node below it has a mapping"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_recorded_is_refused_and_nothing_written(
    tmp_path: Path, argv: tuple[str, ...], code: int, message: str
) -> None:
    root = repository(tmp_path, NESTED)
    before = contents(root)
    outcome = sync(root, *argv)
    assert (outcome.code, outcome.text) == (code, "")
    assert outcome.notes.splitlines()[0] == f"error: {message}"
    assert len(outcome.notes.splitlines()) == 2  # a hint follows
    assert contents(root) == before
    error = json.loads(sync(root, "--json", *argv).notes)
    assert (error["schema"], error["message"]) == ("yg-error/1", message)


def test_several_nodes_are_listed_by_path_each_with_its_hash(tmp_path: Path) -> None:
    root = repository(tmp_path, NESTED)
    found = document(root, "ab", "a/b", "a/b")["nodes"]
    assert [(node["node"], node["status"]) for node in found] == [
        ("a/b", "synchronized"),
        ("ab", "synchronized"),
    ]
    hashes = {node["node"]: node["after"][:8] for node in found}
    write(root, {"src/ab.py": "!"})
    changed, unchanged = sync(root, "ab", "a/b").text.split("Unchanged: ")
    assert changed.startswith(f"Synchronized: ab\n  Hash: {hashes['ab']} -> ")
    assert unchanged == f"a/b\n  Hash: {hashes['a/b']}\n"


def test_a_reason_for_several_nodes_is_recorded_for_each_that_changed(tmp_path: Path) -> None:
    root = repository(tmp_path, NESTED)
    assert sync(root, "--all").code == 0
    write(root, {"src/b.py": "!", "src/ab.py": "!"})
    outcome = sync(root, "a/b", "a/b/c", "ab", "--reason", "only the wording differs")
    assert outcome.notes == "warning: a/b/c: nothing changed, so the reason is not recorded\n"
    for name, count in (("a/b", 1), ("a/b/c", 0), ("ab", 1)):
        found = json.loads(run("drift", "--reviews", name, "--json", "-C", str(root)).text)
        assert [each["reason"] for each in found["reviews"]] == ["only the wording differs"] * count


def test_if_one_of_several_nodes_cannot_be_recorded_none_is(tmp_path: Path) -> None:
    root = repository(tmp_path, {**NESTED, ".yggdrasil/model/z/yg-node.yaml": node("src/z.py")})
    before = contents(root)
    outcome = sync(root, "ab", "z", "a/b")
    assert outcome.code == 1
    assert outcome.notes.startswith(
        "error: cannot synchronize z: mapped paths do not exist: src/z.py\n  Nothing was written."
    )
    assert contents(root) == before


def test_a_node_that_cannot_be_read_is_refused_with_the_reason(tmp_path: Path) -> None:
    root = repository(tmp_path, {**TWO, ".yggdrasil/model/a/yg-node.yaml": "name: [\n"})
    write(root, {f"{STATE}/a.json": json.dumps(OLD_STATE)})
    outcome = sync(root, "a")
    assert (outcome.code, outcome.text) == (1, "")
    assert "E001 a -> " in outcome.notes
    assert states(root) == {"a.json": OLD_STATE}


@pytest.mark.parametrize("argv", [("a",), ("a", "--recursive")], ids=" ".join)
def test_a_node_whose_mapped_path_is_gone_is_refused_and_nothing_written(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    files = {
        ".yggdrasil/model/a/yg-node.yaml": node("src/a.py", "src/gone.py"),
        ".yggdrasil/model/a/x/yg-node.yaml": node("src/x.py"),
        "src/a.py": "a",
        "src/x.py": "x",
    }
    root = repository(tmp_path, files)
    before = contents(root)
    outcome = sync(root, *argv)
    assert outcome == Outcome(
        "",
        1,
        "error: cannot synchronize a: mapped paths do not exist: src/gone.py\n"
        "  Nothing was written. Restore the files, or correct the mapping.\n",
    )
    assert contents(root) == before


def test_all_records_what_it_can_and_lists_what_it_could_not(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "--all")
    old = states(root)["a.json"]
    (root / "src/a.py").unlink()
    write(root, {"src/b/x.py": "!"})
    outcome = sync(root, "--all")
    assert (outcome.code, outcome.notes) == (1, "")
    assert outcome.text.splitlines()[:2] == [
        "Failed: a: mapped paths do not exist: src/a.py",
        "Synchronized: b",
    ]
    assert states(root)["a.json"] == old
    assert [(item["node"], item["status"]) for item in document(root, "--all")["nodes"]] == [
        ("a", "failed"),
        ("b", "unchanged"),
    ]


# Tidying up.


def test_all_removes_the_baselines_of_nodes_that_are_gone_or_unmapped(tmp_path: Path) -> None:
    root = repository(tmp_path, NESTED)
    sync(root, "--all")
    shutil.rmtree(root / ".yggdrasil/model/a/b/c")
    write(root, {".yggdrasil/model/ab/yg-node.yaml": NODE})
    outcome = sync(root, "--all")
    assert outcome.code == 0
    assert sorted(outcome.text.splitlines()[:-1]) == [
        f"Removed: {STATE}/a/b/c.json",
        f"Removed: {STATE}/ab.json",
    ]
    assert sorted(os.listdir(root / STATE)) == ["a"]
    assert sorted(os.listdir(root / STATE / "a")) == ["b.json"]


def test_recording_one_node_removes_nothing(tmp_path: Path) -> None:
    root = repository(tmp_path, {**NESTED, f"{STATE}/gone.json": json.dumps(OLD_STATE)})
    sync(root, "ab")
    sync(root, "a", "--recursive")
    assert "gone.json" in states(root)


def test_all_keeps_the_baselines_of_nodes_that_cannot_be_read(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "--all")
    before = states(root)
    write(root, {".yggdrasil/model/a/yg-node.yaml": "name: [\n"})
    outcome = sync(root, "--all")
    assert (outcome.code, outcome.notes.startswith("warning: a is left out: ")) == (1, True)
    assert states(root) == before


def test_all_keeps_what_is_not_a_baseline(tmp_path: Path) -> None:
    foreign = {
        f"{STATE}/README.md": "Hands off!",
        f"{STATE}/x/.gitkeep": "",
    }
    root = repository(tmp_path, {**TWO, **foreign})
    assert sync(root, "--all").code == 0
    after = contents(root)
    assert {path: after[path] for path in foreign} == {
        path: content.encode() for path, content in foreign.items()
    }


def test_all_follows_no_link_when_it_tidies_up(tmp_path: Path) -> None:
    state = json.dumps(OLD_STATE)
    root = repository(tmp_path / "root")
    write(tmp_path, {"outside/gone.json": state, "outside/deep/gone.json": state})
    write(root, {f"{STATE}/gone.json": state})
    (root / STATE / "linked").symlink_to(tmp_path / "outside")
    (root / STATE / "link.json").symlink_to(tmp_path / "outside/gone.json")
    before = contents(tmp_path / "outside")
    assert f"Removed: {STATE}/gone.json\n" in sync(root, "--all").text
    assert contents(tmp_path / "outside") == before
    assert (root / STATE / "linked").is_symlink()
    assert (root / STATE / "link.json").is_symlink()


def test_what_a_killed_run_left_behind_is_removed_by_the_next(tmp_path: Path) -> None:
    root = repository(tmp_path, {**TWO, f"{STATE}/a/.yg-tmp-{a_dead_process()}-0": '{"ha'})
    assert sync(root, "--all").code == 0
    assert sorted(os.listdir(root / STATE)) == ["a.json", "b.json"]


# The single state file of earlier versions.


LEGACY_JSON = json.dumps({"a": OLD_STATE, "b": "bare", "x/gone": OLD_STATE})
LEGACY_YAML = """\
a: {hash: "1", files: {src/a.py: "2"}}
b: bare
x/gone:
  hash: "1"
  files:
    src/a.py: "2"
"""
BROUGHT_OVER = {
    "a.json": OLD_STATE,
    "x/gone.json": OLD_STATE,
}


@pytest.mark.parametrize("text", [LEGACY_JSON, LEGACY_YAML], ids=["json", "yaml"])
def test_a_single_state_file_is_brought_over_before_anything_is_recorded(
    tmp_path: Path, text: str
) -> None:
    root = repository(tmp_path, {**TWO, STATE: text})
    assert sync(root, "b").code == 0
    found = states(root)
    assert {name: found[name] for name in ("a.json", "x/gone.json")} == {
        name: BROUGHT_OVER[name] for name in ("a.json", "x/gone.json")
    }
    assert len(found["b.json"]["files"]) == 3
    assert sorted(os.listdir(root / ".yggdrasil")) == [
        ".drift-state",
        "model",
        "yg-config.yaml",
    ]


def migration_prefixes(root: Path) -> Iterator[int]:
    return iter(range(len(Baselines(WorkTree(str(root), ".yggdrasil")).migration()) + 1))


@pytest.mark.parametrize("text", [LEGACY_JSON, LEGACY_YAML], ids=["json", "yaml"])
def test_a_migration_stopped_between_any_two_edits_is_finished_without_loss(
    tmp_path: Path, text: str
) -> None:
    whole = repository(tmp_path / "whole", {**TWO, STATE: text})
    for cut in migration_prefixes(whole):
        root = tmp_path / str(cut)
        shutil.copytree(whole, root)
        edits = Baselines(WorkTree(str(root), ".yggdrasil")).migration()
        Applier(str(root), ".yggdrasil").apply(edits[:cut])
        assert run("drift", "-C", str(root)).notes.count("was converted") == (cut < len(edits))
        assert states(root) == BROUGHT_OVER
        assert sorted(path for path in os.listdir(root / ".yggdrasil") if "state" in path) == [
            ".drift-state"
        ]


HOSTILE = [
    "../../x",
    "../x",
    "..",
    "/tmp/yg-hostile",  # noqa: S108
    "a/../../../x",
    "./b",
    ".git/hooks/pre-commit",
    ".hidden",
    "a/.x",
    "",
    "a//b",
]


def test_hostile_keys_are_never_written_and_never_lost(tmp_path: Path) -> None:
    text = json.dumps({**dict.fromkeys(HOSTILE, "1"), "a": OLD_STATE})
    root = repository(tmp_path / "outer" / "root", {**TWO, STATE: text})
    before = contents(tmp_path)
    outcome = sync(root, "b")
    assert outcome.code == 0
    converted, *lines = outcome.notes.splitlines()
    assert converted.endswith("was converted to a directory with 1 baseline")
    told = [line.split(": ", 2)[2].split(";")[0] for line in lines]
    assert told == [f"'{key}' is not a node path" for key in HOSTILE]
    after = contents(tmp_path)
    prefix = f"outer/root/{STATE}"
    assert sorted(after.keys() - before.keys()) == [
        f"{prefix}.rejected",
        f"{prefix}/a.json",
        f"{prefix}/b.json",
    ]
    assert after[f"{prefix}.rejected"] == text.encode()
    assert not os.path.exists("/tmp/yg-hostile.json")  # noqa: S108


def test_a_single_state_file_that_makes_no_sense_is_kept_aside(tmp_path: Path) -> None:
    root = repository(tmp_path, {**TWO, STATE: "no map at all"})
    outcome = sync(root, "--all")
    assert outcome.code == 0
    assert f"warning: {STATE}: not a map from node to baseline" in outcome.notes
    assert ".drift-state.rejected" in outcome.notes
    assert (root / f"{STATE}.rejected").read_bytes() == b"no map at all"
    assert is_clean(root)


# Several people.


def test_two_branches_that_recorded_different_nodes_merge_without_conflict(tmp_path: Path) -> None:
    root = repository(tmp_path, {**NESTED, "src/b.py": "b\n", "src/ab.py": "ab\n"})
    git(root, "init", "--quiet", "--initial-branch=main")
    sync(root, "--all")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=first")
    for branch, name, path in (("one", "a/b", "src/b.py"), ("two", "ab", "src/ab.py")):
        git(root, "checkout", "--quiet", "-b", branch, "main")
        write(root, {path: f"{branch}\n"})
        sync(root, name)
        git(root, "commit", "--quiet", "--all", "--message", branch)
    git(root, "merge", "--quiet", "--no-edit", "one")
    assert is_clean(root)
    assert sync(root, "--all") == Outcome("Unchanged: 3 nodes\n")
    assert git(root, "status", "--porcelain") == ""


def test_a_conflict_in_the_state_of_one_node_is_reported_and_fixed(tmp_path: Path) -> None:
    files = {f"src/b/{number}.py": "0\n" for number in range(9)}
    root = repository(tmp_path, {".yggdrasil/model/b/yg-node.yaml": node("src/b"), **files})
    git(root, "init", "--quiet", "--initial-branch=main")
    sync(root, "--all")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=first")
    for branch, path in (("one", "src/b/0.py"), ("two", "src/b/8.py")):
        git(root, "checkout", "--quiet", "-b", branch, "main")
        write(root, {path: f"{branch}\n"})
        sync(root, "--all")
        git(root, "commit", "--quiet", "--all", "--message", branch)
    merge = ["git", "-C", str(root), "merge", "--quiet", "one"]
    assert subprocess.run(merge, capture_output=True, check=False).returncode == 1
    outcome = run("drift", "-C", str(root))
    assert (outcome.code, outcome.notes) == (
        0,
        "warning: merge conflict in the baseline of b; yg drift-sync b resolves it\n",
    )
    assert sync(root, "--all").code == 0
    assert is_clean(root)
