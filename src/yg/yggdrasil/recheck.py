"""Checks of a graph that is edited: each takes over from the last one what an edit cannot change.

An edit of nodes alone leaves the results of most rules as they are. Whatever else changes, such as
the configuration, an aspect or a flow, all rules run again.
"""

from __future__ import annotations

from enum import Flag, auto
from functools import cached_property, reduce
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.issue import Level
from yg.kernel.rule import in_order, issues_by
from yg.yggdrasil.assemble import package_sizes
from yg.yggdrasil.imported import is_import_file
from yg.yggdrasil.kept_sizes import still_valid
from yg.yggdrasil.levels import configured
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.validate import RULES, survey_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.issue import Issue
    from yg.kernel.rule import FoundIssue, Rule
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node, Reading
    from yg.yggdrasil.survey import Survey


class NodePart(Flag):
    """Parts of nodes that rules look at."""

    NAME = auto()
    TYPE = auto()
    ASPECTS = auto()
    RELATIONS = auto()
    MAPPING = auto()
    BLACKBOX = auto()
    NOTES = auto()  # problems of its declaration
    TEXTS = auto()
    CODE = auto()  # contents of source files, of any node
    ALL = NAME | TYPE | ASPECTS | RELATIONS | MAPPING | BLACKBOX | NOTES | TEXTS


class RuleNeeds(Struct, frozen=True):
    """The parts of nodes that the issues of a rule depend on.

    A change of an `own` part concerns the issues of that node. One of an `others` part also
    concerns nodes with issues, whose advice may change, and nodes with a relation to the changed
    one. After a change of an `any` part, the rule has to run for the whole graph.
    """

    own: NodePart = NodePart(0)
    others: NodePart = NodePart(0)
    any: NodePart = NodePart(0)

    @property
    def all(self) -> NodePart:
        """All parts that matter."""
        return self.own | self.others | self.any


_IMPORTS = RuleNeeds(
    any=NodePart.RELATIONS | NodePart.MAPPING | NodePart.BLACKBOX | NodePart.TYPE | NodePart.CODE
)
_NAMES = RuleNeeds(others=NodePart.RELATIONS | NodePart.TEXTS, any=NodePart.MAPPING | NodePart.CODE)
_NOTES = RuleNeeds(own=NodePart.NOTES)
_NO_NODES = RuleNeeds()
SIZES = ("W005", "W006")  # rules about the sizes of packages
PACKAGES = 50  # to measure between two pauses
# A rule that is not listed runs in every check.
NEEDS = {
    "E001": _NOTES,
    "E002": RuleNeeds(own=NodePart.TYPE),
    "E003": RuleNeeds(own=NodePart.ASPECTS),
    "E004": RuleNeeds(others=NodePart.RELATIONS | NodePart.NAME | NodePart.NOTES),
    "E006": RuleNeeds(any=NodePart.NAME | NodePart.NOTES),
    "E007": _NO_NODES,
    "E009": RuleNeeds(any=NodePart.MAPPING),
    "E010": RuleNeeds(any=NodePart.RELATIONS | NodePart.BLACKBOX),
    "E012": RuleNeeds(any=NodePart.NAME | NodePart.NOTES),
    "E013": _NO_NODES,
    "E014": _NO_NODES,
    "E015": _NO_NODES,
    "E016": _NO_NODES,
    "E017": _NO_NODES,
    "E018": _NO_NODES,
    "E019": _NO_NODES,
    "E020": RuleNeeds(own=NodePart.MAPPING),
    "E021": RuleNeeds(own=NodePart.NOTES | NodePart.TEXTS),
    "E022": RuleNeeds(own=NodePart.RELATIONS),
    "E023": RuleNeeds(own=NodePart.RELATIONS),
    "E024": _NO_NODES,
    "E025": RuleNeeds(any=NodePart.NOTES | NodePart.TEXTS),
    "W001": RuleNeeds(any=NodePart.RELATIONS | NodePart.ASPECTS | NodePart.BLACKBOX),
    "W002": RuleNeeds(own=NodePart.TEXTS | NodePart.BLACKBOX),
    "W007": RuleNeeds(own=NodePart.RELATIONS),
    "W009": RuleNeeds(any=NodePart.RELATIONS),
    "W010": _NO_NODES,
    "W011": RuleNeeds(any=NodePart.ASPECTS | NodePart.TYPE | NodePart.BLACKBOX),
    "W012": RuleNeeds(any=NodePart.MAPPING | NodePart.CODE),
    "W013": _NO_NODES,
    "W014": RuleNeeds(own=NodePart.ASPECTS, any=NodePart.MAPPING | NodePart.CODE),
    "W015": _NO_NODES,
    "W016": _NOTES,
    "W017": RuleNeeds(own=NodePart.MAPPING),
    "W018": _NO_NODES,
    "W019": _NOTES,
    "W021": _IMPORTS,
    "W022": _IMPORTS,
    "W023": _NAMES,
    "W024": _NAMES,
    "W025": RuleNeeds(own=NodePart.TEXTS),
    "W026": RuleNeeds(any=NodePart.RELATIONS),
    "W027": RuleNeeds(own=NodePart.NOTES | NodePart.TEXTS),
    "W028": _NOTES,
    "W029": _IMPORTS,
}


