"""Moves: deleted source files whose content is now elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.kernel.errors import UnreadableError
from yg.kernel.paths import name_of
from yg.kernel.snapshot import Kind
from yg.yggdrasil.drift import Change, How, State, is_graph_file

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from yg.kernel.sources import Sources
    from yg.yggdrasil.baseline import Baseline
    from yg.yggdrasil.drift import Hashes, NodeDrift


class Lost(Struct, frozen=True):
    """The deleted source files of a node, and its new ones, where their content may be."""

    deleted: Mapping[str, str]  # digest by path, as in the baseline
    added: tuple[str, ...]


def lost_files(drift: NodeDrift, baseline: Baseline | None, sources: Sources) -> Lost | None:
    """Return the files that a node has lost; None if it has lost none."""
    then = baseline.files if baseline else {}
    if drift.state is State.MISSING:
        gone = [path for path in then if not is_graph_file(path)]
        deleted = {path: then[path] for path in gone if sources.kind(path) is not Kind.FILE}
    else:
        gone = [change.path for change in drift.source if change.how is How.DELETED]
        deleted = {path: then[path] for path in gone if path in then}
    added = tuple(change.path for change in drift.source if change.how is How.ADDED)
    return Lost(deleted, added) if deleted else None


class Finder:
    """Finds the new places of lost files: new files of the node, or files without an owner."""

    def __init__(
        self,
        lost: Mapping[str, Lost],
        unowned: Callable[[], Iterable[str]],
        hashes: Hashes,
        unknown: Callable[[Collection[str]], set[str]],
    ) -> None:
        """Find candidates; `unknown` returns those among some files that no baseline lists.

        Files without an owner are hashed only if the content of some lost file is in no new file
        of its node.
        """
        self._hashes = hashes
        self._unknown = unknown
        nodes = lost.values()
        wanted = frozenset(digest for node in nodes for digest in node.deleted.values())
        self._own = self._candidates((path for node in nodes for path in node.added), wanted)
        left = {digest for node in nodes for digest in self._left(node)}
        found = self._candidates(unowned(), left) if left else {}
        self._unowned = _by_content(found, found)

    def _candidates(
        self, files: Iterable[str], wanted: Collection[str]
    ) -> dict[str, tuple[str, ...]]:
        """Return the files that no baseline lists and that have a wanted digest, with these."""
        found = {path: digests for path in files if (digests := self._digests(path, wanted))}
        unknown = self._unknown(found) if found else set()
        return {path: digests for path, digests in found.items() if path in unknown}

    def _digests(self, path: str, wanted: Collection[str]) -> tuple[str, ...]:
        try:
            digest = self._hashes.of(path)
        except UnreadableError:
            return ()
        return tuple(
            {found: None for found in (digest.lf, digest.raw or digest.lf) if found in wanted}
        )

    def _left(self, node: Lost) -> set[str]:
        """Return the digests of lost files that no new file of the node has."""
        own = (digest for path in node.added for digest in self._own.get(path, ()))
        return {*node.deleted.values()}.difference(own)

    def moved(self, drift: NodeDrift, lost: Lost) -> NodeDrift:
        """Return the drift of a node with deleted files marked as moved."""
        own = _by_content(self._own, (path for path in lost.added if path in self._own))
        choice = _Choice(own, self._unowned)
        moves = {
            path: Change(path, How.MOVED, to)
            for path, digest in sorted(lost.deleted.items())
            if (to := choice.take(path, digest))
        }
        if drift.state is State.MISSING:
            return replace(drift, source=tuple(moves.values()))
        source = tuple(moves.get(change.path, change) for change in drift.source)
        return replace(drift, source=source)


def _by_content(
    found: Mapping[str, tuple[str, ...]], files: Iterable[str]
) -> dict[tuple[str, str], list[str]]:
    """Group files, sorted, by digest and name, and by digest alone (an empty name)."""
    groups: dict[tuple[str, str], list[str]] = {}
    for path in sorted(files):
        for digest in found[path]:
            groups.setdefault((digest, name_of(path)), []).append(path)
            groups.setdefault((digest, ""), []).append(path)
    return groups


class _Choice:
    """Chooses new places for the files of one node, each only once as long as there are others."""

    def __init__(self, *pools: Mapping[tuple[str, str], list[str]]) -> None:
        self._pools = pools
        self._next: dict[tuple[int, tuple[str, str]], int] = {}
        self._used: set[str] = set()

    def take(self, path: str, digest: str) -> str:
        """Return the new place of a file, preferably of the same name; empty if there is none."""
        keys = ((digest, name_of(path)), (digest, ""))
        free = (self._free(at, key) for at in range(len(self._pools)) for key in keys)
        chosen = next(filter(None, free), "") or next(self._any((digest, "")), "")
        self._used.add(chosen)
        return chosen

    def _free(self, at: int, key: tuple[str, str]) -> str:
        group = self._pools[at].get(key, [])
        position = self._next.get((at, key), 0)
        while position < len(group) and group[position] in self._used:
            position += 1
        self._next[at, key] = position
        return group[position] if position < len(group) else ""

    def _any(self, key: tuple[str, str]) -> Iterator[str]:
        return (path for pool in self._pools for path in pool.get(key, [])[:1])
