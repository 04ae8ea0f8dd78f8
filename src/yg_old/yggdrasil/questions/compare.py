"""Comparison of two states of a graph: which packages differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.compare import ChangedSource, DiffImpact, Shift
from yg_old.kernel.document import known
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.impact import dependents
from yg_old.kernel.sources import SnapshotSources
from yg_old.text import paths
from yg_old.yggdrasil.package.assemble import Assembler
from yg_old.yggdrasil.parts import PartKind
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.questions.identity import renamed
from yg_old.yggdrasil.questions.impact import incoming
from yg_old.yggdrasil.resolve import referring_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.kernel.compare import Renamed
    from yg_old.kernel.impact import Reached
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.owners import Ownership
    from yg_old.yggdrasil.package.blocks import ContextPackage


class Comparison:
    """A comparison of the packages of two states of a graph."""

    def __init__(self, then: Graph, now: Graph) -> None:
        self._then, self._now = then, now
        self._assemblers = Assembler(then), Assembler(now)

    def shift(self, path: str, was: str = "") -> Shift:
        """Assemble one node in both states; `was` is its path before, if it was moved."""
        then, now = self._assemblers
        before = _package(then, self._then, was or path)
        return Shift(path, before, _package(now, self._now, path), was)

    def differences(self, moved: Iterable[Renamed] = ()) -> Iterator[Shift]:
        """Yield every node whose package differs, sorted by path; a moved node only once."""
        old_paths = {pair.new: pair.old for pair in moved if pair.kind is PartKind.NODE}
        gone = self._then.nodes.all.keys() - {*old_paths.values()}
        for path in sorted({*gone, *self._now.nodes.all}):
            shift = self.shift(path, old_paths.get(path, ""))
            if shift.is_changed:
                yield shift


def _package(assembler: Assembler, graph: Graph, path: str) -> ContextPackage | None:
    node = graph.nodes.get(path)
    if node is None:
        return None
    package = assembler.package(node)
    try:
        _ = package.contents
    except UnreadableError:
        return None  # validation reports the unreadable file
    return package


def diff_impact(
    then: Graph, now: Graph, ownership: Ownership, files: Sequence[str], since: str
) -> DiffImpact:
    """Return the owners of changed files, the packages that differ, and their dependents."""
    documents = {*referring_parts(then), *referring_parts(now)}
    # A document that a node owns is listed with its owner, and packages are compared all the same.
    texts = [file for file in files if is_graph_content(file) or file in documents]
    graph_files = tuple(file for file in texts if ownership.get(file) is None)
    shown = frozenset(graph_files)
    from yg_old.yggdrasil.questions.moved_sources import moved_sources  # reads code

    outside = [file for file in files if not file.startswith(f"{FOLDER}/") and file not in shown]
    moves = moved_sources(SnapshotSources(then.snapshot), SnapshotSources(now.snapshot), outside)
    targets = {*moves.values()}
    sources = tuple(
        _changed_source(ownership, file, moves.get(file)) for file in outside if file not in targets
    )
    moved: tuple[Renamed, ...] = ()
    shifts: tuple[Shift, ...] = ()
    if texts:
        moved = renamed(then, now)
        shifts = tuple(Comparison(then, now).differences(moved))
    changed = {node for source in sources for node in source.owners}
    changed |= {shift.node for shift in shifts}
    return DiffImpact(
        since=since,
        sources=sources,
        graph_files=graph_files,
        moved=moved,
        shifts=shifts,
        reached=_reached(now, changed),
    )


def _changed_source(ownership: Ownership, file: str, to: str | None) -> ChangedSource:
    owner = ownership.get(file)
    new = ownership.get(to) if to else None
    node = owner.node if owner else None
    if to is None or new is None or new.node == node:
        return ChangedSource(file, node, known(to))
    if node is None:
        return ChangedSource(file, new.node, known(to))
    return ChangedSource(file, node, known(to), new.node)


def changed_nodes(graph: Graph, ownership: Ownership, files: Iterable[str]) -> tuple[str, ...]:
    """Return the nodes that own changed files, list them, or have them in their directory."""
    tree, documents = graph.nodes.spec.tree, referring_parts(graph)
    found: set[str] = set()
    for file in files:
        found.update(documents.get(file, ()))
        owner = ownership.get(file)
        directory = paths.parent(file)
        if owner is not None:
            found.add(owner.node)
        elif paths.is_inside(directory, tree) and not paths.name_of(file).startswith("."):
            found.add(directory.removeprefix(tree).removeprefix("/") or paths.ROOT)
    return tuple(sorted((path for path in found if graph.nodes.get(path)), key=paths.root_first))


def is_graph_content(file: str) -> bool:
    """Tell whether a file is graph content, not a baseline or another dot file."""
    return file.startswith(f"{FOLDER}/") and not file.startswith(f"{FOLDER}/.")


def _reached(graph: Graph, changed: Iterable[str]) -> tuple[Reached, ...]:
    start = sorted(changed)
    return dependents(incoming(graph), "", start)
