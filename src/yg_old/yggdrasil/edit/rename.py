"""`yg mv`: a new name for a node, an aspect or a flow, as a list of edits.

A record of the move is kept from before the first edit until after the last one. With it, an
interrupted move can be run again: it has the old and new digests of the files with references,
which the baselines need.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct
from msgspec.json import decode, encode

from yg_old.kernel.digest import file_digest
from yg_old.kernel.edit import Edit, Rename, Write
from yg_old.kernel.errors import UnreadableError, UsageError, YgError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.escapes import shell_word
from yg_old.yggdrasil.drift.baseline import state_file
from yg_old.yggdrasil.edit.baselines import rewritten
from yg_old.yggdrasil.edit.ids import (
    find_id,
    id_fault,
    new_id,
    parent_notes,
    without_tree,
)
from yg_old.yggdrasil.edit.mentions import mentions
from yg_old.yggdrasil.edit.references import Renaming, rewrites
from yg_old.yggdrasil.parts import PartKind, collection_of
from yg_old.yggdrasil.places import DRIFT_STATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.yggdrasil.drift.baselines import Baselines
    from yg_old.yggdrasil.graph import Graph

    Digests = dict[str, dict[str, str]]  # of a file, by its new path: the new digest by the old

MOVING = ".moving"  # suffix of a temporary name


class MoveRecord(Struct, frozen=True):
    """A move that has begun."""

    kind: PartKind
    old: str
    new: str
    digests: dict[str, dict[str, str]]
    files: dict[str, tuple[str, str]]  # digests before and after, of each file that is written

    @property
    def content(self) -> bytes:
        """The record as it is stored."""
        return encode(self)


class Move(Struct, frozen=True, kw_only=True):
    """The edits of a move, without its record, and what they change."""

    record: MoveRecord
    edits: tuple[Edit, ...]
    ids: int  # nodes, aspects or flows with a new name
    references: int
    files: int  # with references
    baselines: int
    notes: tuple[str, ...] = ()


def move(  # noqa: PLR0913
    graph: Graph,
    baselines: Baselines,
    old: str,
    new: str,
    kind: PartKind | None = None,
    *,
    record: bytes = b"",
) -> Move:
    """Return the move of what has a name to another name, or the rest of an interrupted move.

    Without a kind, the name must belong to only one node, aspect or flow. `record` is the stored
    record of an interrupted move; empty if there is none.
    """
    begun = _decoded(record)
    if begun is not None:
        mover = _Mover(graph, baselines, Renaming(begun.kind, begun.old, begun.new))
        if mover.has_begun(begun):
            _refuse_other(graph, begun, old, new)
            return mover.run(begun)
    found = find_id(graph, old, kind)
    if found.id == paths.ROOT:
        raise UsageError("the root node cannot be moved")
    renaming = Renaming(found.kind, found.id, new_id(graph, found.kind, new, found.id))
    mover = _Mover(graph, baselines, renaming)
    mover.refuse_taken()
    return mover.run()


def _decoded(record: bytes) -> MoveRecord | None:
    try:
        found = decode(record, type=MoveRecord)
    except DecodeError:
        return None  # there is none, or it is of another version
    return None if id_fault(found.old) or id_fault(found.new) else found


def _refuse_other(graph: Graph, begun: MoveRecord, old: str, new: str) -> None:
    """Raise an error unless a move is the one that was interrupted."""
    tree = collection_of(graph, begun.kind).spec.tree
    if (without_tree(tree, old), without_tree(tree, new)) != (begun.old, begun.new):
        names = [f"{paths.name_of(tree)}/{name}" for name in (begun.old, begun.new)]
        raise YgError(
            f"the move of '{begun.old}' to '{begun.new}' was interrupted",
            hint=f"Finish it first: yg mv {' '.join(map(shell_word, names))}",
        )


class _Mover:
    """Builder of the edits of one move."""

    def __init__(self, graph: Graph, baselines: Baselines, renaming: Renaming) -> None:
        self._graph = graph
        self._snapshot: Snapshot = graph.snapshot
        self._baselines = baselines
        self._renaming = renaming
        self._spec = collection_of(graph, renaming.kind).spec

    def refuse_taken(self) -> None:
        """Raise an error if the new name exists, or something is where its files would be."""
        old, new, tree = self._renaming.old, self._renaming.new, self._spec.tree
        if old == new:
            raise UsageError(f"'{old}' has this name already")
        if paths.is_inside(new, old):
            raise UsageError(f"cannot move '{old}' into itself, to '{new}'")
        if _exists(self._snapshot, f"{tree}/{new}"):
            raise YgError(
                f"cannot move '{old}': '{new}' exists", hint="Choose another name, or remove it."
            )
        for source, to in self._places():
            if (taken := self._obstacle(source, to)) is not None:
                hint = "Remove it first: it belongs to something that is gone."
                raise YgError(f"cannot move '{old}': '{taken}' exists", hint=hint)

    def _obstacle(self, source: str, to: str) -> str | None:
        """Return what is in the way of a new path, if anything."""
        snapshot = self._snapshot
        for place in paths.lineage(to):
            if snapshot.kind(place) not in (Kind.DIRECTORY, None):
                return place
        is_same = paths.folded(source) == paths.folded(to)
        middle = f"{source}{MOVING}"
        if is_same and _exists(snapshot, middle):
            return middle
        is_taken = _exists(snapshot, to) if is_same else snapshot.kind(to) is not None
        return to if is_taken else None

    def _places(self) -> Iterator[tuple[str, str]]:
        """Yield the old and new paths of the files to rename."""
        old, new, tree = self._renaming.old, self._renaming.new, self._spec.tree
        yield f"{tree}/{old}", f"{tree}/{new}"
        has_states = self._snapshot.kind(DRIFT_STATE) is Kind.DIRECTORY
        if self._renaming.kind is PartKind.NODE and has_states:
            yield state_file(old), state_file(new)
            yield f"{DRIFT_STATE}/{old}", f"{DRIFT_STATE}/{new}"

    def has_begun(self, record: MoveRecord) -> bool:
        """Return whether the files show that a move has begun and is not complete.

        The record may be of another repository, which was in the same place before.
        """
        places = list(self._places())
        if any(_exists(self._snapshot, f"{old}{MOVING}") for old, _ in places):
            return True
        (old, new), *_ = places
        is_moved = not _exists(self._snapshot, old) and _exists(self._snapshot, new)
        for path, (before, after) in record.files.items():
            current = self._digest(path)
            if current == after or (is_moved and current == before):
                return True
        return False

    def _digest(self, path: str) -> str:
        """Return the digest of a file, which may have been moved already; empty if it is gone."""
        moved = (
            f"{to}{path[len(old) :]}" for old, to in self._places() if paths.is_inside(path, old)
        )
        for place in (path, *moved):
            if self._snapshot.kind(place) is Kind.FILE:
                with suppress(UnreadableError):
                    return file_digest([self._snapshot.read(place)])
        return ""

    def run(self, begun: MoveRecord | None = None) -> Move:
        """Collect the edits, or those that are left of an interrupted move."""
        found = list(rewrites(self._graph, self._renaming))
        digests = {path: dict(pairs) for path, pairs in begun.digests.items()} if begun else {}
        for rewrite in found:
            digests.setdefault(self._path(rewrite.path), {}).update(rewrite.digests)
        references = [Write(rewrite.path, rewrite.after) for rewrite in found]
        written = list(self._state_files(digests))
        directory, *states = [self._renames(old, to) for old, to in self._places()]
        files = dict(begun.files) if begun else {}
        for write in (*references, *written):
            before = file_digest([self._snapshot.read(write.path)])
            files.setdefault(write.path, (before, file_digest([write.content])))
        renamed = (edit for renames in states for edit in renames)
        renaming = self._renaming
        return Move(
            record=MoveRecord(renaming.kind, renaming.old, renaming.new, digests, files),
            edits=(*references, *directory, *written, *renamed),
            ids=sum(self._is_moved(found) for found in self._ids()),
            references=sum(rewrite.count for rewrite in found),
            files=sum(rewrite.count > 0 for rewrite in found),
            baselines=len(written),
            notes=tuple(self._notes()),
        )

    def _ids(self) -> tuple[str, ...]:
        return collection_of(self._graph, self._renaming.kind).ids()

    def _is_moved(self, found: str) -> bool:
        return any(
            paths.is_inside(found, name) for name in (self._renaming.old, self._renaming.new)
        )

    def _path(self, path: str) -> str:
        """Return where a file of the graph is after the move."""
        start = f"{self._spec.tree}/"
        if not path.startswith(start):
            return path
        return f"{start}{self._renaming.id(path.removeprefix(start))}"

    def _state_files(self, digests: Digests) -> Iterator[Write]:
        """Yield the baselines that list a moved file, or one with references."""
        return rewritten(self._baselines, lambda _, files: self._moved(files, digests))

    def _moved(self, before: Mapping[str, str], digests: Digests) -> dict[str, str]:
        """Return the files of a baseline with new paths, and new digests of unchanged files."""
        files: dict[str, str] = {}
        for path, digest in before.items():
            after = self._path(path)
            if after != path or path not in files:
                files[after] = digests.get(after, {}).get(digest, digest)
        return files

    def _renames(self, old: str, new: str) -> list[Edit]:
        """Return the renames of a file or directory that are left to do.

        Where only the case changes, the old and new name may be the same to the file system.
        """
        middle = f"{old}{MOVING}"
        if paths.folded(old) != paths.folded(new):
            return [Rename(old, new)] if _exists(self._snapshot, old) else []
        if _exists(self._snapshot, old):
            return [Rename(old, middle), Rename(middle, new)]
        return [Rename(middle, new)] if _exists(self._snapshot, middle) else []

    def _notes(self) -> Iterator[str]:
        for file, reason in self._baselines.problems.items():
            yield f"the content of {file} stays as it is: {reason}"
        if self._renaming.kind is PartKind.NODE:
            yield from parent_notes(self._graph, self._renaming.new)
        tree = paths.name_of(self._spec.tree)
        for file, line in mentions(self._graph, tree, self._renaming.old):
            yield f"{self._path(file)}:{line} mentions '{self._renaming.old}'"


def _exists(snapshot: Snapshot, path: str) -> bool:
    """Tell whether a path exists in exactly this spelling."""
    directory = paths.parent(path)
    if snapshot.kind(directory) is not Kind.DIRECTORY:
        return False
    try:
        return paths.name_of(path) in snapshot.entries(directory)
    except UnreadableError as error:
        raise YgError(error.message, hint="Nothing was written.") from error
