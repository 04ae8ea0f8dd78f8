"""`yg uses`, and what `yg impact` makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import yg
from support import node_owning, run, write

CONFIG = """\
version: "2.2.0"
name: uses
node_types:
  module: {description: "A module"}
artifacts:
  responsibility.md: {required: never, description: "What it does"}
"""
UTIL = "export function clean(x: string) { return x }\nexport function trim() {}\n"
FILES = {
    ".yggdrasil/yg-config.yaml": f"{CONFIG}code: {{imports: warning}}\n",
    ".yggdrasil/model/util/yg-node.yaml": node_owning("src/util"),
    ".yggdrasil/model/near/yg-node.yaml": node_owning("src/near.ts").replace(
        "mapping:",
        "relations:\n  - {target: util, type: uses, consumes: [trim]}\nmapping:",
    ),
    ".yggdrasil/model/far/yg-node.yaml": node_owning("src/far.ts"),
    ".yggdrasil/model/other/yg-node.yaml": node_owning("src/other.ts").replace(
        "mapping:",
        "relations:\n  - {target: util, type: uses, consumes: [trim]}\nmapping:",
    ),
    "src/util/clean.ts": UTIL,
    "src/util/index.ts": "export * from './clean';\n",
    "src/near.ts": "import * as util from './util';\nutil.clean('');\n",
    "src/far.ts": "import { clean as c } from './util';\nc('');\n",
    "src/other.ts": "import { trim } from './util';\ntrim();\n",
    "tests/clean.ts": "import { clean } from '../src/util';\nclean('');\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "repo", FILES)


def test_files_without_an_owner_are_searched_too(root: Path) -> None:
    assert run("uses", "clean", "-C", str(root)).text == (
        "clean at src/util/clean.ts:1-1  (util): 3 uses\n"
        "  src/far.ts:2  (far)\n"
        "  src/near.ts:2  (near)\n"
        "  tests/clean.ts:2\n"
    )


def test_the_answer_is_the_same_after_an_edit_with_and_without_an_index(root: Path) -> None:
    asked = ("uses", "clean", "--json", "-C", str(root))
    first = run(*asked).text
    assert run(*asked).text == first
    (root / "src/far.ts").write_text("import { trim } from './util';\ntrim();\n")
    found = json.loads(run(*asked).text)
    assert [use["path"] for use in found["uses"]] == ["src/near.ts", "tests/clean.ts"]


def test_a_file_is_named_from_the_directory_that_the_user_is_in(root: Path) -> None:
    found = run("uses", "util/clean.ts::clean", "-C", str(root / "src"))
    assert found.text.startswith("clean at src/util/clean.ts:1-1")


def test_a_name_without_a_use_is_an_answer(root: Path) -> None:
    (root / "src/other.ts").write_text("")
    outcome = run("uses", "trim", "-C", str(root))
    assert (outcome.text, outcome.code) == (
        "trim at src/util/clean.ts:2-2  (util): no use found\n",
        0,
    )


def test_an_import_by_a_call_without_a_name_is_noted(root: Path) -> None:
    (root / "src/far.ts").write_text("f(() => import('./util'));\n")
    assert run("uses", "clean", "-C", str(root)).notes == (
        "note: src/far.ts:1 imports the module by a call and gives it no name; what it uses is not "
        "known\n"
    )


def test_a_method_affects_the_nodes_whose_code_names_it(root: Path) -> None:
    assert run("impact", "util", "--method", "clean", "-C", str(root)).text == (
        "Impact of changes in util (method clean):\n\n"
        "Directly dependent:\n"
        "  <- near (uses, you consume: trim)\n"
        "Transitively dependent: (none)\n"
        "Event-dependent: (none)\n"
        "Descendants (hierarchy impact): (none)\n"
        "Flows: (none)\n"
        "Aspects (scope covers node): (none)\n"
        "Nodes sharing aspects: (none)\n"
        "Only using it (no relation):\n"
        "  far (1 use: src/far.ts:2)\n\n"
        "Total scope: 2 nodes, 0 flows, 0 aspects\n"
    )


def test_without_the_code_a_method_affects_what_consumes_it(root: Path) -> None:
    text = run("impact", "util", "--method", "clean", "--declared", "-C", str(root)).text
    assert "No node consumes clean by name. Consumed: trim.\n" in text
    assert text.endswith("Total scope: 0 nodes, 0 flows, 0 aspects\n")


def test_nodes_that_only_import_a_node_are_counted_where_the_code_is_compared(root: Path) -> None:
    def total(*argv: str) -> list[str]:
        found = json.loads(run("impact", "util", "--json", *argv, "-C", str(root)).text)
        return list(found["affected"])

    assert total() == ["far", "near", "other"]
    assert total("--declared") == ["near", "other"]
    (root / ".yggdrasil/yg-config.yaml").write_text(CONFIG)
    assert total() == total("--code") == ["near", "other"]


def test_the_api_returns_all_uses(root: Path) -> None:
    found = yg.open_workspace(root).uses("clean")
    assert [(use.path, use.line, use.node) for use in found.uses] == [
        ("src/far.ts", 2, "far"),
        ("src/near.ts", 2, "near"),
        ("tests/clean.ts", 2, None),
    ]


def test_a_fix_declares_the_members_that_are_used_through_a_namespace(root: Path) -> None:
    (root / "src/far.ts").write_text("import * as util from './util/clean';\nutil.trim();\n")
    assert "fixed W021" in run("validate", "--fix", "-C", str(root)).text
    declared = (root / ".yggdrasil/model/far/yg-node.yaml").read_text()
    assert "consumes: [trim]" in declared.replace("consumes:\n      - trim", "consumes: [trim]")
