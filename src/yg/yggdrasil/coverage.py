"""Coverage: the share of a repository's files that nodes own."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from yg.text import paths
from yg.text.patterns import Patterns
from yg.yggdrasil.owner import Owners

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.yggdrasil.graph import Graph

Count = Annotated[int, Meta(ge=0)]

# Files that `yg init` writes as a whole.
_WRITTEN = frozenset(
    {
        ".clinerules/yggdrasil.md",
        ".cursor/rules/yggdrasil.mdc",
        ".opencode/plugins/yg.js",
        ".roo/rules/yggdrasil.md",
        ".windsurf/rules/yggdrasil.md",
    }
)
_COVERED, _BLACKBOX, _UNCOVERED = range(3)


class Tally(Struct, frozen=True, kw_only=True):
    """The numbers of owned and unowned files below a directory."""

    directory: Annotated[
        str,
        Meta(description="The directory, relative to the root of the repository, which is `.`."),
    ]
    files: Annotated[Count, Meta(description="How many files there are.")]
    covered: Annotated[
        Count,
        Meta(description="How many of them are owned by a node that is not a blackbox."),
    ]
    blackbox: Annotated[Count, Meta(description="How many of them are owned by a blackbox.")]
    uncovered: Annotated[Count, Meta(description="How many of them have no owner.")]
    percent: Annotated[
        float,
        Meta(ge=0, le=100, description="The share of owned files; 100 when there are no files."),
    ]

    @property
    def owned(self) -> int:
        """The number of owned files, blackboxes included."""
        return self.covered + self.blackbox


class Coverage(Struct, frozen=True):
    """The tallies of all directories, root first, and the files without an owner."""

    tallies: tuple[Tally, ...]
    uncovered: tuple[str, ...]
    excluded: int  # files that the configuration leaves out of the count


def coverage_of(graph: Graph, files: Iterable[str]) -> Coverage:
    """Count source files by owner and directory, without those that `yg init` writes."""
    owners, patterns = Owners(graph), graph.config.coverage.exclude
    exclude = Patterns.from_lines(patterns).excludes if patterns else lambda _file: False
    counts: Counter[tuple[str, int]] = Counter()
    uncovered, excluded = [], 0
    for file in files:
        if file in _WRITTEN:
            continue
        if exclude(file):
            excluded += 1
            continue
        owner, kind = owners.get(file), _UNCOVERED
        if owner is None:
            uncovered.append(file)
        else:
            kind = _BLACKBOX if graph.nodes[owner.node].blackbox else _COVERED
        counts[paths.parent(file), kind] += 1
    return Coverage(_tallies(counts), tuple(sorted(uncovered)), excluded)


def _tallies(counts: Counter[tuple[str, int]]) -> tuple[Tally, ...]:
    """Add up the files in each directory, by kind, for the directories above."""
    totals = {paths.ROOT: [0, 0, 0]}
    for (directory, kind), number in counts.items():
        for place in (*paths.lineage(directory), directory):
            totals.setdefault(place, [0, 0, 0])[kind] += number
    return tuple(_tally(path, *totals[path]) for path in sorted(totals, key=paths.tree_order))


def _tally(directory: str, covered: int, blackbox: int, uncovered: int) -> Tally:
    """Return the tally of a directory; its percentage is 100 only if every file is owned."""
    files = covered + blackbox + uncovered
    share = 100.0 * (covered + blackbox) / files if files else 100.0
    return Tally(
        directory=directory,
        files=files,
        covered=covered,
        blackbox=blackbox,
        uncovered=uncovered,
        percent=min(round(share, 2), 99.99) if uncovered else 100.0,
    )
