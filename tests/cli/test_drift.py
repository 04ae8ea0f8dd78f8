"""`yg drift`: what has moved apart, told the same way whatever the machine has lying around."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from schemas import faults_in
from support import CONFIG, NODE, git, private_folder, run, write
from support import node_owning as node
from yg.disk.index.database import NAME, VERSION
from yg.surfaces.cli.outcome import Outcome

STATE = ".yggdrasil/.drift-state"
A_DIGEST = sha256(b"a\n").hexdigest().encode()
NONE_DRIFTED = "0 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized"


TWO = {
    ".yggdrasil/model/a/yg-node.yaml": node("src/a.py"),
    ".yggdrasil/model/b/yg-node.yaml": node("src/b"),
    "src/a.py": "a\n",
    "src/b/x.py": "x\n",
    "src/b/y.py": "y\n",
}


def repository(root: Path, files: Mapping[str, str | bytes] = TWO) -> Path:
    return write(root, {".yggdrasil/yg-config.yaml": CONFIG, **files})


def mark(file: Path) -> tuple[int, ...]:
    """Return what changes whenever a file is written, and not when it is read."""
    status = os.stat(file)
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


def drift(root: Path, *argv: str) -> Outcome:
    return run("drift", "-C", str(root), *argv)


def sync(root: Path, *argv: str) -> None:
    outcome = run("drift-sync", "-C", str(root), *(argv or ("--all",)))
    notes = [line for line in outcome.notes.splitlines() if "values cannot be compared" not in line]
    assert (outcome.code, notes) == (0, [])


def document(root: Path, *argv: str) -> dict[str, Any]:
    """Return the answer as data, which has to follow its schema."""
    outcome = drift(root, "--json", *argv)
    found: dict[str, Any] = json.loads(outcome.text)
    assert faults_in(found) == []
    assert outcome.notes == ""
    counted = found["summary"]
    assert outcome.code == (0 if sum(counted.values()) == counted["ok"] else 1)
    return found


def states(root: Path, *argv: str) -> dict[str, str]:
    return {each["node"]: each["state"] for each in document(root, *argv)["nodes"]}


def changes(root: Path, name: str = "a") -> dict[str, str]:
    """Return what happened to the files of one node."""
    (found,) = document(root, name)["nodes"]
    return {each["path"]: each["how"] for each in (*found["source"], *found["graph"])}


def sources(root: Path, name: str = "a") -> list[str]:
    """Return the source files that a node tracks."""
    sync(root, name)
    files = json.loads((root / STATE / f"{name}.json").read_text(encoding="utf-8"))["files"]
    return [path for path in files if not path.startswith(".yggdrasil/")]


# The states, as people see them.

RESTORE = "restore the missing files, or correct the mapping of the node"


def test_all_six_states_stand_in_two_sections(tmp_path: Path) -> None:
    names = ["full", "graph", "missing", "new", "ok", "source", "unmaterialized"]
    nodes = {f".yggdrasil/model/{name}/yg-node.yaml": node(f"src/{name}.py") for name in names}
    code = {f"src/{name}.py": name for name in names if name != "unmaterialized"}
    root = repository(tmp_path, {**nodes, **code})
    for name in (*names[:3], "ok", "source"):
        sync(root, name)
    write(root, {"src/full.py": "!", "src/source.py": "!"})
    write(root, {f".yggdrasil/model/{name}/internals.md": "!" for name in ("full", "graph")})
    (root / "src/missing.py").unlink()
    assert drift(root) == Outcome(
        f"""\
Source drift:
  [drift] full
    src/full.py (changed)
  [missing] missing
  [ok] ok
  [drift] source
    src/source.py (changed)
  [unmat.] unmaterialized
  [drift] new  no baseline
  Next: check that the graph still describes the code, then run: yg drift-sync full source
  Next: {RESTORE}; to remove it too, run: yg rm missing
  Next: write the code of unmaterialized nodes, or remove their mapping
  Next: compare code and graph, then run: yg drift-sync new

Graph drift:
  [drift] full
    .yggdrasil/model/full/internals.md (added)
  [drift] graph
    .yggdrasil/model/graph/internals.md (added)
  [ok] ok
  Next: check that the code still does what the graph says, then run: yg drift-sync full graph

