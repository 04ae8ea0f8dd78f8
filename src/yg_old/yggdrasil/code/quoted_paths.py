"""Paths in the texts of a graph, and whether they lead anywhere."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.kernel.sources import GIT
from yg_old.text import paths
from yg_old.text.suggest import Suggester
from yg_old.yggdrasil.code.quoted_names import quotes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.graph import Graph

_PATH = re.compile(r"(?:\./)?([\w.@+~-]+(?:/[\w.@+~-]+)+)/?(?::\d+(?:-\d+)?)?")
_DOTS = re.compile(r"\.{2,}")
_PLACEHOLDER = re.compile(r"[A-Z][A-Z_]+\d*|X{2,}")  # a part such as NODE or XXX


def quoted_paths(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield what may be a path in back quotes, outside of code blocks, with its position.

    Each comes as it is written, and as a path: without `./`, a final slash and a line number.
    """
    seen: set[str] = set()
    for quoted, line, column in quotes(text):
        match = _PATH.fullmatch(quoted)
        if match and match[1] not in seen and not _is_placeholder(match[1]):
            seen.add(match[1])
            yield quoted, match[1], line, column


def _is_placeholder(path: str) -> bool:
    return any(
        _DOTS.search(part) or _PLACEHOLDER.fullmatch(part.partition(".")[0])
        for part in path.split("/")
    )


class KnownPaths:
    """The files, directories and nodes that a text can name."""

    def __init__(self, graph: Graph, sources: Sources) -> None:
        self._graph = graph
        self._sources = sources

    def lacks(self, path: str) -> bool:
        """Return whether a text looks like a path, but leads nowhere."""
        return (
            self._looks_like_one(path)
            and self._sources.kind(path) is None
            and path not in self._nodes
            and not any(self._graph.snapshot.kind(f"{top}/{path}") for top in self._tops)
            and path not in self._ends
            and not self._sources.ignores(path)
        )

    def _looks_like_one(self, path: str) -> bool:
        first = path.partition("/")[0]
        if first == GIT:
            return False  # what is there depends on the clone
        return self._sources.kind(first) is not None or first in self._first_parts

    @cached_property
    def _tops(self) -> tuple[str, ...]:
        """The directories of the graph in which a path may begin."""
        tree = self._graph.nodes.spec.tree
        return paths.parent(tree), tree

    @cached_property
    def _nodes(self) -> frozenset[str]:
        return frozenset(self._graph.nodes.ids())

    @cached_property
    def _first_parts(self) -> frozenset[str]:
        return frozenset(node.partition("/")[0] for node in self._nodes)

    @cached_property
    def _ends(self) -> frozenset[str]:
        """The ends of all paths: a text may leave out the directories that a file is in."""
        found: set[str] = set()
        for file in self._sources.files(paths.ROOT):
            for place in (*paths.lineage(file), file):
                found.update(_ends(place))
        for node in self._nodes:
            found.update(_ends(node))
        return frozenset(found)

    def nearest(self, path: str) -> tuple[str, ...]:
        """Return the files and nodes that are most like a path."""
        return self._suggest(path)

    @cached_property
    def _suggest(self) -> Suggester:
        return Suggester((*self._sources.files(paths.ROOT), *self._nodes))


def _ends(path: str) -> Iterator[str]:
    """Yield a path without its first directories, one after the other."""
    while "/" in path:
        yield path
        path = path.partition("/")[2]
