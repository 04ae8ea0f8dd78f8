"""The list of all rules that report errors, and functions that run them.

They are separate from the warnings because only errors prevent a package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.rule import check
from yg.yggdrasil.rules import aspects, mapping, reading, references, relations
from yg.yggdrasil.survey import alone, around, whole

if TYPE_CHECKING:
    from yg.kernel.issue import Issue
    from yg.kernel.rule import Rule
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.survey import Survey

ERRORS = (
    reading.invalid_node_yaml,
    references.unknown_node_type,
    references.unknown_aspect,
    references.broken_relation,
    references.broken_flow_ref,
    references.broken_aspect_ref,
    mapping.overlapping_mapping,
    relations.structural_cycle,
    reading.invalid_config,
    references.invalid_artifact_condition,
    aspects.duplicate_aspect_binding,
    reading.missing_node_yaml,
    references.implied_aspect_missing,
    relations.aspect_implies_cycle,
    reading.invalid_aspect_yaml,
    reading.invalid_flow_yaml,
    mapping.invalid_mapping_path,
    reading.unreadable_file,
    reading.conflict_marker,
)
ERRORS_V0 = (
    reading.invalid_node_yaml,
    references.broken_relation,
    references.broken_flow_ref,
    reading.invalid_config,
    reading.invalid_aspect_yaml,
    reading.invalid_flow_yaml,
    reading.unreadable_file,
    reading.conflict_marker,
)
OWN_ERRORS = (reading.invalid_node_yaml, reading.unreadable_file, reading.conflict_marker)


def errors_of(graph: Graph, sources: Sources) -> tuple[Issue, ...]:
    """Return every error of a graph."""
    return check(_rules(graph), whole(graph, sources))


def errors_around(graph: Graph, sources: Sources, path: str) -> tuple[Issue, ...]:
    """Return the errors that affect the package of one node."""
    return check(_rules(graph), around(graph, sources, path))


def errors_in(graph: Graph, sources: Sources, path: str) -> tuple[Issue, ...]:
    """Return the errors in the files of one node."""
    issues = check(OWN_ERRORS, alone(graph, sources, path))
    return tuple(issue for issue in issues if issue.subject == path)


def _rules(graph: Graph) -> tuple[Rule[Survey], ...]:
    return ERRORS if graph.edition.refuses_on_any_error else ERRORS_V0
