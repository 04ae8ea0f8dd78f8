"""The generation of a graph: a value that each write changes, so that readers notice it.

A write changes it after writing its journal and before the first file. So a reader has seen one
state of the graph if the generation is the same at the end as before it looked for a journal.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.disk.cache import NAME as CACHE

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "generation"
LENGTH = 16  # hexadecimal digits
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class FoundState(Struct, frozen=True, kw_only=True):
    """The state of a graph that a reader finds, as far as its files do not show it."""

    generation: bytes
    pending: Mapping[str, bytes | None] = {}  # contents that are not written yet, by path
    notes: tuple[str, ...] = ()  # for the user


def generation_of(root: str, folder: str) -> bytes:
    """Return the generation of a graph; empty if this program has not written to it yet."""
    try:
        handle = os.open(os.path.join(root, folder, CACHE, NAME), _READ)
    except OSError:
        return b""
    try:
        return os.read(handle, LENGTH)
    except OSError:
        return b""  # nothing that this program wrote
    finally:
        os.close(handle)


def new_generation() -> bytes:
    """Return a generation that no graph has had."""
    return os.urandom(LENGTH // 2).hex().encode()
