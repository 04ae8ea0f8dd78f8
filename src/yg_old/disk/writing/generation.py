"""The generation of a graph: a value that each write changes, so that readers notice it.

A write changes it after writing its journal and before the first file. So a reader has seen one
state of the graph if the generation is the same at the end as before it looked for a journal.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.disk.index.private import known_state_folder, read_private

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "generation"
JOURNAL = "journal"  # of a write to several files
LENGTH = 16  # hexadecimal digits


class FoundState(Struct, frozen=True, kw_only=True):
    """The state of a graph that a reader finds, as far as its files do not show it."""

    generation: bytes
    pending: Mapping[str, bytes | None] = {}  # contents that are not written yet, by path
    notes: tuple[str, ...] = ()  # for the user


def generation_of(root: str, folder: str) -> bytes:
    """Return the generation of a graph; empty if this program has not written to it yet."""
    return generation_in(known_state_folder(root, folder))


def generation_in(private: str) -> bytes:
    """Return the generation in a private folder; empty if there is none."""
    return (private and read_private(os.path.join(private, NAME), LENGTH)) or b""


def journal_in(private: str) -> str:
    """Return the path of the journal in a private folder; empty if there is no folder."""
    return os.path.join(private, JOURNAL) if private else ""


def new_generation() -> bytes:
    """Return a generation that no graph has had."""
    return os.urandom(LENGTH // 2).hex().encode()
