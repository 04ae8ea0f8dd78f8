"""`yg draft`: what it writes, what it leaves alone, and what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from schemas import faults_in
from support import CONFIG, NODE, run, write, write_graph
from yg.kernel.snapshot import DRAFT_MARK
from yg.surfaces.cli.outcome import Outcome
from yg.yggdrasil.edit.accept import CYCLE, NOT_DECLARED

SHOP = {
    "shop/__init__.py": '"""A small shop."""\n',
    "shop/orders/__init__.py": '"""Takes orders."""\n',
    "shop/orders/place.py": (
        "from shop.payments.gateway import charge\n"
        "from shop.payments.gateway import Refused\n"
        "import shop.shared\n\n\n"
        "def place(order: str) -> str:\n    return charge(order) * shop.shared.RATE\n"
    ),
    "shop/payments/__init__.py": "",
    "shop/payments/gateway.py": (
        "from shop.orders import place\n\n\n"
        "class Refused(Exception):\n    def why(self) -> str: ...\n\n\n"
        "def charge(order: str) -> str:\n    return order\n"
    ),
    "shop/payments/gateway_test.py": "import shop.orders\n",
    "shop/shared/__init__.py": "RATE = 7  # per cent\n",
    "tests/test_shop.py": "import shop\n",
    "docs/index.md": "# Shop\n",
    "README.md": "# Shop\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(tmp_path / "repo", SHOP)


def draft(root: Path, *argv: str) -> Outcome:
    return run("draft", "-C", str(root), *argv)


def files_of(root: Path) -> dict[str, bytes]:
    """Return the files of a repository."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def text_of(root: Path, path: str) -> str:
    return (root / ".yggdrasil" / path).read_text(encoding="utf-8")


def issues_of(root: Path) -> list[tuple[str, str]]:
    found = json.loads(run("validate", "-C", str(root), "--json").text)["issues"]
    return [(issue["code"], issue["subject"]) for issue in found]


TREE = """\
docs ■ blackbox 1 file
shop 1 file
├── orders 2 files -> 2 relations
├── payments 3 files (1 left out)
└── shared 1 file
tests ■ blackbox 1 file

Wrote 6 nodes for 9 files, with 2 relations.
Left out: 1 relation that would close a cycle, written as comments.

Next, describe the nodes with most to say: replace the text of
  .yggdrasil/model/shop/orders/responsibility.md
  .yggdrasil/model/shop/payments/responsibility.md
  .yggdrasil/model/shop/shared/responsibility.md
and look at the result with 'yg build-context shop/orders'.
'yg validate' lists what is left to do.
"""


def test_a_new_graph_is_drafted(shop: Path) -> None:
    outcome = draft(shop)
    assert (outcome.text, outcome.code, outcome.notes) == (TREE, 0, "")
    assert sorted(issues_of(shop)) == [
        ("W022", "shop/payments"),
        ("W025", "shop"),
        ("W025", "shop/orders"),
        ("W025", "shop/payments"),
        ("W025", "shop/shared"),
    ]


def test_a_node_has_relations_and_comments_for_those_left_out(shop: Path) -> None:
    draft(shop)
    assert text_of(shop, "model/shop/orders/yg-node.yaml") == (
        "name: orders\n"
        "type: module\n"
        "relations:\n"
        "  - target: shop/payments\n"
        "    type: uses\n"
        "    consumes: [Refused, charge]\n"
        "  - target: shop/shared\n"
        "    type: uses\n"
        "    consumes: [RATE]\n"
        "mapping:\n"
        "  paths:\n"
        "    - shop/orders\n"
    )
    declaration = text_of(shop, "model/shop/payments/yg-node.yaml")
    assert declaration == (
        "name: payments\n"
        "type: module\n"
        "# Left out, because each would close a cycle:\n"
        "#   - target: shop/orders\n"
        "#     type: uses\n"
        "#     # imported at shop/payments/gateway.py:1\n"
        "mapping:\n"
        "  paths:\n"
        "    - shop/payments\n"
    )


