"""Coverage: the share of a repository's files that nodes own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from yg.kernel.sources import Owner
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.mapping import Ownership


class Tally(Struct, frozen=True):
    """The file counts of a directory, including subdirectories, by kind of owner."""

    directory: str
    covered: int
    blackbox: int
    uncovered: int
    parent: int = 0  # among the owned: by a parent that maps the directory as a whole

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
    excluded: int = 0  # files left out of the count

    @property
    def total(self) -> Tally:
        """The tally of the whole repository."""
        return self.tallies[0]


def coverage_of(
    graph: Graph,
    ownership: Ownership,
    files: Iterable[str],
    is_excluded: Callable[[str], bool] = lambda _file: False,
) -> Coverage:
    """Count listed files by owner and directory; excluded files do not count."""
    parents = _parents(graph)
    counts: dict[str, list[int]] = {paths.ROOT: [0, 0, 0, 0]}
    uncovered = []
    excluded = 0
    for file in files:
        if is_excluded(file):
            excluded += 1
            continue
        owner = ownership.get_listed(file)
        kind = _kind(graph, owner)
        if kind == _UNCOVERED:
            uncovered.append(file)
        is_by_parent = owner is not None and owner.mapping != file and owner.node in parents
        for directory in paths.lineage(file):
            found = counts.setdefault(directory, [0, 0, 0, 0])
            found[kind] += 1
            found[_PARENT] += is_by_parent
    order = sorted(counts, key=lambda path: [] if path == paths.ROOT else path.split("/"))
    tallies = tuple(Tally(path, *counts[path]) for path in order)
    return Coverage(tallies, tuple(sorted(uncovered)), excluded)


_COVERED, _BLACKBOX, _UNCOVERED, _PARENT = range(4)


def _parents(graph: Graph) -> frozenset[str]:
    """Return the paths above mapped nodes."""
    mapped = (node.path for node in graph.nodes if node.mapping)
    return frozenset(above for path in mapped for above in paths.lineage(path))


def _kind(graph: Graph, owner: Owner | None) -> int:
    node = graph.nodes.get(owner.node) if owner else None
    if node is None:
        return _UNCOVERED
    return _BLACKBOX if node.is_blackbox else _COVERED
