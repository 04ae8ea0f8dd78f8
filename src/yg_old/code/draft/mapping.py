"""The mappings of drafted nodes: directories, and patterns of what other nodes have in them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.draft.roles import generated_pattern
from yg_old.text import paths
from yg_old.text.patterns import literal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

_AFTER_SLASH = chr(ord("/") + 1)


class Mapping(Struct, frozen=True):
    """The paths of a node, and the patterns of files that it leaves out."""

    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class Mapper:
    """Maps files to the fewest paths, given what belongs to other nodes."""

    def __init__(self, foreign: Iterable[str], closed: Collection[str]) -> None:
        """Take places that are excluded, and directories that cannot be mapped as a whole."""
        self._foreign = sorted(set(foreign))
        self._closed = closed

    def covering(self, files: Iterable[tuple[str, str]], closed: Collection[str] = ()) -> Mapping:
        """Return the fewest paths that hold files, each below a given path, and no others."""
        found: dict[str, None] = {}
        own = []
        for file, top in files:
            above = (place for place in paths.lineage(file) if paths.is_inside(place, top))
            is_open = (
                place for place in above if place not in self._closed and place not in closed
            )
            found[next(is_open, file)] = None
            own.append(file)
        places = tuple(sorted(found))
        return Mapping(places, tuple(_patterns(self._inside(places, own), own)))

    def at_top(self, direct: Sequence[str], rest: Mapping, others: Iterable[str]) -> Mapping:
        """Return the mapping of files directly in the repository, and of some directories there.

        `others` are files at the top that belong to other nodes. Files of the same language that
        are added later belong to the node.
        """
        is_nested = any("/" in place for place in rest.paths)
        if len(direct) == 1 or is_nested or paths.ROOT in self._closed:
            return Mapping(tuple(sorted((*direct, *rest.paths))), rest.exclude)
        endings = sorted({paths.name_of(file).rpartition(".")[2] for file in direct})
        kept = (*(f"!/*.{ending}" for ending in endings), *(f"!{literal(p)}" for p in rest.paths))
        left = [
            literal(file)
            for file in sorted(set(others).difference(direct))
            if file.rpartition(".")[2] in endings and "/" not in file
        ]
        return Mapping((paths.ROOT,), ("/*", *kept, *left, *rest.exclude))

    def _inside(self, places: Iterable[str], own: Iterable[str]) -> Iterator[str]:
        """Yield what is excluded below some directories: a directory if it has no own file."""
        shared = {directory for file in own for directory in paths.lineage(file)}
        for place in places:
            start = bisect_left(self._foreign, f"{place}/")
            end = bisect_left(self._foreign, f"{place}{_AFTER_SLASH}")
            tops: dict[str, list[str]] = {}
            last = ""
            for foreign in self._foreign[start:end]:
                if not last or not paths.is_inside(foreign, last):
                    last = foreign
                    inside = paths.lineage(foreign)[len(paths.lineage(place)) + 1 :]
                    top = next((above for above in inside if above not in shared), foreign)
                    tops.setdefault(top, []).append(foreign)
            for top, group in tops.items():
                yield from [top] if len(group) > 1 else group


def _patterns(places: Iterable[str], own: Iterable[str]) -> Iterator[str]:
    """Yield patterns that match places and no own file: one for all places of a name."""
    by_name: dict[str, list[str]] = {}
    for place in places:
        name = paths.name_of(place)
        by_name.setdefault(generated_pattern(name) or name, []).append(place)
    names = {name for file in own for name in file.split("/")} if by_name else set()
    for name, group in sorted(by_name.items()):
        if generated_pattern(paths.name_of(group[0])):
            yield name
        elif len(group) > 1 and name not in names:
            yield literal(name).removeprefix("/")
        else:
            yield from map(literal, group)
