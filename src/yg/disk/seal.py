"""Bind the index to its location, so that an index from a clone is never used.

A repository can contain any file, including a forged index. It cannot contain the key in the user's
cache directory, nor the inodes and times of files on this machine. The seal depends on both.
"""

from __future__ import annotations

import os
import stat
import sys
from functools import cached_property
from typing import TYPE_CHECKING

from yg.disk.repository import find_repository
from yg.disk.temporary import clear_abandoned, temporary_path
from yg.kernel.paths import join

if TYPE_CHECKING:
    from collections.abc import Mapping

UNTRACKED = "untracked"  # records the state of git in which the folder was untracked
KEY_SIZE = 32
_DIGEST_SIZE = 16
_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700
_OTHERS = 0o077
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
_OLD = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK


class Seal:
    """The signature that an index must contain to be used."""

    def __init__(self, root: str, folder: str) -> None:
        """Create the seal of a cache folder, given by its path from the root."""
        self._root = root
        self._folder = folder
        self._place = os.path.join(root, folder)

    @property
    def text(self) -> str:
        """The seal of this location; empty if no index can be trusted here."""
        return self.signed("index")

    @cached_property
    def is_tracked(self) -> bool:
        """Whether git tracks the folder, so that its content may come from anyone.

        This is checked before any file in the folder is opened. A negative answer is stored and
        valid until the git index changes.
        """
        state = self.signed(self._git_state)
        return not (state and state == self._written_state()) and self._has_tracked_files()

    def keep_untracked(self) -> None:
        """Store the fact that git does not track the folder."""
        state = self.signed(self._git_state)
        if not state or state == self._written_state():
            return
        clear_abandoned(self._place)
        draft = temporary_path(self._place)
        try:
            with open(os.open(draft, _NEW, 0o666), "w", encoding="ascii") as file:
                file.write(state)
            os.replace(draft, os.path.join(self._place, UNTRACKED))
        except OSError:
            return  # the next run asks git again

    def _written_state(self) -> str:
        try:
            handle = os.open(os.path.join(self._place, UNTRACKED), _OLD)
        except OSError:
            return ""
        with open(handle, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(handle).st_mode)
            return file.read(4 * _DIGEST_SIZE).decode("ascii", "replace") if is_file else ""

    def signed(self, fact: str) -> str:
        """Return the signature of a fact in this place; empty if nothing can be trusted here."""
        key, place = self._key, _place(self._place)
        if not (key and place):
            return ""
        from hashlib import blake2b

        signed = f"{place}\n{fact}".encode()
        return blake2b(signed, key=key, digest_size=_DIGEST_SIZE).hexdigest()

    @cached_property
    def _key(self) -> bytes:
        return user_key(os.environ)

    @property
    def _git_state(self) -> str:
        """The state of the git index, identified by its metadata."""
        repository = find_repository(self._root)
        return f"git {_stamp(repository.index_file)}" if repository else "no git"

    def _has_tracked_files(self) -> bool:
        repository = find_repository(self._root)
        if repository is None or repository.is_bare:
            return False
        from yg.disk.git import GitTimeoutError, ask

        place = join(repository.prefix, self._folder)
        try:
            reply = ask(self._root, "ls-files", "-z", "--", place)
        except GitTimeoutError:
            return True  # unknown, so the folder is not trusted
        return reply is not None and bool(reply.out)


def _stamp(path: str) -> str:
    """Return metadata that identifies one state of a file; empty if it is missing."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return ""
    facts = (status.st_ino, status.st_ctime_ns, status.st_mtime_ns, status.st_size)
    return " ".join(map(str, facts))


def _place(folder: str) -> str:
    """Identify a cache folder by its local metadata; empty if it is not usable."""
    try:
        status = os.lstat(folder)
        # Written once, so its times do not change, unlike those of the folder.
        anchor = os.lstat(os.path.join(folder, ".gitignore"))
    except (OSError, ValueError):
        return ""
    if not (stat.S_ISDIR(status.st_mode) and stat.S_ISREG(anchor.st_mode)):
        return ""
    facts = (status.st_dev, status.st_ino, anchor.st_ino, anchor.st_ctime_ns)
    return " ".join(map(str, facts))


def user_key(environment: Mapping[str, str]) -> bytes:
    """Return the user's secret key, created on first use; empty if it cannot be stored."""
    folder = cache_directory(environment)
    if not folder:
        return b""
    path = os.path.join(folder, "key")
    try:
        return _read_key(path) or _new_key(folder, path)
    except OSError:
        return b""


def cache_directory(environment: Mapping[str, str]) -> str:
    """Return the user's cache directory for yg; empty if the user has no home."""
    if sys.platform == "darwin":
        base = os.path.join(os.path.expanduser("~"), "Library", "Caches")
    else:
        base = environment.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):
            base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "yg") if os.path.isabs(base) else ""


def _read_key(path: str) -> bytes:
    """Read the key, which must be private; empty if it is missing."""
    try:
        handle = os.open(path, _OLD)
    except FileNotFoundError:
        return b""
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        is_private = stat.S_ISREG(status.st_mode) and not status.st_mode & _OTHERS
        if not is_private or status.st_uid != os.geteuid():
            raise PermissionError
        key = file.read(KEY_SIZE + 1)
    if len(key) != KEY_SIZE:
        raise OSError
    return key


def _new_key(folder: str, path: str) -> bytes:
    """Create a key; if two processes do this at once, both use the first one."""
    os.makedirs(folder, mode=_PRIVATE_FOLDER, exist_ok=True)
    key = os.urandom(KEY_SIZE)
    draft = f"{path}.{os.urandom(8).hex()}"
    try:
        with open(os.open(draft, _NEW, _PRIVATE_FILE), "wb") as file:
            file.write(key)
        os.link(draft, path)
    except FileExistsError:
        return _read_key(path)
    finally:
        if os.path.lexists(draft):
            os.unlink(draft)
    return key
