"""`yg rm`: a node leaves with everything that names it, and nothing drifts by it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from schemas import faults_in
from support import CONFIG, NODE, run, write
from yg.disk.files.apply import Applier

STATE = ".yggdrasil/.drift-state"
MODEL = ".yggdrasil/model"
FILES = {
    ".yggdrasil/yg-config.yaml": (
        f"{CONFIG}code:\n  accepted:\n    - {{from: user, to: a/b, reason: r}}\n"
    ),
    f"{MODEL}/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n",
    f"{MODEL}/a/responsibility.md": "What a does, in more than fifty characters of text.\n",
    f"{MODEL}/a/b/yg-node.yaml": f"{NODE}mapping: {{paths: [src/b.py]}}\n",
    f"{MODEL}/a/b/responsibility.md": "What b does, in more than fifty characters of text.\n",
    f"{MODEL}/a/b/c/yg-node.yaml": f"{NODE}mapping: {{paths: [src/c.py]}}\n",
    f"{MODEL}/user/yg-node.yaml": (
        f"{NODE}relations:\n  - {{target: a/b, type: uses}} # to go\n"
        "  - {target: other, type: uses}\nmapping: {paths: [lib/u.py]}\n"
    ),
    f"{MODEL}/other/yg-node.yaml": f"{NODE}mapping: {{paths: [lib/o.py]}}\n",
    ".yggdrasil/flows/f/yg-flow.yaml": "name: F\nnodes: [a/b/c, user, other]\n",
    "src/a.py": "a = 1\n",
    "src/b.py": "b = 1\n",
    "src/c.py": "c = 1\n",
    "lib/u.py": "u = 1\n",
    "lib/o.py": "o = 1\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository with baselines."""
    write(tmp_path, FILES)
    assert run("drift-sync", "-C", str(tmp_path), "--all").code == 0
    return tmp_path


def files_of(root: Path) -> dict[str, bytes]:
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def rm(root: Path, *argv: str) -> Any:
    return run("rm", "-C", str(root), *argv)


def test_a_node_leaves_with_all_that_names_it_and_nothing_drifts(root: Path) -> None:
    found = rm(root, "a/b", "--force")
    assert (found.code, found.notes) == (0, "")
    assert found.text == "removed node a/b (2 nodes, 3 references in 3 files, 5 baselines)\n"
    after = files_of(root)
    assert not [path for path in after if "/a/b" in path]
    assert b"a/b" not in b"".join(
        content for path, content in after.items() if path.startswith(".yggdrasil/")
    )
    user = after[f"{MODEL}/user/yg-node.yaml"].decode()
    assert user == FILES[f"{MODEL}/user/yg-node.yaml"].replace(
        "  - {target: a/b, type: uses} # to go\n", ""
    )
    assert after[".yggdrasil/flows/f/yg-flow.yaml"] == b"name: F\nnodes: [user, other]\n"
    config = yaml.safe_load(after[".yggdrasil/yg-config.yaml"])
    assert config["code"] == {"accepted": []}
    assert run("drift", "-C", str(root)).text.endswith("0 unmaterialized, 3 ok\n")
    errors = json.loads(run("validate", "-C", str(root), "--json").text)
    assert not [issue for issue in errors["issues"] if issue["code"].startswith("E")]


def test_what_was_drifted_stays_drifted(root: Path) -> None:
    write(root, {"lib/u.py": "u = 2\n", "src/b.py": "b = 2\n"})
    write(root, {".yggdrasil/flows/f/yg-flow.yaml": "name: G\nnodes: [a/b/c, user, other]\n"})
    assert rm(root, "a/b", "--force").code == 0
    drift = run("drift", "-C", str(root)).text
    assert "lib/u.py (body: (file) changed)" in drift
    assert "src/b.py (changed)" in drift  # it belongs to the node above now
    assert "1 source-drift, 1 graph-drift, 1 full-drift" in drift


def test_a_node_that_others_depend_on_stays(root: Path) -> None:
    before = files_of(root)
    found = rm(root, "a")
    assert found.code == 1
    assert found.notes == (
        "error: cannot remove 'a': 1 other node depends on it\n"
        "  --force removes these relations, too: user -> a/b.\n"
    )
    assert files_of(root) == before


def test_a_flow_without_nodes_is_not_made_even_with_force(root: Path) -> None:
    write(root, {".yggdrasil/flows/f/yg-flow.yaml": "name: F\nnodes: [a/b/c, a]\n"})
    before = files_of(root)
    found = rm(root, "a", "--force")
    assert found.code == 1
    assert found.notes == (
        "error: cannot remove 'a': no other node takes part in 'f'\n"
        "  Remove the directory of each such flow first, or add other nodes to it.\n"
    )
    assert files_of(root) == before


def test_a_dry_run_lists_the_edits_and_writes_nothing(root: Path) -> None:
    before = files_of(root)
    found = rm(root, "a/b/c", "--dry-run")
    assert found.code == 0
    first, *edits = found.text.splitlines()
    assert first == "would remove node a/b/c (1 node, 1 reference in 1 file, 4 baselines)"
    assert f"delete  {MODEL}/a/b/c/yg-node.yaml" in edits
    assert f"delete  {STATE}/a/b/c.json" in edits
    assert files_of(root) == before


def test_the_document_has_its_schema(root: Path) -> None:
    document = json.loads(rm(root, "a/b/c", "--dry-run", "--json").text)
    assert faults_in(document) == []
    assert (document["schema"], document["nodes"]) == ("yg-rm/1", ["a/b/c"])


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        (".", 1, "no node '.'"),
        ("nobody", 1, "no node 'nobody'"),
        ("a/x", 1, "no node 'a/x'"),
        ("../a", 1, "no node '../a'"),
    ],
)
def test_what_is_no_node_is_not_removed(root: Path, name: str, code: int, message: str) -> None:
    found = rm(root, name)
    assert found.code == code
    assert message in found.notes


def test_the_root_node_cannot_be_removed(root: Path) -> None:
    write(root, {f"{MODEL}/yg-node.yaml": NODE})
    found = rm(root, ".")
    assert (found.code, found.notes) == (2, "error: the root node cannot be removed\n")


def test_a_file_that_cannot_be_rewritten_is_named(root: Path) -> None:
    write(root, {f"{MODEL}/other/yg-node.yaml": f"{NODE}x: &r [a]\nrelations: [*r, a/b]\n  b: c\n"})
    before = files_of(root)
    found = rm(root, "a/b", "--force")
    assert found.code == 1
    assert f"cannot rewrite '{MODEL}/other/yg-node.yaml': line " in found.notes
    assert files_of(root) == before


def test_a_link_among_the_files_is_left_to_the_user(root: Path) -> None:
    os.symlink("../../../../src", root / MODEL / "a/b/c/link")
    found = rm(root, "a/b/c")
    assert found.code == 1
    assert f"'{MODEL}/a/b/c/link' is a link or a special file" in found.notes
    assert (root / "src/a.py").exists()


def test_an_interrupted_removal_is_completed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Applier, "_delete", kill)
        with pytest.raises(Killed):
            rm(root, "a/b", "--force")
    run("tree", "-C", str(root))
    assert not (root / MODEL / "a/b").exists()
    assert run("drift", "-C", str(root)).text.endswith("3 ok\n")
