"""Who owns a file: the node with the longest mapping that covers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths
from yg.yggdrasil.mapping import mapped_path, spelling_fault

if TYPE_CHECKING:
    from yg.yggdrasil.graph import Graph


class Owner(Struct, frozen=True):
    """The node that owns a file, and the mapping that says so."""

    node: str
    mapping: str


class Ownership:
    """Every mapping of a graph, ready to be asked about many files."""

    def __init__(self, graph: Graph) -> None:
        self._nodes: dict[str, str] = {}
        for node in graph.nodes:
            for word in node.mapping:
                path = mapped_path(word.text)
                if path is not None and not spelling_fault(word.text):
                    self._nodes.setdefault(path, node.path)

    def of(self, file: str) -> Owner | None:
        """Return the owner of a file; None when no node covers it."""
        for path in (file, *reversed(paths.lineage(file))):
            if path in self._nodes:
                return Owner(self._nodes[path], path)
        return None

    def is_owner(self, node: str, file: str) -> bool:
        """Tell whether a node owns a file."""
        owner = self.of(file)
        return owner is not None and owner.node == node
