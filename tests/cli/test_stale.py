"""Packages that quote texts whose code has changed since they were confirmed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import yg
from agent import texts
from hostile import commit_all
from schemas import faults_in
from support import CONFIG, run, write, write_graph
from yg.surfaces.mcp import calls
from yg.surfaces.mcp.service import Roots, Service

if TYPE_CHECKING:
    from pathlib import Path

WARNING = (
    "The code changed after these texts were confirmed. Where they differ, the code is right.\n"
)
PRICES = '''\
"""Prices."""

import math

SHIPPING = 490


class Cart:
    limit = 3

    def total(self) -> int:
        return 1


def _round(value: float) -> int:
    return math.floor(value)


def quote(lines: list[int]) -> int:
    return sum(lines) + SHIPPING
'''
NODES = {
    "model/shop/yg-node.yaml": "name: Shop\ntype: module\nmapping: {paths: [shop.py]}\n",
    "model/shop/responsibility.md": f"The shop starts with `start()`.\n{'It sells. ' * 6}\n",
    "model/shop/prices/yg-node.yaml": "name: Prices\ntype: service\n"
    "mapping: {paths: [prices.py]}\n",
    "model/shop/prices/responsibility.md": f"Computes prices. {'They are gross. ' * 4}\n",
    "model/shop/prices/interface.md": "- `quote(lines)`: 4.90 for shipping.\n"
    "- `Cart.total()` is one.\n",
    "model/orders/yg-node.yaml": "name: Orders\ntype: service\nmapping: {paths: [orders.py]}\n"
    "relations: [{target: shop/prices, type: uses, consumes: [quote]}]\n",
    "model/orders/responsibility.md": f"Takes orders. {'It keeps them. ' * 4}\n",
}  # fmt: skip
SOURCES = {"prices.py": PRICES, "shop.py": "def start(): ...\n", "orders.py": "x = 1\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A committed repository whose texts are confirmed."""
    write_graph(write(tmp_path, SOURCES), {"yg-config.yaml": CONFIG, **NODES})
    assert run("drift-sync", "--all", "-C", str(tmp_path)).code == 0
    commit_all(tmp_path)
    return tmp_path


def change(root: Path, old: str, new: str, file: str = "prices.py") -> None:
    text = (root / file).read_text()
    assert old in text
    write(root, {file: text.replace(old, new)})


def package(root: Path, *words: str) -> str:
    found = run("build-context", *words, "-C", str(root))
    assert found.code == 0, found.notes
    return found.text


def stale(root: Path, *words: str) -> str:
    """Return the stale block of the first node of a package."""
    return package(root, *words).partition("<stale ")[2].partition("</stale>")[0]


def blocks(root: Path, *words: str) -> list[dict[str, Any]]:
    document = json.loads(package(root, *words, "--json"))
    assert faults_in(document) == []
    return [block for block in document["blocks"] if block["kind"] == "stale"]


def test_a_block_stands_before_the_texts_of_the_node(root: Path) -> None:
    change(root, "490", "590")
    text = package(root, "shop/prices")
    assert (
        '<stale node-path="shop/prices" changes="signature">\n'
        f"{WARNING}"
        '- interface.md:1 "`quote(lines)`: 4.90 for shipping." (SHIPPING changed; 490 is gone)\n'
        "### prices.py:5-5 SHIPPING (changed)\n"
        "SHIPPING = 590\n"
        "</stale>\n\n"
        "<own-artifacts>\n"
    ) in text
    assert text.endswith("Budget status: ok\nStale: shop/prices\n")


def test_without_drift_the_bytes_are_those_of_a_graph_without_baselines(root: Path) -> None:
    with_baselines = [package(root, *words) for words in (["orders"], ["orders", "shop/prices"])]
    for file in (root / ".yggdrasil/.drift-state").rglob("*.json"):
        file.unlink()
    change(root, "490", "590")
    assert with_baselines == [
        package(root, *words) for words in (["orders"], ["orders", "shop/prices"])
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import math\n", "import math\nimport os\n"),
        ("SHIPPING = 490", "SHIPPING = 490  # gross"),
        ('"""Prices."""', '"""All prices."""'),
    ],
    ids=["imports", "a comment", "documentation"],
)
def test_small_changes_make_no_block(root: Path, old: str, new: str) -> None:
    before = package(root, "shop/prices")
    change(root, old, new)
    assert run("drift", "-C", str(root)).code == 1
    assert package(root, "shop/prices") == before


