"""Keeps package sizes between checks: measuring all packages takes most of the time of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import UnreadableError
from yg.kernel.paths import join
from yg.yggdrasil.assemble import package_sizes
from yg.yggdrasil.kept_sizes import KnownSizes, sizes_of, still_valid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.lsp.session import EditorView


class SizeKeeper:
    """The sizes of the last check, and the files that it was about."""

    def __init__(self) -> None:
        self._known: KnownSizes | None = None
        self._states: dict[str, bytes] = {}
        self._buffers: dict[str, bytes] = {}

    def restore(self, view: EditorView) -> None:
        """Give the graph of a view the sizes that are still valid."""
        index = view.workspace.tree.index
        if not view.workspace.format.has_drift or index is None:
            self._known = None
            return
        states = index.directory_states()
        if self._known is not None:
            changed = set(self._changed_files(view, states))
            kept = still_valid(self._known, view.graph, changed)
            view.graph.package_tokens.update(kept.tokens)
            view.graph.package_files.update(kept.files)
        self._states, self._buffers = states, view.buffers

    def _changed_files(self, view: EditorView, states: dict[str, bytes]) -> Iterator[str]:
        """Yield the files that may have changed since the last check."""
        for path in self._buffers.keys() | view.buffers.keys():
            if self._buffers.get(path) != view.buffers.get(path):
                yield path
        known, snapshot = self._states, view.workspace.snapshot
        nodes = {node.directory for node in view.graph.nodes}
        others = {
            part.directory for kind in (view.graph.aspects, view.graph.flows) for part in kind
        }
        for directory in nodes | others:
            if directory in known and known[directory] == states.get(directory):
                continue
            try:
                yield from (join(directory, name) for name in snapshot.names(directory).files)
            except UnreadableError:
                continue  # it is gone

    @property
    def is_empty(self) -> bool:
        """Whether no size is known yet."""
        return self._known is None

    def measure(self, view: EditorView) -> None:
        """Measure all packages before the first edit asks for them."""
        if view.workspace.format.has_drift:
            self.restore(view)
            list(package_sizes(view.graph, view.graph.nodes))
            self.keep(view)

    def keep(self, view: EditorView) -> None:
        """Keep the sizes of a graph that was checked."""
        graph = view.graph if view.workspace.format.has_drift else None
        self._known = sizes_of(graph) if graph is not None and graph.package_tokens else None
