"""Validation: the issues of a graph, or of one scope."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from yg_old.kernel.issue import Level, Verdict, arranged
from yg_old.kernel.rule import check_in_steps
from yg_old.kernel.steps import finished
from yg_old.text import paths
from yg_old.yggdrasil.drift.baselines import Baselines
from yg_old.yggdrasil.levels import configured
from yg_old.yggdrasil.package.sizes import package_sizes
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.rules import (
    artifacts,
    aspects,
    code,
    documents,
    external,
    flows,
    mapping,
    overview,
    participants,
    reading,
    relations,
    texts,
    types,
    unowned,
)
from yg_old.yggdrasil.rules.errors import ERRORS, ERRORS_V0
from yg_old.yggdrasil.rules.survey import whole

if TYPE_CHECKING:
    from yg_old.kernel.issue import Issue
    from yg_old.kernel.rule import Rule
    from yg_old.kernel.sources import Sources
    from yg_old.kernel.steps import Steps
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.rules.survey import Survey


def validate(graph: Graph, sources: Sources) -> Verdict:
    """Check a graph with all rules."""
    return Verdict("", len(graph.nodes.all), issues_of(graph, sources))


def restrict(graph: Graph, verdict: Verdict, scope: str) -> Verdict:
    """Keep the issues of a scope and of the graph as a whole."""
    kept = arranged(issue for issue in verdict.issues if _concerns(graph, issue, scope))
    return Verdict(scope, sum(paths.is_inside(path, scope) for path in graph.nodes.all), kept)


def _concerns(graph: Graph, issue: Issue, scope: str) -> bool:
    file = issue.place.file
    is_in_code = issue.subject in graph.nodes.all and not paths.is_inside(file, FOLDER)
    if not is_in_code and not file.startswith(f"{graph.nodes.spec.tree}/"):
        return True
    return any(paths.is_inside(subject, scope) for subject in (issue.subject, *issue.also))


RULES = (
    *ERRORS,
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
    code.undeclared_dependency,
    code.dependency_against_direction,
    code.consumes_unknown,
    texts.name_gone,
    texts.draft_unread,
    external.unused_import,
    reading.binary_file,
    reading.duplicate_entry,
    code.accepted_import_unneeded,
    texts.path_gone,
    documents.decision_not_in_force,
    unowned.unowned_source,
    types.forbidden_relation,
    artifacts.own_budget,
    mapping.wide_node,
    overview.overview_out_of_date,
    mapping.blackbox_without_code,
    participants.participants_differ,
)
RULES_V0 = (
    *ERRORS_V0,
    artifacts.budget_warning,
    reading.ignored_link,
    aspects.tag_without_aspect,
    reading.binary_file,
    reading.duplicate_entry,
)


SIZES = (artifacts.budget_warning.code, artifacts.budget_error.code)  # rules that need sizes
PACKAGES = 20  # to measure in one step


def issues_of(graph: Graph, sources: Sources) -> tuple[Issue, ...]:
    """Return every issue of a graph, with the levels of its configuration."""
    return finished(issues_in_steps(graph, sources))


def issues_in_steps(graph: Graph, sources: Sources) -> Steps[tuple[Issue, ...]]:
    """Find the issues of a graph as `issues_of` does, with pauses."""
    rules = configured(rules_of(graph), graph.config)
    survey = survey_of(graph, sources)
    if any(checked.code in SIZES and checked.level is not Level.OFF for checked in rules):
        yield from _measured(survey)
    return (yield from check_in_steps(rules, survey))


def _measured(survey: Survey) -> Steps[None]:
    """Measure the packages, which takes longer than all other checks."""
    for number, _ in enumerate(package_sizes(survey.graph, survey.nodes), 1):
        if number % PACKAGES == 0:
            yield


def survey_of(graph: Graph, sources: Sources) -> Survey:
    """Return the input of all rules for a graph."""
    baselines = Baselines(graph.snapshot) if graph.edition.refuses_on_any_error else None
    return whole(graph, sources, partial(rules_of, graph), baselines)


def rules_of(graph: Graph) -> tuple[Rule[Survey], ...]:
    """Return the rules for the edition of a graph, with their default levels."""
    return RULES if graph.edition.refuses_on_any_error else RULES_V0
