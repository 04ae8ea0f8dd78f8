"""What a reader sees and does, in a real browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from inventories import billing_import
from support import NODE, REPOSITORY, SHOP_ROOT, run, write, write_graph

if TYPE_CHECKING:
    from browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Page = Callable[..., str]
SHOP_0X = REPOSITORY / "examples" / "shop-0x"
SPEC_SHOP = REPOSITORY / "examples" / "spec-shop"
PAGES = ["Overview", "Issues", "Drift", "Coverage", "Aspects", "Flows"]
SERVICE = "orders%2Forder-service"
SHOP_VIEWS = (
    "",
    "overview?as=matrix",
    "overview/orders",
    "issues",
    "drift",
    "coverage",
    "aspects",
    "flows",
    "search",
    f"node/{SERVICE}",
    f"package/{SERVICE}",
    "aspect/requires-audit",
    "flow/checkout",
    "node/nowhere",
)
SPEC_VIEWS = ("", "overview/CART", "node/CART-01", "package/CART-01", "issues", "drift", "aspects")
PARTS = ("direct", "transitive", "events", "named_by", "guided")  # of an impact
STAMP = re.compile(r"\n# Generated: .*")  # the time at which a package of 0.x was made
TYPE = """
    const input = document.querySelector("#search");
    input.value = arguments[0];
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
"""
RESULTS = """
    return [...document.querySelectorAll(".results a")].map((a) =>
      [".name", ".where", ".line"].map((part) => a.querySelector(part).textContent));
"""
MATRIX_ROWS = "return [...document.querySelectorAll('.matrix tbody th a')].map((a) => a.title)"
FRAMES = """
    const path = (a) => a.querySelector("title").textContent;
    return [...document.querySelectorAll(".boxes a.frame")].map((a) =>
      [path(a), [...a.nextElementSibling.querySelectorAll(":scope > a:not(.frame)")].map(path)]);
"""
SLIDE = """
    const slider = document.querySelector(".fit input");
    slider.value = arguments[0];
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
"""
COPIED = """
    window.copied = null;
    navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };
    document.querySelector(".copy button").click();
"""


UNFOLD = """
    document.querySelectorAll('details').forEach((e) => { e.open = true; });
    document.querySelectorAll('[aria-expanded=false].toggle').forEach((e) => e.click());
    return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