def test_a_text_is_a_draft_mark_and_nothing_else(shop: Path) -> None:
    draft(shop)
    texts = sorted(path for path in (shop / ".yggdrasil/model").rglob("*.md"))
    assert {path.name for path in texts} == {"responsibility.md"}
    assert {path.read_text() for path in texts} == {f"{DRAFT_MARK}\n"}
    assert not (shop / ".yggdrasil/model/tests/responsibility.md").exists()


def test_a_package_names_a_draft_and_does_not_quote_it(shop: Path) -> None:
    draft(shop)
    package = run("build-context", "shop/orders", "-C", str(shop)).text
    assert "### responsibility.md (draft)\n" in package
    assert DRAFT_MARK not in package
    found = json.loads(run("build-context", "shop/orders", "-C", str(shop), "--json").text)
    (own,) = (block for block in found["blocks"] if block["kind"] == "own-artifacts")
    written = {document["name"]: document.get("draft", False) for document in own["documents"]}
    assert written == {"yg-node.yaml": False, "responsibility.md": True}


def test_drafts_are_no_texts_for_the_status(shop: Path) -> None:
    draft(shop)
    assert "Artifacts: 0/12 slots filled (0%)" in run("status", "-C", str(shop)).text
    write(shop, {".yggdrasil/model/shop/orders/responsibility.md": "Takes orders.\n" * 9})
    for options in ((), ("--no-cache",)):
        found = run("status", "-C", str(shop), *options).text
        assert "Artifacts: 1/12 slots filled (8%)" in found


def test_the_configuration_of_a_new_graph_is_for_code(shop: Path) -> None:
    draft(shop)
    config = yaml.safe_load(text_of(shop, "yg-config.yaml"))
    assert config["drift"] == {"tolerate": "imports", "gate": "value", "hash": "derived"}
    assert config["code"] == {
        "imports": "warning",
        "packages": "consumed",
        "ignore": ["*_test.py"],
    }
    assert config["name"] == "repo"
    assert (shop / ".yggdrasil/agent-rules.md").exists()


@pytest.mark.parametrize("name", ["repo", "a: b", "Ünï"])
def test_a_draft_after_init_is_the_draft_alone(tmp_path: Path, name: str) -> None:
    alone, after = (write(tmp_path / place / name, SHOP) for place in ("alone", "after"))
    assert draft(alone).code == 0
    assert run("init", "-C", str(after)).code == 0
    assert draft(after).code == 0
    assert files_of(after) == files_of(alone)


def test_a_draft_keeps_an_edited_configuration(shop: Path) -> None:
    run("init", "-C", str(shop))
    config = text_of(shop, "yg-config.yaml").replace("gate: value", "gate: body")
    write(shop, {".yggdrasil/yg-config.yaml": config})
    assert draft(shop).code == 0
    assert text_of(shop, "yg-config.yaml") == config


def test_a_dry_run_writes_nothing(shop: Path) -> None:
    before = files_of(shop)
    outcome = draft(shop, "--dry-run")
    assert outcome.text == TREE.partition("\nNext")[0].replace("Wrote", "Would write")
    assert files_of(shop) == before
    assert not (shop / ".yggdrasil").exists()


def test_nothing_else_is_touched_and_nothing_is_written_twice(shop: Path) -> None:
    draft(shop)
    drafted = files_of(shop)
    assert {path: drafted[path] for path in SHOP} == {
        path: text.encode() for path, text in SHOP.items()
    }
    again = draft(shop)
    assert again.code == 1
    assert "the graph has 6 nodes already" in again.notes
    outcome = draft(shop, "--add")
    assert (outcome.text, outcome.code) == ("Nothing to draft: every source file has a node.\n", 0)
    assert files_of(shop) == drafted


