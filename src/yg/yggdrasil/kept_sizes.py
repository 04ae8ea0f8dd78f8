"""Package sizes that are still valid after an edit, for a process that checks a graph often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.kernel.paths import lineage

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Config, Reading

    Readings = Mapping[str, Reading[Any]]


class KnownSizes(Struct, frozen=True):
    """The sizes of all packages of a graph, and the declarations that they were computed from."""

    config: Config
    nodes: Readings
    aspects: Readings
    flows: Readings
    tokens: Mapping[str, int | None]
    files: Mapping[str, tuple[tuple[str, ...], ...]]  # that each package depends on, by block


def sizes_of(graph: Graph) -> KnownSizes:
    """Return the sizes of a graph that was checked."""
    return KnownSizes(
        graph.config,
        graph.nodes.all,
        graph.aspects.all,
        graph.flows.all,
        graph.package_tokens,
        graph.package_files,
    )


def still_valid(known: KnownSizes, graph: Graph, changed: Collection[str]) -> KnownSizes:
    """Return the sizes that hold for another state of a graph, given the files that changed."""
    pairs = (
        (known.nodes, graph.nodes.all),
        (known.aspects, graph.aspects.all),
        (known.flows, graph.flows.all),
    )
    has_same_ids = all(before.keys() == after.keys() for before, after in pairs)
    tokens: dict[str, int | None] = {}
    if has_same_ids and known.config == graph.config:
        nodes, aspects, flows = (set(_edited(before, after)) for before, after in pairs)
        if not any(_is_unread(name, known, graph) for name in aspects):
            affected = _affected(known, graph, nodes, aspects, flows, changed)
            tokens = {path: size for path, size in known.tokens.items() if path not in affected}
    files = {path: known.files[path] for path in tokens if path in known.files}
    return KnownSizes(known.config, known.nodes, known.aspects, known.flows, tokens, files)


def _is_unread(aspect: str, known: KnownSizes, graph: Graph) -> bool:
    """Return whether an aspect could not be read before, or cannot be now."""
    return None in (known.aspects[aspect].value, graph.aspects.all[aspect].value)


def _edited(before: Readings, after: Readings) -> Iterator[str]:
    return (name for name, reading in after.items() if before[name] != reading)


def _affected(  # noqa: PLR0913, PLR0917
    known: KnownSizes,
    graph: Graph,
    nodes: set[str],
    aspects: set[str],
    flows: set[str],
    changed: Collection[str],
) -> set[str]:
    """Return the nodes whose packages may have another size now."""
    files = {*changed}
    for collection, names in (
        (graph.nodes, nodes),
        (graph.aspects, aspects),
        (graph.flows, flows),
    ):
        files.update(collection.spec.file_of(name) for name in names)
    readings = (reading for name in flows for reading in (known.flows[name], graph.flows.all[name]))
    joined = {part for reading in readings if reading.value for part in reading.value.participants}
    found = {path for path, groups in known.files.items() if not files.isdisjoint(_flat(groups))}
    for path, reading in graph.nodes.all.items():
        node, places = reading.value, (*lineage(path), path)
        targets = {relation.target.text for relation in node.relations} if node else set()
        if not (nodes.isdisjoint((*places, *targets)) and joined.isdisjoint(places)):
            found.add(path)
    return found | (known.nodes.keys() - known.files.keys())


def _flat(groups: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    return (file for group in groups for file in group)
