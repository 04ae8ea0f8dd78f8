"""New names of the nodes, aspects, flows and files that were renamed between two states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.snapshot import Kind
from yg_old.kernel.sources import SnapshotSources
from yg_old.yggdrasil.parts import PartKind, collection_of
from yg_old.yggdrasil.places import is_graph_file
from yg_old.yggdrasil.questions.identity import renamed
from yg_old.yggdrasil.questions.moved_sources import moved_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.graph import Graph


def new_names(
    then: Graph, now: Graph, sources: Sources, files: Sequence[str], git: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the new names of what was renamed, by old name.

    `sources` are those of the later state, `files` the ones that differ, and `git` has the new
    paths of files that were renamed in commits.
    """
    moves = {
        old: new
        for old, new in git.items()
        if now.snapshot.kind(old) is None and now.snapshot.kind(new) is Kind.FILE
    }
    known = {*moves, *moves.values()}
    rest = [file for file in files if file not in known and not is_graph_file(file)]
    moves |= moved_sources(SnapshotSources(then.snapshot), SnapshotSources(now.snapshot), rest)
    found: dict[str, str] = {}
    for old, new in moves.items():
        found |= _part(now, old, new) if is_graph_file(old) else dict(_moved(sources, old, new))
    for pair in renamed(then, now):
        found |= _names(now, PartKind(pair.kind), pair.old, pair.new)
    return found


def _part(graph: Graph, old: str, new: str) -> dict[str, str]:
    """Return the names of a node, an aspect or a flow whose declaration moved."""
    for kind in PartKind:
        spec = collection_of(graph, kind).spec
        ends = f"{spec.tree}/", f"/{spec.file}"
        if all(path.startswith(ends[0]) and path.endswith(ends[1]) for path in (old, new)):
            ids = (path.removeprefix(ends[0]).removesuffix(ends[1]) for path in (old, new))
            return _names(graph, kind, *ids)
    return {old: new}


def _names(graph: Graph, kind: PartKind, old: str, new: str) -> dict[str, str]:
    spec = collection_of(graph, kind).spec
    return {start + old: start + new for start in ("", spec.subject, f"{spec.tree}/")}


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