def test_a_graph_above_in_another_git_repository_does_not_matter(shop: Path) -> None:
    write_graph(shop.parent, {"model/outer/yg-node.yaml": NODE})
    assert "the graph has 1 node already" in draft(shop).notes
    subprocess.run(["git", "init", "-q", str(shop)], check=True)
    outcome = draft(shop)
    assert (outcome.text, outcome.code, outcome.notes) == (TREE, 0, "")
    assert not (shop.parent / ".yggdrasil" / "model" / "shop").exists()


def test_an_empty_graph_keeps_its_name(shop: Path) -> None:
    run("init", "-C", str(shop), "--name", "Mine")
    assert draft(shop).code == 0
    assert yaml.safe_load(text_of(shop, "yg-config.yaml"))["name"] == "Mine"
    assert not [issue for issue in issues_of(shop) if issue[0].startswith("E")]


def test_drafts_are_reported_in_a_graph_that_does_not_read_code(shop: Path) -> None:
    write_graph(shop, {"model/orders/yg-node.yaml": NODE})
    steps = draft(shop, "--add").text.splitlines()[-1]
    assert steps == "'yg validate' lists what is left to do."
    assert "W025" in run("validate", "-C", str(shop)).text


def test_what_no_node_owns_is_added(shop: Path) -> None:
    node = "name: O\ntype: service\nmapping:\n  paths: [shop/orders]\n"
    files = {"yg-config.yaml": CONFIG, "model/orders/yg-node.yaml": node, "model/tests/x.md": "x"}
    write(shop, {f".yggdrasil/{path}": text for path, text in files.items()})
    before = files_of(shop)
    nodes = json.loads(draft(shop, "--add", "--json").text)["nodes"]
    found = {node["path"]: node["mapping"] for node in nodes}
    assert found == {
        "docs": ["docs"],
        "shop": ["shop"],
        "shop/payments": ["shop/payments"],
        "shop/shared": ["shop/shared"],
        "tests-2": ["tests"],
    }
    (relation,) = next(node for node in nodes if node["path"] == "shop/payments")["relations"]
    assert relation["target"] == "orders"
    after = files_of(shop)
    assert {path: after[path] for path in before} == before
    assert [issue for issue in issues_of(shop) if issue[0].startswith("E")] == [("E015", "tests")]
    assert json.loads(draft(shop, "--add", "--json").text)["edits"] == []


ONE_FILE = "name: O\ntype: service\nmapping:\n  paths:\n    - shop/orders/place.py  # the start\n"


def test_a_new_file_is_added_to_the_node_around_it(shop: Path) -> None:
    write_graph(shop, {"yg-config.yaml": CONFIG, "model/orders/yg-node.yaml": ONE_FILE})
    write(shop, {"shop/orders/odd: name.py": ""})
    before = files_of(shop)
    argv = "--add", "--root", "shop/orders"
    told = "Would add to the mapping of orders:\n  shop/orders\n"
    assert draft(shop, *argv, "--dry-run").text == told
    assert files_of(shop) == before
    document = json.loads(draft(shop, *argv, "--json").text)
    assert document["extended"] == [{"path": "orders", "added": ["shop/orders"], "files": 2}]
    assert text_of(shop, "model/orders/yg-node.yaml") == f"{ONE_FILE}    - shop/orders\n"
    assert [path for path in before if files_of(shop)[path] != before[path]] == [
        ".yggdrasil/model/orders/yg-node.yaml"
    ]
    assert [issue for issue in issues_of(shop) if issue[0] in {"E009", "W032"}] == []
    assert draft(shop, *argv).text == "Nothing to draft: every source file has a node.\n"


