"""Bind the index to its place, so that one that came with a clone is never believed.

A repository can bring along any file, also one that looks like our index. What it cannot bring is
the key in the user's cache directory, or the inodes and times of files on this machine: the seal
is made of both.
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

UNTRACKED = "untracked"  # the file that holds the state of git in which it said no
KEY_SIZE = 32
_DIGEST_SIZE = 16
_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700
_OTHERS = 0o077
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
_OLD = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK


class Seal:
    """What an index in a cache folder has to carry to be believed."""

    def __init__(self, root: str, folder: str) -> None:
        """Look at the cache folder of a repository, by its path from the root."""
        self._root = root
        self._folder = folder
        self._place = os.path.join(root, folder)

    @property
    def text(self) -> str:
        """The seal of this place; empty if no index can be trusted here."""
        return self._signed("index")

    @cached_property
    def is_tracked(self) -> bool:
        """Whether git tracks the folder, so that its content may come from anybody.

        Asked before anything in the folder is opened. Once git has said no, that is written down
        and holds until git's index changes.
        """
        state = self._signed(self._git_state)
        return not (state and state == self._written_state()) and self._has_tracked_files()

    def keep_untracked(self) -> None:
        """Write down that git does not track the folder."""
        state = self._signed(self._git_state)
        if not state or state == self._written_state():
            return
        clear_abandoned(self._place)
        draft = temporary_path(self._place)
        try:
            with open(os.open(draft, _NEW, 0o666), "w", encoding="ascii") as file:
                file.write(state)
            os.replace(draft, os.path.join(self._place, UNTRACKED))
        except OSError:
            return  # git is asked again, which only costs time

    def _written_state(self) -> str:
        try:
            handle = os.open(os.path.join(self._place, UNTRACKED), _OLD)
        except OSError:
            return ""
        with open(handle, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(handle).st_mode)
            return file.read(4 * _DIGEST_SIZE).decode("ascii", "replace") if is_file else ""

    def _signed(self, fact: str) -> str:
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
        """Which files git tracks, as far as the time of its index tells."""
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
            return True  # nobody can say, so nothing is taken for granted
        return reply is not None and bool(reply.out)


def _stamp(path: str) -> str:
    """Return what identifies one state of a file; empty if there is none."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return ""
    facts = (status.st_ino, status.st_ctime_ns, status.st_mtime_ns, status.st_size)
    return " ".join(map(str, facts))


def _place(folder: str) -> str:
    """Describe a cache folder by what only this machine knows; empty if it is not ours."""
    try:
        status = os.lstat(folder)
        # Written once, with the folder: its times stay, while those of the folder do not.
        anchor = os.lstat(os.path.join(folder, ".gitignore"))
    except (OSError, ValueError):
        return ""
    if not (stat.S_ISDIR(status.st_mode) and stat.S_ISREG(anchor.st_mode)):
        return ""
    facts = (status.st_dev, status.st_ino, anchor.st_ino, anchor.st_ctime_ns)
    return " ".join(map(str, facts))


def user_key(environment: Mapping[str, str]) -> bytes:
    """Return the user's secret key, made on first use; empty where none can be kept."""
    folder = cache_directory(environment)
    if not folder:
        return b""
    path = os.path.join(folder, "key")
    try:
        return _read_key(path) or _new_key(folder, path)
    except OSError:
        return b""


def cache_directory(environment: Mapping[str, str]) -> str:
    """Return the user's cache directory for this program; empty if the user has no home."""
    if sys.platform == "darwin":
        base = os.path.join(os.path.expanduser("~"), "Library", "Caches")
    else:
        base = environment.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):
            base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "yg") if os.path.isabs(base) else ""


def _read_key(path: str) -> bytes:
    """Read a key that nobody else can read or write; empty if there is none."""
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
    """Make a key; when two processes do so at once, both use the one that is there first."""
    os.makedirs(folder, mode=_PRIVATE_FOLDER, exist_ok=True)
    key = os.urandom(KEY_SIZE)
    draft = f"{path}.{os.getpid()}"
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
