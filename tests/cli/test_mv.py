"""`yg mv`: one command, under the lock, that can be interrupted anywhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from schemas import faults_in
from support import CONFIG, NODE, private_folder, run, write
from yg.disk.files import stamps
from yg.disk.index.private import cache_folder
from yg.disk.writing.records import NAME as RECORD

STATE = ".yggdrasil/.drift-state"
FILES = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    ".yggdrasil/model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a.py]}}\n",
    ".yggdrasil/model/a/responsibility.md": "What a does, in more than fifty characters of text.\n",
    ".yggdrasil/model/a/b/yg-node.yaml": (
        f"{NODE}relations: [{{target: a, type: emits}}]\nmapping: {{paths: [src/b.py]}}\n"
    ),
    ".yggdrasil/model/user/yg-node.yaml": (
        f"{NODE}relations: [{{target: a/b, type: uses}}] # a/b\nmapping: {{paths: [src/c.py]}}\n"
    ),
    ".yggdrasil/flows/f/yg-flow.yaml": "name: F\nnodes: [a, user]\n",
    "src/a.py": "a\n",
    "src/b.py": "b\n",
    "src/c.py": "c\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository with baselines."""
    write(tmp_path, FILES)
    assert run("drift-sync", "-C", str(tmp_path), "--all").code == 0
    return tmp_path


def files_of(root: Path) -> dict[str, bytes]:
    """Return every file and empty directory of a repository."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.startswith(".git/"):
            continue
        if path.is_file():
            found[name] = path.read_bytes()
        elif not any(path.iterdir()):
            found[f"{name}/"] = b""
    return found


def test_a_move_says_what_it_changed_and_can_be_undone(root: Path) -> None:
    before = files_of(root)
    found = run("mv", "-C", str(root), "a", "x/y")
    assert (found.code, found.text) == (
        0,
        "moved node a -> x/y (2 nodes, 3 references in 3 files, 3 baselines)\n",
    )
    assert found.notes == ("warning: 'x' is only a directory: 'yg new node x' makes it a node\n")
    after = files_of(root)
    assert f"{STATE}/x/y.json" in after
    assert f"{STATE}/x/y/b.json" in after
    assert not [name for name in after if name.startswith((f"{STATE}/a", ".yggdrasil/model/a"))]
    assert run("mv", "-C", str(root), "x/y", "a").code == 0
    assert files_of(root) == before


@pytest.mark.parametrize("new", ["used", "USER"])
def test_validation_and_drift_say_what_they_said(
    root: Path, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "SETTLED_NS", -(1 << 62))

    def answers(*options: str) -> list[list[str]]:
        commands = ("validate", "drift")
        texts = (run(command, "-C", str(root), *options).text for command in commands)
        return [sorted(text.split("\n")) for text in texts]

    (root / "src/b.py").write_text("changed\n")
    before = answers()
    assert answers() == before  # from the index
    assert run("mv", "-C", str(root), "user", new).code == 0
    expected = [sorted(line.replace("user", new) for line in lines) for lines in before]
    assert answers("--no-cache") == expected
    assert answers() == expected


def test_a_dry_run_writes_nothing(root: Path) -> None:
    before = files_of(root)
    found = run("mv", "-C", str(root), "user", "used", "--dry-run")
    assert re.sub(r" \(\d+ bytes\)", "", found.text) == (
        "would move node user -> used (1 node, 1 reference in 1 file, 3 baselines)\n"
        "write   .yggdrasil/flows/f/yg-flow.yaml\n"
        "rename  .yggdrasil/model/user -> .yggdrasil/model/used\n"
        f"write   {STATE}/a.json\n"
        f"write   {STATE}/a/b.json\n"
        f"write   {STATE}/user.json\n"
        f"rename  {STATE}/user.json -> {STATE}/used.json\n"
    )
    assert files_of(root) == before


def test_as_json(root: Path) -> None:
    found = json.loads(run("mv", "-C", str(root), "a", "x", "--dry-run", "--json").text)
    assert faults_in(found) == []
    edits = found.pop("edits")
    assert found == {
        "schema": "yg-mv/1",
        "kind": "node",
        "old": "a",
        "new": "x",
        "dry_run": True,
        "moved": 2,
        "references": 3,
        "files": 3,
        "baselines": 3,
        "notes": [],
    }
    assert {edit["edit"] for edit in edits} == {"write", "rename"}


class Killed(BaseException):
    """Raised where a process is killed."""


@pytest.mark.slow
@pytest.mark.parametrize("new", ["x", "A"])
def test_a_move_killed_at_any_moment_can_be_finished(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, new: str
) -> None:
    def copy(name: str) -> Path:
        return write(tmp_path_factory.mktemp(name), files_of(root))

    whole = copy("whole")
    assert run("mv", "-C", str(whole), "a", new).code == 0
    complete, moments = files_of(whole), 0
    while True:
        moments += 1
        other = copy("killed")
        if not killed_at(moments, str(other), new, monkeypatch):
            break
        halfway = run("mv", "-C", str(other), "user", "used")
        if halfway.code:
            assert "was interrupted" in halfway.notes
            assert f"Finish it first: yg mv model/a model/{new}" in halfway.notes
            assert run("mv", "-C", str(other), "a", new).code == 0
            assert files_of(other) == complete
            assert not (private_folder(other) / RECORD).exists()
        else:
            assert run("mv", "-C", str(other), "used", "user").code == 0
            assert files_of(other) in (files_of(root), complete)  # nothing was begun, or all done
    assert moments > 8


def killed_at(moment: int, root: str, new: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Begin a move and stop before one of its system calls; return whether it got that far."""
    calls, private = 0, cache_folder(root, ".yggdrasil")

    def watched(call: Any) -> Any:
        def wrapper(*args: Any, **folders: int) -> Any:
            nonlocal calls
            if folders or any(place in os.fspath(args[0]) for place in (root, private)):
                calls += 1
                if calls == moment:
                    raise Killed
            return call(*args, **folders)

        return wrapper

    with monkeypatch.context() as patch:
        for name in ("replace", "rename", "unlink"):
            patch.setattr(os, name, watched(getattr(os, name)))
        try:
            run("mv", "-C", root, "a", new)
        except Killed:
            return True
    return False