def test_a_blackbox_gets_no_code_at_the_top_of_the_repository(tmp_path: Path) -> None:
    write(tmp_path, {"setup.py": "", "pkg/a.py": "A = 1\n", "tool/run.py": "RUN = 1\n"})
    black = f"{NODE}blackbox: true\n"
    files = {
        "model/tools/yg-node.yaml": f"{black}mapping: {{paths: [setup.py]}}\n",
        "model/tool/yg-node.yaml": f"{black}mapping: {{paths: [tool/run.py]}}\n",
        "model/pkg/yg-node.yaml": f"{NODE}mapping: {{paths: [pkg]}}\n",
    }
    write_graph(tmp_path, {"yg-config.yaml": CONFIG, **files})
    write(tmp_path, {"top.py": "X = 1\n", "noxfile.py": "", "tool/more.py": "MORE = 1\n"})
    document = json.loads(draft(tmp_path, "--add", "--json").text)
    assert {each["path"]: each["added"] for each in document["extended"]} == {
        "tool": ["tool"],
        "tools": ["noxfile.py"],
    }
    assert [(node["path"], node["mapping"]) for node in document["nodes"]] == [("top", ["top.py"])]


def test_a_mapping_that_cannot_be_edited_is_refused(shop: Path) -> None:
    node = "x: &x [shop/orders/place.py]\nname: O\ntype: service\nmapping: {paths: *x}\n"
    write_graph(shop, {"yg-config.yaml": CONFIG, "model/orders/yg-node.yaml": node})
    before = files_of(shop)
    outcome = draft(shop, "--add")
    assert outcome.code == 1
    assert "model/orders/yg-node.yaml cannot be edited to map more files" in outcome.notes
    assert files_of(shop) == before


def test_new_directories_in_the_tree_of_a_node_become_nodes_below_it(shop: Path) -> None:
    node = "name: S\ntype: service\nmapping:\n  paths: [shop/__init__.py]\n"
    write_graph(shop, {"yg-config.yaml": CONFIG, "model/app/yg-node.yaml": node})
    nodes = json.loads(draft(shop, "--add", "--json").text)["nodes"]
    assert [node["path"] for node in nodes if not node["blackbox"]] == [
        "app/orders",
        "app/payments",
        "app/shared",
    ]


def test_documentation_that_code_imports_is_code(tmp_path: Path) -> None:
    files = {"app/x.py": "import doc.y\n", "doc/y.py": "", "docs/conf.py": "import app.x\n"}
    root = write(tmp_path / "repo", files)
    nodes = json.loads(draft(root, "--json").text)["nodes"]
    assert [(node["path"], node["blackbox"]) for node in nodes] == [
        ("app", False),
        ("doc", False),
        ("docs", True),
    ]


SHARED_TESTS = {
    "go.mod": "module shop\n",
    "store/store.go": "package store\n",
    "store/disk/disk.go": "package disk\n",
    "store/disk/disk_test.go": 'package disk\n\nimport "shop/store/test"\n',
    "store/test/suite.go": "package test\n",
}


