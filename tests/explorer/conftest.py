"""A browser for the tests of the explorer, if there is one, and pages to open in it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from hostile import commit_all
from support import run, write

if TYPE_CHECKING:
    from browser import Browser

LINES = "\\n".join([r"\1assert 'a line of code that takes some room & <b>more</b>'"] * 3)
NEEDED = "YG_NEEDS_BROWSER"  # set where a missing browser is a failure


@pytest.fixture(scope="session")
def any_browser() -> Iterator[Browser]:
    """Start a browser; skip the test if there is none."""
    try:
        from browser import CHROMIUM, DRIVER, started
    except ImportError as error:
        _missing(f"{error.name} is not installed")
    if not (CHROMIUM and DRIVER):
        _missing("there is no chromium with its driver on this machine")
    with started() as found:
        yield found


def _missing(reason: str) -> NoReturn:
    if os.environ.get(NEEDED) == "1":
        pytest.fail(reason)
    pytest.skip(f"no browser: {reason}")


@pytest.fixture
def browser(any_browser: Browser) -> Iterator[Browser]:
    """Return a browser with a window of the usual size; a test must leave nothing to complain."""
    any_browser.screen()
    any_browser.problems()
    yield any_browser
    assert any_browser.problems() == []


@pytest.fixture(scope="session")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Return a function that exports the page of a repository and returns its address."""
    folder = tmp_path_factory.mktemp("pages")
    known: dict[tuple[str, ...], str] = {}

    def page(root: Path, *options: str) -> str:
        key = (str(root), *options)
        if key not in known:
            file = folder / f"{len(known)}.html"
            outcome = run("export", "-C", str(root), "--format", "html", "-o", str(file), *options)
            assert outcome.code == 0, outcome.notes
            assert outcome.text == ""
            known[key] = file.as_uri()
        return known[key]

    return page


@pytest.fixture(scope="session")
def drifted_shop(committed_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the example after changes of its code: of a node, its dependencies, its ancestor."""
    root = shutil.copytree(committed_shop, tmp_path_factory.mktemp("drifted") / "shop")
    above = root / ".yggdrasil" / "model" / "orders" / "yg-node.yaml"
    above.write_text(f"{above.read_text()}\nmapping: {{paths: [src/shop/limits.py]}}\n")
    write(root, {"src/shop/limits.py": "def limit() -> int:\n    return 3\n"})
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    commit_all(root)
    for file in (root / "src").rglob("*.py"):
        text = file.read_text().replace("4_90", "5_90")
        file.write_text(re.sub(r"\n( +)return ", rf"\n{LINES}\n\1return ", text))
    return root