def test_drafts_cannot_be_stale(root: Path) -> None:
    folder = ".yggdrasil/model/shop/prices"
    write(root, {f"{folder}/responsibility.md": "<!-- draft: replace this -->\n"})
    (root / folder / "interface.md").unlink()
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    change(root, "SHIPPING = 490", "SHIPPING = 590")
    assert "<stale" not in package(root, "shop/prices")
    assert "<stale" not in package(root, "orders")


def test_a_removed_part_is_one_line(root: Path) -> None:
    change(root, "    def total(self) -> int:\n        return 1\n", "    more = 2\n")
    text = stale(root, "shop/prices")
    assert '- interface.md:2 "`Cart.total()` is one." (Cart.total is gone, Cart changed)\n' in text
    assert "### prices.py: Cart.total (removed)\n" in text


def test_a_dependency_shows_what_is_consumed_and_counts_the_rest(root: Path) -> None:
    change(root, "math.floor", "math.ceil")
    change(root, "sum(lines) + SHIPPING", "SHIPPING + sum(lines)")
    text = stale(root, "orders")
    assert "### prices.py:19-20 quote (changed)\n" in text
    assert text.endswith("1 other part changed.\n")
    assert "_round" not in text


def test_a_dependency_without_consumes_shows_public_parts(root: Path) -> None:
    node = NODES["model/orders/yg-node.yaml"].replace(", consumes: [quote]", "")
    write_graph(root, {"model/orders/yg-node.yaml": node})
    change(root, "math.floor", "math.ceil")
    change(root, "490", "590")
    text = stale(root, "orders")
    assert "### prices.py:5-5 SHIPPING (changed)\n" in text
    assert text.endswith("1 other part changed.\n")


def test_an_ancestor_stands_before_its_block_and_shows_everything(root: Path) -> None:
    change(root, "start(): ...", "start(fast): ...", "shop.py")
    text = package(root, "shop/prices")
    assert text.index("<stale ") < text.index("<hierarchy ")
    assert (
        '- shop/responsibility.md:1 "The shop starts with `start()`." (start changed)\n' in text
        or '- responsibility.md:1 "The shop starts with `start()`." (start changed)\n' in text
    )
    assert text.endswith("Stale: shop\n")


def test_each_node_has_one_block_in_a_package_of_several(root: Path) -> None:
    change(root, "490", "590")
    text = package(root, "orders", "shop/prices")
    assert text.count("<stale ") == 1
    assert text.index('<own-artifacts node-path="orders"') < text.index("<stale ")


def test_deleted_files_are_missing(root: Path) -> None:
    (root / "prices.py").unlink()
    text = package(root, "shop/prices")
    assert '<stale node-path="shop/prices" changes="missing">\n' in text
    assert "### prices.py: quote (removed)\n" in text


def test_a_long_part_shows_its_changes_and_where_the_rest_is(root: Path) -> None:
    lines = "".join(f"    a{number} = {number}\n" for number in range(40))
    write(root, {"prices.py": f"{PRICES}\n\ndef long():\n{lines}"})
    run("drift-sync", "--all", "-C", str(root))
    commit_all(root)
    change(root, "a20 = 20", "a20 = 21")
    assert stale(root, "shop/prices").endswith(
        "### prices.py:23-63 long (changed)\n"
        "    a18 = 18\n    a19 = 19\n    a20 = 21\n    a21 = 21\n    a22 = 22\n"
        "... lines 23-63 of prices.py\n"
    )


