"""Coverage: the share of a repository's files that nodes own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.mapping import Ownership


class Tally(Struct, frozen=True):
    """The file counts of a directory, including subdirectories, by kind of owner."""

    directory: str
    covered: int
    blackbox: int
    uncovered: int

    @property
    def files(self) -> int:
        """All files."""
        return self.covered + self.blackbox + self.uncovered

    @property
    def percent(self) -> float:
        """The share of owned files, blackboxes included; 100 if there are no files."""
        owned = self.covered + self.blackbox
        return 100.0 * owned / self.files if self.files else 100.0


class Coverage(Struct, frozen=True):
    """The tallies of all directories, root first, and the files without an owner."""

    tallies: tuple[Tally, ...]
    uncovered: tuple[str, ...]

    @property
    def total(self) -> Tally:
        """The tally of the whole repository."""
        return self.tallies[0]


def coverage_of(graph: Graph, ownership: Ownership, files: Iterable[str]) -> Coverage:
    """Count files by owner and directory."""
    counts: dict[str, list[int]] = {paths.ROOT: [0, 0, 0]}
    uncovered = []
    for file in files:
        kind = _kind(graph, ownership, file)
        if kind == _UNCOVERED:
            uncovered.append(file)
        for directory in paths.lineage(file):
            counts.setdefault(directory, [0, 0, 0])[kind] += 1
    order = sorted(counts, key=lambda path: [] if path == paths.ROOT else path.split("/"))
    return Coverage(tuple(Tally(path, *counts[path]) for path in order), tuple(sorted(uncovered)))


_COVERED, _BLACKBOX, _UNCOVERED = range(3)


def _kind(graph: Graph, ownership: Ownership, file: str) -> int:
    owner = ownership.get(file)
    node = graph.nodes.get(owner.node) if owner else None
    if node is None:
        return _UNCOVERED
    return _BLACKBOX if node.is_blackbox else _COVERED
