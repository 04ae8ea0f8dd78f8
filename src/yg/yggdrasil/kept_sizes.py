"""Package sizes that are still valid after an edit, for a process that checks a graph often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.paths import is_inside

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Reading

    Readings = Mapping[str, Reading[Any]]


def still_valid(graph: Graph, earlier: Graph, changed: Collection[str]) -> dict[str, int | None]:
    """Return the sizes of an earlier state that hold now, given the files that changed."""
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
    affected = _affected(graph, earlier, nodes, flows, changed)
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


def _affected(
    graph: Graph, earlier: Graph, nodes: set[str], flows: set[str], changed: Collection[str]
) -> set[str]:
    """Return the nodes whose packages may have another size now."""
    found = {
        *_quoting(earlier, changed),
        *(earlier.nodes.all.keys() - earlier.package_files.keys()),
    }
    readings = (
        reading for name in flows for reading in (earlier.flows.all[name], graph.flows.all[name])
    )
    joined = {part for reading in readings if reading.value for part in reading.value.participants}
    roots = nodes | joined
    for path, reading in graph.nodes.all.items() if roots else ():
        relations = reading.value.relations if reading.value else ()
        if any(relation.target.text in nodes for relation in relations) or any(
            is_inside(path, root) for root in roots
        ):
            found.add(path)
    return found


def _quoting(earlier: Graph, changed: Collection[str]) -> Iterator[str]:
    """Yield the nodes whose packages were made from files that changed."""
    known: dict[int, bool] = {}  # by identity: packages share blocks
    for path, groups in earlier.package_files.items():
        for group in groups:
            is_changed = known.get(id(group))
            if is_changed is None:
                is_changed = known[id(group)] = any(file in changed for file in group)
            if is_changed:
                yield path
                break
