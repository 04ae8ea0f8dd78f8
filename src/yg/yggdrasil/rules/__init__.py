"""The rules of Yggdrasil graphs: the explicit list of them, and the ways of running it."""

from __future__ import annotations

from yg.kernel.issue import Severity
from yg.kernel.rule import check
from yg.kernel.typed import TYPE_CHECKING
from yg.yggdrasil.rules import (
    artifacts,
    aspects,
    cycles,
    flows,
    mapping,
    reading,
    references,
    relations,
)
from yg.yggdrasil.survey import alone, around, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.issue import Issue
    from yg.kernel.package import Package
    from yg.kernel.rule import Rule
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.survey import Survey

RULES = (
    reading.invalid_node_yaml,
    references.unknown_node_type,
    references.unknown_aspect,
    references.broken_relation,
    references.broken_flow_ref,
    references.broken_aspect_ref,
    mapping.overlapping_mapping,
    cycles.structural_cycle,
    reading.invalid_config,
    references.invalid_artifact_condition,
    aspects.duplicate_aspect_binding,
    reading.missing_node_yaml,
    references.implied_aspect_missing,
    cycles.aspect_implies_cycle,
    reading.invalid_aspect_yaml,
    reading.invalid_flow_yaml,
    mapping.invalid_mapping_path,
    reading.unreadable_file,
    artifacts.missing_artifact,
    artifacts.shallow_artifact,
    artifacts.budget_warning,
    artifacts.budget_error,
    relations.high_fan_out,
    relations.unpaired_event,
    artifacts.missing_schema,
    aspects.missing_required_aspect_coverage,
    mapping.mapping_path_missing,
    reading.directory_without_node,
    mapping.anchor_not_found,
    flows.flow_description,
    reading.unknown_key,
    mapping.mapping_ignored,
    artifacts.artifact_not_configured,
    reading.ignored_link,
)
RULES_V0 = (
    reading.invalid_node_yaml,
    references.broken_relation,
    references.broken_flow_ref,
    reading.invalid_config,
    reading.invalid_aspect_yaml,
    reading.invalid_flow_yaml,
    reading.unreadable_file,
    artifacts.budget_warning,
    reading.ignored_link,
    aspects.tag_without_aspect,
)


def rules_of(graph: Graph) -> tuple[Rule[Survey], ...]:
    """Return the rules that a graph's edition has."""
    return RULES if graph.edition.refuses_on_any_error else RULES_V0


def issues_of(
    graph: Graph, sources: Sources, measure: Callable[[Package], int] | None = None
) -> tuple[Issue, ...]:
    """Return every issue of a graph; `measure` tells the size of a package, if not its tokens."""
    survey = whole(graph, sources, measure) if measure else whole(graph, sources)
    return check(rules_of(graph), survey)


def errors_of(graph: Graph, sources: Sources) -> tuple[Issue, ...]:
    """Return every error of a graph."""
    return check(_errors(graph), whole(graph, sources))


def errors_around(graph: Graph, sources: Sources, path: str) -> tuple[Issue, ...]:
    """Return the errors in what touches the package of one node."""
    return check(_errors(graph), around(graph, sources, path))


def errors_in(graph: Graph, sources: Sources, path: str) -> tuple[Issue, ...]:
    """Return the errors in the files of one node."""
    return check((reading.invalid_node_yaml, reading.unreadable_file), alone(graph, sources, path))


def _errors(graph: Graph) -> tuple[Rule[Survey], ...]:
    return tuple(each for each in rules_of(graph) if each.severity is Severity.ERROR)