def test_the_difference_to_a_commit_knows_a_move(root: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x")
    run("mv", "-C", str(root), "a", "x")
    text = run("impact", "-C", str(root), "--diff").text
    assert "Moved:\n  node a -> x\n  node a/b -> x/b\nChanged packages:\n" in text
    assert "  x/b (was a/b): " in text
    assert "\n  a: " not in text
    assert "Total scope: 2 nodes (2 changed, 0 reached)" in text
    found = json.loads(run("impact", "-C", str(root), "--diff", "--json").text)
    assert faults_in(found) == []
    assert found["moved"][0] == {"kind": "node", "old": "a", "new": "x"}
    assert found["changed"] == ["user", "x/b"]
    assert (
        "| `a/b` | `x/b` |" in run("impact", "-C", str(root), "--diff", "--format", "markdown").text
    )


def test_baselines_in_one_file_are_converted_first(root: Path) -> None:
    entries = {
        node: json.loads((root / STATE / f"{node}.json").read_text())
        for node in ("a", "user", "a/b")
    }
    subprocess.run(["rm", "-r", str(root / STATE)], check=True)
    (root / STATE).write_text(json.dumps(entries))
    dry = run("mv", "-C", str(root), "user", "used", "--dry-run")
    assert "they would be converted first" in dry.notes
    found = run("mv", "-C", str(root), "user", "used")
    assert found.code == 0
    assert "was converted to a directory with 3 baselines" in found.notes
    assert (root / STATE / "used.json").is_file()
    assert run("drift", "-C", str(root)).text.count("[ok]") == 6


def test_the_graph_may_be_behind_a_link(root: Path) -> None:
    os.rename(root / ".yggdrasil", root / "graph")
    os.symlink("graph", root / ".yggdrasil")
    assert run("mv", "-C", str(root), "a", "x").code == 0
    assert (root / "graph/model/x/b/yg-node.yaml").is_file()


def test_nothing_leaves_the_graph_through_a_link(root: Path, tmp_path: Path) -> None:
    os.symlink(tmp_path, root / ".yggdrasil/model/out")
    found = run("mv", "-C", str(root), "a", "out/a")
    assert (found.code, found.text) == (1, "")
    assert "'.yggdrasil/model/out' is not a directory" in found.notes


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"yggdrasil/config.yaml": "name: x\n"}, "does not support 0.x graphs"),
        (
            {"specgraph/graph.json": '{"schema_version": "1.0.0", "nodes": []}'},
            "belongs to Yggdrasil graphs, and the graph in specgraph/ is of kind specgraph",
        ),
        ({".yggdrasil/config.yaml": "name: x\n"}, "1.x"),
    ],
)
@pytest.mark.parametrize("command", ["mv a b", "new node a"])
def test_other_kinds_of_graphs_are_refused(
    tmp_path: Path, files: dict[str, str], reason: str, command: str
) -> None:
    write(tmp_path, files)
    name, *words = command.split()
    found = run(name, "-C", str(tmp_path), *words)
    assert (found.code, found.text) == (1, "")
    assert reason in found.notes
    assert files_of(tmp_path) == {path: text.encode() for path, text in files.items()}


