"""What a reader sees and does, in a real browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from support import NODE, REPOSITORY, SHOP_ROOT, run, write, write_graph

if TYPE_CHECKING:
    from browser import Browser

pytestmark = pytest.mark.browser

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
PARTS = ("direct", "transitive", "events")  # of an impact, besides descendants
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


def test_every_page_links_the_pages(browser: Browser, page_of: Page) -> None:
    browser.open(page_of(SHOP_ROOT))
    for view in SHOP_VIEWS:
        browser.go(view)
        assert browser.texts("nav.pages li:not(.find) a") == PAGES


def test_a_box_leads_to_its_level_or_to_its_node(browser: Browser, page_of: Page) -> None:
    browser.open(page_of(SHOP_ROOT))
    links = browser.run(
        "return Object.fromEntries([...document.querySelectorAll('.boxes a')].map("
        "(a) => [a.querySelector('.name').textContent, a.getAttribute('href')]))"
    )
    assert links == {
        "EmailService": "#/node/email-service",
        "Inventory": "#/overview/inventory",
        "Orders": "#/overview/orders",
        "Payments": "#/overview/payments",
        "Shared": "#/overview/shared",
    }
    browser.go("overview/orders")
    assert browser.all(".facts a[href='#/node/orders']") != []
    assert "payments" in browser.texts(".boxes a.outside .name")


def test_the_matrix_stands_in_the_order_of_the_plan(browser: Browser, page_of: Page) -> None:
    plan = json.loads(run("plan", "-C", str(SHOP_ROOT), "--all", "--json").text)
    order = [path for stage in plan["stages"] for path in stage]
    tops = {path.split("/")[0]: place for place, path in enumerate(order)}
    browser.open(page_of(SHOP_ROOT), "overview?as=matrix")
    rows = browser.run(
        "return [...document.querySelectorAll('.matrix tbody th a')].map((a) => a.title)"
    )
    assert rows == sorted(tops, key=lambda path: tops[path])
    assert browser.all(".matrix .backward") == []


def test_a_cycle_stands_below_the_diagonal(browser: Browser, page_of: Page, tmp_path: Path) -> None:
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


@pytest.mark.parametrize("root", [SHOP_ROOT, SHOP_0X, SPEC_SHOP], ids=["2.x", "0.x", "spec"])
def test_copy_gives_the_bytes_of_build_context(
    browser: Browser, page_of: Page, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.open(page_of(root))
    nodes = json.loads(run("export", "-C", str(root), "--json").text)["nodes"]
    for node in (node["path"] for node in nodes if node["kind"] == "node"):
        browser.go(f"package/{node.replace('/', '%2F')}")
        browser.wait("return document.querySelector('.copy button') !== null")
        browser.run(COPIED)
        copied = browser.wait("return window.copied")
        if root == SHOP_0X:  # it has the time at which it was made
            stamp = copied.split("\n# Generated: ")[1].split("\n")[0]
            copied = copied.replace(f"\n# Generated: {stamp}", "")
        options = ["--no-stamp"] if root == SHOP_0X else []
        assert copied == run("build-context", "-C", str(root), node, *options).text


def test_the_slider_fits_as_the_command_does(browser: Browser, page_of: Page) -> None:
    node = "orders/order-service"
    browser.open(page_of(SHOP_ROOT), f"package/{SERVICE}")
    floor, full = browser.run(
        "const r = document.querySelector('.fit input'); return [Number(r.min), Number(r.max)]"
    )
    command = ("build-context", "-C", str(SHOP_ROOT), node)
    assert run(*command, "--fit", str(floor - 1)).code == 1
    assert f'token-count="{full}"' in run(*command).text
    for budget in sorted({floor, floor + 9, *range(floor, full, 400), full - 1, full}):
        browser.run(SLIDE, budget)
        browser.wait("return document.querySelector('.fit output').textContent.length > 0")
        browser.run(COPIED)
        assert browser.wait("return window.copied") == run(*command, "--fit", str(budget)).text


QUERIES = ["order", "refund charge", "pay*", '"the order"', "OrderService", "order -payment", "zzz"]


@pytest.mark.parametrize("root", [SHOP_ROOT, SHOP_0X, SPEC_SHOP], ids=["2.x", "0.x", "spec"])
def test_search_finds_what_the_command_finds(browser: Browser, page_of: Page, root: Path) -> None:
    browser.open(page_of(root))
    for query in [*QUERIES, "verification", "CART", "login_service", "audit money"]:
        words = [query] if query.startswith('"') else query.split()
        answer = json.loads(run("find", "-C", str(root), "--json", *words).text)
        browser.go(f"search?q={quote(query)}")
        browser.run("document.querySelector('#search').value = ''")
        browser.run(TYPE, query)
        shown = browser.run(RESULTS)
        assert shown == [
            [each["path"], f"{each['document']}:{each['line']}", each["text"]]
            for each in answer["results"]
        ], query


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


def test_impact_is_that_of_the_command(browser: Browser, page_of: Page) -> None:
    browser.open(page_of(SHOP_ROOT))
    for node in ("orders/order-service", "payments/payment-service", "shared/money", "orders"):
        answer = json.loads(run("impact", "-C", str(SHOP_ROOT), node, "--json").text)
        browser.go(f"node/{node.replace('/', '%2F')}")
        browser.wait("return location.hash.includes(arguments[0])", node.split("/")[-1])
        total = {*answer["descendants"]}
        total |= {each["node"] for part in PARTS for each in answer[part]}
        said = "no other node" if not total else f"{len(total)} node"
        browser.wait(
            "return [...document.querySelectorAll('.side section')].some((s) => "
            "s.textContent.startsWith('Impact') && s.textContent.includes(arguments[0]))",
            said,
        )


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
            browser.run("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
            assert browser.overflow() == 0, view
            if problems := browser.axe():
                found[root.name, view] = problems
    assert found == {}


def test_a_printed_page_has_all_texts_and_no_controls(browser: Browser, page_of: Page) -> None:
    browser.screen(media="print")
    browser.open(page_of(SHOP_ROOT), f"package/{SERVICE}")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert all(browser.run("return [...document.querySelectorAll('details')].map((e) => e.open)"))
    hidden = "return getComputedStyle(document.querySelector(arguments[0])).display"
    assert [browser.run(hidden, name) for name in ("nav.pages", ".copy")] == ["none", "none"]
    assert browser.run("return getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


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
    assert any(line.startswith("+ added") and "orders/refunds" in line for line in lists)
    assert any(
        line.startswith("\N{MINUS SIGN} removed") and "email-service" in line for line in lists
    )
    assert any(line.startswith("~ changed") and "responsibility.md" in line for line in lists)
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