"""


def write_spec_graph(root: Path, nodes: list[dict[str, Any]]) -> None:
    """Write a Spec Graph of some nodes."""
    references = [
        {"id": node["id"], "path": f"nodes/{node['id']}.json", "expectedType": node["type"]}
        for node in nodes
    ]
    write(
        root,
        {
            "specgraph/graph.json": json.dumps({"specgraphVersion": "1.0.0", "nodes": references}),
            **{f"specgraph/nodes/{node['id']}.json": json.dumps(node) for node in nodes},
        },
    )


def test_every_page_links_the_pages(browser: Browser, page_of: Page) -> None:
    browser.open(page_of(SHOP_ROOT))
    for view in SHOP_VIEWS:
        browser.go(view)
        assert browser.texts("nav.pages li:not(.find) a") == PAGES
    browser.go(f"node/{SERVICE}")
    assert browser.all(f"main a[href='#/package/{SERVICE}']") != []


def test_a_box_leads_to_its_level_or_to_its_node(browser: Browser, page_of: Page) -> None:
    browser.open(page_of(SHOP_ROOT))
    links = browser.run(
        "return Object.fromEntries([...document.querySelectorAll('.boxes a')].map("
        "(a) => [a.querySelector('.name').textContent, a.getAttribute('href')]))"
    )
    assert links == {
        "billing::payments/ledger": "#/node/billing%3A%3Apayments%2Fledger",
        "EmailService": "#/node/email-service",
        "Inventory": "#/overview/inventory",
        "InventoryService": "#/node/inventory%2Finventory-service",
        "Money": "#/node/shared%2Fmoney",
        "Orders": "#/overview/orders",
        "OrderService": f"#/node/{SERVICE}",
        "Payments": "#/overview/payments",
        "PaymentService": "#/node/payments%2Fpayment-service",
        "Pricing": "#/node/orders%2Fpricing",
        "Shared": "#/overview/shared",
    }
    browser.go("overview/orders")
    assert browser.all(".facts a[href='#/node/orders']") != []
    assert "payments" in browser.texts(".boxes a.outside .name")


def test_the_matrix_is_in_the_order_of_the_plan(browser: Browser, page_of: Page) -> None:
    plan = json.loads(run("plan", "-C", str(SHOP_ROOT), "--all", "--json").text)
    order = [path for stage in plan["stages"] for path in stage]
    browser.open(page_of(SHOP_ROOT), "overview?as=matrix")
    rows = browser.run(MATRIX_ROWS)
    leaves = [path for path in order if not any(each.startswith(f"{path}/") for each in order)]
    assert [row for row in rows if row in leaves] == leaves
    assert set(rows) - set(leaves) <= {"billing::payments/ledger", *order}
    assert browser.all(".matrix .backward") == []


def test_a_box_is_where_the_last_node_of_any_group_is(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    feature = {"type": "feature", "title": "Group", "description": "x"}
    write_spec_graph(
        tmp_path,
        [
            {"id": "A", **feature, "links": {"contains": ["S"]}},
            {"id": "B", **feature, "links": {"contains": ["S"]}},
            {"id": "D", "type": "domain", "title": "Word", "statement": "x", "links": {}},
            {"id": "S", "type": "domain", "title": "Part", "links": {"depends_on": ["D"]}},
        ],
    )
    plan = json.loads(run("plan", "-C", str(tmp_path), "--json").text)
    assert plan["stages"] == [["D"], ["S"]]
    browser.open(page_of(tmp_path), "overview?as=matrix")
    assert browser.run(MATRIX_ROWS) == ["D", "A", "B"]


@pytest.mark.parametrize("number", [40, 41])
def test_few_boxes_are_drawn_and_many_are_a_matrix(
    browser: Browser, page_of: Page, tmp_path: Path, number: int
) -> None:
    names = [f"n{place:02}" for place in range(number)]
    relation = "relations: [{target: n00, type: uses}]\n"
    nodes = {f"model/{name}/yg-node.yaml": NODE + relation * (name > "n30") for name in names}
    write_graph(tmp_path, nodes)
    browser.open(page_of(tmp_path), "overview?as=boxes")
    is_drawn = number == 40
    assert (len(browser.all(".boxes a")), len(browser.all(".matrix tbody tr"))) == (
        (40, 0) if is_drawn else (0, 41)
    )
    assert browser.texts(".switch a") == (["Boxes", "Matrix"] if is_drawn else [])
    assert len(browser.texts(".links li")) == number - 31


def test_a_cycle_is_below_the_diagonal(browser: Browser, page_of: Page, tmp_path: Path) -> None:
    def node(target: str) -> str:
        return f"{NODE}relations: [{{target: {target}, type: uses}}]\n"

    write_graph(
        tmp_path,
        {f"model/{name}/yg-node.yaml": node(to) for name, to in (("a", "b"), ("b", "a"))},
    )
    browser.open(page_of(tmp_path), "overview?as=matrix")
    assert len(browser.all(".matrix .forward")) == len(browser.all(".matrix .backward")) == 1
    browser.go("")
    assert "E0" in browser.texts(".panel")[0]  # the issues of a broken graph are on the first page


def declarations(*paths: str, **more: str) -> dict[str, str]:
    """Return the declarations of nodes, by file; `more` are lines of those with that last name."""
    return {
        f"model/{path}/yg-node.yaml": NODE + more.get(path.rpartition("/")[2], "") for path in paths
    }


def test_the_largest_boxes_are_open_until_there_are_twelve(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    large = [f"app/large/n{place}" for place in range(8)]
    small = [f"app/small/n{place}" for place in range(3)]
    huge = [f"app/small/n1/m{place}" for place in range(36)]
    nodes = declarations("app", "app/large", "app/small", *large, *small, *huge, "app/one")
    write_graph(tmp_path, nodes | declarations("other"))
    browser.open(page_of(tmp_path))
    frames = dict(browser.run(FRAMES))
    assert frames == {  # n1 would make it too many
        "app": ["app/one"],
        "app/large": large,
        "app/small": small,
    }
    assert len(browser.all(".boxes a:not(.frame)")) == 13


@pytest.mark.parametrize(
    ("settings", "opened"), [("", "app/many"), ("code: {}\n", "app/long")], ids=["files", "lines"]
)
def test_the_boxes_with_most_code_are_opened_first(
    browser: Browser, page_of: Page, tmp_path: Path, settings: str, opened: str
) -> None:
    many = [f"app/many/n{place:02}" for place in range(12)]
    long = [f"app/long/n{place:02}" for place in range(12)]
    lines = {"m1": 1, "m2": 1, "l1": 50}
    mapped = {name: f"mapping: {{paths: [src/{name}.py]}}\n" for name in lines}
    nodes = declarations(*many, "app/many/m1", "app/many/m2", *long, "app/long/l1", **mapped)
    write_graph(tmp_path, nodes | declarations("app", "app/many", "app/long"))
    write(tmp_path, {f"src/{name}.py": "x = 1\n" * count for name, count in lines.items()})
    config = tmp_path / ".yggdrasil" / "yg-config.yaml"
    config.write_text(f"{config.read_text()}{settings}")
    browser.open(page_of(tmp_path))
    assert [frame for frame, _ in browser.run(FRAMES)] == [opened]


def test_links_that_others_imply_are_not_drawn_in_a_dense_level(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    names = [f"n{place}" for place in range(6)]
    more = {
        name: "relations:\n"
        + "".join(f"  - {{target: {below}, type: uses}}\n" for below in names[place + 1 :])
        for place, name in enumerate(names[:-1])
    }
    write_graph(tmp_path, declarations(*names, **more))
    browser.open(page_of(tmp_path))
    assert [title.split(":")[0] for title in browser.texts(".boxes .link title")] == [
        f"n{place} → n{place + 1}" for place in range(5)
    ]
    assert "Not drawn: 10 links" in browser.texts("figcaption")[0]
    assert len(browser.texts(".links li")) == 15


def test_links_of_a_cycle_and_too_many_links_are_a_matrix(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    names = [f"n{place}" for place in range(5)]
    more = {
        name: "relations:\n"
        + "".join(f"  - {{target: {other}, type: uses}}\n" for other in names if other != name)
        for name in names
    }
    write_graph(tmp_path, declarations(*names, **more))
    browser.open(page_of(tmp_path))
    assert len(browser.all(".matrix tbody tr")) == 5
    browser.go("overview?as=boxes")
    browser.wait("return document.querySelectorAll('.boxes .link').length === 20")


def drafted(root: Path) -> Path:
    """Write a repository with three drafted nodes."""
    write(root, {"a/a.py": "import b.b\n", "b/b.py": "X = 1\n", "c/c.py": "Y = 1\n"})
    assert run("draft", "-C", str(root)).code == 0
    return root


def test_drafts_and_missing_baselines_are_no_signs(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    browser.open(page_of(drafted(tmp_path)))
    assert browser.texts(".boxes a .name") == ["a", "b", "c"]
    assert browser.texts(".boxes .remark") == ["module · draft"] * 3
    assert "3 nodes without a baseline" in browser.texts(".facts")[0]


def test_an_opened_box_says_that_it_is_a_draft(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    nodes = declarations("app", "app/lib", "app/lib/core", "app/lib/ui")
    draft = "<!-- draft: replace this -->\n"
    write_graph(tmp_path, nodes | {"model/app/lib/responsibility.md": draft})
    browser.open(page_of(tmp_path))
    assert browser.texts(".boxes .frame .name") == ["N draft"]
    assert browser.texts(".boxes .frame .remark") == ["draft"]


def test_drift_from_a_baseline_is_a_sign(browser: Browser, page_of: Page, tmp_path: Path) -> None:
    root = drafted(tmp_path)
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    write(root, {"b/b.py": "X = 2\n"})
    write(root, {"d/d.py": "Z = 1\n"})
    assert run("draft", "-C", str(root), "--add").code == 0
    browser.open(page_of(root))
    names = browser.texts(".boxes a .name")
    assert (names[0], names[1][:3], names[2:]) == ("a", "b ≠", ["c", "d"])
    assert "1 node drifted, 1 node without a baseline" in browser.texts(".facts")[0]


def test_the_matrix_says_what_the_nodes_of_opened_boxes_are_in(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    write_graph(tmp_path, declarations("app", "lib", "lib/app", "lib/web"))
    browser.open(page_of(tmp_path), "overview?as=matrix")
    assert browser.texts(".matrix tbody th a") == ["N", "lib/app", "lib/web"]


def test_a_graph_with_one_root_is_not_one_box(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    leaves = [f"root/only/n{place}" for place in range(3)]
    write_graph(tmp_path, declarations("root", "root/only", *leaves))
    browser.open(page_of(tmp_path))
    assert browser.run(FRAMES) == [["root/only", leaves]]


LAYERED = """\
version: "2.2.0"
name: layered
node_types:
  library: {description: D, may_use: []}
  service: {description: D, may_use: [library]}
  ui: {description: D, may_use: [service]}