def test_without_the_old_text_a_long_part_shows_its_first_lines(root: Path) -> None:
    lines = "".join(f"    a{number} = {number}\n" for number in range(40))
    write(root, {"prices.py": f"{PRICES}\n\ndef long():\n{lines}"})
    run("drift-sync", "--all", "-C", str(root))  # never committed
    change(root, "a20 = 20", "a20 = 21")
    assert stale(root, "shop/prices").endswith(
        "### prices.py:23-63 long (changed)\n"
        "def long():\n    a0 = 0\n    a1 = 1\n    a2 = 2\n    a3 = 3\n"
        "... lines 23-63 of prices.py\n"
    )


def test_a_file_without_parts_is_shown_by_its_lines(root: Path) -> None:
    rows = "".join(f"row {number}\n" for number in range(50))
    node = "name: Q\ntype: service\nmapping: {paths: [q.sql]}\n"
    write_graph(write(root, {"q.sql": rows}), {"model/q/yg-node.yaml": node})
    run("drift-sync", "--all", "-C", str(root))
    commit_all(root)
    change(root, "row 20\n", "row twenty\n", "q.sql")
    assert stale(root, "q").endswith(
        "### q.sql (changed)\nrow 18\nrow 19\nrow twenty\nrow 21\nrow 22\n... lines 1-51 of q.sql\n"
    )


def test_a_binary_file_has_only_a_heading(root: Path) -> None:
    node = "name: Q\ntype: service\nmapping: {paths: [q.bin]}\n"
    write_graph(write(root, {"q.bin": b"\0one"}), {"model/q/yg-node.yaml": node})
    run("drift-sync", "--all", "-C", str(root))
    write(root, {"q.bin": b"\0two"})
    assert stale(root, "q").endswith(f"{WARNING}### q.bin (changed)\n")


@pytest.mark.parametrize(("limit", "shown"), [(0, 0), (6, 1), (1_500, 2)])
def test_code_is_shown_up_to_a_limit_and_sentences_decide_what_comes_first(
    root: Path, limit: int, shown: int
) -> None:
    quality = f"quality: {{context_budget: {{stale: {limit}}}}}\n"
    write_graph(root, {"yg-config.yaml": CONFIG + quality})
    change(root, "490", "590")
    change(root, "limit = 3", "limit = 4")
    text = stale(root, "shop/prices")
    assert text.count("\n### prices.py:") == 2
    assert [line for line in ("SHIPPING = 590\n", "limit = 4\n") if line in text] == (
        ["SHIPPING = 590\n", "limit = 4\n"][:shown]
    )


def test_a_bad_limit_is_an_error_with_its_place(root: Path) -> None:
    quality = "quality: {context_budget: {stale: many}}\n"
    write_graph(root, {"yg-config.yaml": CONFIG + quality})
    assert "E012" in run("validate", "-C", str(root)).text


def test_views_of_the_block(root: Path) -> None:
    change(root, "490", "590")
    assert package(root, "shop/prices", "--only", "stale").count("<stale ") == 1
    without = package(root, "shop/prices", "--without", "stale")
    assert "<stale " not in without
    assert without.endswith("Stale: shop/prices\n")
    assert "stale shop/prices " in package(root, "shop/prices", "--why")
    markdown = package(root, "shop/prices", "--format", "markdown")
    assert f"## Stale: shop/prices\n\n{WARNING}\n- interface.md:1 " in markdown
    assert "### prices.py:5-5 SHIPPING (changed)\n\n```\nSHIPPING = 590\n```\n" in markdown
    assert markdown.endswith("Stale: shop/prices\n")
    [block] = blocks(root, "shop/prices")
    assert block["attributes"] == {"node-path": "shop/prices", "changes": "signature"}
    assert block["files"] == []


def test_the_digest_tells_stale_packages_apart_and_they_are_never_left_out(root: Path) -> None:
    digest = package(root, "shop/prices", "--digest").strip()
    change(root, "490", "590")
    assert package(root, "shop/prices", "--digest").strip() != digest
    found = run("build-context", "orders", "--have", f"shop/prices:{digest}", "-C", str(root))
    assert "the package of shop/prices has changed since" in found.notes
    assert "<stale " in package(root, "orders", "--have", "shop/prices")


