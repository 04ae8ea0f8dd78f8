"""The files of a Spec Graph's folder that no entry of graph.json names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.specgraph.graph import Graph


def unindexed(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield JSON files that are not listed, and directories that cannot be read with the reason."""
    listed = {graph.file, *graph.index.files}
    waiting = [graph.folder]
    while waiting:
        directory = waiting.pop()
        try:
            entries = graph.snapshot.entries(directory)
        except UnreadableError as error:
            yield directory, error.reason
            continue
        for name, kind in entries.items():
            path = paths.join(directory, name)
            if kind is Kind.DIRECTORY and not name.startswith("."):
                waiting.append(path)
            elif _looks_like_a_node(name) and path not in listed:
                yield path, ""


def _looks_like_a_node(name: str) -> bool:
    return name.endswith(".json") and not name.endswith(".schema.json") and name[0] != "."
