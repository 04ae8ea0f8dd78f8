"""Surveys: what rules look at, a graph with its texts and the files that it maps."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Inputs, Kind
from yg.text import paths
from yg.yggdrasil.model import Node
from yg.yggdrasil.owner import mapped_path, mapped_paths, spelling_fault
from yg.yggdrasil.package import Assembler
from yg.yggdrasil.resolve import artifact_names, effective_aspects
from yg.yggdrasil.texts import TEXT_FACTS, facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from yg.kernel.issue import Located, Place
    from yg.kernel.snapshot import Snapshot
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Aspect, Flow
    from yg.yggdrasil.texts import TextFacts

    Files = Callable[[str], Sequence[str]]  # the files below a path that git does not ignore


class SurveyedText(NamedTuple):
    """A file that can be part of a package, and the subject of issues about it."""

    subject: str
    path: str
    facts: TextFacts
    may_be_binary: bool  # packages name a binary file and leave it out

    @property
    def is_left_out(self) -> bool:
        """Whether packages have only the name of the file, because it is binary."""
        return self.may_be_binary and self.facts.binary > 0


class Mapped(NamedTuple):
    """One path of a node's mapping."""

    node: Node
    entry: Located
    path: str  # normalised; empty if it is outside the repository
    fault: str  # why it is not usable; empty if it is

    @property
    def place(self) -> Place:
        """Where the node's file has it."""
        return self.node.place(self.entry)


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

    @cached_property
    def facts_of_all(self) -> Callable[[str], TextFacts]:
        """The same function, for rules that ask about every text."""
        self._facts.update(self.snapshot.made_before(TEXT_FACTS))
        return self.facts

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path in the repository."""
        return self._kinds[path] if path in self._kinds else self.snapshot.kind(path)

    @cached_property
    def _kinds(self) -> dict[str, Kind | None]:
        """The kinds of the mapped paths."""
        return self.snapshot.recall(
            "kinds", Inputs.WATCHED, dict[str, Kind | None], self._kinds_of_mapped
        )

    def _kinds_of_mapped(self) -> dict[str, Kind | None]:
        return {path: self.snapshot.kind(path) for path in mapped_paths(self.graph)}

    @cached_property
    def unsound_texts(self) -> tuple[SurveyedText, ...]:
        """The files for packages, but for the declarations, that are no sound text."""
        graph, facts_of_text = self.graph, self.facts_of_all
        parts: list[tuple[str, Node | Aspect | Flow, tuple[str, ...]]] = [
            *((node.path, node, artifact_names(graph, node)) for node in graph.nodes.values()),
            *((f"aspects/{aspect.id}", aspect, aspect.files) for aspect in graph.aspects.values()),
            *((f"flows/{flow.id}", flow, flow.files) for flow in graph.flows.values()),
        ]
        return tuple(
            SurveyedText(subject, path, facts, may_be_binary=not isinstance(part, Node))
            for subject, part, names in parts
            for path in [f"{part.directory}/{name}" for name in names]
            if not (facts := facts_of_text(path)).is_sound
        )

    @cached_property
    def mappings(self) -> tuple[Mapped, ...]:
        """The mapped paths of all nodes, in order."""
        return tuple(
            Mapped(node, entry, path, spelling_fault(entry.text) or self._wrong_kind(path))
            for node in self.graph.nodes.values()
            for entry in node.mapped
            for path in (mapped_path(entry.text) or "",)
        )

    @property
    def sound_mappings(self) -> Iterator[Mapped]:
        """The mapped paths that can be those of files or directories, as far as they exist."""
        return (mapping for mapping in self.mappings if not mapping.fault)

    def _wrong_kind(self, path: str) -> str:
        """Return why a path is not a file or directory; empty if it is one, or is missing."""
        if self.kind(path) in (Kind.FILE, Kind.DIRECTORY):
            return ""
        for part in (*paths.lineage(path), path):
            match self.kind(part):
                case Kind.LINK:
                    return "is a link" if part == path else f"passes through the link '{part}'"
                case Kind.OTHER:
                    return "is not a plain file or directory"
                case None:
                    break  # what is below it is missing too
        return ""

    @cached_property
    def effective(self) -> dict[str, frozenset[str]]:
        """The ids of the aspects that apply to each node."""
        graph = self.graph
        return {
            path: frozenset(effective.aspect.path for effective in effective_aspects(graph, node))
            for path, node in graph.nodes.items()
        }

    @cached_property
    def package_sizes(self) -> tuple[tuple[Node, int], ...]:
        """The package size in tokens of each node that is not a blackbox.

        A node has none if its package has a text that cannot be read, or if a relation leads to no
        node; rules report both.
        """
        nodes, found = self.graph.nodes, []
        assembler = Assembler(self.graph, self.facts_of_all)
        for node in nodes.values():
            if node.blackbox or any(entry.target.text not in nodes for entry in node.relations):
                continue
            try:
                found.append((node, assembler.tokens(node)))
            except UnreadableError:
                continue
        return tuple(found)
