"""The page as a file: its data, its size, its bytes, and what it may run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from hostile import commit_all
from inventories import billing_import
from schemas import faults_in
from support import NODE, REPOSITORY, SHOP_ROOT, run, write, write_graph
from yg.commands.explore.page import data_bytes, page_text
from yg.workspace.opened import OpenWorkspace
from yg.workspace.source_drift import changed_sources
from yg.yggdrasil.drift.states import NodeDrift
from yg.yggdrasil.model import Node

EXAMPLES = [REPOSITORY / "examples" / name for name in ("shop", "shop-0x", "spec-shop")]
TARGET = "billing::payments/ledger"
EXTERNAL = {
    "model/orders/yg-node.yaml": (
        f'{NODE}external: [{{target: "{TARGET}", type: calls}}, '
        '{target: "billing::gone", type: calls}]\n'
    ),
    "imports/billing.jsonl": billing_import(),
}
ASSETS = REPOSITORY / "src" / "yg" / "surfaces" / "explorer" / "assets"
WEB = REPOSITORY / "web"


def page(root: Path, *options: str) -> str:
    outcome = run("export", "-C", str(root), "--format", "html", *options)
    assert outcome.code == 0, outcome.notes
    return outcome.text


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="text/plain" id="data">([\w+/=]*)</script>', text)
    assert found
    data: dict[str, Any] = json.loads(zlib.decompress(b64decode(found[1]), -15))
    return data


@pytest.mark.parametrize("root", EXAMPLES, ids=lambda root: root.name)
def test_the_data_have_the_shape_of_their_schema(root: Path) -> None:
    assert faults_in(data_of(page(root))) == []


def test_a_comparison_has_the_shape_of_its_schema(committed_shop: Path, tmp_path: Path) -> None:
    root = shutil.copytree(committed_shop, tmp_path / "shop")
    git = ["git", "-C", str(root)]
    subprocess.run([*git, "mv", ".yggdrasil/model/shared", ".yggdrasil/model/common"], check=True)
    data = data_of(page(root, "--diff", "HEAD"))
    assert faults_in(data) == []
    changes = data["changes"]
    moved = {(item["was"], item["path"]) for item in changes["things"] if item["was"]}
    assert moved == {("shared", "common"), ("shared/money", "common/money")}
    assert {issue["code"] for issue in changes["appeared"]} == {"E004", "W021"}
    assert changes["gone"] == []
    unchanged = data_of(page(committed_shop, "--diff", "HEAD"))["changes"]
    parts = ("things", "edges", "packages", "appeared", "gone")
    assert [unchanged[part] for part in parts] == [[], [], [], [], []]


def test_relations_say_whether_imports_back_them(tmp_path: Path) -> None:
    relations = "relations: [{target: b, type: uses}, {target: c, type: uses}]\n"
    files = {
        "model/a/yg-node.yaml": f"{NODE}{relations}mapping: {{paths: [a.py]}}\n",
        "model/b/yg-node.yaml": f"{NODE}mapping: {{paths: [b.py]}}\n",
        "model/c/yg-node.yaml": f"{NODE}mapping: {{paths: [c.py]}}\n",
    }
    root = write_graph(tmp_path, files)
    write(root, {"a.py": "import b\n", "b.py": "import c\n", "c.py": "c = 1\n"})
    config = root / ".yggdrasil" / "yg-config.yaml"
    assert {edge.get("code") for edge in data_of(page(root))["graph"]["edges"]} == {None}
    config.write_text(config.read_text() + "code: {}\n")
    data = data_of(page(root))
    assert faults_in(data) == []
    names = [node["path"] for node in data["graph"]["nodes"]]
    assert {
        (names[edge["source"]], names[edge["target"]]): (edge["kind"], edge["code"])
        for edge in data["graph"]["edges"]
        if "code" in edge
    } == {
        ("a", "b"): ("relation", "imported"),
        ("a", "c"): ("relation", "not-imported"),
        ("b", "c"): ("import", "undeclared"),
    }


def test_nodes_of_other_repositories_are_shown_as_such(tmp_path: Path) -> None:
    data = data_of(page(write_graph(tmp_path, EXTERNAL)))
    assert faults_in(data) == []
    nodes = data["graph"]["nodes"]
    assert {node["path"]: node.get("repository") for node in nodes} == {
        "orders": None,
        "billing::gone": "acme-billing",
        TARGET: "acme-billing",
    }
    assert [
        (nodes[edge["source"]]["path"], edge["type"], nodes[edge["target"]]["path"])
        for edge in data["graph"]["edges"]
    ] == [("orders", "calls", "billing::gone"), ("orders", "calls", TARGET)]
    (texts,) = [thing["texts"] for thing in data["things"] if thing["path"] == TARGET]
    assert "Keeps the books" in data["texts"][texts[0]]["body"]


def test_without_a_graph_to_compare_with_everything_is_new(tmp_path: Path) -> None:
    for command in ("init -q", "commit -q --allow-empty -m Begin"):
        subprocess.run(["git", "-C", tmp_path, *command.split()], check=True)
    write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    changes = data_of(page(tmp_path, "--diff", "HEAD"))["changes"]
    assert [(item["path"], item["change"]) for item in changes["things"]] == [("a", "added")]
    assert changes["packages"] == [{"node": "a", "was": "", "before": None, "after": [0, 1]}]
    assert "counts as new" in changes["notes"][0]


def test_the_page_may_run_its_own_script_and_style_alone() -> None:
    text = page(SHOP_ROOT)
    digests = {
        kind: b64encode(sha256(found.encode()).digest()).decode()
        for kind, found in (
            ("script", re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)[0]),
            ("style", re.findall(r"<style>(.*?)</style>", text, re.DOTALL)[0]),
        )
    }
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[0]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{digests['script']}'; "
        f"style-src 'sha256-{digests['style']}'; base-uri 'none'; form-action 'none'"
    )
    assert text.count("<script") == 2 + (ASSETS / "page.js").read_text("utf-8").count("<script")
    assert not re.search(r'<(link|img|iframe|script src)|\b(src|href)="', text.split("<style>")[0])


def test_a_small_graph_makes_a_small_file() -> None:
    text = page(SHOP_ROOT)
    assert len(data_of(text)["packages"]) == 11
    assert len(text.encode()) < 250_000


def test_the_same_graph_makes_the_same_bytes(tmp_path: Path) -> None:
    first = shutil.copytree(SHOP_ROOT, tmp_path / "one" / "shop")
    second = shutil.copytree(SHOP_ROOT, tmp_path / "two" / "shop")
    assert page(first) == page(first, "--no-cache") == page(second)


def test_texts_and_blocks_are_stored_once() -> None:
    data = data_of(page(SHOP_ROOT))
    for part in ("texts", "blocks"):
        stored = [json.dumps(item) for item in data[part]]
        assert len(stored) == len(set(stored))
    # All texts of an import are in one file.
    paths = [(text["path"], text["name"]) for text in data["texts"]]
    assert len(paths) == len(set(paths))


def test_a_commit_can_be_exported(committed_shop: Path, tmp_path: Path) -> None:
    root = shutil.copytree(committed_shop, tmp_path / "shop")
    (root / "dirt").touch()
    data = data_of(page(root, "--at", "HEAD"))
    assert data["repository"]["dirty"] is False
    assert "drift" not in data
    assert data_of(page(root))["repository"]["dirty"] is True


def stale_blocks(data: dict[str, Any]) -> dict[str, list[str]]:
    """Return the nodes of the stale blocks of each package that has any."""
    kinds = [block["kind"] for block in data["blocks"]]
    found = {
        package["node"]: [
            data["blocks"][place]["subject"]
            for place in package["blocks"]
            if kinds[place] == "stale"
        ]
        for package in data["packages"]
    }
    return {node: subjects for node, subjects in found.items() if subjects}


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the nodes of each search for changed sources."""
    found: list[list[str]] = []

    def counted(workspace: OpenWorkspace, nodes: Iterable[Node]) -> tuple[NodeDrift, ...]:
        looked_at = [*nodes]
        found.append([node.path for node in looked_at])
        return changed_sources(workspace, looked_at)

    monkeypatch.setattr("yg.commands.stale.changed_sources", counted)
    return found


