"""Suggestions for names that do not resolve."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.suggest import MOST_ADVISED, Suggester, did_you_mean, listing
from yg.yggdrasil.resolve import children

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.yggdrasil.collection import Collection
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import D


class Adviser:
    """Suggests existing names of a graph, with a cache."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, tuple[str, ...]] = {}

    def node(self, path: str) -> tuple[str, ...]:
        """Return advice for a node path that does not resolve."""
        return self._advice(path, self._graph.nodes, self._near_node)

    def aspect(self, aspect_id: str) -> tuple[str, ...]:
        """Return advice for an aspect id that does not resolve."""
        return self._advice(aspect_id, self._graph.aspects, self._near_aspect)

    def _advice(
        self, name: str, collection: Collection[D], look: Callable[[str], tuple[str, ...]]
    ) -> tuple[str, ...]:
        if name not in self._known:
            advice: tuple[str, ...] = ()
            if collection.reading(name) is not None or collection.is_bad(name):
                advice = ("It exists but could not be read; fix its own error first.",)
            elif len(self._known) < MOST_ADVISED:
                advice = look(name)
            self._known[name] = tuple(line for line in advice if line)
        return self._known[name]

    def _near_node(self, path: str) -> tuple[str, ...]:
        near = self._nodes_like(path)
        folder = paths.parent(path)
        if not self._nodes_in(folder) and near:
            folder = paths.parent(near[0])
        siblings = self._nodes_in(folder)
        place = "model/" if folder == paths.ROOT else f"{folder}/"
        nearby = f"Existing nodes in {place}: {listing(siblings)}" if siblings else ""
        return nearby, did_you_mean(near)

    def _near_aspect(self, aspect_id: str) -> tuple[str, ...]:
        known = self._graph.aspects.all
        existing = f"Existing aspects: {listing(known)}" if known else "There are no aspects yet."
        return existing, did_you_mean(self._aspects_like(aspect_id))

    @cached_property
    def _nodes_like(self) -> Suggester:
        return Suggester(self._graph.nodes.all)

    @cached_property
    def _aspects_like(self) -> Suggester:
        return Suggester(self._graph.aspects.all)

    def _nodes_in(self, folder: str) -> list[str]:
        """Return the names of the nodes directly in a folder."""
        known = self._graph.nodes.all
        return [paths.name_of(path) for path in self._below.get(folder, ()) if path in known]

    @cached_property
    def _below(self) -> dict[str, dict[str, None]]:
        return children(self._graph)
