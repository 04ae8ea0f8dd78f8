"""Write the pictures of the explorer for the documentation: `python tests/pictures.py docs`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from browser import started
from support import SHOP_ROOT, run

VIEWS = {"overview": "", "node": "node/orders%2Forder-service"}
HEIGHTS = {"overview": 1100, "node": 760}


def main(folder: str) -> None:
    """Show the example in light and dark, outside git, so that no commit is in the picture."""
    with tempfile.TemporaryDirectory() as place, started() as browser:
        root = Path(place) / "shop"
        shutil.copytree(SHOP_ROOT, root, ignore=shutil.ignore_patterns("__pycache__"))
        page = Path(place) / "page.html"
        run("export", "-C", str(root), "--format", "html", "-o", str(page))
        for is_dark in (False, True):
            for name, view in VIEWS.items():
                browser.screen(1120, HEIGHTS[name], dark=is_dark)
                browser.open(page.as_uri(), view)
                suffix = "-dark" if is_dark else ""
                browser.picture(Path(folder) / f"explorer-{name}{suffix}.png", HEIGHTS[name])


if __name__ == "__main__":
    main(sys.argv[1])