def test_stale_texts_of_all_packages_are_found_in_one_search(
    committed_shop: Path, tmp_path: Path, searches: list[list[str]]
) -> None:
    root = shutil.copytree(committed_shop, tmp_path / "shop")
    assert stale_blocks(data_of(page(root))) == {}
    assert searches == []  # no node differs from its baseline
    pricing = root / "src" / "shop" / "orders" / "pricing.py"
    pricing.write_text(pricing.read_text().replace("4_90", "5_90"))
    data = data_of(page(root))
    assert faults_in(data) == []
    assert stale_blocks(data) == {
        "orders/order-service": ["orders/pricing"],
        "orders/pricing": ["orders/pricing"],
    }
    assert searches == [["orders/pricing"]]


def test_without_baselines_nothing_is_searched(
    tmp_path: Path, searches: list[list[str]], committed_shop: Path
) -> None:
    root = shutil.copytree(committed_shop, tmp_path / "shop")
    shutil.rmtree(root / ".yggdrasil" / ".drift-state")
    commit_all(root)
    assert stale_blocks(data_of(page(root))) == {}
    assert stale_blocks(data_of(page(root, "--at", "HEAD"))) == {}
    assert searches == []


def test_a_commit_has_the_stale_texts_of_its_own_sources(
    committed_shop: Path, tmp_path: Path
) -> None:
    root = shutil.copytree(committed_shop, tmp_path / "shop")
    pricing = root / "src" / "shop" / "orders" / "pricing.py"
    confirmed = pricing.read_text()
    pricing.write_text(confirmed.replace("4_90", "5_90"))
    assert stale_blocks(data_of(page(root, "--at", "HEAD"))) == {}
    changes = data_of(page(root, "--diff", "HEAD"))["changes"]
    changed = ["orders/order-service", "orders/pricing"]
    assert [each["node"] for each in changes["packages"]] == changed
    commit_all(root)
    assert data_of(page(root, "--diff", "HEAD"))["changes"]["packages"] == []
    pricing.write_text(confirmed)
    assert list(stale_blocks(data_of(page(root, "--at", "HEAD")))) == changed
    assert stale_blocks(data_of(page(root))) == {}


