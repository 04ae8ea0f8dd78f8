"""`yg new`: creates one thing, and overwrites nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemas import faults_in
from support import CONFIG, NODE, run, write, write_graph

MARK = "<!-- draft: replace this -->"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository with one node."""
    write(tmp_path, {"src/b/x.py": "", "src/b/y.py": ""})
    return write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})


def errors(root: Path) -> int:
    found: int = json.loads(run("validate", "-C", str(root), "--json").text)["errors"]
    return found


def test_a_node_with_files(root: Path) -> None:
    words = ["new", "node", "a/b", "--type", "service", "--map", "x.py", "y.py"]
    found = run(*words, "-C", str(root / "src/b"))
    assert (found.code, found.notes) == (0, "")
    assert [line.split(" (")[0] for line in found.text.splitlines()] == [
        "write   .yggdrasil/model/a/b/responsibility.md",
        "write   .yggdrasil/model/a/b/yg-node.yaml",
        "Next: replace the drafts, then run 'yg validate'.",
    ]
    text = (root / ".yggdrasil/model/a/b/yg-node.yaml").read_text()
    assert text == (
        "name: b\ntype: service\nmapping:\n  paths:\n    - src/b/x.py\n    - src/b/y.py\n"
    )
    assert run("owner", "-C", str(root), "src/b/y.py").text.endswith("a/b\n")
    assert errors(root) == 0
    again = run(*words, "-C", str(root / "src/b"))
    assert (again.code, again.text) == (1, "")
    assert again.notes.startswith("error: node 'a/b' exists\n")


def test_an_aspect_and_a_flow(root: Path) -> None:
    assert run("new", "aspect", "audit", "-C", str(root)).code == 0
    assert run("new", "flow", "checkout", "a", "-C", str(root)).code == 0
    assert errors(root) == 0
    assert MARK in (root / ".yggdrasil/aspects/audit/content.md").read_text()
    assert MARK in (root / ".yggdrasil/flows/checkout/description.md").read_text()


def test_validate_reports_the_drafts(root: Path) -> None:
    found = run("new", "aspect", "audit", "-C", str(root))
    assert found.text.endswith("\nNext: replace the drafts, then run 'yg validate'.\n")
    assert "W025 aspects/audit" in run("validate", "-C", str(root)).text


def test_a_dry_run_prints_the_files_and_writes_none(root: Path) -> None:
    before = sorted(root.rglob("*"))
    found = run("new", "aspect", "x", "-C", str(root), "--dry-run", "--no-cache")
    assert found.text == (
        "write   .yggdrasil/aspects/x/content.md (86 bytes)\n"
        "    # x\n"
        "\n"
        f"    {MARK}\n"
        "    <!-- What the nodes with this aspect must meet. -->\n"
        "write   .yggdrasil/aspects/x/yg-aspect.yaml (8 bytes)\n"
        "    name: x\n"
    )
    assert sorted(root.rglob("*")) == before


def test_as_json(root: Path) -> None:
    found = json.loads(run("new", "node", "x/y", "-C", str(root), "--json").text)
    assert faults_in(found) == []
    assert (found["kind"], found["id"], found["dry_run"]) == ("node", "x/y", False)
    assert found["notes"] == ["'x' is only a directory: 'yg new node x' makes it a node"]
    assert [edit["edit"] for edit in found["edits"]] == ["write", "write"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["new", "thing", "x"], 2, "invalid choice: 'thing'"),
        (["new", "node"], 2, "the following arguments are required: NAME\n"),
        (["new", "aspect", "x", "--type", "service"], 2, "--type, --map and --blackbox require"),
        (["new", "flow", "x", "a", "--blackbox"], 2, "--blackbox require 'yg new node'"),
        (["new", "node", "x", "--blackbox", "--map", "gone"], 1, "there are no files"),
        (["new", "aspect", "x", "a"], 2, "unexpected argument 'a'"),
        (["new", "flow", "x"], 2, "a flow needs at least one node"),
        (["new", "node", "x", "--map", "../outside"], 1, "it is outside the repository"),
        (["new", "node", "x", "--type", "servic"], 2, "there is no node type 'servic'"),
    ],
)
def test_wrong_usage(root: Path, words: list[str], code: int, message: str) -> None:
    found = run(*words, "-C", str(root))
    assert (found.code, found.text) == (code, "")
    assert message in found.notes


CODE = {
    "src/pay/gate.py": "def charge(order: str) -> str: ...\n\n\nclass Refused: ...\n_SECRET = 1\n",
    "src/pay/gate_test.py": "def test_it(): ...\n",
    "src/orders/place.py": "from pay.gate import charge, _SECRET\n",
    "src/tests/more.py": "from pay.gate import Refused\n",
}
PAY = ["new", "node", "pay", "--map", "src/pay"]


def graph_with_code(root: Path) -> Path:
    box = "blackbox: true\nmapping:\n  paths: [src/tests]\n"
    return write_graph(
        write(root, CODE),
        {
            "yg-config.yaml": CONFIG + "code:\n",
            "model/orders/yg-node.yaml": NODE + "mapping:\n  paths: [src/orders]\n",
            "model/tests/yg-node.yaml": NODE + box,
        },
    )


def test_no_interface_is_written_for_mapped_code(tmp_path: Path) -> None:
    root = graph_with_code(tmp_path)
    assert run(*PAY, "-C", str(root)).code == 0
    assert not (root / ".yggdrasil/model/pay/interface.md").exists()
    assert errors(root) == 0


def test_a_text_that_exists_is_kept(tmp_path: Path) -> None:
    root = write_graph(graph_with_code(tmp_path), {"model/pay/responsibility.md": "mine\n"})
    run(*PAY, "-C", str(root))
    assert (root / ".yggdrasil/model/pay/responsibility.md").read_text() == "mine\n"


TEMPLATE = CONFIG.replace(
    'service: {description: "A component"}',
    'service:\n    description: "A component"\n    template:\n'
    '      internals.md: ["## Data", Errors]\n      responsibility.md: ["## Does", "## Does not"]',
)


def test_a_template_gives_the_headings_of_new_texts(tmp_path: Path) -> None:
    root = write_graph(tmp_path, {"yg-config.yaml": TEMPLATE})
    outcome = run("new", "node", "pay", "--type", "service", "-C", str(root))
    assert outcome.code == 0, outcome.notes
    node = root / ".yggdrasil" / "model" / "pay"
    mark = "<!-- draft: replace this -->"
    assert (node / "responsibility.md").read_text(encoding="utf-8") == (
        f"## Does\n\n{mark}\n\n## Does not\n\n{mark}\n"
    )
    assert (node / "internals.md").read_text(encoding="utf-8") == (
        f"## Data\n\n{mark}\n\n## Errors\n\n{mark}\n"
    )
    assert not (node / "interface.md").exists()


def test_a_type_without_a_template_has_a_title(tmp_path: Path) -> None:
    root = write_graph(tmp_path, {"yg-config.yaml": TEMPLATE})
    assert run("new", "node", "pay", "--type", "module", "-C", str(root)).code == 0
    node = root / ".yggdrasil" / "model" / "pay"
    assert (node / "responsibility.md").read_text(encoding="utf-8").startswith("# Responsibility\n")
    assert not (node / "internals.md").exists()
