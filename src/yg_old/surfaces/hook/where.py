"""Where a graph is, and which of its files a path means."""

from __future__ import annotations

import os

from yg_old.yggdrasil.places import FOLDER


def root_of(directory: str) -> str:
    """Return the nearest directory with a graph; empty if there is none."""
    place = os.path.abspath(directory)
    while not os.path.isdir(os.path.join(place, FOLDER)):
        above = os.path.dirname(place)
        if above == place:
            return ""
        place = above
    return place


def inside_root(root: str, file: str) -> str:
    """Return the path of a file below a root; empty if it is elsewhere."""
    for base, path in ((root, file), (os.path.realpath(root), _resolved(file))):
        if path.startswith(os.path.join(base, "")):
            return os.path.relpath(path, base).replace(os.sep, "/")
    return ""


def _resolved(file: str) -> str:
    """Return a path with the links above the file resolved, but not the file."""
    return os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file))
