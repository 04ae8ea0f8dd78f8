"""Write the pictures of the explorer for the documentation: `python tests/pictures.py docs`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from browser import started
from support import SHOP_ROOT, run

VIEWS = {"overview": "", "node": "node/orders%2Forder-service"}
HEIGHT = 760


def main(folder: str) -> None:
    """Show the example in light and dark, outside git, so that no commit is in the picture."""
    with tempfile.TemporaryDirectory() as place, started() as browser:
        root = Path(place) / "shop"
        shutil.copytree(SHOP_ROOT, root, ignore=shutil.ignore_patterns("__pycache__"))
        page = Path(place) / "page.html"
        run("export", "-C", str(root), "--format", "html", "-o", str(page))
        for is_dark in (False, True):
            browser.screen(1120, HEIGHT, dark=is_dark)
            for name, view in VIEWS.items():
                browser.open(page.as_uri(), view)
                suffix = "-dark" if is_dark else ""
                browser.picture(Path(folder) / f"explorer-{name}{suffix}.png", HEIGHT)


if __name__ == "__main__":
    main(sys.argv[1])
