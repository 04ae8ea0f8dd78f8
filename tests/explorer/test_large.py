"""A graph of three thousand nodes makes one file that a browser opens and shows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import REPOSITORY

if TYPE_CHECKING:
    from browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_three_thousand_nodes(
    browser: Browser, page_of: Callable[..., str], tmp_path: Path
) -> None:
    generator = REPOSITORY / "benchmarks" / "generate.py"
    command = [sys.executable, str(generator), str(tmp_path / "large"), "--nodes", "3000"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    address = page_of(tmp_path / "large")
    assert Path(address.removeprefix("file://")).stat().st_size < 4_000_000
    browser.open(address)
    assert "3,000 nodes" in browser.texts(".facts")[0]
    assert 12 <= len(browser.all(".matrix tbody tr")) <= 40
    browser.go("search?q=payment")
    browser.wait("return document.querySelectorAll('.results a').length === 20")
    browser.go("overview/n000005")
    assert browser.axe() == []
    assert browser.overflow() == 0
