"""Suggestions for names that do not resolve."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from yg.kernel.issue import Finding
from yg.text import paths
from yg.text.suggest import MOST, MOST_ADVISED, Suggester, did_you_mean, listing
from yg.yggdrasil.model import ASPECT_FILE
from yg.yggdrasil.owner import directory_of, has_bad_declaration

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.issue import Place
    from yg.yggdrasil.graph import Graph

LOWEST_DIRECTORY_SCORE = 75.0  # of 100
LOWEST_NAME_SCORE = 60.0
LONGEST_COMPARED = 256  # characters
SHORTEST = 2  # letters of an abbreviation
MOST_DIRECTORIES = 20  # compared by the names in them
MOST_LISTED = 8

_MODEL, _ASPECTS = "model", "aspects"


def nearest_nodes(graph: Graph, path: str) -> tuple[str, ...]:
    """Return the nodes that may be meant by a path, best first."""
    return _NodeSuggester(graph)(path)[:MOST]


class Adviser:
    """Makes findings about names that do not resolve, with suggestions from the graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._near: dict[str, tuple[str, ...]] = {}  # suggested nodes
        self._about_aspects: dict[str, tuple[str, ...]] = {}

    def no_node(
        self, subject: str, message: str, place: Place, path: str, asking: str = ""
    ) -> Finding:
        """Return the finding that a node does not resolve; the asking node is not suggested."""
        cause = self._graph.unread.get(directory_of(self._graph, _MODEL, path))
        advice = _unreadable(cause) if cause else self._about_node(path, asking)
        return Finding(subject, message, place, advice, follows=cause)

    def no_aspect(self, subject: str, message: str, place: Place, aspect_id: str) -> Finding:
        """Return the finding that an aspect does not resolve."""
        cause = self._graph.unread.get(directory_of(self._graph, _ASPECTS, aspect_id))
        advice = _unreadable(cause) if cause else self._about_aspect(aspect_id)
        return Finding(subject, message, place, advice, follows=cause)

    def _about_node(self, path: str, asking: str) -> tuple[str, ...]:
        """Return advice on an unknown node; none after MOST_ADVISED paths."""
        if path not in self._near:
            if len(self._near) == MOST_ADVISED:
                return ()
            self._near[path] = self._nodes(path)
        near = [node for node in self._near[path] if node != asking][:MOST]
        return _lines(self._siblings(path, near, asking), did_you_mean(near))

    def _siblings(self, path: str, near: list[str], asking: str) -> str:
        """Return a line about the nodes in the directory of a path, or of a suggested node."""
        folder = paths.parent(path)
        if near and folder not in self._names:
            folder = paths.parent(near[0])
        names = self._names.get(folder, [])
        total = len(names)
        shown = names[: MOST_LISTED + 1]
        if asking not in ("", paths.ROOT) and paths.parent(asking) == folder:
            shown = [name for name in shown if name != paths.name_of(asking)]
            total -= 1
        shown = shown[:MOST_LISTED]
        if not shown:
            return ""
        rest = f" and {total - len(shown)} more" if total > len(shown) else ""
        place = _MODEL if folder == paths.ROOT else folder
        return f"Existing nodes in {place}/: {listing(shown, quotes=True)}{rest}"

    def _about_aspect(self, aspect_id: str) -> tuple[str, ...]:
        """Return advice on an unknown aspect; none after MOST_ADVISED ids."""
        if aspect_id not in self._about_aspects:
            if len(self._about_aspects) == MOST_ADVISED:
                return ()
            file = f"{self._graph.folder}/{_ASPECTS}/{aspect_id}/{ASPECT_FILE}"
            none = f"There are no aspects yet: add {file}."
            known = f"Existing aspects: {listing(self._aspects)}" if self._aspects else none
            near = did_you_mean(self._aspects_like(aspect_id))
            self._about_aspects[aspect_id] = _lines(known, near)
        return self._about_aspects[aspect_id]

    @cached_property
    def _nodes(self) -> _NodeSuggester:
        return _NodeSuggester(self._graph)

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        """The names of the nodes directly in each directory, sorted."""
        found: dict[str, list[str]] = {}
        for path in _declared(self._graph, _MODEL, self._graph.nodes):
            if path != paths.ROOT:
                found.setdefault(paths.parent(path), []).append(paths.name_of(path))
        return found

    @cached_property
    def _aspects(self) -> list[str]:
        return _declared(self._graph, _ASPECTS, self._graph.aspects)

    @cached_property
    def _aspects_like(self) -> Suggester:
        return Suggester(self._aspects)


def _unreadable(cause: Place) -> tuple[str, ...]:
    return (f"It exists but could not be read: fix {cause.file} first.",)


def _lines(*lines: str) -> tuple[str, ...]:
    return tuple([line for line in lines if line])


def _declared(graph: Graph, tree: str, valid: Iterable[str]) -> list[str]:
    """Return the parts of a tree that have a declaration, valid or not, sorted."""
    top = f"{graph.folder}/{tree}/"
    others = [place.removeprefix(top) for place in graph.unread if place.startswith(top)]
    return sorted([*valid, *[path for path in others if has_bad_declaration(graph, tree, path)]])


class _NodeSuggester:
    """Suggests nodes for a path: by their names, by the parts of the path, by the whole path."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._paths = _declared(graph, _MODEL, graph.nodes)

    def __call__(self, path: str) -> tuple[str, ...]:
        """Return the nodes that may be meant, best first, one more than are shown."""
        if len(path) > LONGEST_COMPARED:
            return ()
        end = paths.name_of(path)
        named = self._by_name.get(end, ()) or self._by_name.get(_letters(end), ())
        found = named or tuple(self._by_parts(path))
        return tuple(found[: MOST + 1]) or self._like(path)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The nodes by the last part of their path and by their declared name."""
        found: dict[str, dict[str, None]] = {}
        for path in self._paths:
            end = paths.name_of(path)
            name = self._graph.nodes[path].name if path in self._graph.nodes else end
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
        for path in self._paths:
            if len(path) <= LONGEST_COMPARED:
                name = paths.name_of(path).casefold()
                found.setdefault(paths.parent(path), {}).setdefault(name, path)
        return found

    @cached_property
    def _like(self) -> Suggester:
        return Suggester(self._paths)


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
