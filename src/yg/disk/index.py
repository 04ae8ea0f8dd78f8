"""The index: digests of files by what the file system says of them, so unchanged ones are not read.

Damage, another version or no permission to write only cost time: a digest is then worked out
again. Entries too young to be told from a later edit within the same clock tick are not kept.
"""

from __future__ import annotations

import json
import os
import stat
import time
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

from yg.disk.cache import FOLDER, cache_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "digests.json"
VERSION = 1
# File systems stamp files by coarse clocks, some of them by other machines' clocks.
SETTLED_NS = 2_000_000_000
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
_OLD = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK  # a FIFO must not keep us waiting

Stamp: TypeAlias = tuple[int, int, int, int]  # size, mtime_ns, ctime_ns, inode
Entry: TypeAlias = tuple[Stamp, str]


def stamp_of(status: os.stat_result) -> Stamp:
    """Return what identifies one state of a file without reading it."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


class Index:
    """Digests remembered from earlier runs."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._now = time.time_ns()
        self._entries: dict[str, Entry] | None = None
        self._has_news = False

    def get(self, path: str, stamp: Stamp) -> str | None:
        """Return the digest of a file that has not changed since it was remembered."""
        if self._entries is None:
            self._entries = self._load()
        known = self._entries.get(path)
        return known[1] if known is not None and known[0] == stamp else None

    def put(self, path: str, stamp: Stamp, digest: str) -> None:
        """Remember a digest, unless the file is so young that a later edit could look the same."""
        if self._entries is None:
            self._entries = self._load()
        _, modified, changed, _ = stamp
        if max(modified, changed) + SETTLED_NS < self._now:
            self._entries[path] = (stamp, digest)
            self._has_news = True

    def save(self) -> None:
        """Write what is new, as a whole; where that is not possible, nothing is remembered."""
        folder = cache_folder(self._root) if self._has_news and self._entries else None
        if folder is None or not self._entries:
            return
        body = _body(self._entries)
        header = json.dumps({"version": VERSION, "check": crc32(body)}).encode()
        temporary = os.path.join(folder, f".{NAME}.{os.getpid()}")
        try:
            if os.path.lexists(temporary):
                os.unlink(temporary)  # left behind, or a link that leads anywhere
            with open(os.open(temporary, _NEW, 0o666), "wb") as file:
                file.write(header + b"\n" + body)
            os.replace(temporary, os.path.join(folder, NAME))
        except OSError:
            if os.path.lexists(temporary):
                os.unlink(temporary)

    def _load(self) -> dict[str, Entry]:
        """Read the index; one that is damaged, foreign, linked or absent is empty."""
        folder = os.path.join(self._root, FOLDER)
        try:
            if os.path.islink(folder):
                return {}
            handle = os.open(os.path.join(folder, NAME), _OLD)
            with open(handle, "rb") as file:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    return {}
                header, _, body = file.read().partition(b"\n")
            if json.loads(header) != {"version": VERSION, "check": crc32(body)}:
                return {}
            return {path: (tuple(stamp), digest) for path, stamp, digest in json.loads(body)}
        except (OSError, ValueError, TypeError, RecursionError):
            return {}


def _body(entries: Mapping[str, Entry]) -> bytes:
    rows = [(path, *entries[path]) for path in sorted(entries)]
    return json.dumps(rows, ensure_ascii=True, separators=(",", ":")).encode()
