"""Names of nodes as people type them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.errors import NotFoundError, RefusedError

if TYPE_CHECKING:
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


def node_named(graph: Graph, sources: Sources, name: str) -> Node:
    """Return a node that can be read."""
    path = path_named(graph, name)
    node = graph.nodes.get(path)
    if node is None:
        # Only someone whose node cannot be read should wait for this import.
        from yg.yggdrasil.rules.errors import errors_around

        raise RefusedError(
            f"node '{path}' could not be read",
            hint="Mend its yg-node.yaml first.",
            issues=errors_around(graph, sources, path),
        )
    return node


def path_named(graph: Graph, name: str) -> str:
    """Return the path of a declared node, readable or not."""
    for candidate in _spellings(name):
        if graph.nodes.reading(candidate) is not None:
            return candidate
    from yg.kernel.suggest import did_you_mean, nearest

    hint = did_you_mean(nearest(name, graph.nodes.all)) or "'yg tree' lists all nodes."
    raise NotFoundError(f"no node at '{name}'", hint=hint)


def directory_named(graph: Graph, name: str) -> str:
    """Return a directory of the model that is a node or leads to nodes."""
    if paths.normalise(name) in (paths.ROOT, paths.name_of(graph.nodes.spec.tree)):
        return paths.ROOT
    for candidate in _spellings(name):
        if any(paths.is_inside(each, candidate) for each in graph.nodes.all):
            return candidate
    return path_named(graph, name)


def _spellings(name: str) -> tuple[str, ...]:
    """Return what a name may mean: a node's path, or one that is written from `model/` on."""
    path = paths.normalise(name)
    return () if path is None else (path, path.removeprefix("model/"))
