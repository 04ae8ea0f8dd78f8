"""Coverage: the share of a repository's files that nodes own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from yg_old.kernel.document import UNIQUE, Count, Record, Text, about
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from yg_old.kernel.sources import Owner
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.owners import Ownership


class Tally(Record, frozen=True, kw_only=True):
    """The numbers of owned and unowned files below a directory."""

    directory: Annotated[
        Text, about("The directory, relative to the root of the repository, which is `.`.")
    ]
    files: Annotated[Count, about("How many files there are.")]
    covered: Annotated[Count, about("How many of them are owned by a node that is not a blackbox.")]
    blackbox: Annotated[Count, about("How many of them are owned by a blackbox.")]
    uncovered: Annotated[Count, about("How many of them have no owner.")]
    parent: Annotated[
        Count,
        about(
            "How many of the owned files belong to a node only because it maps a directory as a "
            "whole, while nodes below it are mapped too."
        ),
    ]
    percent: Annotated[
        float,
        Meta(ge=0, le=100),
        about("The share of owned files; 100 when there are no files."),
    ]

    @property
    def owned(self) -> int:
        """The number of owned files, blackboxes included."""
        return self.covered + self.blackbox

    @property
    def share(self) -> float:
        """The share of owned files in percent, not rounded."""
        return 100.0 * self.owned / self.files if self.files else 100.0


def tally(directory: str, covered: int, blackbox: int, uncovered: int, parent: int = 0) -> Tally:
    """Return the tally of a directory; its percentage is 100 only if every file is owned."""
    files = covered + blackbox + uncovered
    share = 100.0 * (covered + blackbox) / files if files else 100.0
    return Tally(
        directory=directory,
        files=files,
        covered=covered,
        blackbox=blackbox,
        uncovered=uncovered,
        parent=parent,
        percent=min(round(share, 2), 99.99) if uncovered else 100.0,
    )


class Coverage(Struct, frozen=True):
    """The tallies of all directories, root first, and the files without an owner."""

    tallies: tuple[Tally, ...]
    uncovered: tuple[str, ...]
    excluded: int = 0  # files left out of the count

    @property
    def total(self) -> Tally:
        """The tally of the whole repository."""
        return self.tallies[0]


class UnmentionedName(Record, frozen=True, kw_only=True, order=True):
    """A public name that other nodes import and the interface of its node does not mention."""

    node: Annotated[Text, about("The path of the node that has it.")]
    name: Annotated[Text, about("The name.")]
    file: Annotated[Text, about("The file that it is imported from.")]
    imported_by: Annotated[
        tuple[Text, ...],
        Meta(min_length=1, extra_json_schema=UNIQUE),
        about("The nodes that import it, sorted."),
    ]


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
    tallies = tuple(tally(path, *counts[path]) for path in order)
    return Coverage(tallies, tuple(sorted(uncovered)), excluded)


_COVERED, _BLACKBOX, _UNCOVERED, _PARENT = range(4)


def _parents(graph: Graph) -> frozenset[str]:
    """Return the paths above mapped nodes."""
    mapped = (node.path for node in graph.nodes if node.mapping)
    return frozenset(above for path in mapped for above in paths.lineage(path))


def kind_of_owner(graph: Graph, ownership: Ownership, file: str) -> int:
    """Return 0 for a listed file that a node owns, 1 for one of a blackbox, 2 without an owner."""
    return _kind(graph, ownership.get_listed(file))


def is_owned(graph: Graph, ownership: Ownership, file: str) -> bool:
    """Tell whether a node owns a listed file."""
    return kind_of_owner(graph, ownership, file) != _UNCOVERED


def _kind(graph: Graph, owner: Owner | None) -> int:
    node = graph.nodes.get(owner.node) if owner else None
    if node is None:
        return _UNCOVERED
    return _BLACKBOX if node.is_blackbox else _COVERED
