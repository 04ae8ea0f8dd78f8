"""Suggestions for names that do not resolve."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.kernel.issue import correction
from yg_old.text import paths
from yg_old.text.suggest import MOST, MOST_ADVISED, Suggester, did_you_mean, listing
from yg_old.yggdrasil.resolve import children

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.issue import Fix, Place
    from yg_old.yggdrasil.collection import Collection
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import D

LOWEST_DIRECTORY_SCORE = 75.0  # of 100
LOWEST_NAME_SCORE = 60.0
LONGEST_COMPARED = 256  # characters
SHORTEST = 2  # letters of an abbreviation
MOST_DIRECTORIES = 20  # compared by the names in them
MOST_LISTED = 8


class NodeSuggester:
    """Suggests nodes for a path: by their names, by the parts of the path, by the whole path."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._suggested: dict[str, tuple[str, ...]] = {}

    def __call__(self, path: str) -> tuple[str, ...]:
        """Return the nodes that may be meant, best first; none after MOST_ADVISED paths."""
        if path not in self._suggested:
            if len(self._suggested) == MOST_ADVISED or len(path) > LONGEST_COMPARED:
                return ()
            self._suggested[path] = self._suggest(path)
        return self._suggested[path]

    def _suggest(self, path: str) -> tuple[str, ...]:
        end = paths.name_of(path)
        named = self._by_name.get(end, ()) or self._by_name.get(_letters(end), ())
        found = named or tuple(self._by_parts(path))
        return tuple(found[: MOST + 1]) or self._like(path)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The nodes by the last part of their path and by their declared name."""
        found: dict[str, dict[str, None]] = {}
        for path, reading in self._graph.nodes.all.items():
            end = paths.name_of(path)
            name = reading.value.name if reading.value else end
            for key in (end, _letters(end), _letters(name)):
                found.setdefault(key, {})[path] = None
        return {key: list(nodes) for key, nodes in found.items() if key}

    def _by_parts(self, path: str) -> list[str]:
        """Return the nodes in similar directories whose names are similar or abbreviated."""
        # Imported late: only needed for a mistyped name.
        from rapidfuzz import fuzz, process

        directory, end = paths.parent(path), paths.name_of(path).casefold()
        directories = process.extract(
            directory,
            self._directories.keys(),
            scorer=fuzz.ratio,
            score_cutoff=LOWEST_DIRECTORY_SCORE,
            limit=MOST_DIRECTORIES,
        )
        found: set[tuple[float, float, str]] = set()
        for above, likeness, _ in directories:
            names = self._directories[above]
            for candidates, lowest in (
                (names.keys(), LOWEST_NAME_SCORE),
                (abbreviated(end, names), 0.0),
            ):
                near = process.extract(
                    end, candidates, scorer=fuzz.ratio, score_cutoff=lowest, limit=MOST + 1
                )
                found.update((-likeness, -score, names[name]) for name, score, _ in near)
        return [node for _, _, node in sorted(found)]

    @cached_property
    def _directories(self) -> dict[str, dict[str, str]]:
        """The nodes by directory and lower-case name, without paths too long to compare."""
        found: dict[str, dict[str, str]] = {}
        for path in self._graph.nodes.all:
            if len(path) <= LONGEST_COMPARED:
                name = paths.name_of(path).casefold()
                found.setdefault(paths.parent(path), {}).setdefault(name, path)
        return found

    @cached_property
    def _like(self) -> Suggester:
        return Suggester(self._graph.nodes.all)


def _letters(name: str) -> str:
    """Return the letters and digits of a name, so that spellings of one name are equal."""
    return "".join(filter(str.isalnum, name.casefold()))


def abbreviated(short: str, names: Iterable[str]) -> list[str]:
    """Return the names with all letters of a shorter one, in order: `service` for `svc`."""
    if len(short) < SHORTEST:
        return []
    letters = map(re.escape, short)
    in_order = re.compile("".join(f"[^{letter}]*{letter}" for letter in letters))
    return list(filter(in_order.match, names))


class Adviser:
    """Suggests existing names of a graph, with a cache."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._aspects: dict[str, tuple[str, ...]] = {}
        self._near: dict[str, tuple[str, ...]] = {}  # suggested nodes
        self._named: dict[str, tuple[tuple[str, ...], int]] = {}  # by folder

    def node(self, path: str, asking: str = "") -> tuple[str, ...]:
        """Return advice for a node path that does not resolve; never the node that has it."""
        if unreadable := _unreadable(self._graph.nodes, path):
            return (unreadable,)
        near = self._near_nodes(path, asking)
        if near is None:
            return ()
        lines = self._siblings(path, near, asking), did_you_mean(near)
        return tuple(line for line in lines if line)

    def node_fixes(self, place: Place, path: str, asking: str = "") -> tuple[Fix, ...]:
        """Return the fix of a node path that does not resolve, if only one node may be meant."""
        if _unreadable(self._graph.nodes, path):
            return ()
        meant = self._normalised(path)
        if meant and self._graph.nodes.get(meant) is not None:
            return correction(place, (meant,))
        return correction(place, self._near_nodes(path, asking) or ())

    def _near_nodes(self, path: str, asking: str) -> list[str] | None:
        """Return the nodes that may be meant; None after MOST_ADVISED paths."""
        if path not in self._near:
            if len(self._near) == MOST_ADVISED:
                return None
            self._near[path] = self._nodes_like(path)
        return [node for node in self._near[path] if node != asking][:MOST]

    def _normalised(self, path: str) -> str:
        """Return a path as nodes have it, without its tree; empty if it leads elsewhere."""
        tree = self._graph.nodes.spec.tree
        text = paths.normalise(path.replace("\\", "/").strip("/")) or ""
        return text.removeprefix(f"{tree}/").removeprefix(f"{paths.name_of(tree)}/")

    def aspect_fixes(self, place: Place, aspect_id: str, prefix: str = "") -> tuple[Fix, ...]:
        """Return the fix of an aspect id that does not resolve, if only one may be meant."""
        if _unreadable(self._graph.aspects, aspect_id):
            return ()
        near = self._aspects_like(aspect_id)
        return correction(place, [f"{prefix}{aspect}" for aspect in near])

    def aspect(self, aspect_id: str) -> tuple[str, ...]:
        """Return advice for an aspect id that does not resolve."""
        if unreadable := _unreadable(self._graph.aspects, aspect_id):
            return (unreadable,)
        if aspect_id not in self._aspects:
            if len(self._aspects) == MOST_ADVISED:
                return ()
            self._aspects[aspect_id] = tuple(filter(None, self._near_aspect(aspect_id)))
        return self._aspects[aspect_id]

    def node_fault(self, path: str) -> Place | None:
        """Return where a node has the problem that makes it unreadable; None if it is missing."""
        return self._graph.nodes.fault(path)

    def aspect_fault(self, aspect_id: str) -> Place | None:
        """Return where an aspect has the problem that makes it unreadable."""
        return self._graph.aspects.fault(aspect_id)

    def _siblings(self, path: str, near: list[str], asking: str) -> str:
        """Return a line about the nodes in the directory of a path, or of a suggested node."""
        folder = paths.parent(path)
        if not self._names_in(folder)[0] and near:
            folder = paths.parent(near[0])
        names, total = self._names_in(folder)
        if asking != paths.ROOT and paths.parent(asking) == folder:
            names = tuple(name for name in names if name != paths.name_of(asking))
            total -= 1
        shown = names[:MOST_LISTED]
        if not shown:
            return ""
        rest = f" and {total - len(shown)} more" if total > len(shown) else ""
        place = paths.name_of(self._graph.nodes.spec.tree) if folder == paths.ROOT else folder
        return f"Existing nodes in {place}/: {listing(shown, quotes=True)}{rest}"

    def _near_aspect(self, aspect_id: str) -> Iterator[str]:
        known = self._graph.aspects.all
        spec = self._graph.aspects.spec
        none = f"There are no aspects yet: add {spec.tree}/{aspect_id}/{spec.file}."
        yield f"Existing aspects: {listing(known)}" if known else none
        yield did_you_mean(self._aspects_like(aspect_id))

    @cached_property
    def _nodes_like(self) -> NodeSuggester:
        return NodeSuggester(self._graph)

    @cached_property
    def _aspects_like(self) -> Suggester:
        return Suggester(self._graph.aspects.all)

    def _names_in(self, folder: str) -> tuple[tuple[str, ...], int]:
        """Return the first names of the nodes directly in a folder, and how many there are."""
        if folder not in self._named:
            known = self._graph.nodes.all
            names = [paths.name_of(path) for path in self._below.get(folder, ()) if path in known]
            self._named[folder] = tuple(names[: MOST_LISTED + 1]), len(names)
        return self._named[folder]

    @cached_property
    def _below(self) -> dict[str, dict[str, None]]:
        return children(self._graph)


def _unreadable(collection: Collection[D], name: str) -> str:
    """Return what to do about an item that exists but could not be read; empty otherwise."""
    fault = collection.fault(name)
    if fault is None and collection.reading(name) is None:
        return ""
    file = fault.file if fault else "its own error"
    return f"It exists but could not be read: fix {file} first."
