"""`yg impact --simulate` of a planned change: a patch, or another branch."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from schemas import faults_in
from support import CONFIG, git, run, write
from yg.kernel.snapshot import MAX_TEXT

if TYPE_CHECKING:
    from pathlib import Path

GRAPH = ".yggdrasil"
FIFTY = "Fifty characters: the least that an artifact says.\n"
INTERFACE = f"{GRAPH}/model/pay/interface.md"
FILES = {
    f"{GRAPH}/yg-config.yaml": CONFIG,
    f"{GRAPH}/model/pay/yg-node.yaml": "name: Pay\ntype: service\n",
    f"{GRAPH}/model/pay/responsibility.md": FIFTY,
    INTERFACE: f"# Pay\n\n{FIFTY}",
    f"{GRAPH}/model/orders/yg-node.yaml": (
        "name: Orders\ntype: service\nrelations: [{target: pay, type: calls}]\n"
        "mapping: {paths: [orders.py]}\n"
    ),
    f"{GRAPH}/model/orders/responsibility.md": FIFTY,
    "orders.py": "x = 1\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Start")
    return tmp_path


def planned(root: Path) -> str:
    """Return a patch that changes what others see of a node, and add no change to the files."""
    (root / INTERFACE).write_text(f"# Pay\n\n{FIFTY}\nIt pays twice.\n")
    patch = git(root, "diff") + "\n"
    git(root, "checkout", "-q", "--", ".")
    return patch


def files_of(root: Path) -> dict[str, bytes]:
    """Return the contents of all files but those of git, and the branch that is checked out."""
    found = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path): path.read_bytes() for path in (*found, root / ".git" / "HEAD")}


def packages(root: Path, *options: str, stdin: str = "") -> list[dict[str, Any]]:
    lines = stdin.removesuffix("\n").split("\n")
    asked = ("impact", "pay", "--simulate", "--json", *options, "-C", str(root))
    outcome = run(*asked, stdin=lines)
    assert outcome.code == 0, outcome.notes
    data = json.loads(outcome.text)
    assert faults_in(data) == []
    found: list[dict[str, Any]] = data["packages"]
    return found


def test_a_patch_is_simulated_without_writing_anything(root: Path) -> None:
    patch = planned(root)
    (root / "p.diff").write_text(patch)
    before = files_of(root)
    [package] = packages(root, "--patch", "p.diff", "--show")
    assert package["changed"]
    assert package["interface_changed"]
    assert package["tokens_then"] < package["tokens_now"]
    assert "+It pays twice.\n" in package["diff"]
    assert package["mapped_files"].endswith("(no baseline)")
    assert packages(root, "--patch", "-", "--show", stdin=patch) == [package]
    assert packages(root, "--patch", "-", "--show", "--no-cache", stdin=patch) == [package]
    assert packages(root / GRAPH, "--patch", "../p.diff", "--show") == [package]
    assert files_of(root) == before
    [unchanged] = packages(root)
    assert not unchanged["changed"]


def test_a_patch_is_compared_with_the_work_tree_or_with_a_commit(root: Path) -> None:
    patch = planned(root)
    (root / GRAPH / "model/orders/responsibility.md").write_text(f"{FIFTY}Work in progress.\n")
    [package] = packages(root, "--patch", "-", "--show", stdin=patch)
    assert "Work in progress" not in package["diff"].replace(" Work in progress", "")
    [since] = packages(root, "--patch", "-", "--since", "HEAD", "--show", stdin=patch)
    assert "+Work in progress.\n" in since["diff"]


def test_a_patch_can_create_and_remove_nodes(root: Path) -> None:
    git(root, "rm", "-q", "-r", f"{GRAPH}/model/orders")
    node = "name: Desk\ntype: service\nrelations: [{target: pay, type: calls}]\n"
    write(root, {f"{GRAPH}/model/desk/yg-node.yaml": node})
    git(root, "add", "-A")
    patch = git(root, "diff", "--cached") + "\n"
    git(root, "reset", "-q", "--hard")
    [package] = packages(root, "--patch", "-", stdin=patch)
    assert (package["node"], package["tokens_then"]) == ("desk", None)


def test_a_patch_that_breaks_the_graph_gives_no_simulation(root: Path) -> None:
    (root / GRAPH / "model/orders/yg-node.yaml").write_text(
        "name: Orders\ntype: service\nrelations: [{target: pays, type: calls}]\n"
    )
    patch = git(root, "diff")
    git(root, "checkout", "-q", "--", ".")
    outcome = run(
        "impact", "pay", "--simulate", "--patch", "-", "-C", str(root), stdin=patch.split("\n")
    )
    assert (outcome.code, outcome.text) == (1, "")
    assert "E004" in outcome.notes


def test_a_graph_below_the_top_of_its_repository_is_patched_too(tmp_path: Path) -> None:
    root = tmp_path / "deep"
    write(root, FILES)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Start")
    [package] = packages(root, "--patch", "-", stdin=planned(root))
    assert package["interface_changed"]


def test_a_patch_needs_no_git(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    patch = f"--- a/{INTERFACE}\n+++ b/{INTERFACE}\n@@ -1,3 +1,3 @@\n-# Pay\n+# Pays\n \n {FIFTY}"
    [package] = packages(tmp_path, "--patch", "-", stdin=patch)
    assert package["interface_changed"]


def test_a_branch_is_simulated_without_checking_it_out(root: Path) -> None:
    patch = planned(root)
    git(root, "checkout", "-q", "-b", "plan")
    (root / "p.diff").write_text(patch)
    git(root, "apply", "p.diff")
    git(root, "commit", "-q", "-a", "-m", "Plan")
    git(root, "checkout", "-q", "-")
    (root / "p.diff").unlink()
    before = files_of(root)
    [package] = packages(root, "--at", "plan", "--show")
    assert package["interface_changed"]
    assert "mapped_files" not in package
    assert "+It pays twice.\n" in package["diff"]
    assert files_of(root) == before
    [same] = packages(root, "--at", "plan", "--since", "plan")
    assert not same["changed"]
    text = run("impact", "pay", "--simulate", "--at", "plan", "-C", str(root)).text
    assert "    + Changed dependency interface: pay\n" in text
    assert "Mapped files" not in text


def test_files_outside_the_graph_are_a_note(root: Path) -> None:
    patch = planned(root) + "--- a/orders.py\n+++ b/orders.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    asked = ("impact", "pay", "--simulate", "--patch", "-", "-C", str(root))
    outcome = run(*asked, stdin=patch.split("\n"))
    assert "the patch changes 1 file outside .yggdrasil/, left out here\n" in outcome.notes


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("nonsense\n", "line 1 of the patch: there is no change of a file in it"),
        (
            f"--- a/{INTERFACE}\n+++ b/{INTERFACE}\n@@ -1,3 +1,3 @@\n-# Pey\n+# Pays\n \n x\n",
            (
                f"line 3 of the patch does not apply to '{INTERFACE}' at line 1: "
                "the patch expects '# Pey', the file has '# Pay'"
            ),
        ),
        (
            f"diff --git a/{GRAPH}/../../x b/{GRAPH}/../../x\nnew file mode 100644\n",
            f"line 1 of the patch: '{GRAPH}/../../x' is outside the repository",
        ),
    ],
)
def test_a_patch_that_does_not_apply_is_an_error(root: Path, patch: str, message: str) -> None:
    (root / "p.diff").write_text(patch)
    for form in ((), ("--json",)):
        outcome = run("impact", "pay", "--simulate", "--patch", "p.diff", *form, "-C", str(root))
        assert outcome.code == 1
        assert message in outcome.text + outcome.notes


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone.diff", "cannot read 'gone.diff': No such file or directory"),
        (".", "cannot read '.': Is a directory"),
        ("x\0y", "cannot read 'x"),
    ],
)
def test_a_patch_that_cannot_be_read_is_an_error(root: Path, name: str, message: str) -> None:
    outcome = run("impact", "pay", "--simulate", "--patch", name, "-C", str(root))
    assert (outcome.code, outcome.text) == (1, "")
    assert message in outcome.notes


def test_a_patch_that_is_too_large_is_an_error(root: Path) -> None:
    (root / "p.diff").write_bytes(b"x" * (MAX_TEXT + 1))
    outcome = run("impact", "pay", "--simulate", "--patch", "p.diff", "-C", str(root))
    assert outcome.code == 1
    assert "'p.diff' is larger than 16000000 bytes" in outcome.notes


def test_a_patch_of_other_encodings_is_applied_byte_by_byte(root: Path) -> None:
    (root / INTERFACE).write_bytes(b"# Pay\n\n\xff\n")
    patch = f"--- a/{INTERFACE}\n+++ b/{INTERFACE}\n@@ -1,3 +1,3 @@\n # Pay\n \n".encode()
    (root / "p.diff").write_bytes(patch + b"-\xff\n+" + FIFTY.encode())
    outcome = run("impact", "pay", "--simulate", "--patch", "p.diff", "-C", str(root))
    assert outcome.code == 0, outcome.notes
