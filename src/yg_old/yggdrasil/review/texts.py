"""The texts that may mention the code of a node: its own, those around it, and its dependents'."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.text.sentences import sentences
from yg_old.yggdrasil.questions.impact import incoming
from yg_old.yggdrasil.resolve import (
    ancestors,
    aspect_texts,
    description_first,
    effective_aspects,
    files_of,
    flows_of,
    node_texts,
)
from yg_old.yggdrasil.review.search import ReviewedText, SearchedSentences, Texts, Whose

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from yg_old.kernel.package import Document
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node


class GraphTexts:
    """The sentences of a graph; each text is read and split once."""

    def __init__(
        self,
        graph: Graph,
        only: Collection[str] | None = None,
        dependents: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        """Take the files to look at: those that a package quotes; None for all.

        The own texts of a node are always looked at: they decide which values are common there.
        `dependents` returns the nodes that depend on a node, if these are known already.
        """
        self.graph = graph
        self._only = only
        self._dependents = dependents or self._incoming
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
            texts = aspect_texts(graph, aspect)
            yield from self._in(texts, f"aspects/{aspect.id}", Whose.AROUND)
        for flow in flows_of(graph, node.path):
            texts = files_of(graph, flow, description_first(flow.files))
            yield from self._in(texts, f"flows/{flow.id}", Whose.AROUND)
        if self._only is not None:
            return  # a package quotes its dependents only by chance
        above_paths = {above.path for above in ancestors(graph, node.path)}
        for path in self._dependents(node.path):
            dependent = graph.nodes.get(path)
            if dependent is not None and path != node.path and path not in above_paths:
                yield from self._of_node(dependent, Whose.DEPENDENT)

    def _incoming(self, path: str) -> Sequence[str]:
        return self._all_dependents.get(path, ())

    @cached_property
    def _all_dependents(self) -> dict[str, list[str]]:
        return incoming(self.graph)

    def _of_node(self, node: Node, whose: Whose) -> Iterator[ReviewedText]:
        place = "" if whose is Whose.OWN else node.path
        yield from self._in(node_texts(self.graph, node), place, whose)

    def _in(self, texts: tuple[Document, ...], place: str, whose: Whose) -> Iterator[ReviewedText]:
        for document in texts:
            file = document.source.path
            is_wanted = whose is Whose.OWN or self._only is None or file in self._only
            found = self._read(document) if is_wanted else None
            if found and found.sentences:
                name = document.name
                in_place = f"{place}/{name}" if place and name != document.reference else name
                yield ReviewedText(in_place, file, whose, found)

    def _read(self, document: Document) -> SearchedSentences:
        key = document.reference or document.source.path
        if key not in self._searched:
            try:
                text = document.source.in_place
            except UnreadableError:
                text = ""  # binary, or validation reports it
            self._searched[key] = SearchedSentences(sentences(text))
        return self._searched[key]
