"""Private folders: the files that yg keeps for itself about a graph, outside of any repository.

Each graph has one folder in the user's cache directory, named by a digest of the path of its root.
No clone and no archive can contain it, and nobody else can write to it. A folder or a file that
another user owns, or that others can read or write, was not made here and is never read.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from bisect import bisect_left
from contextlib import suppress
from hashlib import sha256

from yg_old.disk.files.temporary import A_DAY, clear_abandoned, temporary_path
from yg_old.disk.upwards import upwards

ROOT = "root"  # the file in a folder with the path of its root
LONGEST = 16_384  # bytes of that path
MOST_CHECKED = 200  # folders of other roots that one run looks at
MOST_REMOVED = 20
_DIGITS = 32  # of the name of a folder
_FOLDER, _FILE, _OTHERS = 0o700, 0o600, 0o077
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
_OLD = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK


def cache_folder(root: str, graph: str) -> str:
    """Return the folder of a graph in the user's cache directory, created if it is missing.

    Empty if there is no cache directory, it cannot be written or is part of the work tree.
    """
    return _folder(_cache_directory(), "yg", root, graph, makes=True)


def user_folder(directory: str) -> str:
    """Return the folder in the user's cache directory that has those of all graphs.

    Empty under the same conditions, for the work tree that a directory belongs to.
    """
    base = _cache_directory()
    try:
        if not base or _is_in_work_tree(os.path.realpath(base), os.path.realpath(directory)):
            return ""
        top = os.path.join(os.path.realpath(base), "yg")
        if not os.path.lexists(top):
            os.makedirs(top, _FOLDER, exist_ok=True)
        is_usable = _is_safe(os.stat(os.path.dirname(top))) and _is_private_folder(top)
    except (OSError, ValueError):
        return ""  # missing, or not allowed
    return top if is_usable and _can_write(top) else ""


def state_folder(root: str, graph: str) -> str:
    """Return the folder for locks, journals and records, created if it is missing.

    Without a usable cache directory it is in the system's temporary directory; else empty.
    """
    return cache_folder(root, graph) or _folder(*_temporary(), root, graph, makes=True)


def known_state_folder(root: str, graph: str) -> str:
    """Return the folder for locks, journals and records; empty if there is none yet."""
    places = ((_cache_directory(), "yg"), _temporary())
    found = (_folder(*place, root, graph, makes=False) for place in places)
    return next(filter(None, found), "")


def _cache_directory() -> str:
    """Return the user's cache directory; empty if the user has no home."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return named
    home = os.path.expanduser("~")
    usual = os.path.join("Library", "Caches") if sys.platform == "darwin" else ".cache"
    return os.path.join(home, usual) if os.path.isabs(home) else ""


def _temporary() -> tuple[str, str]:
    """Return the system's temporary directory and the name of the user's folder in it."""
    named = os.environ.get("TMPDIR", "")
    return named if os.path.isabs(named) else "/tmp", f"yg-{os.geteuid()}"  # noqa: S108


def _folder(base: str, name: str, root: str, graph: str, *, makes: bool) -> str:
    """Return the folder of a graph below a directory; empty if it is missing or not usable."""
    if not base:
        return ""
    try:
        base, root = os.path.realpath(base), os.path.realpath(root)
        if _is_in_work_tree(base, root):
            return ""
        top = os.path.join(base, name)
        folder = os.path.join(top, _digest(root, graph))
        if makes and not os.path.lexists(folder):
            _make(base, top, folder, root)
        is_usable = _is_safe(os.stat(base)) and _is_private_folder(top)
        is_usable = is_usable and _is_private_folder(folder) and _can_write(folder)
    except (OSError, ValueError):
        return ""  # missing, or not allowed
    return folder if is_usable else ""


def _digest(root: str, graph: str) -> str:
    return sha256(os.fsencode(f"{root}\0{graph}")).hexdigest()[:_DIGITS]


def _is_in_work_tree(path: str, root: str) -> bool:
    """Return whether a directory is part of the work tree of a root, or of the root itself."""
    shared = os.path.commonpath((path, root))
    if shared == root:
        return True
    # A work tree that contains both has its top there or above it. Usually there is none.
    if not any(os.path.lexists(os.path.join(place, ".git")) for place in upwards(shared)):
        return False
    from yg_old.disk.git.repository import find_repository

    repository = find_repository(root)
    return repository is not None and repository.top in upwards(shared)


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
        write_private(os.path.join(folder, ROOT), os.fsencode(root))
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
        root = read_private(os.path.join(folder, ROOT), LONGEST)
        if root is None:  # it is being made, or its process was killed
            return time.time() - os.lstat(folder).st_mtime > A_DAY
        return not os.path.isdir(root)
    except (OSError, ValueError):
        return False


# Files.


def is_private_file(path: str, most: int = sys.maxsize) -> bool:
    """Return whether a path is a regular file of at most so many bytes that only the user can read.

    A link is none.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and _is_own(status) and status.st_size <= most


def make_private(path: str) -> None:
    """Create an empty file; raises OSError, also if it exists."""
    os.close(os.open(path, _NEW, _FILE))


def write_private(path: str, content: bytes) -> None:
    """Write a file, completely or not at all; raises OSError."""
    folder = os.path.dirname(path)
    clear_abandoned(folder)
    draft = temporary_path(folder)
    try:
        with open(os.open(draft, _NEW, _FILE), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)
        raise


def read_private(path: str, most: int) -> bytes | None:
    """Read a file; None if it is missing, not private or larger than `most` bytes."""
    try:
        handle = os.open(path, _OLD)
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        if not (stat.S_ISREG(status.st_mode) and _is_own(status)) or status.st_size > most:
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read(most)
    except OSError:
        return None
    finally:
        os.close(handle)


def remove_private(path: str) -> None:
    """Remove a file of a private folder, if it is there."""
    with suppress(OSError):  # a directory, or another process was faster
        os.unlink(path)
