"""The `.cache` folder of a graph, where earlier versions kept the index.

It is neither read nor written now, whatever it contains.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg_old.disk.files.stamps import look
from yg_old.disk.git.repository import find_repository

if TYPE_CHECKING:
    from yg_old.disk.index.store import Index

NAME = ".cache"
_FACT = "git tracks the old cache"


def cache_notes(root: str, graph: str, index: Index | None) -> tuple[str, ...]:
    """Return a note if git tracks files in the folder; it is asked once for each state of git."""
    if not os.path.lexists(os.path.join(root, graph, NAME)):
        return ()  # as in all graphs of this version
    repository = find_repository(os.path.join(root, graph))
    if repository is None or repository.is_bare:
        return ()
    state = (look(repository.index_file) or b"").hex()
    known = None if index is None else index.facts.get(_FACT, state)
    if known is None:
        known = b"yes" if _is_tracked(repository.top, f"{repository.prefix}/{NAME}") else b"no"
        if index is not None:
            index.facts.keep(_FACT, state, known)
    if known == b"no":
        return ()
    return (f"git tracks {graph}/{NAME}/, which yg does not use; it can be deleted",)


def _is_tracked(top: str, path: str) -> bool:
    from yg_old.disk.git.process import GitTimeoutError, ask

    try:
        reply = ask(top, "ls-files", "-z", "--", path.lstrip("/"))
    except GitTimeoutError:
        return False
    return reply is not None and bool(reply.out)
