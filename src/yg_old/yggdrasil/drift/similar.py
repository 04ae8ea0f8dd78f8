"""Files that moved and changed: those whose facts agree in most parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.code.languages import language_name
from yg_old.code.parts import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.code.facts import FileFacts

LEAST_SHARE = 80  # in a hundred parts, of the file that has more of them
MOST_SHARED = 50  # files with an equal part that are compared; parts of more say nothing

Key = tuple[str, str, str]  # language, and the name and digest of a part; the tokens without a name


def similar_files(gone: Mapping[str, FileFacts], new: Mapping[str, FileFacts]) -> dict[str, str]:
    """Return the new path of each file that is gone, for those that are found.

    A file has moved to one of the same language with the same tokens besides imports, or else with
    at least 80 in a hundred equal parts: to the best one, then the first by path. No two files
    move to the same one.
    """
    by_key: dict[Key, list[str]] = {}
    for path, facts in sorted(new.items()):
        for key in _keys(path, facts):
            by_key.setdefault(key, []).append(path)
    ranked = sorted(
        (-share, old, path)
        for old, facts in gone.items()
        for path, share in _shares(old, facts, new, by_key)
    )
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, old, path in ranked:
        if old not in found and path not in taken:
            found[old] = path
            taken.add(path)
    return found


def _shares(
    old: str, facts: FileFacts, new: Mapping[str, FileFacts], by_key: Mapping[Key, list[str]]
) -> Iterator[tuple[str, float]]:
    """Yield the files that one may have moved to, with the share of equal parts in a hundred."""
    if not _is_telling(facts):
        return
    equal: dict[str, int] = {}
    for key in _keys(old, facts):
        places = by_key.get(key, [])
        if not key[1]:
            yield from ((path, 100.0) for path in places[:MOST_SHARED])
        elif len(places) <= MOST_SHARED:
            for path in places:
                equal[path] = equal.get(path, 0) + 1
    for path, count in equal.items():
        share = 100 * count / max(_size(facts), _size(new[path]))
        if share >= LEAST_SHARE and new[path].tokens != facts.tokens:
            yield path, share


def _keys(path: str, facts: FileFacts) -> Iterator[Key]:
    language = language_name(path)
    yield language, "", facts.tokens
    for name, part in facts.parts.items():
        if name != FILE:
            yield language, name, part.digest


def _size(facts: FileFacts) -> int:
    return len(facts.parts) - (FILE in facts.parts)


def _is_telling(facts: FileFacts) -> bool:
    """Tell whether a file has code besides imports: any two without are equal."""
    return any(part.digest for part in facts.parts.values())
