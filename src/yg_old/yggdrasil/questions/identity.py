"""Nodes, aspects and flows that have another name in a later state of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg_old.kernel.compare import Renamed
from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths
from yg_old.yggdrasil.model import Node
from yg_old.yggdrasil.parts import PartKind, collection_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from yg_old.yggdrasil.collection import Collection
    from yg_old.yggdrasil.graph import Graph


def renamed(then: Graph, now: Graph) -> tuple[Renamed, ...]:
    """Return what has another name now, by kind and old name.

    A new thing is a missing one if only these two map the same files, or have the same name and
    texts, or if the things above them are the same and the rest of their names is.
    """
    return tuple(
        Renamed(kind, old, new)
        for kind in PartKind
        for old, new in sorted(_pairs(collection_of(then, kind), collection_of(now, kind)).items())
    )


def _pairs(then: Collection[Any], now: Collection[Any]) -> dict[str, str]:
    """Return the new ids of things by their old ones."""
    gone, added = then.all.keys() - now.all.keys(), now.all.keys() - then.all.keys()
    pairs: dict[str, str] = {}
    for key in (_mapping, _content):
        if gone and added:
            found = dict(_matches(then, gone, now, added, key))
            pairs |= found
            gone, added = gone - found.keys(), added - {*found.values()}
    for old in sorted(gone):  # parents before their children
        above = paths.parent(old)
        new = f"{pairs[above]}/{paths.name_of(old)}" if above in pairs else ""
        if new in added:
            pairs[old] = new
    return pairs


def _matches(
    then: Collection[Any],
    gone: Iterable[str],
    now: Collection[Any],
    added: Iterable[str],
    key: Callable[[Collection[Any], str], Hashable],
) -> Iterator[tuple[str, str]]:
    """Yield the ids, one of each state, that alone have the same key."""
    before, after = _by_key(then, gone, key), _by_key(now, added, key)
    for found, ids in before.items():
        others = after.get(found, [])
        if len(ids) == len(others) == 1:
            yield ids[0], others[0]


def _by_key(
    collection: Collection[Any],
    ids: Iterable[str],
    key: Callable[[Collection[Any], str], Hashable],
) -> dict[Hashable, list[str]]:
    groups: dict[Hashable, list[str]] = {}
    for name in ids:
        found = key(collection, name)
        if found is not None:
            groups.setdefault(found, []).append(name)
    return groups


def _mapping(collection: Collection[Any], name: str) -> Hashable:
    """Return the mapped paths of a node; nothing if it has none."""
    value = collection.get(name)
    if not isinstance(value, Node) or not value.mapping:
        return None
    return tuple(entry.text for entry in value.mapping)


def _content(collection: Collection[Any], name: str) -> Hashable:
    """Return the name and the texts of a thing; nothing if it has no texts."""
    value = collection.get(name)
    if value is None or not value.files:
        return None
    files = ((file, collection.snapshot.text(f"{value.directory}/{file}")) for file in value.files)
    try:
        return (value.name, *((file, text.value.replace("\r\n", "\n")) for file, text in files))
    except UnreadableError:
        return None  # validation reports it
