"""Moves: deleted source files whose content is now elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.languages import language_name
from yg_old.kernel.digest import EMPTY
from yg_old.kernel.errors import UnreadableError
from yg_old.text.paths import name_of
from yg_old.yggdrasil.drift.similar import similar_files

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from yg_old.code.facts import FileFacts
    from yg_old.kernel.digest import FileDigest


class Lost(Struct, frozen=True):
    """The deleted source files of a node, and its new ones, where their content may be."""

    deleted: Mapping[str, str]  # digest by path, as in the baseline
    added: tuple[str, ...]
    facts: Mapping[str, FileFacts] = {}  # of deleted files, as in the baseline


class Finder:
    """Finds the new places of lost files: new files of the node, or files elsewhere."""

    def __init__(
        self,
        lost: Mapping[str, Lost],
        elsewhere: Callable[[], Iterable[str]],
        digest: Callable[[str], FileDigest],
        unknown: Callable[[Collection[str]], set[str]],
        facts: Callable[[str], FileFacts | None] = lambda _: None,
    ) -> None:
        """Find candidates; `unknown` returns those among some files that no baseline lists.

        Files elsewhere are hashed only if the content of some lost file is in no new file of its
        node, and their facts are read only if the content of one with facts is nowhere.
        """
        self._lost = lost
        self._digest = digest
        self._unknown = unknown
        self._places = elsewhere
        self._facts = facts
        nodes = lost.values()
        wanted = frozenset(digest for node in nodes for digest in node.deleted.values())
        self._own = self._candidates((path for node in nodes for path in node.added), wanted)
        left = {digest for node in nodes for digest in self._left(node)}
        found = self._candidates(elsewhere(), left) if left else {}
        self._elsewhere = _by_content(found, found)

    def _candidates(
        self, files: Iterable[str], wanted: Collection[str]
    ) -> dict[str, tuple[str, ...]]:
        """Return the files that no baseline lists and that have a wanted digest, with these."""
        found = {path: digests for path in files if (digests := self._digests(path, wanted))}
        unknown = self._unknown(found) if found else set()
        return {path: digests for path, digests in found.items() if path in unknown}

    def _digests(self, path: str, wanted: Collection[str]) -> tuple[str, ...]:
        try:
            digest = self._digest(path)
        except UnreadableError:
            return ()
        return tuple(form for form in digest.forms if form in wanted)

    def _left(self, node: Lost) -> set[str]:
        """Return the digests of lost files that no new file of the node has."""
        own = (digest for path in node.added for digest in self._own.get(path, ()))
        return {*node.deleted.values()}.difference(own)

    def moves(self, node: str) -> dict[str, str]:
        """Return the new places of the lost files of a node, for those that are found."""
        lost = self._lost[node]
        own = _by_content(self._own, (path for path in lost.added if path in self._own))
        choice = _Choice(own, self._elsewhere)
        taken = ((path, choice.take(path, digest)) for path, digest in sorted(lost.deleted.items()))
        moved = {path: place for path, place in taken if place}
        left = {path: facts for path, facts in lost.facts.items() if path not in moved}
        return {**moved, **self._similar(left, lost.added, {*moved.values()})} if left else moved

    def _similar(
        self, lost: Mapping[str, FileFacts], added: Iterable[str], taken: Collection[str]
    ) -> dict[str, str]:
        """Return the new places of files that changed too: in new files of the node, or elsewhere.

        Only files in the languages of lost ones are read.
        """
        languages = {language_name(path) for path in lost}
        found: dict[str, str] = {}
        for places in (added, self._places()):
            files = [
                path for path in places if language_name(path) in languages and path not in taken
            ]
            new = {path: self._facts(path) for path in sorted(self._unknown(files))}
            left = {path: facts for path, facts in lost.items() if path not in found}
            found |= similar_files(left, {path: facts for path, facts in new.items() if facts})
            if len(found) == len(lost):
                break
        return found


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
        """Return the new place of a file, preferably of the same name; empty if there is none.

        Any two empty files are equal, so an empty file needs the same name.
        """
        same_name = digest, name_of(path)
        keys = (same_name,) if digest == EMPTY else (same_name, (digest, ""))
        free = (self._free(at, key) for at in range(len(self._pools)) for key in keys)
        chosen = next(filter(None, free), "") or next(self._any(keys[-1]), "")
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
