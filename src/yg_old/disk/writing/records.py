"""The record of a move, kept from before its first edit until after its last one."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from yg_old.disk.files.apply import ApplyError
from yg_old.disk.index.private import known_state_folder, read_private, remove_private, write_private

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "move.json"
LARGEST = 256_000_000  # bytes


def read_record(root: str, graph: str) -> bytes:
    """Return the record of a move that was interrupted; empty if there is none."""
    folder = known_state_folder(root, graph)
    return (folder and read_private(os.path.join(folder, NAME), LARGEST)) or b""


@contextmanager
def recorded(root: str, graph: str, record: bytes) -> Iterator[None]:
    """Keep a record while edits are made, and afterwards if one of them fails.

    The caller holds the lock.
    """
    path = os.path.join(known_state_folder(root, graph), NAME)
    try:
        write_private(path, record)
    except OSError as error:
        hint = "Nothing was written."
        raise ApplyError(f"cannot write '{path}': {error.strerror}", hint=hint) from error
    yield
    remove_private(path)