def test_a_directory_of_tests_beside_code_is_tests_if_only_tests_import_it(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", SHARED_TESTS)
    nodes = json.loads(draft(root, "--dry-run", "--json").text)["nodes"]
    mapping = {node["path"]: node["mapping"] for node in nodes if node["blackbox"]}
    assert mapping == {"tests": ["store/test"]}


def test_a_directory_of_tests_beside_code_is_code_if_code_imports_it(tmp_path: Path) -> None:
    user = 'package disk\n\nimport "shop/store/test"\n'
    root = write(tmp_path / "repo", {**SHARED_TESTS, "store/disk/disk.go": user})
    nodes = json.loads(draft(root, "--dry-run", "--json").text)["nodes"]
    assert not any(node["blackbox"] for node in nodes)


def test_helpers_of_go_tests_may_import_tests(tmp_path: Path) -> None:
    helper = 'package disk\n\nimport "shop/store/test"\n'
    root = write(tmp_path / "repo", {**SHARED_TESTS, "store/disk/testing.go": helper})
    assert draft(root).code == 0
    config = yaml.safe_load((root / ".yggdrasil" / "yg-config.yaml").read_text("utf-8"))
    assert config["code"]["ignore"] == ["*_test.go", "testing.go"]
    declared = (root / ".yggdrasil").rglob("yg-node.yaml")
    assert not any("target: tests" in path.read_text("utf-8") for path in declared)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    files = {"a/a.py": "import b.b\n", "b/b.py": "", "b/c.c": '#include "d.h"\n'}
    root = write(tmp_path / "repo", files)
    assert "unread" not in json.loads(draft(root, "--dry-run", "--json").text)
    (root / "a" / "old.py").write_bytes(b"# caf\xe9\nimport b.b\n")
    assert json.loads(draft(root, "--dry-run", "--json").text)["unread"] == ["a/old.py"]
    assert (
        "Not read: 1 file in another encoding than UTF-8, or with a syntax error; "
        "the imports are not known:\n  a/old.py\n"
    ) in draft(root).text


def test_cyclic_relations_are_kept_where_cycles_are_warnings(shop: Path) -> None:
    write_graph(shop, {"yg-config.yaml": f"{CONFIG}rules: {{E010: warning}}\n"})
    nodes = json.loads(draft(shop, "--json").text)["nodes"]
    assert [node["left_out"] for node in nodes if node["left_out"]] == []
    assert {"E010"} <= {code for code, _ in issues_of(shop)}


def test_packages_of_a_workspace_have_their_own_names(tmp_path: Path) -> None:
    manifest = '{\n  "name": "@shop/%s"\n}\n'
    files = {f"packages/{name}/src/{name}.ts": "" for name in "ab"}
    manifests = {f"packages/{name}/package.json": manifest % f"{name}-core" for name in "ab"}
    root = write(tmp_path / "repo", {**files, **manifests})
    nodes = json.loads(draft(root, "--json").text)["nodes"]
    assert [node["path"] for node in nodes] == ["a-core", "b-core"]


def test_only_some_directories(shop: Path) -> None:
    outcome = draft(shop, "--root", "shop/orders", "shop/shared", "--json")
    nodes = json.loads(outcome.text)["nodes"]
    assert [(node["path"], node["mapping"]) for node in nodes] == [
        ("shop", []),
        ("shop/orders", ["shop/orders"]),
        ("shop/shared", ["shop/shared"]),
    ]


def test_what_is_beside_the_code_never_drifts(shop: Path) -> None:
    draft(shop)
    off = "drift: off    # no text describes it that a change could make untrue"
    assert text_of(shop, "model/tests/yg-node.yaml") == (
        f"name: tests\ntype: module\nblackbox: true\n{off}\nmapping:\n  paths:\n    - tests\n"
    )
    run("drift-sync", "-C", str(shop), "--all")
    assert not (shop / ".yggdrasil/.drift-state/tests.json").exists()
    assert "2 not tracked" in run("drift", "-C", str(shop)).text


def test_without_tests(shop: Path) -> None:
    nodes = json.loads(draft(shop, "--no-tests", "--dry-run", "--json").text)["nodes"]
    assert not any(node["blackbox"] for node in nodes)
    assert len(nodes) == 4


def test_at_most_so_many_nodes(shop: Path) -> None:
    nodes = json.loads(draft(shop, "--max-nodes", "3", "--json").text)["nodes"]
    assert [node["path"] for node in nodes] == ["docs", "shop", "tests"]


def test_the_data_follow_their_schema(shop: Path) -> None:
    document: dict[str, Any] = json.loads(draft(shop, "--json").text)
    assert faults_in(document) == []
    assert (document["dry_run"], document["new_graph"]) == (False, True)
    assert document["first"] == ["shop/orders", "shop/payments", "shop/shared"]


REFUSED = {
    "a number that is too small": (["--max-nodes", "1"], 2, "expected a number >= 2"),
    "a root that is not a directory": (["--root", "nowhere"], 2, "'nowhere' is not a directory"),
    "a root outside": (["--root", ".."], 2, "'..' is not a directory of this repository"),
}


@pytest.mark.parametrize(("argv", "code", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_wrong_use_is_refused(shop: Path, argv: list[str], code: int, message: str) -> None:
    outcome = draft(shop, *argv)
    assert outcome.code == code
    assert message in outcome.notes


def test_without_code_there_is_nothing_to_draft(tmp_path: Path) -> None:
    outcome = draft(write(tmp_path, {"README.txt": "x"}))
    assert outcome.code == 1
    assert "there are no source files" in outcome.notes
    assert not (tmp_path / ".yggdrasil").exists()


def test_a_graph_without_types_is_refused(shop: Path) -> None:
    write(shop, {".yggdrasil/yg-config.yaml": "name: x\n"})
    outcome = draft(shop)
    assert outcome.code == 1
    assert "there are no node types" in outcome.notes


def test_the_first_type_of_another_graph_is_used(shop: Path) -> None:
    types = CONFIG.replace('  module: {description: "A domain"}\n', "")
    write(shop, {".yggdrasil/yg-config.yaml": types})
    draft(shop)
    assert "type: service\n" in text_of(shop, "model/shop/yg-node.yaml")


def test_other_kinds_of_graphs_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"specgraph/graph.json": "{}", "a.py": "x = 1\n"})
    assert "belongs to Yggdrasil graphs" in draft(tmp_path).notes


def test_the_same_tree_gives_the_same_bytes(shop: Path, tmp_path: Path) -> None:
    copy = write(tmp_path / "other" / "repo", dict(reversed(SHOP.items())))
    draft(shop)
    run("draft", "-C", str(copy))
    assert files_of(shop) == files_of(copy)


def test_an_interrupted_start_is_taken_up(shop: Path) -> None:
    (shop / ".yggdrasil/flows").mkdir(parents=True)
    assert draft(shop).code == 0
    assert (shop / ".yggdrasil/yg-config.yaml").exists()


def test_names_that_need_care(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "a b/{x}: y/yes.py": "def f(): ...\n",
            "a b/interface.md/z.py": "x = 1\n",
            "caf\xe9/no.py": "x = 1\n",
            "back\\slash/x.py": "x = 1\n",
            "- list/x.py": '"""<<<<<<< HEAD"""\n',
        },
    )
    assert draft(root).code == 0
    assert not [issue for issue in issues_of(root) if issue[0].startswith("E")]
    assert json.loads(draft(root, "--add", "--json").text)["edits"] == []