class ChangedFiles(Struct, frozen=True):
    """How the files of a state differ from those of an earlier one."""

    files: frozenset[str]  # whose content may have changed
    has_same_names: bool  # no file or directory was added or removed
    is_complete: bool = True  # no other file may have changed outside the directories of the graph


class GraphDifference(Struct, frozen=True):
    """How a graph differs from an earlier state of it."""

    nodes: frozenset[str] = frozenset()
    parts: NodePart = NodePart(0)  # of these nodes
    is_wide: bool = True  # there are other differences


class GraphCheck:
    """The check of one state of a graph, rule by rule."""

    def __init__(self, graph: Graph, sources: Sources) -> None:
        self.graph = graph
        self._survey = survey_of(graph, sources)
        self._found: dict[str, tuple[FoundIssue, ...]] = {}
        self._earlier: dict[str, tuple[FoundIssue, ...]] = {}
        self._difference = GraphDifference()
        self._package_files: dict[str, frozenset[str]] = {}  # that each package was made from

    def follow(self, earlier: GraphCheck, changed: ChangedFiles) -> None:
        """Take over what was computed for an earlier state, as far as it still holds.

        The graph has taken over its declarations.
        """
        self._difference = difference(self.graph, earlier.graph, changed)
        files = earlier._package_files
        known = still_valid(self.graph, earlier.graph, files, changed.files)
        self.graph.package_tokens.update(known)
        self._package_files = {path: files[path] for path in known}
        if changed.is_complete and changed.has_same_names:
            sources = [file for file in changed.files if not _is_in_graph(file)]
            has_same_owners = self._has_same_owners(earlier.graph)
            self._survey.take_over(earlier._survey, sources, has_same_owners=has_same_owners)
        if self.graph.config == earlier.graph.config:
            directories = {paths.parent(file) for file in changed.files}
            self._survey.known_mentions = {
                node: mentions
                for node, mentions in earlier._survey.known_mentions.items()
                if f"{self.graph.nodes.spec.tree}/{node}" not in directories
            }
        if not self._difference.is_wide:
            self._earlier = earlier._found

    def _has_same_owners(self, earlier: Graph) -> bool:
        if not self._difference.is_wide:
            return NodePart.MAPPING not in self._difference.parts
        has_same_settings = self.graph.config == earlier.config
        return has_same_settings and _mappings(self.graph) == _mappings(earlier)

    def steps(self) -> Iterator[None]:
        """Measure packages and run the rules, with pauses."""
        rules = configured(RULES, self.graph.config)
        if any(checked.code in SIZES and checked.level is not Level.OFF for checked in rules):
            yield from self._measured()
        for checked in rules:
            self._found[checked.code] = tuple(self._issues(checked))
            yield

    def _measured(self) -> Iterator[None]:
        """Measure the packages, with pauses."""
        for at, _ in enumerate(package_sizes(self.graph, self._survey.nodes), 1):
            if at % PACKAGES == 0:
                yield
        for path, groups in self.graph.package_files.items():
            self._package_files[path] = frozenset(chain.from_iterable(groups))
        self.graph.package_files.clear()

    def issues(self) -> tuple[Issue, ...]:
        """Return the issues of all rules that have run, in order."""
        return in_order([pair for found in self._found.values() for pair in found])

    def _issues(self, checked: Rule[Survey]) -> Iterable[FoundIssue]:
        needs, parts = NEEDS.get(checked.code), self._difference.parts
        if needs is None or self._difference.is_wide or needs.any & parts:
            return issues_by(checked, self._survey)
        known = self._earlier[checked.code]
        return self._renewed(checked, needs, known) if needs.all & parts else known

    def _renewed(
        self, checked: Rule[Survey], needs: RuleNeeds, known: tuple[FoundIssue, ...]
    ) -> Iterator[FoundIssue]:
        """Yield the issues of the nodes that a change reaches, and the known ones of all others."""
        again = set(self._difference.nodes)
        if needs.others:
            again.update(self._dependents)
            again.update(issue.subject for issue, _ in known)
        yield from (pair for pair in known if pair[0].subject not in again)
        yield from issues_by(checked, self._survey.restricted(again))

    @cached_property
    def _dependents(self) -> frozenset[str]:
        """The nodes with a relation to one of the changed nodes."""
        changed = self._difference.nodes
        return frozenset(
            node.path
            for node in self._survey.nodes
            if any(relation.target.text in changed for relation in node.relations)
        )


