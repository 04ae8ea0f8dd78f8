"""A browser for the tests of the explorer, if there is one, and pages to open in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from support import run

if TYPE_CHECKING:
    from browser import Browser

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
