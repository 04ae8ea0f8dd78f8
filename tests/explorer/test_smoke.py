"""The page works: what a reader does first, in a real browser; other tests look at the rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import SHOP_ROOT, run, write_graph

if TYPE_CHECKING:
    from browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Page = Callable[..., str]
SERVICE = "orders/order-service"
COPY = """
    window.copied = null;
    navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };
    document.querySelector(".copy button").click();
"""
HEADING = "return document.querySelector('main h1').textContent === arguments[0]"


def test_from_the_overview_to_a_package(browser: Browser, page_of: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(page_of(SHOP_ROOT))
    pages = ["Overview", "Issues", "Drift", "Coverage", "Aspects", "Flows"]
    assert browser.texts("nav.pages li:not(.find) a") == pages
    assert browser.axe() == []
    browser.all(".boxes a[href='#/overview/orders']")[0].click()
    browser.wait(HEADING, "Orders")
    browser.all(f".list a[href='#/node/{SERVICE.replace('/', '%2F')}']")[0].click()
    browser.wait(HEADING, "OrderService")
    browser.tab_to("Package")
    browser.press(Keys.ENTER)
    browser.wait(HEADING, "Package of OrderService")
    browser.run(COPY)
    expected = run("build-context", "-C", str(SHOP_ROOT), SERVICE).text
    assert browser.wait("return window.copied") == expected
    browser.driver.back()
    browser.wait(HEADING, "OrderService")
    browser.press("/")
    browser.wait("return document.activeElement.id === 'search'")
    browser.press("provider", Keys.ENTER)
    browser.wait(HEADING, "PaymentService")


def test_nothing_of_a_graph_runs(browser: Browser, page_of: Page, tmp_path: Path) -> None:
    code = "<img src=x onerror=window.pwned=1></script><script>window.pwned=1</script>"
    node = f"name: '{code}'\ntype: service\n"
    texts = {"model/a/responsibility.md": f"{code}\n\n[x](javascript:window.pwned=1)\n"}
    write_graph(tmp_path, {"model/a/yg-node.yaml": node, **texts})
    browser.open(page_of(tmp_path))
    for view in ("node/a", "package/a", "search?q=pwned"):
        browser.go(view)
        assert browser.run("return window.pwned") is None
        assert browser.all("main script, main img, main a[href^='javascript']") == []
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
