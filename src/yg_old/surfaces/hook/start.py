"""The start of a session: what the repository consists of."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from yg_old.workspace.opening import open_for_reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.surfaces.hook.memory import Memory
    from yg_old.workspace.opened import OpenWorkspace

NOTES = "Notes about a file follow when a file tool reads or changes it; shell commands bring none."


@contextmanager
def opened(root: str) -> Iterator[OpenWorkspace]:
    """Open a graph for reading, and keep in the index what was computed."""
    workspace = open_for_reading(root)
    workspace.keep_results()  # for one event, files count as they are at first
    try:
        yield workspace
        workspace.save()
    finally:
        workspace.close()


def overview(workspace: OpenWorkspace) -> str:
    """Return the overview, and what follows later; empty if it is switched off."""
    if not workspace.graph.config.hooks.overview:
        return ""
    from msgspec.structs import replace

    from yg_old.commands.overview import overview_of, stale_nodes, text

    found = replace(overview_of(workspace), stale=stale_nodes(workspace))
    return f"{text(found)}\n{NOTES}\n"


def start(workspace: OpenWorkspace, memory: Memory) -> str:
    """Say what the repository consists of, and remember the commit that the session starts at."""
    memory.is_started = True
    remember_head(workspace, memory)
    return overview(workspace)


def remember_head(workspace: OpenWorkspace, memory: Memory) -> None:
    """Remember the commit, unless the session has begun before."""
    if not memory.head:
        from yg_old.disk.git.process import head_commit

        memory.head = head_commit(workspace.root)
