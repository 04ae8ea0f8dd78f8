"""Package sizes that are still valid after an edit, for a process that checks a graph often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.paths import is_inside
from yg.yggdrasil.external import split
from yg.yggdrasil.imported import import_file, is_import_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Reading

    Readings = Mapping[str, Reading[Any]]
    Files = Mapping[str, frozenset[str]]


def still_valid(
    graph: Graph, earlier: Graph, files: Files, changed: Collection[str]
) -> dict[str, int | None]:
    """Return the sizes of an earlier state that hold now, given the files that changed.

    `files` are those that each package was made from.
    """
    pairs = (
        (earlier.nodes.all, graph.nodes.all),
        (earlier.aspects.all, graph.aspects.all),
        (earlier.flows.all, graph.flows.all),
    )
    has_same_ids = all(before.keys() == after.keys() for before, after in pairs)
    if not has_same_ids or earlier.config != graph.config:
        return {}
    nodes, aspects, flows = ({*_edited(before, after)} for before, after in pairs)
    if any(_is_unread(name, earlier, graph) for name in aspects):
        return {}
    affected = {path for path, made_from in files.items() if not made_from.isdisjoint(changed)}
    affected.update(earlier.nodes.all.keys() - files.keys())
    affected.update(_near(graph, earlier, nodes, flows), _naming(graph, changed))
    return {path: size for path, size in earlier.package_tokens.items() if path not in affected}


def _edited(before: Readings, after: Readings) -> Iterator[str]:
    """Yield the ids with another reading; an unchanged one is usually the same object."""
    for name, reading in after.items():
        known = before[name]
        if known is not reading and known != reading:
            yield name


def _is_unread(aspect: str, earlier: Graph, graph: Graph) -> bool:
    """Return whether an aspect could not be read before, or cannot be now."""
    return None in (earlier.aspects.all[aspect].value, graph.aspects.all[aspect].value)


def _near(graph: Graph, earlier: Graph, nodes: set[str], flows: set[str]) -> Iterator[str]:
    """Yield edited nodes, the participants of edited flows, what is below, and their dependents."""
    readings = (
        reading for name in flows for reading in (earlier.flows.all[name], graph.flows.all[name])
    )
    joined = {part for reading in readings if reading.value for part in reading.value.participants}
    roots = nodes | joined
    for path, reading in graph.nodes.all.items() if roots else ():
        relations = reading.value.relations if reading.value else ()
        is_dependent = any(relation.target.text in nodes for relation in relations)
        if is_dependent or any(is_inside(path, root) for root in roots):
            yield path


def _naming(graph: Graph, changed: Collection[str]) -> Iterator[str]:
    """Yield the nodes that name a changed import; it may be new, or readable again."""
    imports = {file for file in changed if is_import_file(file)}
    for node in graph.nodes if imports else ():
        if any(
            import_file(split(relation.target.text)[0]) in imports for relation in node.external
        ):
            yield node.path
