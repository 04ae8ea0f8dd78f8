"""The errors that prevent packages: of a graph, around some nodes, or in one node."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from yg_old.kernel.issue import Level
from yg_old.kernel.rule import check
from yg_old.yggdrasil.levels import configured
from yg_old.yggdrasil.rules.errors import ERRORS, ERRORS_V0, OWN_ERRORS
from yg_old.yggdrasil.rules.survey import alone, around, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg_old.kernel.issue import Issue
    from yg_old.kernel.rule import Rule
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.rules.survey import Survey


def errors_of(graph: Graph, sources: Sources) -> tuple[Issue, ...]:
    """Return the errors of a graph."""
    return check(_blocking(graph), whole(graph, sources, partial(_rules, graph)))


def errors_around(graph: Graph, sources: Sources, nodes: Iterable[str]) -> tuple[Issue, ...]:
    """Return the errors that affect the packages of some nodes."""
    return check(_blocking(graph), around(graph, sources, partial(_rules, graph), nodes))


def errors_in(graph: Graph, sources: Sources, path: str) -> tuple[Issue, ...]:
    """Return the errors in the files of one node."""
    issues = check(OWN_ERRORS, alone(graph, sources, partial(_rules, graph), path))
    return tuple(issue for issue in issues if issue.subject == path)


def _blocking(graph: Graph) -> list[Rule[Survey]]:
    """Return the rules whose issues prevent packages: errors, unless lowered."""
    errors = ERRORS if graph.edition.refuses_on_any_error else ERRORS_V0
    return [rule for rule in configured(errors, graph.config) if rule.level is Level.ERROR]


def _rules(graph: Graph) -> Sequence[Rule[Survey]]:
    # Imported here because only a configuration that names rules needs all of them.
    from yg_old.yggdrasil.rules.check import rules_of

    return rules_of(graph)
