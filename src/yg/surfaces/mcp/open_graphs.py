"""Graphs that the server keeps open between calls, as long as none of their files changes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.disk.files.folder_state import folder_state

if TYPE_CHECKING:
    from yg.workspace.opened import OpenWorkspace

MOST = 4  # graphs of a large repository take some memory


class _OpenGraph(Struct, frozen=True):
    state: dict[str, bytes]
    workspace: OpenWorkspace


class OpenGraphs:
    """Spec Graphs in memory. Other graphs depend on files everywhere, and are opened each time."""

    def __init__(self) -> None:
        self._graphs: dict[tuple[str, str], _OpenGraph] = {}

    def current(self, workspace: OpenWorkspace) -> OpenWorkspace:
        """Return a workspace that was opened before in the same place, unless a file has changed.

        All files are compared, and none may be so recent that a change could be missed.
        """
        is_kept = workspace.format.has_node_files and workspace.uses_index
        if not is_kept or not workspace.is_written:
            return workspace
        place = workspace.root, workspace.start
        state = folder_state(os.path.join(workspace.root, workspace.format.folder))
        known = self._graphs.pop(place, None)
        if state is None:
            return workspace
        if known is None or known.state != state:
            if _reads_hidden_files(workspace):
                return workspace
            workspace.keep_results()
            known = _OpenGraph(state, workspace)
        known.workspace.generation = workspace.generation  # compared at the end of this call
        self._graphs[place] = known  # the last one used is the last one to go
        while len(self._graphs) > MOST:
            del self._graphs[next(iter(self._graphs))]
        return known.workspace


def _reads_hidden_files(workspace: OpenWorkspace) -> bool:
    """Return whether a graph lists a node in a place that the state of the folder leaves out."""
    return any("/." in entry.file for entry in workspace.specs.references.values())