def test_fitting_cuts_the_code_of_others_and_keeps_headings_and_sentences(root: Path) -> None:
    long = "".join(
        f"    a{number} = 'a long line of code that takes room'\n" for number in range(20)
    )
    change(root, "    return sum(lines) + SHIPPING\n", f"{long}    return sum(lines)\n")
    whole = json.loads(package(root, "orders", "--json"))
    fitted = package(root, "orders", "--fit", str(whole["tokens"] - 100))
    assert "### prices.py:19-40 quote (changed)\n</stale>" in fitted
    assert '- interface.md:1 "`quote(lines)`' in fitted
    assert "a1 = 'a long line" not in fitted
    own = package(root, "shop/prices", "--fit", "10000")
    assert "a1 = 'a long line" in own


def test_a_commit_is_compared_with_its_own_baselines(root: Path) -> None:
    change(root, "490", "590")
    assert "Stale:" not in package(root, "shop/prices", "--at", "HEAD")
    commit_all(root)
    assert package(root, "shop/prices", "--at", "HEAD").endswith("Stale: shop/prices\n")
    change(root, "590", "490")
    assert "Stale:" not in package(root, "shop/prices")
    assert package(root, "shop/prices", "--at", "HEAD").endswith("Stale: shop/prices\n")


def test_reading_a_stale_package_records_nothing(root: Path) -> None:
    change(root, "490", "590")
    before = {path: path.read_bytes() for path in root.rglob(".drift-state/**/*.json")}
    first, second = package(root, "shop/prices"), package(root, "shop/prices")
    assert first == second == package(root, "shop/prices", "--no-cache")
    assert {path: path.read_bytes() for path in root.rglob(".drift-state/**/*.json")} == before
    assert run("drift", "-C", str(root)).code == 1


def test_confirming_the_text_removes_the_block(root: Path) -> None:
    before = package(root, "shop/prices")
    change(root, "490", "590")
    write_graph(
        root,
        {
            "model/shop/prices/interface.md": "- `quote(lines)`: 5.90 for shipping.\n"
            "- `Cart.total()` is one.\n"
        },
    )
    assert "Stale:" in package(root, "shop/prices")
    run("drift-sync", "--all", "-C", str(root))
    assert package(root, "shop/prices") == before.replace("4.90", "5.90")


def test_a_value_is_common_in_a_node_whichever_package_quotes_it(root: Path) -> None:
    write_graph(
        root,
        {
            "model/shop/prices/interface.md": "It is 490.\n",
            "model/shop/prices/internals.md": "- 490 net\n- 490 gross\n- 490 then\n- 490 now\n",
        },
    )
    run("drift-sync", "--all", "-C", str(root))
    change(root, "490", "590")
    assert "490 is gone" not in stale(root, "shop/prices")
    assert "490 is gone" not in stale(root, "orders")


def test_code_shorter_than_its_line_in_the_list_of_cuts_is_kept(root: Path) -> None:
    node = NODES["model/orders/yg-node.yaml"].replace(", consumes: [quote]", "")
    long = {"model/shop/prices/responsibility.md": "Computes prices. " * 20}
    write_graph(root, {"model/orders/yg-node.yaml": node, **long})
    code = f"SHIPPING = {'+'.join(['590'] * 18)}\n"  # longer than the line only with its heading
    change(root, "SHIPPING = 490\n", code)
    floor = run("build-context", "orders", "--fit", "1", "-C", str(root)).notes
    [least] = re.findall(r"the floor is (\d+)", floor)
    assert code in package(root, "orders", "--fit", least)
    assert f'token-count="{least}"' in package(root, "orders", "--fit", least)


def test_the_api_and_the_mcp_server_give_the_same_package(root: Path) -> None:
    change(root, "490", "590")
    service = Service(roots=Roots((str(root),)))
    for node in ("shop/prices", "orders"):
        printed = package(root, node)
        assert printed.count("<stale ") == 1
        assert yg.open_workspace(root).package(node).text == printed
        assert texts(calls.call_tool(service, "build-context", {"node": node}))[0] == printed