def test_a_name_that_is_not_utf8_can_be_exported(tmp_path: Path) -> None:
    write_graph(tmp_path, {"model/a/yg-node.yaml": f'{NODE}mapping: {{paths: ["src"]}}\n'})
    (tmp_path / "src").mkdir()
    Path(f"{tmp_path}/src/\udcff.py").touch()
    assert data_of(page(tmp_path))["graph"]["nodes"][0]["path"] == "a"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "html", "--node", "orders"], "the whole graph"),
        (["--format", "dot", "--diff", "HEAD"], "requires --format html"),
    ],
)
def test_wrong_usage_is_said(options: list[str], message: str) -> None:
    outcome = run("export", "-C", str(SHOP_ROOT), *options)
    assert outcome.code == 2
    assert message in outcome.notes


def test_every_form_can_be_written_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "graph.dot"
    outcome = run("export", "-C", str(SHOP_ROOT), "--format", "dot", "-o", str(file))
    assert (outcome.code, outcome.text) == (0, "")
    assert file.read_text() == run("export", "-C", str(SHOP_ROOT), "--format", "dot").text
    failed = run("export", "-C", str(SHOP_ROOT), "-o", str(tmp_path / "no" / "x"))
    assert failed.code == 1
    assert "cannot write" in failed.notes


def test_the_built_files_match_their_sources(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (WEB / "node_modules").is_dir():
        pytest.skip("Node and web/node_modules are needed to build the page: run `make web`")
    subprocess.run([node, "build.mjs", str(tmp_path)], cwd=WEB, check=True)
    built = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert built == {file.name: file.read_bytes() for file in ASSETS.iterdir()}


FOLD_EACH = """
import { fold } from "./src/words.js";
import { readFileSync } from "node:fs";
const letters = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(letters.map((letter) => [fold(letter), fold(`a${letter}b`)])));
"""


def test_search_tells_letters_apart_exactly_where_the_command_does() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node")
    letters = [letter for letter in map(chr, range(sys.maxunicode + 1)) if letter.isalnum()]
    script = [node, "--input-type=module", "-e", FOLD_EACH]
    asked = json.dumps(letters).encode()
    answer = subprocess.run(script, cwd=WEB, input=asked, check=True, capture_output=True)
    folded = [alone for alone, _ in json.loads(answer.stdout)]
    assert [f"a{alone}b" for alone in folded] == [inside for _, inside in json.loads(answer.stdout)]
    # The folded letter itself may differ: Python folds Cherokee to capitals.
    pairs = set(zip(folded, map(str.casefold, letters), strict=True))
    assert len(pairs) == len(set(folded)) == len({there for _, there in pairs})


def test_the_lock_file_names_no_registry() -> None:
    lock = (WEB / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock
    places = set(re.findall(r"https?://([^/]+)/", lock))
    assert places == {"github.com", "opencollective.com"}  # where its authors take donations


def test_the_page_and_its_data_are_made_by_pure_functions() -> None:
    from yg.commands.explore.data import explore
    from yg.workspace.opening import open_workspace

    document = explore(open_workspace(str(SHOP_ROOT), uses_index=False))
    assert page_text(document) == page_text(document)
    assert json.loads(data_bytes(document))["schema"] == "yg-explorer/1"
