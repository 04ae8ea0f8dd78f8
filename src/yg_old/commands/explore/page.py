"""The page as one HTML document with its data, which loads nothing from anywhere.

A browser runs only the script and the style whose digests the page names, so nothing in a graph can
run. The data are compressed, and base64 has no character that could end their element.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from json import dumps
from typing import TYPE_CHECKING

from yg_old.kernel.document import plain

if TYPE_CHECKING:
    from yg_old.commands.explore.document import ExplorerDocument

LEVEL = 9  # of compression, fixed so that the same data make the same bytes
RAW = -15  # without a header, as the browser's `deflate-raw` expects

_PAGE = """\
<!DOCTYPE html>
<html lang="en"{version}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="page"><noscript><p>This page needs JavaScript.</p></noscript></div>
<script type="text/plain" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def page_text(document: ExplorerDocument, version: str = "") -> str:
    """Return the page; with the version of its data, it asks its server for a newer one."""
    return _PAGE.format(
        version=f' data-version="{version}"' if version else "",
        policy=policy(is_served=bool(version)),
        title=escape(document.repository.name[:200].encode("utf-8", "replace").decode()),
        style=_asset("style.css"),
        script=_asset("page.js"),
        data=_packed(data_bytes(document)),
    )


def data_bytes(document: ExplorerDocument) -> bytes:
    """Return the data as JSON without spaces."""
    text = dumps(plain(document), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes a JSON escape


def policy(*, is_served: bool) -> str:
    """Return the Content-Security-Policy: our script and style, and the server if there is one."""
    parts = [
        "default-src 'none'",
        f"script-src '{_digest('page.js')}'",
        f"style-src '{_digest('style.css')}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    if is_served:
        parts.append("connect-src 'self'")
    return "; ".join(parts)


def _packed(content: bytes) -> str:
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW)
    return b64encode(compressor.compress(content) + compressor.flush()).decode("ascii")


@cache
def _asset(name: str) -> str:
    return files("yg_old.surfaces.explorer").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _digest(name: str) -> str:
    return "sha256-" + b64encode(sha256(_asset(name).encode()).digest()).decode("ascii")
