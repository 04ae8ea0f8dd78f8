"""The texts that may mention the code of a node: its own, those around it, and its dependents'."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg.kernel.errors import UnreadableError
from yg.text.sentences import sentences
from yg.yggdrasil.questions.impact import incoming
from yg.yggdrasil.resolve import (
    ancestors,
    artifact_names,
    description_first,
    effective_aspects,
    flows_of,
)
from yg.yggdrasil.review.search import ReviewedText, SearchedSentences, Texts, Whose

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


class GraphTexts:
    """The sentences of a graph; each text is read and split once."""

    def __init__(self, graph: Graph, only: Collection[str] | None = None) -> None:
        """Take the files to look at: those that a package quotes; None for all.

        The own texts of a node are always looked at: they decide which values are common there.
        """
        self.graph = graph
        self._only = only
        self._searched: dict[str, SearchedSentences] = {}

    def about(self, node: Node) -> Texts:
        """Return the texts in which a change of a node's code may show, in package order."""
        return Texts(tuple(self._about(node)))

    def _about(self, node: Node) -> Iterator[ReviewedText]:
        graph = self.graph
        for above in ancestors(graph, node.path):
            yield from self._of_node(above, Whose.AROUND)
        yield from self._of_node(node, Whose.OWN)
        for effective in effective_aspects(graph, node):
            aspect = effective.aspect
            place = f"aspects/{aspect.id}"
            yield from self._in(aspect.directory, aspect.files, place, Whose.AROUND)
        for flow in flows_of(graph, node.path):
            files = description_first(flow.files)
            yield from self._in(flow.directory, files, f"flows/{flow.id}", Whose.AROUND)
        if self._only is not None:
            return  # a package quotes its dependents only by chance
        above_paths = {above.path for above in ancestors(graph, node.path)}
        for path in self._dependents.get(node.path, ()):
            dependent = graph.nodes.get(path)
            if dependent is not None and path != node.path and path not in above_paths:
                yield from self._of_node(dependent, Whose.DEPENDENT)

    @cached_property
    def _dependents(self) -> dict[str, list[str]]:
        return incoming(self.graph)

    def _of_node(self, node: Node, whose: Whose) -> Iterator[ReviewedText]:
        place = "" if whose is Whose.OWN else node.path
        yield from self._in(node.directory, artifact_names(self.graph, node), place, whose)

    def _in(
        self, directory: str, names: tuple[str, ...], place: str, whose: Whose
    ) -> Iterator[ReviewedText]:
        for name in names:
            file = f"{directory}/{name}"
            is_wanted = whose is Whose.OWN or self._only is None or file in self._only
            found = self._read(file) if is_wanted else None
            if found and found.sentences:
                yield ReviewedText(f"{place}/{name}" if place else name, file, whose, found)

    def _read(self, file: str) -> SearchedSentences:
        if file not in self._searched:
            try:
                text = self.graph.snapshot.text(file).value
            except UnreadableError:
                text = ""  # binary, or validation reports it
            self._searched[file] = SearchedSentences(sentences(text))
        return self._searched[file]