artifacts:
  responsibility.md: {required: never, description: D}
"""
LAYERS = """
const middle = (box) => (box.top + box.bottom) / 2;
return [...document.querySelectorAll(".layer")].map((layer) => {
  const band = layer.querySelector("rect").getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".boxes a:not(.frame)")].filter((box) => {
    const place = middle(box.getBoundingClientRect());
    return band.top < place && place < band.bottom;
  });
  return [layer.textContent.trim(), boxes.map((box) => box.querySelector("title").textContent)];
});
"""
UPWARDS = """
const [link] = [...document.querySelectorAll(".link")].filter(
  (link) => link.querySelector("title").textContent.startsWith("money"));
const path = link.querySelector("path");
return path.getPointAtLength(0).y > path.getPointAtLength(path.getTotalLength()).y;
"""


def test_types_in_an_order_are_layers(browser: Browser, page_of: Page, tmp_path: Path) -> None:
    used = {"page": "orders", "orders": "money", "bills": "money", "money": "page"}
    kinds = {"page": "ui", "orders": "service", "bills": "service", "money": "library"}
    nodes = {
        f"model/{name}/yg-node.yaml": f"name: {name}\ntype: {kinds[name]}\n"
        f"relations: [{{target: {target}, type: uses}}]\n"
        for name, target in used.items()
    }
    write_graph(tmp_path, nodes | {"yg-config.yaml": LAYERED})
    browser.open(page_of(tmp_path))
    assert browser.run(LAYERS) == [
        ["ui", ["page"]],
        ["service", ["bills", "orders"]],
        ["library", ["money"]],
    ]
    assert browser.run(UPWARDS)  # a library may not use a page, but this one does


def test_types_without_an_order_are_no_layers(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    nodes = declarations("page", "money")
    config = LAYERED.replace("library: {description: D, may_use: []}", "library: {description: D}")
    write_graph(tmp_path, nodes | {"yg-config.yaml": config})
    browser.open(page_of(tmp_path))
    assert len(browser.all(".boxes a")) == 2
    assert browser.all(".layer") == []


def test_what_nobody_keeps_in_step_is_set_aside(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    relation = "relations: [{target: app/core, type: uses}]\n"
    nodes = declarations(
        *("app", "app/core", "app/tests", "app/ui", "docs"),
        docs="drift: off\n",
        tests=f"blackbox: true\n{relation}",
        ui=relation,
    )
    write_graph(tmp_path, nodes)
    browser.open(page_of(tmp_path))
    assert browser.run(FRAMES) == [["app", ["app/core", "app/ui"]]]
    assert browser.texts(".aside a") == ["app/tests", "docs"]
    assert len(browser.all(".boxes .link")) == 1
    assert browser.texts(".list tbody th code") == ["app", "docs"]
    browser.go("overview?as=matrix")
    assert browser.run(MATRIX_ROWS) == ["app/core", "app/ui"]


def test_an_import_against_the_relations_is_a_cycle_in_the_matrix(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    files = {f"src/{name}.py": "import a\n" if name == "b" else "" for name in ("a", "b")}
    write(tmp_path, files)
    relation = "relations: [{target: b, type: uses}]\n"
    mapped = {name: f"mapping: {{paths: [src/{name}.py]}}\n" for name in ("a", "b")}
    nodes = declarations("a", "b", a=relation + mapped["a"], b=mapped["b"])
    write_graph(tmp_path, nodes)
    config = tmp_path / ".yggdrasil" / "yg-config.yaml"
    config.write_text(f"{config.read_text()}code: {{}}\n")
    assert "W022" in run("validate", "-C", str(tmp_path)).text
    browser.open(page_of(tmp_path), "overview?as=matrix")
    assert len(browser.all(".matrix .backward")) == 1
    assert "1 link below the diagonal" in browser.texts("figcaption")[0]
    browser.go("overview?as=boxes")
    browser.wait("return document.querySelectorAll('.boxes .link').length === 1")


def test_the_drift_page_has_the_names_and_sentences_of_review(
    browser: Browser, page_of: Page, drifted_shop: Path
) -> None:
    review = json.loads(run("review", "-C", str(drifted_shop), "--json").text)
    browser.open(page_of(drifted_shop), "drift")
    browser.run(UNFOLD)
    shown = dict(
        browser.run(
            "return [...document.querySelectorAll('.rows > li')].map("
            "(li) => [li.querySelector('a').textContent, li.textContent])"
        )
    )
    sentences = 0
    for node in review["nodes"]:
        for sentence in node["sentences"]:
            sentences += 1
            assert sentence["text"] in shown[node["node"]]
            assert f"{sentence['document']}:{sentence['line']}" in shown[node["node"]]
            assert all(part["name"] in shown[node["node"]] for part in sentence["parts"])
        assert all(part["name"] in shown[node["node"]] for part in node["unmentioned"][:20])
    assert sentences > 0


@pytest.mark.parametrize("root", [SHOP_ROOT, SHOP_0X, SPEC_SHOP], ids=["2.x", "0.x", "spec"])
def test_copy_gives_the_bytes_of_build_context(browser: Browser, page_of: Page, root: Path) -> None:
    browser.open(page_of(root))
    for node in own_nodes(root):
        copied = copied_package(browser, node)
        options = ["--no-stamp"] if root == SHOP_0X else []
        assert STAMP.sub("", copied) == run("build-context", "-C", str(root), node, *options).text


def test_stale_blocks_are_those_of_build_context(
    browser: Browser, page_of: Page, drifted_shop: Path
) -> None:
    browser.open(page_of(drifted_shop))
    stale = set()
    for node in own_nodes(drifted_shop):
        printed = run("build-context", "-C", str(drifted_shop), node).text
        assert copied_package(browser, node) == printed
        stale.update(re.findall("^Stale: .*", printed, re.MULTILINE))
    assert len(stale) > 3
    browser.go(f"package/{SERVICE}")
    assert browser.texts(".stale .what a")[:2] == ["orders", "orders/order-service"]
    [shown] = browser.texts(".stale .content:not([hidden])")
    assert "Where they differ, the code is right." in shown
    assert "OrderService.place" in shown


def test_the_slider_cuts_stale_code_as_the_command_does(
    browser: Browser, page_of: Page, drifted_shop: Path
) -> None:
    browser.open(page_of(drifted_shop), f"package/{SERVICE}")
    command = ("build-context", "-C", str(drifted_shop), "orders/order-service")
    compare_cuts(browser, command)
    floor = browser.run("return Number(document.querySelector('.fit input').min)")
    least = run(*command, "--fit", str(floor)).text
    assert "left-out" in least
    assert "\nstale orders: " in least
    assert "\nstale orders/pricing: " in least
    assert "\nstale orders/order-service: " not in least


def test_stale_nodes_are_marked(browser: Browser, page_of: Page, drifted_shop: Path) -> None:
    browser.open(page_of(drifted_shop), "overview/orders")
    cells = browser.texts(".list tbody tr")
    assert [cell for cell in cells if "stale" not in cell] == []
    browser.go(f"node/{SERVICE}")
    assert "Stale" in browser.texts(".main")[0]
    browser.go("overview?as=boxes")
    titles = "return [...document.querySelectorAll('.boxes a title')].map((t) => t.textContent)"
    assert "orders/order-service, stale" in browser.run(titles)
    assert "? stale texts" in browser.texts("figcaption")[0]
    browser.go("overview?as=matrix")
    assert "orders/order-service, stale" in browser.run(MATRIX_ROWS)


def copied_package(browser: Browser, node: str) -> str:
    """Return what the button of a package copies."""
    browser.go(f"package/{quote(node, safe='')}")
    browser.wait("return document.querySelector('.copy button') !== null")
    browser.run(COPIED)
    copied: str = browser.wait("return window.copied")
    return copied


@pytest.mark.parametrize(
    ("root", "node", "form"),
    [
        (SHOP_ROOT, "orders/order-service", ()),
        (SHOP_0X, "orders/order-service", ("--no-stamp",)),
        (SPEC_SHOP, "CART-01", ()),
    ],
    ids=["2.x", "0.x", "spec"],
)
def test_the_slider_fits_as_the_command_does(  # noqa: PLR0913, PLR0917
    browser: Browser, page_of: Page, tmp_path: Path, root: Path, node: str, form: tuple[str, ...]
) -> None:
    longer = shutil.copytree(root, tmp_path / "longer")
    for text in longer.rglob("*.md"):
        text.write_text(f"{text.read_text()}\n{'More to say. ' * 40}\n")
    browser.open(page_of(longer), f"package/{quote(node, safe='')}")
    compare_cuts(browser, ("build-context", "-C", str(longer), node, *form))


def test_a_package_from_which_nothing_can_be_cut(browser: Browser, page_of: Page) -> None:
    browser.open(page_of(SPEC_SHOP), "package/SHOP")
    slider = browser.all(".fit input")[0]
    assert slider.get_attribute("min") == slider.get_attribute("max")
    assert not slider.is_enabled()


def test_the_slider_of_a_commit_names_the_commit(
    browser: Browser, page_of: Page, committed_shop: Path
) -> None:
    browser.open(page_of(committed_shop, "--at", "HEAD"), f"package/{SERVICE}")
    command = ("build-context", "-C", str(committed_shop), "orders/order-service", "--at", "HEAD")
    compare_cuts(browser, command)


def compare_cuts(browser: Browser, command: tuple[str, ...]) -> None:
    """Compare what the slider leaves of a package with the command, from the floor to all of it."""
    floor, full = browser.run(
        "const r = document.querySelector('.fit input'); return [Number(r.min), Number(r.max)]"
    )
    assert floor < full
    assert run(*command, "--fit", str(floor - 1)).code == 1
    assert run(*command, "--fit", str(full)).text == run(*command).text
    step = max(1, (full - floor) // 8)
    for budget in sorted({floor, floor + 9, *range(floor, full, step), full - 1, full}):
        browser.run(SLIDE, budget)
        browser.wait("return document.querySelector('.fit output').textContent.length > 0")
        browser.run(COPIED)
        copied = STAMP.sub("", browser.wait("return window.copied"))
        assert copied == run(*command, "--fit", str(budget)).text, budget


QUERIES = ["order", "refund charge", "pay*", '"the order"', "OrderService", "order -payment", "zzz"]


@pytest.mark.parametrize("root", [SHOP_ROOT, SHOP_0X, SPEC_SHOP], ids=["2.x", "0.x", "spec"])
def test_search_finds_what_the_command_finds(browser: Browser, page_of: Page, root: Path) -> None:
    browser.open(page_of(root))
    queries = [*QUERIES, "verification", "CART", "login_service", "audit money"]
    compare_search(browser, root, queries)


def compare_search(browser: Browser, root: Path, queries: list[str]) -> None:
    """Compare what the open page finds with the command."""
    for query in queries:
        words = [query] if query.startswith('"') else query.split()
        answer = json.loads(run("find", "-C", str(root), "--json", *words).text)
        browser.go(f"search?q={quote(query)}")
        browser.run("document.querySelector('#search').value = ''")
        browser.run(TYPE, query)
        shown = browser.run(RESULTS)
        results = answer["results"] if answer["complete"] else []
        assert [entry[:2] for entry in shown] == [
            [result["path"], f"{result['document']}:{result['line']}"] for result in results
        ], query
        for entry, result in zip(shown, results, strict=True):  # the command cuts long lines
            assert result["text"].removeprefix("...").removesuffix("...") in entry[2]


def test_search_folds_letters_as_the_command_does(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    text = "Straße, GRO\u1e9e, \u13a0\u13f0, the ﬁnal ΟΔΟΣ, 5 µm, İstanbul, \u0131lk and ilk.\n"
    write_graph(tmp_path, {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": text})
    browser.open(page_of(tmp_path))
    compare_search(
        browser,
        tmp_path,
        [
            "STRASSE",
            "STRA\u1e9eE",
            "gross",
            "\uab70\u13f8",
            "final",
            "οδος",
            "μm",
            "İSTANBUL",
            "ILK",
            "\u0131LK",
        ],
    )


def test_search_opens_the_first_result_or_the_chosen_one(browser: Browser, page_of: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(page_of(SHOP_ROOT))
    for key, choose in (("/", []), (Keys.CONTROL + "k", [Keys.ARROW_DOWN, Keys.ARROW_DOWN])):
        browser.press(key)
        browser.wait("return document.activeElement.id === 'search'")
        browser.press("refund")
        browser.wait("return document.querySelectorAll('.results a').length > 2")
        results = browser.run(
            "return [...document.querySelectorAll('.results a')].map((a) => a.hash)"
        )
        browser.press(*choose, Keys.ENTER)
        browser.wait("return location.hash === arguments[0]", results[len(choose)])


@pytest.mark.parametrize("root", [SHOP_ROOT, SPEC_SHOP], ids=["2.x", "spec"])
def test_impact_is_that_of_the_command(browser: Browser, page_of: Page, root: Path) -> None:
    compare_impacts(browser, page_of(root), root)


def test_impact_in_a_larger_spec_graph(browser: Browser, page_of: Page, tmp_path: Path) -> None:
    root = tmp_path / "layers"
    generator = REPOSITORY / "benchmarks" / "generate_specgraph.py"
    command = [sys.executable, str(generator), str(root), "--shape", "layers", "--nodes", "60"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    compare_impacts(browser, page_of(root), root)


def own_nodes(root: Path) -> list[str]:
    """Return the nodes of a graph, without those of other repositories."""
    export = json.loads(run("export", "-C", str(root), "--json").text)
    own = [node for node in export["nodes"] if node["repository"] == export["repository"]]
    return [node["path"] for node in own if node["kind"] == "node"]


def compare_impacts(browser: Browser, address: str, root: Path) -> None:
    """Compare the nodes that the page of each node lists with those of the command."""
    browser.open(address)
    for node in own_nodes(root):
        answer = json.loads(run("impact", "-C", str(root), node, "--json").text)
        total = {*answer["descendants"]}
        total |= {item["node"] for part in PARTS for item in answer.get(part, [])}
        browser.go(f"node/{quote(node, safe='')}")
        browser.wait(
            "return document.querySelector('.facts code').textContent === arguments[0]", node
        )
        assert set(browser.texts(".impact li a")) == total - {node}, node
        said = f"{len(total)} node" if total else "no other node"
        assert said in browser.texts(".impact")[0]


def test_the_header_names_the_commit_and_its_state(
    browser: Browser, page_of: Page, committed_shop: Path, tmp_path: Path
) -> None:
    root = shutil.copytree(committed_shop, tmp_path / "shop")
    commit = subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    browser.open(page_of(root))
    assert commit[:12] in browser.texts("header")[0]
    assert "clean" in browser.texts("header")[0]
    (root / "new.txt").touch()
    browser.open(page_of(root, "--drift"))
    assert "dirty" in browser.texts("header")[0]


def test_addresses_and_the_back_button_work(browser: Browser, page_of: Page) -> None:
    browser.open(page_of(SHOP_ROOT))
    browser.go(f"node/{SERVICE}")
    browser.wait("return document.querySelector('main h1').textContent === 'OrderService'")
    browser.driver.back()
    browser.wait("return document.querySelector('main h1').textContent === 'shop'")
    browser.driver.forward()
    browser.wait("return document.querySelector('main h1').textContent === 'OrderService'")


def test_the_keyboard_reaches_everything(browser: Browser, page_of: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(page_of(SHOP_ROOT))
    browser.tab_to("Issues")
    browser.press(Keys.ENTER)
    browser.wait("return document.querySelector('main h1').textContent === 'Issues'")
    browser.tab_to("Aspects")
    browser.press(Keys.ENTER)
    browser.wait("return document.querySelector('main h1').textContent === 'Aspects'")
    browser.go(f"package/{SERVICE}")
    browser.tab_to("Copy package")
    style = browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert style != "none"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 640, 1280])  # 640: a window of 1280 at 200 %
def test_axe_finds_nothing_and_nothing_is_cut_off(
    browser: Browser, page_of: Page, width: int, *, dark: bool
) -> None:
    browser.screen(width, dark=dark)
    found = {}
    for root, views in ((SHOP_ROOT, SHOP_VIEWS), (SPEC_SHOP, SPEC_VIEWS)):
        browser.open(page_of(root))
        for view in views:
            browser.go(view)
            browser.run(UNFOLD)
            assert browser.overflow() == 0, view
            if problems := browser.axe():
                found[root.name, view] = problems
    assert found == {}


def test_a_printed_page_has_all_texts_and_no_controls(browser: Browser, page_of: Page) -> None:
    browser.screen(media="print")
    browser.open(page_of(SHOP_ROOT), f"package/{SERVICE}")
    shown = "return [...document.querySelectorAll('.content')].every((e) => e.checkVisibility())"
    assert browser.run(shown)
    hidden = "return getComputedStyle(document.querySelector(arguments[0])).display"
    assert [browser.run(hidden, name) for name in ("nav.pages", ".copy")] == ["none", "none"]
    assert browser.run("return getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    browser.go("")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert all(browser.run("return [...document.querySelectorAll('details')].map((e) => e.open)"))


def test_the_change_view_shows_what_differs(
    browser: Browser, page_of: Page, committed_shop: Path, tmp_path: Path
) -> None:
    root = shutil.copytree(committed_shop, tmp_path / "shop")
    shutil.rmtree(root / ".yggdrasil/model/email-service")
    write(
        root,
        {
            ".yggdrasil/model/orders/refunds/yg-node.yaml": (
                "name: Refunds\ntype: service\n"
                "relations: [{target: payments/payment-service, type: calls}]\n"
            ),
            ".yggdrasil/model/shared/money/responsibility.md": "Amounts, exact.\n",
        },
    )
    browser.open(page_of(root, "--diff", "HEAD"), "changes")
    assert browser.texts("nav.pages li:not(.find) a") == [*PAGES, "Changes"]
    lists = browser.texts(".change-list > li")
    assert any(
        line.startswith("+\N{NO-BREAK SPACE}added") and "orders/refunds" in line for line in lists
    )
    assert any(
        line.startswith("\N{MINUS SIGN}\N{NO-BREAK SPACE}removed") and "email-service" in line
        for line in lists
    )
    assert any(
        line.startswith("~\N{NO-BREAK SPACE}changed") and "responsibility.md" in line
        for line in lists
    )
    names = browser.texts(".boxes .name")
    assert "\N{MINUS SIGN} email-service" in names
    assert any(name.startswith("~ Orders") for name in names)
    browser.run("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    browser.wait("return document.querySelectorAll('.sides').length > 0")
    assert "+ Amounts, exact." in browser.texts(".sides .new")
    assert "New issues" in browser.texts("h2")
    assert browser.axe() == []
    browser.screen(360)
    assert browser.overflow() == 0


def test_nodes_of_other_repositories_are_shown_as_such(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    target = "billing::payments/ledger"
    node = f'{NODE}external: [{{target: "{target}", type: calls, consumes: [post]}}]\n'
    root = write_graph(
        tmp_path, {"model/orders/yg-node.yaml": node, "imports/billing.jsonl": billing_import()}
    )
    browser.open(page_of(root))
    assert browser.texts(".facts span")[0] == "1 node"
    assert "of acme-billing" in browser.texts(".boxes a.outside")[0]
    compare_search(browser, root, ["ledger", "post", "books"])
    browser.go(f"node/{quote(target, safe='')}")
    browser.wait(
        "return document.querySelector('.facts code').textContent === arguments[0]", target
    )
    assert browser.texts(".impact li a") == ["orders"]
    assert browser.axe() == []
    browser.go("package/orders")
    browser.wait("return document.querySelector('.copy button') !== null")
    browser.run(COPIED)
    assert (
        browser.wait("return window.copied") == run("build-context", "-C", str(root), "orders").text
    )


def test_a_broken_graph_is_shown_with_its_issues(
    browser: Browser, page_of: Page, tmp_path: Path
) -> None:
    write_graph(
        tmp_path,
        {
            "model/a/yg-node.yaml": f"{NODE}relations: [{{target: gone, type: uses}}]\n",
            "model/b/yg-node.yaml": "name: [\n",
            "model/c/yg-node.yaml": NODE,
            "model/c/responsibility.md": b"\xff\xfe\x00broken",
            "yg-config.yaml": "name: 12\n",
            "aspects/x/yg-aspect.yaml": "name: [\n",
        },
    )
    browser.open(page_of(tmp_path))
    assert "E0" in browser.texts(".panel")[0]
    assert "does not exist" in " ".join(browser.texts(".list"))
    assert "could not be read" in " ".join(browser.texts(".list"))
    for view in ("node/a", "node/b", "node/c", "package/c", "package/b", "issues", "aspect/x"):
        browser.go(view)
        assert browser.axe() == []