Summary: 2 source-drift, 1 graph-drift, 1 full-drift, 1 missing, 1 unmaterialized, 1 ok
""",
        1,
    )


def test_a_graph_as_it_was_recorded_is_clean(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    assert drift(root) == Outcome(
        "Source drift:\n  [ok] a\n  [ok] b\n\nGraph drift:\n  [ok] a\n  [ok] b\n\n"
        f"Summary: {NONE_DRIFTED}, 2 ok\n"
    )


def test_a_graph_without_mappings_is_clean(tmp_path: Path) -> None:
    root = repository(tmp_path, {".yggdrasil/model/a/yg-node.yaml": NODE})
    assert drift(root) == Outcome(
        f"Source drift:\n  (none)\n\nGraph drift:\n  (none)\n\nSummary: {NONE_DRIFTED}, 0 ok\n"
    )


def break_source(root: Path) -> None:
    (root / "src/a.py").write_bytes(b"!")


def break_graph(root: Path) -> None:
    (root / ".yggdrasil/model/a/internals.md").write_bytes(b"!")


def break_both(root: Path) -> None:
    break_source(root)
    break_graph(root)


def lose_sources(root: Path) -> None:
    (root / "src/a.py").unlink()


def lose_baseline(root: Path) -> None:
    (root / STATE / "a.json").unlink()


def lose_everything(root: Path) -> None:
    lose_sources(root)
    lose_baseline(root)


@pytest.mark.parametrize(
    ("harm", "state"),
    [
        (break_source, "source-drift"),
        (break_graph, "graph-drift"),
        (break_both, "full-drift"),
        (lose_sources, "missing"),
        (lose_baseline, "source-drift"),
        (lose_everything, "unmaterialized"),
    ],
)
def test_every_state_but_ok_ends_with_1(
    tmp_path: Path, harm: Callable[[Path], None], state: str
) -> None:
    root = repository(tmp_path)
    sync(root)
    harm(root)
    assert states(root) == {"a": state, "b": "ok"}
    assert (drift(root).code, drift(root, "--drifted-only").code) == (1, 1)
    assert drift(root, "--scope", "b").code == 0


def test_files_in_a_mapped_directory_are_changed_added_and_deleted(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    write(root, {"src/b/x.py": "!", "src/b/deep/new.py": "n"})
    (root / "src/b/y.py").unlink()
    assert changes(root, "b") == {
        "src/b/deep/new.py": "added",
        "src/b/x.py": "changed",
        "src/b/y.py": "deleted",
    }


def test_some_mapped_paths_gone_is_source_drift_and_all_gone_is_missing(tmp_path: Path) -> None:
    files = {".yggdrasil/model/a/yg-node.yaml": node("src/a.py", "src/d"), "src/d/x.py": "x"}
    root = repository(tmp_path, {**files, "src/a.py": "a"})
    sync(root)
    shutil.rmtree(root / "src/d")
    assert (states(root), changes(root)) == ({"a": "source-drift"}, {"src/d/x.py": "deleted"})
    (root / "src/a.py").unlink()
    assert (states(root), changes(root)) == ({"a": "missing"}, {})


def test_a_blackbox_node_without_a_baseline_is_not_compared(tmp_path: Path) -> None:
    files = {".yggdrasil/model/a/yg-node.yaml": f"{node('src/a.py')}blackbox: true\n"}
    root = repository(tmp_path, {**files, "src/a.py": "a"})
    assert states(root) == {"a": "ok"}
    assert "  [ok] a (not recorded)\n" in drift(root).text
    assert drift(root).code == 0


def test_a_blackbox_node_with_a_baseline_or_without_files_counts_like_any_other(
    tmp_path: Path,
) -> None:
    files = {".yggdrasil/model/a/yg-node.yaml": f"{node('src/a.py')}blackbox: true\n"}
    root = repository(tmp_path, files)
    assert states(root) == {"a": "unmaterialized"}
    write(root, {"src/a.py": "a"})
    sync(root)
    write(root, {"src/a.py": "b"})
    assert states(root) == {"a": "source-drift"}


def test_the_root_node_can_be_mapped_and_named(tmp_path: Path) -> None:
    root = repository(tmp_path, {**TWO, ".yggdrasil/model/yg-node.yaml": node("README.md")})
    write(root, {"README.md": "r"})
    sync(root, ".")
    assert states(root, "--scope", ".") == {".": "ok", "a": "source-drift", "b": "source-drift"}


def test_a_change_in_an_ancestor_drifts_all_below_it(tmp_path: Path) -> None:
    files = {
        ".yggdrasil/model/a/yg-node.yaml": NODE,
        ".yggdrasil/model/a/b/c/yg-node.yaml": node("src/a.py"),
        ".yggdrasil/model/x/yg-node.yaml": node("src/b"),
    }
    root = repository(tmp_path, {**files, "src/a.py": "a", "src/b/x.py": "x"})
    sync(root)
    write(root, {".yggdrasil/model/a/responsibility.md": "new"})
    assert states(root) == {"a/b/c": "graph-drift", "x": "ok"}


def test_the_configuration_is_not_tracked(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    write(root, {".yggdrasil/yg-config.yaml": f"{CONFIG}quality: {{min_artifact_length: 9}}\n"})
    assert drift(root).code == 0


# What is asked for.


SCOPED = {
    ".yggdrasil/model/a/yg-node.yaml": NODE,
    ".yggdrasil/model/a/b/yg-node.yaml": node("src/b"),
    ".yggdrasil/model/a/b/c/yg-node.yaml": node("src/c"),
    ".yggdrasil/model/ab/yg-node.yaml": node("src/ab"),
    ".yggdrasil/model/bare/directory/n/yg-node.yaml": node("src/n"),
    ".yggdrasil/model/z/yg-node.yaml": NODE,
    ".yggdrasil/model/z/y/yg-node.yaml": NODE,
}


@pytest.mark.parametrize(
    ("scope", "nodes"),
    [
        ("all", ["a/b", "a/b/c", "ab", "bare/directory/n"]),
        (".", ["a/b", "a/b/c", "ab", "bare/directory/n"]),
        ("a/b", ["a/b", "a/b/c"]),
        ("a/b/c", ["a/b/c"]),
        ("a", ["a/b", "a/b/c"]),
        ("./a/", ["a/b", "a/b/c"]),
        ("model/a/b/c/", ["a/b/c"]),
        ("ab", ["ab"]),
        ("bare", ["bare/directory/n"]),
        ("bare/directory", ["bare/directory/n"]),
    ],
)
def test_a_scope_is_a_node_or_directory_and_all_mapped_nodes_below(
    tmp_path: Path, scope: str, nodes: list[str]
) -> None:
    root = repository(tmp_path, SCOPED)
    assert list(states(root, "--scope", scope)) == list(states(root, scope)) == nodes


def test_without_a_scope_all_nodes_are_looked_at(tmp_path: Path) -> None:
    root = repository(tmp_path, SCOPED)
    assert drift(root) == drift(root, "--scope", "all") == drift(root, "all")


@pytest.mark.parametrize("scope", ["z", "z/y"])
def test_a_scope_without_any_mapping_is_an_error(tmp_path: Path, scope: str) -> None:
    outcome = drift(repository(tmp_path, SCOPED), "--scope", scope)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(
        f"error: neither '{scope}' nor any node below it has a mapping\n"
    )


@pytest.mark.parametrize("scope", ["nowhere", "../a", "/a", "a/b/c/d"])
def test_an_unknown_scope_is_an_error(tmp_path: Path, scope: str) -> None:
    outcome = drift(repository(tmp_path, SCOPED), "--scope", scope)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(f"error: no node at '{scope}'\n")


def test_an_unknown_scope_is_told_what_was_meant(tmp_path: Path) -> None:
    outcome = drift(repository(tmp_path, SCOPED), "--scope", "a/bb", "--json")
    assert (outcome.code, outcome.text) == (1, "")
    error = json.loads(outcome.notes)
    assert (error["schema"], error["code"]) == ("yg-error/1", "not-found")
    assert "'a/b'" in error["hint"]


@pytest.mark.parametrize("number", ["-1", "abc", "1.5", "", "0x1", "\u0661"])
def test_a_limit_that_is_no_number_is_wrong_usage(tmp_path: Path, number: str) -> None:
    outcome = drift(repository(tmp_path), f"--limit={number}")
    assert (outcome.code, outcome.text) == (2, "")
    assert "expected a number >= 0, got" in outcome.notes


def test_a_limit_shortens_each_section_and_changes_no_count(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    assert drift(root, "--limit", "1") == Outcome(
        "Source drift:\n  [ok] a\n  .. and 1 more\n\nGraph drift:\n  [ok] a\n  .. and 1 more\n\n"
        f"Summary: {NONE_DRIFTED}, 2 ok\n"
    )
    assert drift(root, "--limit", "2") == drift(root, "--limit", "99") == drift(root)


def test_drifted_only_hides_what_is_ok(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "b")
    assert drift(root, "--drifted-only") == Outcome(
        "Source drift:\n  [drift] a  no baseline\n"
        "  Next: compare code and graph, then run: yg drift-sync a\n\n"
        "Graph drift:\n  (none)\n\n"
        "Summary: 1 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 1 ok"
        " (1 hidden)\n",
        1,
    )


@pytest.mark.parametrize(
    "argv", [("a", "--scope", "b"), ("--scope", ""), ("",), ("a", "b")], ids=" ".join
)
def test_two_scopes_or_an_empty_one_are_wrong_usage(tmp_path: Path, argv: tuple[str, ...]) -> None:
    outcome = drift(repository(tmp_path), *argv)
    assert (outcome.code, outcome.text) == (2, "")


def test_data_is_shortened_as_text_is_and_the_summary_counts_all(tmp_path: Path) -> None:
    root = repository(tmp_path, SCOPED)
    write(root, {"src/ab/x.py": "x"})
    sync(root, "ab")
    whole = document(root)
    assert list(states(root, "--drifted-only")) == ["a/b", "a/b/c", "bare/directory/n"]
    assert list(states(root, "--limit", "1")) == ["a/b"]
    assert list(states(root, "--limit", "0")) == []
    assert document(root, "--drifted-only", "--limit", "1")["summary"] == whole["summary"]
    assert whole["summary"]["ok"] == 1


def test_files_choose_the_nodes_they_concern(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    write(root, {"src/a.py": "!"})
    assert states(root, "--file", "src/a.py") == {"a": "source-drift"}
    assert states(root, "--file", "src/b/x.py", "src/b/new.py") == {"b": "ok"}
    assert list(states(root, "--file", "src/a.py", "--file", "src/b/x.py")) == ["a", "b"]
    assert states(root, "--file", ".yggdrasil/model/b/yg-node.yaml") == {"b": "ok"}


def test_files_that_concern_nobody_are_no_drift(tmp_path: Path) -> None:
    outcome = drift(repository(tmp_path), "--file", "README.md", "../elsewhere.py", "/src/a.py")
    nothing = "Source drift:\n  (none)\n\nGraph drift:\n  (none)\n\n"
    assert outcome == Outcome(f"{nothing}Summary: {NONE_DRIFTED}, 0 ok\n")


def test_files_are_named_from_where_one_is_and_told_as_the_repository_names_them(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path)
    found = document(root / "src/b", "--file", "y.py", "../a.py", "x.py", "./y.py", "../../..")
    assert found["files"] == ["src/a.py", "src/b/x.py", "src/b/y.py"]
    assert [each["node"] for each in found["nodes"]] == ["a", "b"]


def test_files_can_be_read_from_standard_input(tmp_path: Path) -> None:
    root = str(repository(tmp_path))
    changed = ["src/b/gone.py", "README.md"]
    read = run("drift", "-C", root, "--json", "--file", "-", stdin=changed)
    assert read == drift(tmp_path, "--json", "--file", *changed)
    assert json.loads(run("drift", "-C", root, "--json", "--file", "-").text)["nodes"] == []


def test_of_a_scope_only_nodes_that_files_concern_are_looked_at(tmp_path: Path) -> None:
    root = repository(tmp_path, SCOPED)
    assert list(states(root, "a", "--file", "src/ab/x", "src/c/x", "src/n/x")) == ["a/b/c"]


@pytest.mark.parametrize("files", [(), ("",), ("src/a.py", "")])
def test_a_file_without_a_name_is_a_mistake(tmp_path: Path, files: tuple[str, ...]) -> None:
    outcome = drift(repository(tmp_path), "--file", *files)
    assert (outcome.code, outcome.text) == (2, "")


def test_a_node_that_cannot_be_read_might_own_any_file(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    write(root, {".yggdrasil/model/a/yg-node.yaml": "name: [\n"})
    outcome = drift(root, "--file", "src/b/x.py")
    assert (outcome.code, outcome.notes.startswith("warning: a is left out: ")) == (1, True)


def test_a_node_that_cannot_be_read_is_told_and_nobody_calls_that_clean(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    write(root, {".yggdrasil/model/a/yg-node.yaml": "name: [\n"})
    outcome = drift(root)
    assert (outcome.code, outcome.notes.startswith("warning: a is left out: ")) == (1, True)
    assert "[ok] b\n" in outcome.text


def test_data_has_every_side_of_every_node(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    break_both(root)
    assert document(root) == {
        "schema": "yg-drift/1",
        "scope": "all",
        "files": None,
        "nodes": [
            {
                "node": "a",
                "state": "full-drift",
                "reason": None,
                "baseline": True,
                "source": [
                    {
                        "path": "src/a.py",
                        "how": "changed",
                        "to": None,
                        "class": "unknown",
                        "names": [],
                        "parts": [],
                    }
                ],
                "graph": [{"path": ".yggdrasil/model/a/internals.md", "how": "added", "to": None}],
            },
            {
                "node": "b",
                "state": "ok",
                "reason": None,
                "baseline": True,
                "source": [],
                "graph": [],
            },
        ],
        "summary": {
            "source-drift": 0,
            "graph-drift": 0,
            "full-drift": 1,
            "missing": 0,
            "unmaterialized": 0,
            "ok": 1,
        },
        "uncommitted": None,
        "notes": [],
    }
    keys = list(json.loads(drift(root, "--json").text))
    assert keys == ["schema", "scope", "files", "nodes", "summary", "uncommitted", "notes"]


def test_the_answer_is_the_same_from_anywhere_in_the_repository(tmp_path: Path) -> None:
    root = repository(tmp_path)
    assert drift(root / "src/b") == drift(root / ".yggdrasil/model") == drift(root)


def test_looking_changes_nothing_that_is_kept(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root, "a")
    kept = list(root.rglob("*"))
    before = [mark(path) for path in kept]
    drift(root)
    assert list(root.rglob("*")) == kept
    assert [mark(path) for path in kept] == before


# Which files of a mapped directory are tracked.


IGNORING = {
    ".yggdrasil/model/a/yg-node.yaml": node("src"),
    ".gitignore": "*.log\n/src/build/\n!important.log\n",
    "src/a.py": "",
    "src/x.log": "ignored at the root",
    "src/important.log": "taken back at the root",
    "src/build/out.py": "ignored as a directory",
    "src/build/important.log": "below a directory that is ignored",
    "src/lib/build/out.py": "another directory of that name",
    "src/lib/.gitignore": "*.tmp\n!keep.log\n",
    "src/lib/x.tmp": "ignored below",
    "src/lib/keep.log": "taken back below",
    "src/lib/deep/x.tmp": "ignored further below",
    "src/x.tmp": "ignored elsewhere only",
    "src/.hidden/y.py": "",
    "src/ä ö.py": "",
}
SEEN = [
    "src/.hidden/y.py",
    "src/a.py",
    "src/important.log",
    "src/lib/.gitignore",
    "src/lib/build/out.py",
    "src/lib/keep.log",
    "src/x.tmp",
    "src/ä ö.py",
]


def test_gitignore_is_obeyed_as_git_does(tmp_path: Path) -> None:
    root = repository(tmp_path, IGNORING)
    git(root, "init", "--quiet")
    assert sources(root) == SEEN
    seen = git(root, "ls-files", "-z", "--others", "--exclude-standard", "src").split("\0")[:-1]
    assert sorted(seen) == SEEN


def test_gitignore_is_obeyed_without_a_repository(tmp_path: Path) -> None:
    assert sources(repository(tmp_path, IGNORING)) == SEEN


def test_gitignore_is_obeyed_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert sources(repository(tmp_path, IGNORING)) == SEEN


def test_a_tracked_file_stays_even_if_a_pattern_matches_it(tmp_path: Path) -> None:
    root = repository(tmp_path, IGNORING)
    git(root, "init", "--quiet")
    git(root, "add", "--force", "src/x.log", "src/build/out.py")
    assert sources(root) == sorted([*SEEN, "src/x.log", "src/build/out.py"])
    write(root, {"src/x.log": "!"})
    assert changes(root) == {"src/x.log": "changed"}


def test_the_exclude_file_of_a_clone_is_obeyed(tmp_path: Path) -> None:
    root = repository(tmp_path, IGNORING)
    git(root, "init", "--quiet")
    write(root, {".git/info/exclude": "*.tmp\nsrc/.hidden\n"})
    assert sources(root) == [path for path in SEEN if path not in ("src/x.tmp", "src/.hidden/y.py")]


def test_the_variables_of_a_hook_mislead_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "top" / "part", IGNORING)
    for place in (tmp_path / "top", tmp_path / "other"):
        subprocess.run(["git", "init", "--quiet", place], check=True)
    git(root, "add", "--force", "src/x.log")
    sync(root)
    for name in ("top", "other"):
        monkeypatch.setenv("GIT_DIR", str(tmp_path / name / ".git"))
        assert drift(root).code == 0


def test_ignore_files_above_the_graph_are_obeyed(tmp_path: Path) -> None:
    root = repository(tmp_path / "part", IGNORING)
    git(tmp_path, "init", "--quiet")
    write(tmp_path, {".gitignore": "part/src/.hidden/\n"})
    assert sources(root) == [path for path in SEEN if path != "src/.hidden/y.py"]


def test_an_ignored_file_is_no_drift_and_one_no_longer_ignored_is(tmp_path: Path) -> None:
    root = repository(tmp_path, IGNORING)
    git(root, "init", "--quiet")
    sync(root)
    write(root, {"src/y.log": "new", "src/build/x/new.py": "new"})
    assert drift(root).code == 0
    write(root, {".gitignore": "*.log\n"})
    assert changes(root) == {
        "src/build/out.py": "added",
        "src/build/x/new.py": "added",
        "src/important.log": "no-longer-tracked",
    }


@pytest.mark.parametrize("has_git", [True, False])
def test_a_mapped_file_is_tracked_even_if_it_is_ignored(tmp_path: Path, *, has_git: bool) -> None:
    mapped = ["src/x.log", "src/build/out.py"]
    root = repository(tmp_path, {**IGNORING, ".yggdrasil/model/a/yg-node.yaml": node(*mapped)})
    if has_git:
        git(root, "init", "--quiet")
    assert sources(root) == sorted(mapped)


@pytest.mark.parametrize("has_git", [True, False])
def test_links_and_special_files_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_git: bool
) -> None:
    root = repository(tmp_path, {".yggdrasil/model/a/yg-node.yaml": node("src"), "src/a.py": ""})
    write(tmp_path, {"elsewhere/x.py": ""})
    (root / "src/link.py").symlink_to("a.py")
    (root / "src/broken.py").symlink_to("nothing")
    (root / "src/loop").symlink_to(".")
    (root / "src/out").symlink_to("../elsewhere")
    os.mkfifo(root / "src/fifo")
    monkeypatch.chdir(root / "src")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    if has_git:
        git(root, "init", "--quiet")
        git(root, "add", "src/link.py", "src/out")
    assert sources(root) == ["src/a.py"]


def test_a_tracked_file_behind_a_link_is_left_out(tmp_path: Path) -> None:
    root = repository(tmp_path, {".yggdrasil/model/a/yg-node.yaml": node("src"), "src/d/x.py": ""})
    write(root, {"src/a.py": ""})
    git(root, "init", "--quiet")
    git(root, "add", "src")
    os.rename(root / "src/d", root / "d")
    (root / "src/d").symlink_to("../d")
    assert sources(root) == ["src/a.py"]


@pytest.mark.parametrize("has_git", [True, False])
def test_repositories_inside_are_left_out(tmp_path: Path, *, has_git: bool) -> None:
    root = repository(tmp_path, {".yggdrasil/model/a/yg-node.yaml": node("src"), "src/a.py": ""})
    for name in ("empty", "full", "staged"):
        write(root, {f"src/{name}/x.py": "", f"src/{name}/deep/y.py": ""})
        git(root / "src" / name, "init", "--quiet")
    for name in ("full", "staged"):
        git(root / "src" / name, "add", ".")
        git(root / "src" / name, "commit", "--quiet", "--message=x")
    if has_git:
        git(root, "init", "--quiet")
        git(root, "-c", "advice.addEmbeddedRepo=false", "add", "src/staged")
    assert sources(root) == ["src/a.py"]


@pytest.mark.parametrize("has_git", [True, False])
def test_the_graph_itself_is_left_out_and_one_further_down_is_source(
    tmp_path: Path, *, has_git: bool
) -> None:
    files = {
        ".yggdrasil/model/a/yg-node.yaml": node("."),
        "src/a.py": "",
        "src/part/.yggdrasil/model/x/yg-node.yaml": NODE,
        "src/.github/ci.yaml": "",
        "src/.gitkeep": "",
    }
    root = repository(tmp_path, files)
    if has_git:
        git(root, "init", "--quiet")
    assert sources(root) == [
        "src/.github/ci.yaml",
        "src/.gitkeep",
        "src/a.py",
        "src/part/.yggdrasil/model/x/yg-node.yaml",
    ]


def test_a_file_inside_a_repository_inside_can_be_mapped_itself(tmp_path: Path) -> None:
    root = repository(
        tmp_path, {".yggdrasil/model/a/yg-node.yaml": node("src/in/x.py"), "src/in/x.py": ""}
    )
    git(root, "init", "--quiet")
    git(root / "src/in", "init", "--quiet")
    assert sources(root) == ["src/in/x.py"]


def test_the_files_of_a_child_are_not_tracked_by_its_parent(tmp_path: Path) -> None:
    files = {
        ".yggdrasil/model/a/yg-node.yaml": node("src"),
        ".yggdrasil/model/a/b/yg-node.yaml": node("src/b"),
        "src/a.py": "",
        "src/b/x.py": "",
    }
    root = repository(tmp_path, files)
    assert (sources(root, "a"), sources(root, "a/b")) == (["src/a.py"], ["src/b/x.py"])
    write(root, {"src/b/x.py": "!"})
    assert states(root) == {"a": "ok", "a/b": "source-drift"}


# Content, not line endings, times or recipes.


def test_a_checkout_with_other_line_endings_is_no_drift(tmp_path: Path) -> None:
    root = repository(tmp_path / "here", {**TWO, "src/b/z.bin": b"\0\n\r\n"})
    git(root, "init", "--quiet")
    sync(root)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=x")
    git(tmp_path, "clone", "--quiet", "--config", "core.autocrlf=true", str(root), "there")
    there = tmp_path / "there"
    assert (there / "src/a.py").read_bytes() == b"a\r\n"
    assert (there / "src/b/z.bin").read_bytes() == b"\0\n\r\n"
    assert drift(there) == drift(root)
    assert drift(there).code == 0


def test_the_line_endings_of_a_binary_file_are_drift(tmp_path: Path) -> None:
    root = repository(tmp_path, {**TWO, "src/a.py": b"\0\n"})
    sync(root)
    write(root, {"src/a.py": b"\0\r\n"})
    assert changes(root) == {"src/a.py": "changed"}


def test_touching_a_file_is_no_drift(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    for path in root.rglob("*"):
        os.utime(path, ns=(1, 1))
    (root / "src/a.py").chmod(0o755)
    assert drift(root).code == 0


def foreign_baseline(root: Path, name: str, *paths: str) -> None:
    """Write a baseline as another tool does: with times, in its own order, with its own recipe."""
    files = {path: sha256((root / path).read_bytes()).hexdigest() for path in reversed(paths)}
    content = {
        "mtimes": dict.fromkeys(files, 1709731200000),
        "files": files,
        "hash": sha256("|".join(files.values()).encode()).hexdigest(),
    }
    write(root, {f"{STATE}/{name}.json": json.dumps(content)})


def recorded(root: Path) -> dict[str, Any]:
    """Return the baseline of node a."""
    found: dict[str, Any] = json.loads((root / STATE / "a.json").read_text(encoding="utf-8"))
    return found


def test_a_baseline_of_another_tool_is_as_good_as_ours(tmp_path: Path) -> None:
    root = repository(tmp_path)
    foreign_baseline(root, "a", ".yggdrasil/model/a/yg-node.yaml", "src/a.py")
    foreign_baseline(root, "b", ".yggdrasil/model/b/yg-node.yaml", "src/b/x.py", "src/b/y.py")
    assert states(root) == {"a": "ok", "b": "ok"}
    write(root, {"src/b/x.py": "!"})
    assert (changes(root, "a"), changes(root, "b")) == ({}, {"src/b/x.py": "changed"})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "not valid JSON in line 1, column 1"),
        ('{"hash": "1", "files": {"src/a.py"', "not valid JSON in line 1, column 35"),
        ("[]", "not a JSON object"),
        ('{"hash": 1, "files": {}}', "its 'hash' is not text"),
        ('{"hash": "1"}', "it has no 'files'"),
        ('"1"', "not a JSON object"),
        ('{"hash": "1", "files": []}', "its 'files' is not a map from path to hash"),
        (b"\xff\xfe", "not UTF-8 at byte 0 (0xff)"),
    ],
)
def test_a_damaged_state_file_is_told_by_name_and_the_rest_goes_on(
    tmp_path: Path, content: str | bytes, reason: str
) -> None:
    root = repository(tmp_path)
    sync(root)
    write(root, {f"{STATE}/a.json": content})
    outcome = drift(root)
    note = f"{STATE}/a.json: {reason}; baseline ignored"
    assert (outcome.code, outcome.notes) == (1, f"warning: {note}\n")
    assert states(root) == {"a": "source-drift", "b": "ok"}
    assert document(root)["notes"] == [note]
    assert drift(root, "--scope", "b").notes == ""


def test_paths_of_another_tool_may_be_spelled_oddly(tmp_path: Path) -> None:
    root = repository(tmp_path)
    foreign_baseline(root, "a", ".yggdrasil//model/a/yg-node.yaml", "./src/a.py")
    assert states(root, "a") == {"a": "ok"}
    sync(root, "a")
    assert sorted(recorded(root)["files"]) == [".yggdrasil/model/a/yg-node.yaml", "src/a.py"]


def test_another_tool_may_have_hashed_line_endings_as_they_are(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a.py": b"a\r\nb\r\n"})
    foreign_baseline(root, "a", ".yggdrasil/model/a/yg-node.yaml", "src/a.py")
    assert states(root, "a") == {"a": "ok"}
    assert states(root, "a", "--no-cache") == {"a": "ok"}
    write(root, {"src/a.py": b"a\nb\n"})
    assert changes(root) == {}
    write(root, {"src/a.py": b"a\nc\n"})
    assert changes(root) == {"src/a.py": "changed"}
    write(root, {"src/a.py": b"a\r\nb\r\n"})
    sync(root, "a")
    assert recorded(root)["files"]["src/a.py"] == sha256(b"a\nb\n").hexdigest()


def test_paths_in_a_state_file_lead_nowhere(tmp_path: Path) -> None:
    root = repository(tmp_path / "root")
    write(tmp_path, {"secret": "x"})
    sync(root)
    state = json.loads((root / STATE / "a.json").read_text(encoding="utf-8"))
    digest = sha256(b"x").hexdigest()
    state["files"].update({"../secret": digest, str(tmp_path / "secret"): digest})
    write(root, {f"{STATE}/a.json": json.dumps(state)})
    assert changes(root) == {"../secret": "deleted", str(tmp_path / "secret"): "deleted"}


# The index changes nothing but the time it takes.


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough for the index."""
    clock = SimpleNamespace(time_ns=lambda: time.time_ns() + 10_000_000_000)
    monkeypatch.setattr("yg.disk.index.seen.time", clock)


