"""The local cache folder: never committed, safe to delete at any time."""

from __future__ import annotations

import os
import stat

NAME = ".cache"
JOURNAL = "journal"  # of a write to several files
_IGNORE_EVERYTHING = b"*\n"


def cache_folder(root: str, graph: str) -> str | None:
    """Return the cache folder of a graph, created if missing; None if that fails."""
    path = os.path.join(root, graph, NAME)
    try:
        os.makedirs(path, exist_ok=True)
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            return None  # a link may point anywhere
        # Its own .gitignore keeps it out of git, also in graphs created by other tools.
        ignore = os.path.join(path, ".gitignore")
        if not os.path.lexists(ignore):
            with open(ignore, "xb") as file:
                file.write(_IGNORE_EVERYTHING)
    except FileExistsError:
        return path if os.path.isdir(path) else None  # another process was faster
    except OSError:
        return None
    return path


def journal_of(root: str, graph: str) -> str:
    """Return the path of the journal of a graph."""
    return os.path.join(root, graph, NAME, JOURNAL)
