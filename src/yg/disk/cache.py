"""The local folder for what can be worked out again: never committed, deleted at any time."""

from __future__ import annotations

import os
import stat

NAME = ".cache"
_IGNORE_EVERYTHING = b"*\n"


def cache_folder(root: str, graph: str) -> str | None:
    """Return the cache directory of a graph's folder, made if need be; None if there is none."""
    path = os.path.join(root, graph, NAME)
    try:
        os.makedirs(path, exist_ok=True)
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            return None  # a link may lead anywhere
        # Its own .gitignore keeps it out of git even in a graph that another tool made.
        ignore = os.path.join(path, ".gitignore")
        if not os.path.lexists(ignore):
            with open(ignore, "xb") as file:
                file.write(_IGNORE_EVERYTHING)
    except FileExistsError:
        return path if os.path.isdir(path) else None  # another process was faster
    except OSError:
        return None
    return path
