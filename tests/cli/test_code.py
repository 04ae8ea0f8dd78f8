"""Imports in `yg deps`, `yg impact`, `yg coverage` and `yg validate`, and how they are cached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import run, write, write_graph
from yg.disk.reading.worktree import WorkTree
from yg.surfaces.cli.outcome import Outcome

CONFIG = """\
name: shop
node_types: {service: {description: A component}}
artifacts:
  responsibility.md: {description: What it does}
  interface.md: {description: What others rely on}
code: {imports: error}
"""


def node(path: str, *targets: str) -> str:
    items = ", ".join(f"{{target: {target}, type: uses}}" for target in targets)
    return f"name: N\ntype: service\nrelations: [{items}]\nmapping: {{paths: [{path}]}}\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    write_graph(
        tmp_path,
        {
            "yg-config.yaml": CONFIG,
            **{f"schemas/yg-{kind}.yaml": "" for kind in ("node", "aspect", "flow")},
            "model/orders/yg-node.yaml": node("src/orders.py", "pay", "mail"),
            "model/pay/yg-node.yaml": node("src/pay.py"),
            "model/pay/interface.md": "`charge(order)` takes the money, or says why it cannot.\n",
            "model/mail/yg-node.yaml": node("src/mail.py"),
            "model/stock/yg-node.yaml": node("src/stock.py"),
        },
    )
    sources = {
        "src/orders.py": "import pay\nfrom pay import charge\nfrom stock import take\n",
        "src/pay.py": "def charge(order): ...\ndef refund(order): ...\nclass _Till: ...\n",
        "src/mail.py": "from pay import refund, _Till\nimport pay\n",
        "src/stock.py": "def take(item): ...\n",
    }
    return write(tmp_path, sources)


def asked(root: Path, *argv: str) -> Outcome:
    return run(*argv, "-C", str(root))


def test_deps_says_which_relations_imports_back(shop: Path) -> None:
    assert (
        asked(shop, "deps", "orders", "--code").text
        == """\
orders
├── uses pay (2 imports)
└── uses mail (no import found)

Imports without a relation:
  stock (1 import: src/orders.py:3)
"""
    )


def test_deps_with_code_as_data(shop: Path) -> None:
    document = json.loads(asked(shop, "deps", "orders", "--code", "--json").text)
    assert [(line["target"], line["imports"]) for line in document["dependencies"]] == [
        ("pay", 2),
        ("mail", 0),
    ]
    assert document["undeclared"] == [
        {"node": "stock", "places": [{"file": "src/orders.py", "line": 3}]}
    ]
    assert "undeclared" not in json.loads(asked(shop, "deps", "orders", "--json").text)


def test_impact_adds_nodes_that_only_import(shop: Path) -> None:
    text = asked(shop, "impact", "pay", "--code").text
    assert (
        "Only importing it (no relation):\n  mail (2 imports: src/mail.py:1, src/mail.py:2)\n"
        in text
    )
    document = json.loads(asked(shop, "impact", "pay", "--code", "--json").text)
    assert [found["node"] for found in document["importing"]] == ["mail"]
    assert document["affected"] == ["mail", "orders"]


def test_impact_with_code_needs_a_node(shop: Path) -> None:
    assert asked(shop, "impact", "--diff", "--code").code == 2


def test_coverage_lists_public_names_that_no_interface_mentions(shop: Path) -> None:
    assert asked(shop, "coverage", "--names").text == (
        "pay: refund in src/pay.py (imported by mail)\n"
        "stock: take in src/stock.py (imported by orders)\n"
    )
    document = json.loads(asked(shop, "coverage", "--names", "--json").text)
    assert [(found["node"], found["name"]) for found in document["names"]] == [
        ("pay", "refund"),
        ("stock", "take"),
    ]
    assert asked(shop, "coverage", "--names", "--uncovered").code == 2


def test_an_undeclared_import_can_be_an_error_that_prevents_no_package(shop: Path) -> None:
    found = asked(shop, "validate")
    assert found.code == 1
    assert "W021 orders -> imports 'stock'" in found.text
    assert asked(shop, "build-context", "orders").code == 0
    config = CONFIG.replace("code:", "rules: {W021: 'off'}\ncode:")
    (shop / ".yggdrasil" / "yg-config.yaml").write_text(config)
    assert asked(shop, "validate").code == 0


def test_a_second_validation_reads_no_source_and_a_third_the_changed_one(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))
    read: list[str] = []
    opened = WorkTree._opened

    def noted(tree: WorkTree, path: str) -> tuple[int, int]:
        read.append(path)
        return opened(tree, path)

    monkeypatch.setattr(WorkTree, "_opened", noted)
    first = asked(shop, "validate")
    assert {path for path in read if path.startswith("src/")} == {
        f"src/{name}.py" for name in ("mail", "orders", "pay", "stock")
    }
    read.clear()
    assert asked(shop, "validate") == first
    assert [path for path in read if path.startswith("src/")] == []
    (shop / "src" / "orders.py").write_text("import pay\n")
    assert "W021 orders" not in asked(shop, "validate").text
    assert {path for path in read if path.startswith("src/")} == {"src/orders.py"}
    (shop / "src" / "stock.py").unlink()
    (shop / "src" / "new.py").write_text("")
    assert "W012 stock" in asked(shop, "validate").text


def test_an_export_marks_relations_and_adds_undeclared_imports(shop: Path) -> None:
    edges = json.loads(asked(shop, "export", "--code").text)["edges"]
    assert [(edge["id"].replace("shop:node:", ""), edge["code"]) for edge in edges] == [
        ("mail imports pay", "undeclared"),
        ("orders imports stock", "undeclared"),
        ("orders uses mail", "not-imported"),
        ("orders uses pay", "imported"),
    ]
    plain = json.loads(asked(shop, "export").text)["edges"]
    assert [edge["code"] for edge in plain] == ["", ""]
    drawing = asked(shop, "export", "--code", "--format", "mermaid").text
    assert 'node_orders -.-x|"imports, undeclared"| node_stock' in drawing
    assert 'node_orders -->|"uses, no import"| node_mail' in drawing
    near = json.loads(asked(shop, "export", "pay", "--code").text)
    assert {node["path"] for node in near["nodes"]} == {"mail", "orders", "pay"}
