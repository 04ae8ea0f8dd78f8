"""A served page follows the graph, in any number of tabs, without losing the view."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import NODE, write_graph
from yg.surfaces.explorer.server import Server
from yg.surfaces.explorer.source import PageSource
from yg.workspace.opening import open_workspace

if TYPE_CHECKING:
    from browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TEXT = "return document.querySelector('.prose')?.textContent.includes(arguments[0])"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    texts = {"model/a/responsibility.md": "Before.\n" + "Line.\n\n" * 200}
    return write_graph(tmp_path, {"model/a/yg-node.yaml": NODE, **texts})


@pytest.fixture
def server(root: Path) -> Iterator[Server]:
    source = PageSource(lambda: open_workspace(str(root), uses_index=False))
    with Server(0, source) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found
        found.shutdown()


def test_two_tabs_follow_a_change_and_keep_their_views(
    browser: Browser, server: Server, root: Path
) -> None:
    browser.open(server.address, "node/a")
    browser.run("scrollTo(0, 300)")
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.screen()
    browser.open(server.address, "issues")
    write_graph(root, {"model/a/responsibility.md": "After.\n" + "Line.\n\n" * 200})
    write_graph(root, {"model/b/yg-node.yaml": "name: [\n"})
    browser.wait("return document.querySelector('main').textContent.includes('model/b/')")
    assert "refreshed" in browser.texts("header")[0]
    browser.driver.close()
    browser.driver.switch_to.window(first)
    browser.wait(TEXT, "After.")
    assert browser.run("return [location.hash, scrollY]") == ["#/node/a", 300]
    browser.driver.get("about:blank")


def test_a_page_says_when_its_server_is_gone(browser: Browser, root: Path) -> None:
    command = [sys.executable, "-m", "yg", "explore", "-C", str(root), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        browser.open(process.stdout.readline().strip())
        process.terminate()
    browser.wait("return document.querySelector('header').textContent.includes('does not answer')")
    browser.driver.get("about:blank")
    assert any("ERR_" in problem for problem in browser.problems())