def test_a_file_that_cannot_be_written_stops_a_move_before_it_begins(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(root)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        found = run("mv", "-C", str(root), "a", "x")
    assert found.code == 1
    assert "No space left on device" in found.notes
    assert files_of(root) == before
    assert run("mv", "-C", str(root), "user", "used").code == 0


@pytest.mark.parametrize("kind", ["node", "aspect", "flow"])
def test_an_option_says_of_which_kind_the_name_is(root: Path, kind: str) -> None:
    write(root, {".yggdrasil/aspects/a/yg-aspect.yaml": "name: A\n"})
    write(root, {".yggdrasil/flows/a/yg-flow.yaml": "name: A\nnodes: [user]\n"})
    assert run("mv", "-C", str(root), "a", "z").code == 2
    outcome = run("mv", "-C", str(root), f"--{kind}", "a", "z")
    assert outcome.text.startswith(f"moved {kind} a -> z ")


def test_a_name_is_of_one_kind(root: Path) -> None:
    outcome = run("mv", "-C", str(root), "--node", "--flow", "user", "z")
    assert outcome.code == 2
    assert outcome.notes == "error: --node, --aspect and --flow cannot be combined\n"


def test_a_name_of_another_kind_is_not_found(root: Path) -> None:
    outcome = run("mv", "-C", str(root), "--aspect", "user", "z")
    assert (outcome.code, outcome.notes.split("\n")[0]) == (1, "error: no aspect 'user'")


def test_a_name_that_was_the_last_segment_changes_too(root: Path) -> None:
    declaration = root / ".yggdrasil/model/a/b/yg-node.yaml"
    text = re.sub(r"(?m)^name:.*$", "name: b    # short", declaration.read_text())
    declaration.write_text(text)
    flow = root / ".yggdrasil/flows/f/yg-flow.yaml"
    flow.write_text(re.sub(r"(?m)^name:.*$", "name: f", flow.read_text()))
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    assert run("mv", "-C", str(root), "a/b", "a/c").code == 0
    moved = root / ".yggdrasil/model/a/c/yg-node.yaml"
    assert moved.read_text() == text.replace("name: b ", "name: c ")
    assert run("mv", "-C", str(root), "--flow", "f", "g").code == 0
    assert "name: g\n" in (root / ".yggdrasil/flows/g/yg-flow.yaml").read_text()
    assert run("drift", "-C", str(root)).code == 0
    other = moved.read_text().replace("name: c", "name: Its own name")
    moved.write_text(other)
    assert run("mv", "-C", str(root), "a/c", "a/d").code == 0
    assert (root / ".yggdrasil/model/a/d/yg-node.yaml").read_text() == other


def test_texts_that_mention_the_old_path_are_listed(root: Path) -> None:
    texts = {
        ".yggdrasil/model/a/b/internals.md": "One line.\nSee `a/b` and src/a/b.py.\n",
        ".yggdrasil/model/user/internals.md": "It uses a/b-c, src/a/b and xa/b only.\n",
        ".yggdrasil/model/user/responsibility.md": "It needs\nmodel/a/b.\n",
    }
    write(root, texts)
    found = run("mv", "-C", str(root), "a/b", "a/c", "--dry-run")
    assert found.notes == (
        "warning: .yggdrasil/model/a/c/internals.md:2 mentions 'a/b'\n"
        "warning: .yggdrasil/model/user/responsibility.md:2 mentions 'a/b'\n"
    )
    write(root, {".yggdrasil/model/user/internals.md": "A user is a user; `user` is a node.\n"})
    found = run("mv", "-C", str(root), "user", "used", "--dry-run")
    assert found.notes == "warning: .yggdrasil/model/used/internals.md:1 mentions 'user'\n"
