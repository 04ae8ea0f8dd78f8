"""New names of the nodes, aspects, flows and files that were renamed between two states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.parts import PartKind, collection_of
from yg.yggdrasil.places import is_graph_file
from yg.yggdrasil.questions.identity import renamed
from yg.yggdrasil.questions.moved_sources import moved_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph


def new_names(then: Graph, now: Graph, sources: Sources, files: Sequence[str]) -> Mapping[str, str]:
    """Return the new names of what was renamed, by old name.

    `sources` are those of the later state, `files` the ones that differ.
    """
    outside = [file for file in files if not is_graph_file(file)]
    moves = moved_sources(SnapshotSources(then.snapshot), sources, outside)
    found = {old: new for file, to in moves.items() for old, new in _moved(sources, file, to)}
    for pair in renamed(then, now):
        kind = PartKind(pair.kind)
        tree = collection_of(now, kind).spec.tree
        found[f"{tree}/{pair.old}"] = f"{tree}/{pair.new}"
        found[pair.old] = pair.new
        if kind is not PartKind.NODE:  # as issues write them
            found[f"{kind}s/{pair.old}"] = f"{kind}s/{pair.new}"
    return found


def _moved(sources: Sources, old: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield a moved file, and the topmost directory that moved with it and is gone."""
    yield old, new
    before, after = old.split("/"), new.split("/")
    same = 0
    while same < min(len(before), len(after)) and before[-1 - same] == after[-1 - same]:
        same += 1
    for kept in range(same, 0, -1):
        folder, to = "/".join(before[:-kept]), "/".join(after[:-kept])
        if folder and to and not sources.files(folder):
            yield folder, to
            return
