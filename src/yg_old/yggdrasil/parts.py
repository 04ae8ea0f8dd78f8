"""The part of a graph that a file of the graph belongs to: a node, an aspect or a flow."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg_old.text import paths

if TYPE_CHECKING:
    from yg_old.yggdrasil.collection import Collection
    from yg_old.yggdrasil.graph import Graph


class PartKind(StrEnum):
    """The kinds of parts."""

    NODE = "node"
    ASPECT = "aspect"
    FLOW = "flow"

    @property
    def article(self) -> str:
        """The kind with its article."""
        return f"an {self}" if self is PartKind.ASPECT else f"a {self}"


class GraphPart(Struct, frozen=True):
    """A node, an aspect or a flow."""

    kind: PartKind
    id: str


def collection_of(graph: Graph, kind: PartKind) -> Collection[Any]:
    """Return the collection of the parts of a kind."""
    collections: dict[PartKind, Collection[Any]] = {
        PartKind.NODE: graph.nodes,
        PartKind.ASPECT: graph.aspects,
        PartKind.FLOW: graph.flows,
    }
    return collections[kind]


def part_of(graph: Graph, file: str) -> GraphPart | None:
    """Return the part with the nearest declaration above a file; None outside of all parts."""
    # Nodes last: in 0.x, the others are inside their tree.
    for kind in (PartKind.ASPECT, PartKind.FLOW, PartKind.NODE):
        collection = collection_of(graph, kind)
        tree = collection.spec.tree
        if file.startswith(f"{tree}/"):
            inside = file.removeprefix(f"{tree}/")
            for folder_id in (inside, *reversed(paths.lineage(inside))):
                if collection.reading(folder_id) is not None:
                    return GraphPart(kind, folder_id)
            return None
    return None