def take_over(graph: Graph, earlier: Graph, changed: ChangedFiles) -> None:
    """Give a graph the declarations of an earlier state that have not changed."""
    directories = {paths.parent(file) for file in changed.files}
    graph.nodes.take_over(earlier.nodes, directories, has_same_names=changed.has_same_names)
    graph.aspects.take_over(earlier.aspects, directories, has_same_names=changed.has_same_names)
    graph.flows.take_over(earlier.flows, directories, has_same_names=changed.has_same_names)
    if changed.has_same_names and not any(map(is_import_file, changed.files)):
        graph.imports.take_over(earlier.imports)


def difference(graph: Graph, earlier: Graph, changed: ChangedFiles) -> GraphDifference:
    """Compare a graph with an earlier state whose files differ in some."""
    if not (changed.is_complete and changed.has_same_names):
        return GraphDifference()
    tree = f"{graph.nodes.spec.tree}/"
    nodes, parts = set(), NodePart(0)
    for file in changed.files:
        if not _is_in_graph(file):
            parts |= NodePart.CODE
            continue
        node = paths.parent(file).removeprefix(tree)
        before, now = earlier.nodes.all.get(node), graph.nodes.all.get(node)
        if not file.startswith(tree) or before is None or now is None:
            return GraphDifference()
        is_declaration = file == graph.nodes.spec.file_of(node)
        parts |= _changed_parts(before, now) if is_declaration else NodePart.TEXTS
        nodes.add(node)
    return GraphDifference(frozenset(nodes), parts, is_wide=False)


def _changed_parts(before: Reading[Node], now: Reading[Node]) -> NodePart:
    one, two = before.value, now.value
    if one is None or two is None:
        return NodePart(0) if before == now else NodePart.ALL
    pairs = {
        NodePart.NAME: (one.name, two.name),
        NodePart.TYPE: (one.type, two.type),
        NodePart.ASPECTS: (one.aspects, two.aspects),
        NodePart.RELATIONS: ((one.relations, one.external), (two.relations, two.external)),
        NodePart.MAPPING: (one.mapping, two.mapping),
        NodePart.BLACKBOX: (one.is_blackbox, two.is_blackbox),
        NodePart.NOTES: ((before.notes, before.unknown_keys), (now.notes, now.unknown_keys)),
    }
    return reduce(or_, (part for part, (old, new) in pairs.items() if old != new), NodePart(0))


def _is_in_graph(file: str) -> bool:
    return paths.is_inside(file, FOLDER)


def _mappings(graph: Graph) -> dict[str, tuple[str, ...]]:
    return {node.path: tuple(entry.text for entry in node.mapping) for node in graph.nodes}
