"""A browser without a window, driven by tests."""

from __future__ import annotations

import base64
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
AXE = Path(__file__).parent / "axe" / "axe.min.js"
PATIENCE = 30  # seconds; nothing here is measured
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Browser:
    """A browser with one tab at a time, and what tests do with it."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def screen(
        self, width: int = 1280, height: int = 900, *, dark: bool = False, media: str = ""
    ) -> None:
        """Set the size of the window, the colours that the user prefers and the medium."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)
        self.command("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def open(self, address: str, view: str = "") -> None:
        """Open a page at a view, from the beginning."""
        self.driver.get("about:blank")
        self.driver.get(f"{address}#/{view}")
        self.wait("return document.querySelector('main h1') !== null")

    def go(self, view: str) -> None:
        """Change the address of an open page."""
        self.run("location.hash = arguments[0]", f"#/{view}")
        self.wait("return document.querySelector('main h1') !== null")

    def wait(self, script: str, *values: Any) -> Any:
        """Wait until a script returns something true."""
        return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(
            lambda driver: driver.execute_script(script, *values)
        )

    def run(self, script: str, *values: Any) -> Any:
        """Run a script and return its value."""
        return self.driver.execute_script(script, *values)

    def command(self, name: str, **values: Any) -> Any:
        """Send a command to the browser itself."""
        return self.driver.execute_cdp_cmd(name, values)

    def all(self, selector: str) -> list[WebElement]:
        """Return the elements that a selector finds."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        """Return the texts of the elements that a selector finds."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent.trim())",
            selector,
        )
        return found

    @property
    def heading(self) -> str:
        """The heading of the view."""
        return self.texts("main h1")[0]

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def tab_to(self, text: str) -> None:
        """Press Tab until the focus is on a link or a button with a text."""
        for _ in range(200):
            self.driver.switch_to.active_element.send_keys(Keys.TAB)
            if self.run("return document.activeElement.textContent.trim()") == text:
                return
        raise AssertionError(f"the keyboard does not reach '{text}'")

    def problems(self) -> list[str]:
        """Return what the browser had to complain about, and forget it."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def axe(self) -> list[str]:
        """Return what axe-core finds wrong with the view."""
        self.run(AXE.read_text(encoding="utf-8"))
        found: list[str] = self.driver.execute_async_script(
            """const done = arguments[0];
            axe.run().then((result) => done(result.violations.map((each) =>
              each.id + ": " + each.nodes.map((node) => node.html.slice(0, 120)).join(" | "))));"""
        )
        return found

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        width: int = self.run(
            "const d = document.documentElement; return d.scrollWidth - d.clientWidth"
        )
        return width

    def picture(self, file: Path, height: int = 0) -> None:
        """Write what the page looks like, from its top down to a height or to its end."""
        width, whole = self.run(
            "const d = document.documentElement; return [d.clientWidth, d.scrollHeight]"
        )
        clip = {"x": 0, "y": 0, "width": width, "height": min(height or whole, whole), "scale": 1}
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        file.write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def started() -> Iterator[Browser]:
    """Start a browser with a profile of its own, and end it."""
    profile = tempfile.mkdtemp(prefix="yg-browser-")
    options = ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for option in (*OPTIONS, f"--user-data-dir={profile}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)