def test_init_mentions_it_where_there_is_code(shop: Path, tmp_path: Path) -> None:
    assert "  yg draft\n" in run("init", "-C", str(shop)).text
    (tmp_path / "empty").mkdir()
    assert "yg draft" not in run("init", "-C", str(tmp_path / "empty")).text


def test_a_node_that_cannot_be_read_is_not_replaced(shop: Path) -> None:
    write(shop, {".yggdrasil/yg-config.yaml": CONFIG, ".yggdrasil/model/shop/yg-node.yaml": "{"})
    assert draft(shop).code == 1
    assert draft(shop, "--add").code == 0
    assert text_of(shop, "model/shop/yg-node.yaml") == "{"
    assert NODE not in text_of(shop, "model/shop-2/yg-node.yaml")


ORDERS = "name: O\ntype: service\nmapping:\n  paths: [shop/orders]\n"
STRICT = "code:\n  imports: error\n"


def graph_of_orders(root: Path, settings: str) -> None:
    """Write a graph that describes only one directory."""
    write(
        root,
        {
            ".yggdrasil/yg-config.yaml": CONFIG + settings,
            ".yggdrasil/model/orders/yg-node.yaml": ORDERS,
            ".yggdrasil/model/orders/responsibility.md": "x" * 99,
        },
    )


def errors_of(root: Path) -> list[tuple[str, str]]:
    found = json.loads(run("validate", "-C", str(root), "--json").text)["issues"]
    return [(issue["code"], issue["subject"]) for issue in found if issue["severity"] == "error"]


