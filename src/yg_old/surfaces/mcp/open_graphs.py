"""Graphs that the server keeps open between calls, as long as none of their files changes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.disk.files.stamps import is_past
from yg_old.disk.files.watch import graph_fingerprint

if TYPE_CHECKING:
    from yg_old.workspace.opened import OpenWorkspace

MOST = 4  # graphs of a large repository take some memory


class _OpenGraph(Struct, frozen=True):
    digest: bytes  # of the names and stamps of its files
    workspace: OpenWorkspace


class OpenGraphs:
    """Spec Graphs in memory. Other graphs depend on files everywhere, and are opened each time."""

    def __init__(self) -> None:
        self._graphs: dict[tuple[str, str], _OpenGraph] = {}

    def current(self, workspace: OpenWorkspace) -> OpenWorkspace:
        """Return a workspace that was opened before in the same place, unless a file has changed.

        All files are compared, and none may be so recent that a change could be missed.
        """
        is_kept = workspace.format.is_specgraph and workspace.uses_index
        if not is_kept or not workspace.is_written:
            return workspace
        place = workspace.root, workspace.start
        now = time.time_ns()
        found = graph_fingerprint(workspace.root, workspace.format.folder)
        known = self._graphs.pop(place, None)
        if not is_past(found.newest, now):
            return workspace
        if known is None or known.digest != found.digest:
            workspace.keep_results()
            known = _OpenGraph(found.digest, workspace)
        known.workspace.generation = workspace.generation  # compared at the end of this call
        self._graphs[place] = known  # the last one used is the last one to go
        while len(self._graphs) > MOST:
            del self._graphs[next(iter(self._graphs))]
        return known.workspace
