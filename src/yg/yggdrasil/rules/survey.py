"""Surveys: what rules look at, a graph with its texts and the files that it maps."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from yg.kernel.errors import UnreadableError
from yg.yggdrasil.package import Assembler
from yg.yggdrasil.resolve import artifact_names, effective_aspects
from yg.yggdrasil.texts import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from yg.kernel.issue import Located
    from yg.kernel.snapshot import Kind, Snapshot
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.texts import TextFacts

    Files = Callable[[str], Sequence[str]]  # the files below a path that git does not ignore


class SurveyedText(NamedTuple):
    """A file that can be part of a package, and the subject of issues about it."""

    subject: str
    path: str
    facts: TextFacts
    may_be_binary: bool  # packages name a binary file and leave it out


class Survey:
    """The input of rules."""

    def __init__(self, graph: Graph, snapshot: Snapshot, files: Files) -> None:
        self.graph = graph
        self.snapshot = snapshot
        self.files = files
        self._facts: dict[str, TextFacts] = {}

    def facts(self, path: str) -> TextFacts:
        """Return what is known of a text of the graph."""
        found = self._facts.get(path)
        if found is None:
            found = self._facts[path] = facts_of(self.snapshot, path)
        return found

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path in the repository."""
        return self.snapshot.kind(path)

    @property
    def texts(self) -> Iterator[SurveyedText]:
        """Every file for packages, but for the declarations."""
        graph = self.graph
        for node in graph.nodes.values():
            for name in artifact_names(graph, node):
                path = f"{node.directory}/{name}"
                yield SurveyedText(node.path, path, self.facts(path), may_be_binary=False)
        for kind, parts in (("aspects", graph.aspects), ("flows", graph.flows)):
            for part in parts.values():
                for name in part.files:
                    path = f"{part.directory}/{name}"
                    subject = f"{kind}/{part.path}"
                    yield SurveyedText(subject, path, self.facts(path), may_be_binary=True)

    @cached_property
    def mapped(self) -> tuple[tuple[Node, Located], ...]:
        """The mapped paths of all nodes, as written."""
        return tuple((node, entry) for node in self.graph.nodes.values() for entry in node.mapped)

    @cached_property
    def effective(self) -> dict[str, frozenset[str]]:
        """The ids of the aspects that apply to each node."""
        graph = self.graph
        return {
            path: frozenset(found.aspect.path for found in effective_aspects(graph, node))
            for path, node in graph.nodes.items()
        }

    @cached_property
    def package_sizes(self) -> tuple[tuple[Node, int], ...]:
        """The package size in tokens of each node that is not a blackbox.

        A node whose package has a text that cannot be read has none; a rule reports the text.
        """
        assembler, found = Assembler(self.graph, self.facts), []
        for node in self.graph.nodes.values():
            if not node.blackbox:
                try:
                    found.append((node, assembler.package(node).tokens))
                except (UnreadableError, KeyError):
                    continue
        return tuple(found)