@pytest.mark.parametrize(
    "settings",
    [
        STRICT,
        "code: {imports: error}\n",
        "code:\nrules: {W021: error, W022: error}\n",
        f"{STRICT}  accepted: []\n",
    ],
)
def test_imports_that_would_be_errors_are_accepted(shop: Path, settings: str) -> None:
    graph_of_orders(shop, settings)
    assert errors_of(shop) == []
    outcome = draft(shop, "--add")
    assert (
        "Accepted: 2 pairs of nodes with undeclared imports, "
        "listed under 'code.accepted' in yg-config.yaml.\n"
    ) in outcome.text
    assert errors_of(shop) == []
    assert not [issue for issue in issues_of(shop) if issue[0] == "W029"]
    accepted = yaml.safe_load(text_of(shop, "yg-config.yaml"))["code"]["accepted"]
    assert accepted == [
        {"from": "orders", "to": "shop/payments", "reason": CYCLE},
        {"from": "orders", "to": "shop/shared", "reason": NOT_DECLARED},
    ]
    assert json.loads(draft(shop, "--add", "--json").text)["edits"] == []


def test_an_empty_graph_with_strict_imports_has_no_errors(shop: Path) -> None:
    write(shop, {".yggdrasil/yg-config.yaml": CONFIG + STRICT})
    draft(shop)
    assert errors_of(shop) == []
    accepted = yaml.safe_load(text_of(shop, "yg-config.yaml"))["code"]["accepted"]
    assert accepted == [{"from": "shop/orders", "to": "shop/payments", "reason": CYCLE}]


def test_the_configuration_stays_where_undeclared_imports_are_not_errors(shop: Path) -> None:
    for settings in (
        "code:\n",
        "code: {imports: off}\n",
        "code: {exempt_types: [service, module], imports: error}\n",
    ):
        graph_of_orders(shop, settings)
        edits = json.loads(draft(shop, "--add", "--dry-run", "--json").text)["edits"]
        assert edits
        assert not [edit for edit in edits if edit["path"].endswith("yg-config.yaml")]


def test_a_configuration_that_cannot_be_edited_is_refused(shop: Path) -> None:
    graph_of_orders(shop, "rules: &strict {imports: error}\ncode: *strict\n")
    before = files_of(shop)
    outcome = draft(shop, "--add")
    assert outcome.code == 1
    assert "cannot be edited to accept them" in outcome.notes
    assert files_of(shop) == before


# A draft that is killed.

CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir")
KILLED = 9


def killed(number: int, root: Path, *argv: str) -> bool:
    """Draft in a process that is killed before it changes the file system for the nth time."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == KILLED
    left = number

    def count(event: str, _arguments: object) -> None:
        nonlocal left
        if event in CHANGES:
            left -= 1
            if left == 0:
                os._exit(KILLED)

    try:
        sys.addaudithook(count)
        draft(root, *argv)
    finally:
        os._exit(0)


@pytest.mark.slow
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "add"])
def test_a_killed_draft_is_completed_or_undone_and_never_doubled(
    tmp_path: Path, *, is_new: bool
) -> None:
    def prepared(name: str) -> Path:
        root = write(tmp_path / name / "repo", SHOP)
        if not is_new:
            assert run("draft", "--root", str(root / "shop"), "-C", str(root)).code == 0
            write(root, {"lib/tax.py": "def tax(): ...\n", "lib/duty.py": "import lib.tax\n"})
        return root

    whole = prepared("whole")
    before = files_of(whole)
    assert draft(whole, "--add").code == 0
    complete = files_of(whole)
    assert len(complete) > len(before) + 1
    number = 0
    outcomes = set()
    while killed(number := number + 1, root := prepared(str(number)), "--add"):
        outcome = run("validate", "-C", str(root))  # any command settles it
        assert outcome.code in (0, 1)
        outcomes.add(files_of(root) == complete)
        assert files_of(root) in (before, complete)
        assert draft(root, "--add").code == 0
        assert files_of(root) == complete
    assert outcomes == {True, False}
    assert number > 10
