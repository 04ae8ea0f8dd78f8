"""The stamps of all files of a tree in one piece: comparing them costs little but looking."""

from __future__ import annotations

import os
from array import array
from binascii import a2b_base64, b2a_base64
from typing import TYPE_CHECKING, Any, TypeAlias

from yg.kernel.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable

    Stamped: TypeAlias = tuple[str, str | None, Iterable[tuple[str, str]]]

_APART = "\n\t"  # what separates directories, and names in them
_UNKNOWN = "-1 -1 -1 -1"  # for a directory that was never listed
_NO_INODE = -1


def packed_state(directories: Iterable[Stamped]) -> dict[str, str] | None:
    """Write down directories with their stamps, and the names and stamps of files in them.

    Returns None when a name holds what separates names, or a stamp is none or too large.
    """
    lines: list[str] = []
    stamps = array("q")
    for directory, stamp, files in directories:
        names = [directory]
        written = [stamp or _UNKNOWN]
        for name, file_stamp in files:
            names.append(name)
            written.append(file_stamp)
        if any(mark in name for name in names for mark in _APART):
            return None
        try:
            stamps.extend(map(int, " ".join(written).split(" ")))
        except (OverflowError, ValueError):
            return None
        lines.append("\t".join(names))
    return {"names": "\n".join(lines), "stamps": b2a_base64(stamps, newline=False).decode()}


def is_as_packed(root: str, linkable: str, packed: dict[str, Any]) -> bool:
    """Tell whether every file and directory still has the stamp that was written down."""
    place = 0
    look = os.lstat
    try:
        stamps = array("q", a2b_base64(packed["stamps"]))
        for line in packed["names"].split("\n"):
            directory, *names = line.split("\t")
            path = root if directory == ROOT else f"{root}/{directory}"
            if stamps[place + 3] != _NO_INODE:
                now = os.stat(path) if directory in (ROOT, linkable) else look(path)
                if (
                    now.st_mtime_ns != stamps[place + 1]
                    or now.st_ctime_ns != stamps[place + 2]
                    or now.st_ino != stamps[place + 3]
                ):
                    return False
            place += 4
            for name in names:
                now = look(f"{path}/{name}")
                if (
                    now.st_mtime_ns != stamps[place + 1]
                    or now.st_ctime_ns != stamps[place + 2]
                    or now.st_size != stamps[place]
                    or now.st_ino != stamps[place + 3]
                ):
                    return False
                place += 4
    except (OSError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return place == len(stamps)
