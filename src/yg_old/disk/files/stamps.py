"""Stamps: metadata that identifies one state of a file or directory."""

from __future__ import annotations

import os
import stat
from struct import Struct, error
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# File systems have coarse clocks, and some use the clock of another machine.
SETTLED_NS = 2_000_000_000
SIZE = 32
UNKNOWN = bytes(SIZE)

_STAMP = Struct("<qqqQ")
pack = _STAMP.pack
unpack_all = _STAMP.iter_unpack  # size, mtime, ctime and inode of each


def stamp_of(status: os.stat_result) -> bytes:
    """Pack the size, times and inode of a file; return UNKNOWN if they are out of range."""
    try:
        return pack(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    except error:
        return UNKNOWN


def directory_stamp_of(status: os.stat_result) -> bytes:
    """Return the stamp of a directory, without its size."""
    try:
        return pack(0, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    except error:
        return UNKNOWN


def look(place: str, *, follows_link: bool = False) -> bytes | None:
    """Return the current stamp of a regular file or directory; None for anything else."""
    try:
        status = os.stat(place) if follows_link else os.lstat(place)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(status.st_mode):
        return stamp_of(status)
    return directory_stamp_of(status) if stat.S_ISDIR(status.st_mode) else None


def are_settled(stamps: Iterable[bytes], now: int) -> bool:
    """Return whether all stamps are so old that a later edit must have another one."""
    return all(is_settled(stamp, now) for stamp in stamps)


def is_settled(stamp: bytes, now: int) -> bool:
    """Return whether a stamp is so old that a later edit must have another one."""
    if len(stamp) != SIZE or stamp == UNKNOWN:
        return False
    modified: int
    changed: int
    _, modified, changed, _ = _STAMP.unpack(stamp)
    return is_past(max(modified, changed), now)


def is_past(changed: int, now: int) -> bool:
    """Return whether a time in nanoseconds is so long ago that a later edit must have another."""
    return changed + SETTLED_NS < now
