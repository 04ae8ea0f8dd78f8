"""File addresses: between the URIs of an editor and paths of the file system."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit


def path_of(uri: str) -> str | None:
    """Return the path of a file; None for anything else, such as an untitled buffer."""
    try:
        parts = urlsplit(uri)
        path = os.fsdecode(unquote_to_bytes(parts.path))
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    return None if "\0" in path or not os.path.isabs(path) else os.path.normpath(path)


def uri_of(path: str) -> str:
    """Return the URI of an absolute path."""
    return Path(path).as_uri()
