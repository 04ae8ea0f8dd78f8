"""Surveys: the part of a graph that rules check, all of it or what affects one package."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from yg_old.kernel.digraph import inverted
from yg_old.text import paths
from yg_old.yggdrasil.inventories.relations import split
from yg_old.yggdrasil.owners import Ownership, mappings
from yg_old.yggdrasil.package.assemble import Assembler
from yg_old.yggdrasil.package.sizes import package_sizes
from yg_old.yggdrasil.resolve import effective_ids, flows_of, named_aspects, own_artifact_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from yg_old.kernel.issue import Located
    from yg_old.kernel.rule import Rule
    from yg_old.kernel.snapshot import Text
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.code.imports import NodeImports
    from yg_old.yggdrasil.code.quoted_names import CodeNames
    from yg_old.yggdrasil.collection import Collection
    from yg_old.yggdrasil.documents import Reference
    from yg_old.yggdrasil.drift.baselines import Baselines
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Aspect, D, Flow, Node, Note, Reading, UnknownKeyUse
    from yg_old.yggdrasil.owners import Mapped

    RuleSource = Callable[[], Sequence[Rule["Survey"]]]  # returns all rules of an edition


class SurveyedText(NamedTuple):
    """A file that can be part of a package, and the subject of issues about it."""

    subject: str
    text: Text
    may_be_binary: bool  # packages name a binary file and leave it out

    @property
    def is_left_out(self) -> bool:
        """Whether packages have only the name of the file, because it is binary."""
        return self.may_be_binary and self.text.binary_size > 0


class Survey:
    """The input of rules. References may point outside it, into the rest of the graph."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        graph: Graph,
        sources: Sources,
        node_readings: Mapping[str, Reading[Node]],
        aspect_readings: Mapping[str, Reading[Aspect]],
        flow_readings: Mapping[str, Reading[Flow]],
        import_names: Sequence[str] = (),
        *,
        rules: RuleSource,
        folder_notes: tuple[Note, ...] = (),
        baselines: Baselines | None = None,
    ) -> None:
        self.graph = graph
        self.sources = sources
        self.node_readings = node_readings
        self.aspect_readings = aspect_readings
        self.flow_readings = flow_readings
        self.import_names = import_names
        self.rules = rules  # with their default levels
        self.folder_notes = folder_notes
        self.baselines = baselines  # None: they do not matter to the question

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The valid nodes."""
        return tuple(reading.value for reading in self.node_readings.values() if reading.value)

    @cached_property
    def aspects(self) -> tuple[Aspect, ...]:
        """The valid aspects."""
        return tuple(reading.value for reading in self.aspect_readings.values() if reading.value)

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """The valid flows."""
        return tuple(reading.value for reading in self.flow_readings.values() if reading.value)

    @cached_property
    def mappings(self) -> tuple[Mapped, ...]:
        """The mapped paths of all nodes, as written."""
        return tuple(chain.from_iterable(mappings(self.sources, node) for node in self.nodes))

    @cached_property
    def ownership(self) -> Ownership:
        """The owner of each file."""
        return Ownership(self.graph, self.sources)

    @cached_property
    def imports(self) -> NodeImports:
        """The imports between nodes, and the facts about the code."""
        from yg_old.yggdrasil.code.imports import NodeImports

        return NodeImports(self.graph, self.sources, self.ownership)

    @cached_property
    def code_names(self) -> CodeNames:
        """The names in the code and in the texts of nodes."""
        from yg_old.yggdrasil.code.quoted_names import CodeNames

        return CodeNames(self.graph, self.imports)

    @cached_property
    def effective(self) -> dict[str, frozenset[str]]:
        """The ids of the aspects that apply to each node of the survey."""
        return {node.path: effective_ids(self.graph, node) for node in self.nodes}

    @cached_property
    def incoming(self) -> dict[str, tuple[str, ...]]:
        """The other nodes with a relation to each node, in order."""
        targets = {
            node.path: tuple(
                dict.fromkeys(
                    relation.target.text
                    for relation in node.relations
                    if relation.target.text != node.path
                )
            )
            for node in self.nodes
        }
        return {path: tuple(sources) for path, sources in inverted(targets).items()}

    @cached_property
    def package_sizes(self) -> tuple[tuple[Node, int], ...]:
        """The package size in tokens of each node that is not a blackbox."""
        return tuple(package_sizes(self.graph, self.nodes))

    @cached_property
    def assembler(self) -> Assembler:
        """The assembler of packages."""
        return Assembler(self.graph)

    @property
    def notes(self) -> Iterator[Note]:
        """The issues found while reading."""
        yield from self.folder_notes
        for reading in self._readings:
            yield from reading.notes

    @property
    def unknown_keys(self) -> Iterator[UnknownKeyUse]:
        """The unknown keys."""
        for reading in self._readings:
            yield from reading.unknown_keys

    @property
    def texts(self) -> Iterator[SurveyedText]:
        """Every file for packages, and the documents outside the graph, each text once."""
        for subject, directory, names, may_be_binary in self._contents:
            for name in names:
                text = self.graph.snapshot.text(f"{directory}/{name}")
                yield SurveyedText(subject, text, may_be_binary)
        documents = self.graph.documents
        found: dict[Reference, str] = {}
        for subject, _, written in self.references:
            found.setdefault(documents.reference(written.text), subject)
        for reference, subject in found.items():
            if reference.whole == reference or reference.whole not in found:
                yield SurveyedText(subject, documents.text(reference), may_be_binary=False)

    @property
    def references(self) -> Iterator[tuple[str, Node | Aspect, Located]]:
        """The documents of nodes and aspects, each with the subject of issues about it."""
        for subject, part in self.described:
            yield from ((subject, part, reference) for reference in part.references)

    @property
    def described(self) -> Iterator[tuple[str, Node | Aspect]]:
        """The nodes and aspects, each with the subject of issues about it."""
        yield from ((node.path, node) for node in self.nodes)
        yield from ((f"aspects/{aspect.id}", aspect) for aspect in self.aspects)

    @property
    def doubtful_texts(self) -> Iterator[SurveyedText]:
        """Every file for packages that is not known to be sound text."""
        snapshot = self.graph.snapshot
        for subject, directory, names, may_be_binary in self._contents:
            known = snapshot.measured(directory)
            for name in names:
                if name not in known:
                    text = snapshot.text(f"{directory}/{name}")
                    yield SurveyedText(subject, text, may_be_binary)

    @property
    def _contents(self) -> Iterator[tuple[str, str, Sequence[str], bool]]:
        """The subject, directory and names of files for packages; whether they may be binary."""
        may_be_binary = not self.graph.edition.configures_artifacts
        for node in self.nodes:
            names = own_artifact_names(self.graph, node)
            yield node.path, node.directory, names, may_be_binary
        for kind, declared in (("aspects", self.aspects), ("flows", self.flows)):
            for item in declared:
                yield f"{kind}/{item.id}", item.directory, item.files, True

    @property
    def _readings(self) -> Iterator[Reading[object]]:
        yield self.graph.config_reading
        yield from chain(
            self.node_readings.values(),
            self.aspect_readings.values(),
            self.flow_readings.values(),
        )


def whole(
    graph: Graph,
    sources: Sources,
    rules: RuleSource,
    baselines: Baselines | None = None,
) -> Survey:
    """Survey the whole graph."""
    return Survey(
        graph,
        sources,
        graph.nodes.all,
        graph.aspects.all,
        graph.flows.all,
        graph.inventories.names,
        rules=rules,
        folder_notes=(
            *graph.nodes.notes,
            *graph.aspects.notes,
            *graph.flows.notes,
            *graph.inventories.notes,
        ),
        baselines=baselines,
    )


def around(
    graph: Graph,
    sources: Sources,
    rules: RuleSource,
    node_paths: Iterable[str],
) -> Survey:
    """Survey what affects some packages: the nodes, their ancestors, targets, aspects and flows.

    The imports are those that the nodes name.
    """
    nodes: set[str] = set()
    imports: set[str] = set()
    aspects: set[str] = set()
    # An invalid flow may list the nodes, so it is included.
    flows = {flow_id for flow_id, reading in graph.flows.all.items() if reading.value is None}
    for path in node_paths:
        node = graph.nodes.get(path)
        nodes.update((*paths.lineage(path), path))
        nodes.update(relation.target.text for relation in (node.relations if node else ()))
        imports.update(
            split(relation.target.text)[0] for relation in (node.external if node else ())
        )
        aspects.update(named_aspects(graph, path))
        flows.update(flow.id for flow in flows_of(graph, path))
    return Survey(
        graph,
        sources,
        _existing(graph.nodes, nodes),
        _existing(graph.aspects, aspects),
        _existing(graph.flows, flows),
        sorted(imports),
        rules=rules,
    )


def alone(graph: Graph, sources: Sources, rules: RuleSource, path: str) -> Survey:
    """Survey a single node."""
    return Survey(graph, sources, _existing(graph.nodes, (path,)), {}, {}, rules=rules)


def _existing(collection: Collection[D], ids: Iterable[str]) -> dict[str, Reading[D]]:
    found = ((item_id, collection.reading(item_id)) for item_id in sorted(ids))
    return {item_id: reading for item_id, reading in found if reading is not None}
