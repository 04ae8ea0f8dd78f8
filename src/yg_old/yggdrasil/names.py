"""Lookup of nodes by the names that users type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import NotFoundError, RefusedError
from yg_old.text import paths

if TYPE_CHECKING:
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node


def node_named(graph: Graph, sources: Sources, name: str) -> Node:
    """Return the node of a name; raise an error if it is missing or invalid."""
    path = path_named(graph, name)
    node = graph.nodes.get(path)
    if node is None:
        # Imported here because only this error path needs it.
        from yg_old.yggdrasil.rules.blocking import errors_around

        raise RefusedError(
            f"node '{path}' could not be read",
            hint=f"Fix its {graph.nodes.spec.file} first.",
            issues=errors_around(graph, sources, (path,)),
        )
    return node


def path_named(graph: Graph, name: str) -> str:
    """Return the path of a declared node, valid or not; raise NotFoundError if there is none."""
    found = declared_path(graph, name)
    if found is not None:
        return found
    raise NotFoundError(f"no node at '{name}'", hint=_hint(graph, name.removesuffix("/")))


def declared_path(graph: Graph, name: str) -> str | None:
    """Return the path of a declared node, valid or not; None if there is none."""
    candidates = _spellings(name)
    return next((path for path in candidates if graph.nodes.reading(path) is not None), None)


def _hint(graph: Graph, name: str) -> str:
    # Imported here because only this error path needs them.
    from yg_old.text.escapes import shell_quoted
    from yg_old.text.suggest import MOST, did_you_mean
    from yg_old.yggdrasil.inventories.relations import find
    from yg_old.yggdrasil.nearby import NodeSuggester

    if find(graph, name) is not None:
        return (
            "It belongs to another repository; the nodes that rely on it: "
            f"yg impact {shell_quoted(name)}"
        )
    return did_you_mean(NodeSuggester(graph)(name)[:MOST]) or "'yg tree' lists all nodes."


def directory_named(graph: Graph, name: str) -> str:
    """Return the path of a directory of the model that is a node or contains nodes."""
    if paths.normalise(name) in (paths.ROOT, paths.name_of(graph.nodes.spec.tree)):
        return paths.ROOT
    for candidate in _spellings(name):
        if any(paths.is_inside(path, candidate) for path in graph.nodes.all):
            return candidate
    return path_named(graph, name)


def _spellings(name: str) -> tuple[str, ...]:
    """Return the paths to try for a name: as typed, and without a leading `model/`."""
    path = paths.normalise(name)
    return () if path is None else (path, path.removeprefix("model/"))