def edit_in_secret(file: Path, content: bytes) -> None:
    """Change a file, and keep its size and mtime."""
    before = os.stat(file)
    assert len(content) == before.st_size
    with open(file, "r+b") as opened:
        opened.write(content)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(file).st_mtime_ns == before.st_mtime_ns


def test_an_edit_in_the_same_tick_as_the_sync_is_seen(tmp_path: Path) -> None:
    root = repository(tmp_path)
    for content in (b"1\n", b"2\n", b"3\n"):
        sync(root)
        assert drift(root).code == 0
        edit_in_secret(root / "src/a.py", content)
        assert changes(root) == {"src/a.py": "changed"}


@pytest.mark.usefixtures("later")
def test_an_edit_that_keeps_size_and_mtime_is_seen(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    assert A_DIGEST in (private_folder(root) / NAME).read_bytes()
    before = os.stat(root / "src/a.py").st_ctime_ns
    while os.stat(root / "src/a.py").st_ctime_ns == before:  # until the clock has ticked
        edit_in_secret(root / "src/a.py", b"z\n")
    assert changes(root) == {"src/a.py": "changed"}


def _without(path: Path) -> Path:
    """Take a file or directory away, and return where it was."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    return path


def _rewritten(index: Path, old: bytes, new: bytes) -> None:
    assert old in index.read_bytes()
    index.write_bytes(index.read_bytes().replace(old, new))


# What may happen to the index, or to the cache that holds it.
DAMAGE: dict[str, Callable[[Path, Path], object]] = {
    "absent": lambda index, _: _without(index),
    "no cache": lambda _, cache: _without(cache),
    "empty": lambda index, _: index.write_bytes(b""),
    "cut": lambda index, _: index.write_bytes(index.read_bytes()[:-3]),
    "foreign": lambda index, _: index.write_bytes(b"\x89PNG\r\n\x1a\n"),
    "another version": lambda index, _: _rewritten(index, VERSION.encode(), b"9" * len(VERSION)),
    "other digests": lambda index, _: _rewritten(index, A_DIGEST, b"0" * 64),
    "directory": lambda index, _: _without(index).mkdir(),
    "broken link": lambda index, _: _without(index).symlink_to("nothing"),
    "cache is a file": lambda _, cache: _without(cache).touch(),
    "cache is a broken link": lambda _, cache: _without(cache).symlink_to("nothing"),
    "read-only": lambda _, cache: cache.chmod(0o500),
    "open to others": lambda _, cache: cache.chmod(0o755),
}


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("kind", DAMAGE)
def test_whatever_happens_to_the_index_the_answer_is_the_same(tmp_path: Path, kind: str) -> None:
    root = repository(tmp_path)
    sync(root)
    break_graph(root)
    expected = drift(root)
    cache = private_folder(root)
    DAMAGE[kind](cache / NAME, cache)
    assert drift(root) == drift(root) == expected


def test_a_cache_elsewhere_is_not_written(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    shutil.rmtree(private_folder(root))
    write(tmp_path, {"elsewhere/mine": "precious"})
    private_folder(root).symlink_to(tmp_path / "elsewhere")
    assert drift(root).code == 0
    assert os.listdir(tmp_path / "elsewhere") == ["mine"]


# What became of a file.


def moves(root: Path, name: str = "a") -> dict[str, str | None]:
    """Return the source files of a node that differ, and where they have gone."""
    (found,) = document(root, name)["nodes"]
    return {each["path"]: each["to"] for each in found["source"]}


def test_a_file_that_a_child_owns_now_is_no_longer_tracked(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    write(root, {".yggdrasil/model/b/c/yg-node.yaml": node("src/b/x.py")})
    assert changes(root, "b/c") == {}
    assert "    src/b/x.py (no longer tracked)\n" in drift(root).text
    (root / "src/b/x.py").unlink()
    assert "    src/b/x.py (deleted)\n" in drift(root).text


def test_files_that_git_ignores_now_are_named_though_nothing_is_left_to_track(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path)
    sync(root)
    os.rename(root / "src/b/y.py", root / "y.py")
    write(root, {".gitignore": "src/b/\n"})
    assert states(root, "b") == {"b": "missing"}
    assert changes(root, "b") == {"src/b/x.py": "no-longer-tracked", "src/b/y.py": "moved"}
    assert (
        "  [missing] b\n    src/b/x.py (no longer tracked)\n    src/b/y.py (moved to y.py)\n"
        in drift(root).text
    )


def test_a_graph_file_that_is_no_longer_part_of_the_package_counts_if_it_changed(
    tmp_path: Path,
) -> None:
    path = ".yggdrasil/model/a/internals.md"
    root = repository(tmp_path, {**TWO, path: "x"})
    sync(root)
    config = CONFIG.replace("  internals.md", "  other.md")
    write(root, {".yggdrasil/yg-config.yaml": config})
    assert changes(root) == {}
    write(root, {path: "y"})
    assert changes(root) == {path: "changed"}
    assert f"    {path} (changed) (not part of the package here)\n" in drift(root).text


def test_a_file_that_moved_inside_the_mapping_is_written_once(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    os.rename(root / "src/b/x.py", root / "src/b/z.py")
    assert moves(root, "b") == {"src/b/x.py": "src/b/z.py", "src/b/z.py": None}
    text = drift(root, "b").text
    assert "    src/b/x.py (moved to src/b/z.py)\n" in text
    assert "(added)" not in text


def test_a_file_that_moved_out_of_every_mapping_is_found(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    os.rename(root / "src/b/x.py", root / "src/z.py")
    os.rename(root / "src/a.py", root / "a.py")
    assert moves(root, "b") == {"src/b/x.py": "src/z.py"}
    assert (states(root, "a"), moves(root)) == ({"a": "missing"}, {"src/a.py": "a.py"})
    assert "  [missing] a\n    src/a.py (moved to a.py)\n" in drift(root).text
    assert drift(root, "--no-cache") == drift(root) == drift(root)


@pytest.mark.parametrize("owner", ["b", "gone"])
def test_a_file_that_a_baseline_knows_is_not_where_another_has_gone(
    tmp_path: Path, owner: str
) -> None:
    root = repository(tmp_path, {**TWO, "copy.py": "a\n"})
    sync(root)
    known = {"hash": "1", "files": {"copy.py": A_DIGEST.decode(), "src/b/x.py": "1"}}
    write(root, {f"{STATE}/{owner}.json": json.dumps(known)})
    (root / "src/a.py").unlink()
    assert moves(root) == {}
    (root / STATE / f"{owner}.json").unlink()
    assert moves(root) == {"src/a.py": "copy.py"}


def test_files_of_the_same_content_move_to_different_places(tmp_path: Path) -> None:
    files = {f"src/b/{name}/__init__.py": "" for name in ("one", "two", "three")}
    root = repository(tmp_path, {**TWO, **files})
    sync(root)
    os.rename(root / "src/b/two", root / "src/b/zwei")
    os.rename(root / "src/b/one", root / "src/b/eins")
    shutil.rmtree(root / "src/b/three")
    found = {path: to for path, to in moves(root, "b").items() if to}
    assert sorted(found) == sorted(files)
    assert set(found.values()) == {"src/b/eins/__init__.py", "src/b/zwei/__init__.py"}


def test_a_mapped_directory_without_files_is_not_written_yet_or_missing(tmp_path: Path) -> None:
    root = repository(tmp_path)
    for name in ("x.py", "y.py"):
        (root / "src/b" / name).unlink()
    assert states(root, "b") == {"b": "unmaterialized"}
    outcome = run("drift-sync", "-C", str(root), "b")
    assert outcome.notes.startswith(
        "error: cannot synchronize b: mapped directories have no files: src/b\n"
    )
    write(root, {"src/b/x.py": "x"})
    sync(root, "b")
    (root / "src/b/x.py").unlink()
    assert states(root, "b") == {"b": "missing"}
    (root / "src/b").rmdir()
    assert states(root, "b") == {"b": "missing"}


# What cannot be told.


UNREADABLE = {
    **TWO,
    ".yggdrasil/model/a/yg-node.yaml": f"{node('src/a.py')}aspects: [{{aspect: x}}]\n",
    ".yggdrasil/model/a/responsibility.md": "What it does.",
    ".yggdrasil/aspects/x/yg-aspect.yaml": "name: X\n",
    ".yggdrasil/flows/f/yg-flow.yaml": "name: F\nnodes: [b]\n",
    ".yggdrasil/flows/f/description.md": "f",
}


@pytest.mark.parametrize(
    ("file", "reasons"),
    [
        ("yg-config.yaml", dict.fromkeys("ab", ".yggdrasil/yg-config.yaml cannot be read")),
        ("aspects/x/yg-aspect.yaml", {"a": "aspect 'x' cannot be read"}),
        ("flows/f/yg-flow.yaml", {"b": "flow 'f' cannot be read"}),
    ],
)
def test_what_concerns_a_file_that_cannot_be_read_is_unknown(
    tmp_path: Path, file: str, reasons: dict[str, str]
) -> None:
    root = repository(tmp_path, UNREADABLE)
    sync(root)
    write(root, {f".yggdrasil/{file}": "{"})
    found = document(root)
    assert {each["node"]: each["reason"] for each in found["nodes"] if each["reason"]} == reasons
    unknown = [each for each in found["nodes"] if each["state"] == "unknown"]
    assert [each["node"] for each in unknown] == list(reasons)
    assert all(each["source"] == each["graph"] == [] for each in unknown)
    outcome = drift(root)
    note = "warning: yg-config.yaml: not valid YAML: '{' is not closed\n"
    assert (outcome.code, outcome.notes) == (1, note if file == "yg-config.yaml" else "")
    assert f", {2 - len(reasons)} ok, {len(reasons)} unknown\n" in outcome.text
    for name, reason in reasons.items():
        assert f"  [unknown] {name}  cannot tell: {reason}\n" in outcome.text
        refused = run("drift-sync", "-C", str(root), name)
        assert (refused.code, reason in refused.notes) == (1, True)


def test_a_flow_that_cannot_be_read_concerns_nobody_who_never_knew_it(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    write(root, {".yggdrasil/flows/f/yg-flow.yaml": "{"})
    assert states(root) == {"a": "ok", "b": "ok"}


# The next step.


def test_one_file_that_drifts_many_nodes_is_written_once(tmp_path: Path) -> None:
    names = [f"t/n{number}" for number in range(4)]
    nodes = {f".yggdrasil/model/{name}/yg-node.yaml": node(f"src/{name}.py") for name in names}
    code = {f"src/{name}.py": "" for name in names}
    root = repository(tmp_path, {".yggdrasil/model/t/yg-node.yaml": NODE, **nodes, **code})
    sync(root)
    write(root, {".yggdrasil/model/t/internals.md": "new"})
    write(root, {".yggdrasil/model/t/n1/internals.md": "new"})
    text = drift(root, "--drifted-only").text
    assert (
        text.split("\n\n")[1]
        == """\
Graph drift:
  .yggdrasil/model/t/internals.md (added): 4 nodes
    [drift] t/n0
    [drift] t/n1
      .yggdrasil/model/t/n1/internals.md (added)
    [drift] t/n2
    [drift] t/n3
  Next: check that the code still does what the graph says, then run: yg drift-sync t --recursive"""
    )
    assert (
        drift(root, "--limit", "2", "--drifted-only").text.split("\n\n")[1]
        == """\
Graph drift:
  .yggdrasil/model/t/internals.md (added): 4 nodes
    [drift] t/n0
    [drift] t/n1
      .yggdrasil/model/t/n1/internals.md (added)
  .. and 2 more
  Next: check that the code still does what the graph says, then run: yg drift-sync t --recursive"""
    )


def test_drafts_that_a_file_of_another_node_drifts_are_counted(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(6)]
    relation = "relations: [{target: t, type: uses}]\n"
    nodes = {f".yggdrasil/model/{n}/yg-node.yaml": node(f"src/{n}.py") + relation for n in names}
    drafts = {
        f".yggdrasil/model/{n}/responsibility.md": "<!-- draft: replace this -->\n"
        for n in names[:3]
    }
    told = {".yggdrasil/model/n4/responsibility.md": "Counts.\n"}
    code = {f"src/{name}.py": "" for name in (*names, "t")}
    target = {
        ".yggdrasil/model/t/yg-node.yaml": node("src/t.py"),
        ".yggdrasil/model/t/interface.md": "It counts.\n",
    }
    root = repository(tmp_path, {**target, **nodes, **drafts, **told, **code})
    sync(root)
    write(root, {".yggdrasil/model/t/interface.md": "It counts in steps of two.\n"})
    section = """\
Graph drift:
  .yggdrasil/model/t/interface.md (changed): 7 nodes
    [drift] n4
    [drift] t
    [drift] 5 nodes without a text of their own: n0, n1, n2, n3, n5
  Next: check that the code still does what the graph says, then run: \
yg drift-sync n0 n1 n2 n3 n4 n5 t"""
    assert drift(root, "--drifted-only").text.split("\n\n")[1] == section
    found = document(root)
    assert found["summary"]["graph-drift"] == 7
    assert [each["graph"][0]["path"] for each in found["nodes"]] == [
        ".yggdrasil/model/t/interface.md"
    ] * 7

    write(root, {"src/n0.py": "changed = 1\n"})
    write(root, {".yggdrasil/model/n1/responsibility.md": "Divides.\n"})
    assert (
        """\
    [drift] n0
    [drift] n1
      .yggdrasil/model/n1/responsibility.md (changed)
    [drift] n2
    [drift] n3
    [drift] n4
"""
        in drift(root, "--drifted-only").text
    )


def test_nodes_with_other_shared_files_stand_below_those(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(9)]
    aspects = dict.fromkeys(names[:4], "aspects: [{aspect: x}]\n")
    aspects |= dict.fromkeys(names[4:8], "aspects: [{aspect: x}, {aspect: y}]\n")
    aspects |= {names[8]: "aspects: [{aspect: y}]\n"}
    nodes = {
        f".yggdrasil/model/{name}/yg-node.yaml": node(f"src/{name}.py") + aspects[name]
        for name in names
    }
    texts = {f".yggdrasil/aspects/{aspect}/content.md": "Old.\n" for aspect in "xy"}
    declared = {f".yggdrasil/aspects/{aspect}/yg-aspect.yaml": "name: A\n" for aspect in "xy"}
    code = {f"src/{name}.py": "" for name in names}
    root = repository(tmp_path, {**nodes, **texts, **declared, **code})
    sync(root)
    write(root, dict.fromkeys(texts, "New.\n"))
    write(root, {f".yggdrasil/model/{name}/internals.md": "It is.\n" for name in names})
    sync(root, *names[:3])
    text = drift(root, "--drifted-only").text.split("\n\n")[1]
    own = ".yggdrasil/model/{}/internals.md (added)".format
    expected = ["Graph drift:"]
    expected += [f"  .yggdrasil/aspects/{aspect}/content.md (changed): 4 nodes" for aspect in "xy"]
    for name in names[4:8]:
        expected += [f"    [drift] {name}", f"      {own(name)}"]
    expected += ["  [drift] n3", "    .yggdrasil/aspects/x/content.md (changed)"]
    expected += [f"    {own('n3')}"]
    expected += ["  [drift] n8", "    .yggdrasil/aspects/y/content.md (changed)"]
    expected += [f"    {own('n8')}"]
    assert text.splitlines()[:-1] == expected


def test_a_limit_shows_drifted_nodes_first(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {".yggdrasil/model/0/yg-node.yaml": node("src/0.py"), "src/0.py": ""})
    sync(root, "a")
    sync(root, "b")
    write(root, {"src/b/x.py": "!"})
    assert list(states(root)) == ["0", "a", "b"]
    assert list(states(root, "--limit", "2")) == ["b", "0"]
    lines = drift(root, "--limit", "2").text.splitlines()
    assert lines[1:5] == [
        "  [drift] b",
        "    src/b/x.py (changed)",
        "  [drift] 0  no baseline",
        "  .. and 1 more",
    ]


def test_names_are_quoted_where_a_shell_needs_it(tmp_path: Path) -> None:
    files = {".yggdrasil/model/it's new/yg-node.yaml": node("src/a.py"), "src/a.py": ""}
    root = repository(tmp_path, files)
    assert """then run: yg drift-sync 'it'"'"'s new'\n""" in drift(root).text


@pytest.mark.parametrize(
    ("argv", "step"),
    [
        ((), "--all"),
        (("--scope", "."), ". --recursive"),
        (("--file", "src/a.py", "src/b/x.py"), "a b"),
    ],
)
def test_all_nodes_without_a_baseline_have_one_next_step(
    tmp_path: Path, argv: tuple[str, ...], step: str
) -> None:
    text = drift(repository(tmp_path), *argv).text
    assert text.count("Next: ") == 1
    assert f": yg drift-sync {step}\n" in text


# Baselines and git.


def test_baselines_that_are_not_added_to_git_are_counted_last(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    assert document(root)["uncommitted"] is None
    git(root, "init", "--quiet")
    assert drift(root).text.endswith(" ok\n2 baselines are not committed.\n")
    git(root, "add", ".")
    assert drift(root).text.endswith(" ok\n")
    assert document(root)["uncommitted"] == 0
    write(root, {"src/a.py": "!"})
    sync(root)
    assert drift(root).text.endswith(" ok\n1 baseline is not committed.\n")
    (root / STATE / "b.json").unlink()
    assert document(root)["uncommitted"] == 2
    write(root, {".git/info/exclude": ".drift-state\n", f"{STATE}/notes.txt": ""})
    git(root, "rm", "-rfq", "--cached", STATE)
    assert document(root)["uncommitted"] == 0


def test_a_repository_whose_index_cannot_be_listed_is_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path)
    git(root, "init", "--quiet")
    sync(root)
    monkeypatch.setenv("PATH", "/nowhere")
    assert document(root)["uncommitted"] is None


# State of earlier versions.


def legacy_of(root: Path) -> str:
    """Return the present baselines as a single file, which takes their place."""
    found = {path.stem: json.loads(path.read_bytes()) for path in (root / STATE).glob("*.json")}
    shutil.rmtree(root / STATE)
    return json.dumps(found)


def test_a_single_state_file_is_brought_over_at_the_first_look(tmp_path: Path) -> None:
    root = repository(tmp_path)
    sync(root)
    before = {path.name: path.read_bytes() for path in (root / STATE).iterdir()}
    write(root, {STATE: legacy_of(root)})
    assert states(root) == {"a": "ok", "b": "ok"}
    assert {path.name: path.read_bytes() for path in (root / STATE).iterdir()} == before
    assert sorted(os.listdir(root / ".yggdrasil")) == [
        ".drift-state",
        "model",
        "yg-config.yaml",
    ]


def test_a_single_state_file_that_cannot_be_brought_over_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path)
    sync(root)
    text = legacy_of(root)
    write(root, {STATE: text})
    for name in ("XDG_CACHE_HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(root))
    outcome = drift(root)
    assert (outcome.code, outcome.notes) == (
        0,
        "warning: the old drift state was not migrated: there is no place for a lock\n",
    )
    assert (root / STATE).read_text(encoding="utf-8") == text


def test_what_cannot_be_brought_over_is_told_and_kept(tmp_path: Path) -> None:
    root = repository(tmp_path / "root")
    text = '{"../../x": "1", "a": "2", "/b": {"hash": "3"}}'
    write(root, {STATE: text})
    outcome = drift(root)
    assert [line.split(";")[0] for line in outcome.notes.splitlines()] == [
        f"warning: the file {STATE} had no baseline that could be converted",
        "warning: 'a' has no baseline now: the old file had only a hash",
        f"warning: {STATE}: '../../x' is not a node path",
        f"warning: {STATE}: '/b' is not a node path",
    ]
    assert outcome.notes.count(".drift-state.rejected") == 2
    assert (root / f"{STATE}.rejected").read_text(encoding="utf-8") == text
    assert not (root / STATE).exists()
    assert os.listdir(tmp_path) == ["root"]
    assert drift(root).notes == ""
