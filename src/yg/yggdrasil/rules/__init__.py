"""The rules of Yggdrasil graphs: the explicit list of them, and the two ways of running it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Severity
from yg.kernel.rule import check
from yg.yggdrasil.rules import cycles, reading, references
from yg.yggdrasil.survey import around, whole

if TYPE_CHECKING:
    from yg.kernel.issue import Issue
    from yg.yggdrasil.graph import Graph

RULES = (
    reading.invalid_node_yaml,
    references.unknown_aspect,
    references.broken_relation,
    references.broken_flow_ref,
    references.broken_aspect_ref,
    cycles.structural_cycle,
    reading.invalid_config,
    references.implied_aspect_missing,
    cycles.aspect_implies_cycle,
    reading.invalid_aspect_yaml,
    reading.invalid_flow_yaml,
    reading.unreadable_file,
)
ERRORS = tuple(each for each in RULES if each.severity is Severity.ERROR)


def errors_of(graph: Graph) -> tuple[Issue, ...]:
    """Return every error of a graph."""
    return check(ERRORS, whole(graph))


def errors_around(graph: Graph, path: str) -> tuple[Issue, ...]:
    """Return the errors in what touches the package of one node."""
    return check(ERRORS, around(graph, path))
