"""The lock file: the digest of every node at the time of `yg lock`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from yg_old.kernel.digest import file_digests
from yg_old.specgraph import lenient

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.specgraph.graph import SpecGraph

LOCK = "manifest.lock.json"


def lock_text(graph: SpecGraph) -> str:
    """Write the lock file of a graph whose nodes can all be read."""
    digests = {name: file_digests([content]).lf for name, content in _contents(graph)}
    document = {"specgraphVersion": graph.index.version, "nodes": digests}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def locked_digests(data: Any) -> Mapping[str, str] | None:
    """Return the digests in a lock file, in lower case; None if it is not a lock file."""
    nodes = lenient.as_object(data).get("nodes")
    if not isinstance(nodes, dict) or not all(isinstance(item, str) for item in nodes.values()):
        return None
    return {name: digest.lower() for name, digest in nodes.items()}


def differences(graph: SpecGraph, locked: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the nodes that differ from a lock file, in the order of ids, and how each does."""
    found = {
        name: "changed"
        for name, content in _contents(graph)
        if name in locked and not file_digests([content]).matches(locked[name])
    }
    found |= {name: "added" for name in graph.nodes if name not in locked}
    found |= {name: "removed" for name in locked if name not in graph.nodes}
    yield from sorted(found.items())


def _contents(graph: SpecGraph) -> Iterator[tuple[str, bytes]]:
    return ((node.id, graph.snapshot.read(node.file)) for node in graph.nodes.values())
