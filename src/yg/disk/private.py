"""Private folders: the files that yg keeps for itself about a graph, outside of any repository.

Each graph has one folder in the user's cache directory, named by a digest of the path of its root.
No clone and no archive can contain it, and nobody else can write to it. A folder or a file that
another user owns, or that others can read or write, was not made here and is never used.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from bisect import bisect_left
from contextlib import suppress
from hashlib import sha256

ROOT = "root"  # the file in a folder with the path of its root
MOST_CHECKED = 200  # folders of other roots that one run looks at
MOST_REMOVED = 20
_A_DAY = 24 * 60 * 60  # seconds; no run takes that long
_DIGITS = 32  # of the name of a folder
_LONGEST = 16_384  # bytes of the path of a root
_FOLDER, _FILE, _OTHERS = 0o700, 0o600, 0o077
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_OLD = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW


def cache_folder(root: str, graph: str) -> str:
    """Return the folder of a graph in the user's cache directory, created if it is missing.

    Empty if there is no cache directory, it cannot be written or is part of the work tree.
    """
    return _folder(_cache_directory(), "yg", root, graph)


def state_folder(root: str, graph: str) -> str:
    """Return the folder of a graph for locks and journals, created if it is missing.

    Without a usable cache directory it is in the system's temporary directory; else empty.
    """
    named = os.environ.get("TMPDIR", "")
    temporary = named if os.path.isabs(named) else "/tmp"  # noqa: S108
    return cache_folder(root, graph) or _folder(temporary, f"yg-{os.geteuid()}", root, graph)


def _cache_directory() -> str:
    """Return the user's cache directory; empty if the user has no home."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return named
    # An empty HOME is none, but `expanduser` takes it for the root directory.
    home = "" if os.environ.get("HOME") == "" else os.path.expanduser("~")
    usual = os.path.join("Library", "Caches") if sys.platform == "darwin" else ".cache"
    return os.path.join(home, usual) if os.path.isabs(home) else ""


def _folder(base: str, name: str, root: str, graph: str) -> str:
    """Return the folder of a graph below a directory; empty if it cannot be used."""
    if not base:
        return ""
    try:
        base, root = os.path.realpath(base), os.path.realpath(root)
        if _is_in_work_tree(base, root):
            return ""
        top = os.path.join(base, name)
        folder = os.path.join(top, _digest(root, graph))
        if not os.path.lexists(folder):
            _make(base, top, folder, root)
        is_usable = _is_safe(os.stat(base)) and _is_private_folder(top)
        is_usable = is_usable and _is_private_folder(folder) and _can_write(folder)
    except (OSError, ValueError):
        return ""  # missing, or not allowed
    return folder if is_usable else ""


def _digest(root: str, graph: str) -> str:
    return sha256(os.fsencode(f"{root}\0{graph}")).hexdigest()[:_DIGITS]


def _is_in_work_tree(path: str, root: str) -> bool:
    """Return whether a directory is in a root, or in the work tree that the root belongs to."""
    top = place = root
    while not os.path.lexists(os.path.join(place, ".git")):
        place, below = os.path.dirname(place), place
        if place == below:
            break
    else:
        top = place
    return os.path.commonpath((path, top)) == top


def _is_safe(base: os.stat_result) -> bool:
    """Return whether nobody but the user and root can replace the folders in a directory."""
    is_shared = base.st_mode & stat.S_IWOTH and not base.st_mode & stat.S_ISVTX
    return base.st_uid in (os.geteuid(), 0) and not is_shared


def _is_private_folder(path: str) -> bool:
    status = os.lstat(path)
    return stat.S_ISDIR(status.st_mode) and _is_own(status)


def _can_write(folder: str) -> bool:
    is_effective = os.access in os.supports_effective_ids
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=is_effective)


def _is_own(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS


def _make(base: str, top: str, folder: str, root: str) -> None:
    """Make the folder of a root, and remove those of some roots that are gone."""
    os.makedirs(base, _FOLDER, exist_ok=True)
    if not _is_safe(os.stat(base)):
        return
    for path in (top, folder):
        with suppress(FileExistsError):
            os.mkdir(path, _FOLDER)
        if not _is_private_folder(path):
            return
    try:
        make_private(os.path.join(folder, ROOT), os.fsencode(root))
    except FileExistsError:
        return  # another process was faster
    except OSError:
        os.rmdir(folder)
        raise
    _remove_gone(top, os.path.basename(folder))


# Folders of roots that are gone.


def _remove_gone(top: str, own: str) -> None:
    """Remove the folders of roots that are gone; each run checks only some of all folders."""
    names = sorted(name for name in os.listdir(top) if len(name) == _DIGITS)
    start = bisect_left(names, own)  # names are digests, so this is different for each root
    checked = [*names[start:], *names[:start]][1 : 1 + MOST_CHECKED]
    gone = [path for name in checked if _is_gone(path := os.path.join(top, name))]
    for path in gone[:MOST_REMOVED]:
        with suppress(OSError):  # another process was faster
            for name in os.listdir(path):
                os.unlink(os.path.join(path, name))
            os.rmdir(path)


def _is_gone(folder: str) -> bool:
    """Return whether a folder is private and its root is gone."""
    try:
        if not _is_private_folder(folder):
            return False
        root = _root_of(folder)
        if not root:  # it is being made, or its process was killed
            return time.time() - os.lstat(folder).st_mtime > _A_DAY
        return not os.path.isdir(root)
    except (OSError, ValueError):
        return False


def _root_of(folder: str) -> bytes:
    """Return the root that a folder is for; empty if it does not say."""
    path = os.path.join(folder, ROOT)
    if not is_private_file(path, _LONGEST):
        return b""
    handle = os.open(path, _OLD)
    try:
        return os.read(handle, _LONGEST)
    finally:
        os.close(handle)


# Files.


def is_private_file(path: str, most: int) -> bool:
    """Return whether a path is a regular file of at most so many bytes that only the user can read.

    A link is none.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and _is_own(status) and status.st_size <= most


def make_private(path: str, content: bytes = b"") -> None:
    """Create a short file; raises OSError, also if it exists."""
    handle = os.open(path, _NEW, _FILE)
    try:
        os.write(handle, content)
    finally:
        os.close(handle)


def remove_private(path: str) -> None:
    """Remove a file of a private folder, if it is there."""
    with suppress(OSError):  # a directory, or another process was faster
        os.unlink(path)
