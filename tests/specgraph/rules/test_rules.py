"""Tests of every rule on small Spec Graphs, and of the list of rules."""

from __future__ import annotations

import re

import pytest

from specgraph.graphs import spec_from
from specgraph.rules.cases import CASES, Case
from yg.commands.issues import issue_text
from yg.kernel.issue import Severity
from yg.kernel.palette import PLAIN
from yg.kernel.rule import LABELS, Rule, check
from yg.specgraph.graph import SpecGraph
from yg.specgraph.rules.check import RULES, validate

FAILING = tuple(case for case in CASES if not case.is_passing)
NAMES = {
    "E101": "invalid-graph-index",
    "E102": "invalid-node-file",
    "E103": "schema-violation",
    "E104": "duplicate-id",
    "E105": "id-mismatch",
    "E106": "type-mismatch",
    "E107": "broken-link",
    "E108": "self-link",
    "E109": "dependency-cycle",
    "E110": "layer-depends-on-feature",
    "E111": "foundation-dependency",
    "E112": "missing-rationale",
    "E113": "path-escape",
    "E114": "digest-mismatch",
    "E115": "missing-root",
    "W101": "ambiguous-decisions",
    "W102": "policy-overlap",
    "W103": "superseded-in-use",
    "W104": "unindexed-node-file",
    "W105": "unpinned-derivation",
    "W106": "budget",
    "W107": "policy-without-reach",
    "W108": "orphan-node",
    "W110": "stale-lock",
}

LONELY = (
    "W107",
    "W108",
)  # most cases have nodes without links; only those of these rules report it


def title(case: Case) -> str:
    return f"{case.code}: {case.name}"


def code_of(rule: Rule[SpecGraph]) -> str:
    return rule.code


@pytest.mark.parametrize("case", CASES, ids=title)
def test_a_graph_has_exactly_the_expected_issues(case: Case) -> None:
    issues = [
        issue
        for issue in validate(spec_from(case.contents)).issues
        if issue.code not in LONELY or case.code in LONELY
    ]
    assert "".join(issue_text(issue, PLAIN) for issue in issues) == case.issues


def test_no_two_cases_have_the_same_name() -> None:
    titles = [title(case) for case in CASES]
    assert sorted(set(titles)) == sorted(titles)


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_every_rule_has_a_graph_that_passes_and_one_that_fails(rule: Rule[SpecGraph]) -> None:
    cases = [case for case in CASES if case.code == rule.code]
    assert {case.is_passing for case in cases} == {True, False}


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_a_rule_alone_finds_what_it_finds_among_the_others(rule: Rule[SpecGraph]) -> None:
    for case in (case for case in FAILING if case.code == rule.code):
        among = validate(spec_from(case.contents)).issues
        alone = check([rule], spec_from(case.contents))
        assert alone == tuple(issue for issue in among if issue.code == rule.code)


def test_the_codes_and_names_are_those_of_the_contract() -> None:
    assert {rule.code: str(rule.name) for rule in RULES} == NAMES
    assert [rule.code for rule in RULES] == list(NAMES)


def test_the_severity_of_a_rule_is_the_first_letter_of_its_code() -> None:
    letters = {Severity.ERROR: "E", Severity.WARNING: "W"}
    assert [letters[rule.severity] for rule in RULES] == [code[0] for code in NAMES]


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_a_page_has_a_summary_why_fix_and_example(rule: Rule[SpecGraph]) -> None:
    assert re.fullmatch(r"[A-Z`][^\n]*\.", rule.summary)
    assert [label for label in LABELS if f"\n{label}:" in rule.page] == list(LABELS)
    assert rule.why.endswith(".")
    assert rule.fix.endswith(".")
    assert rule.details == "" or rule.details.endswith(".")
    assert any(line.strip() for line in rule.example)
    assert set(re.findall(r"[EW][0-9]{3}", "\n".join(rule.example))) <= {rule.code}


def test_every_issue_carries_the_fix_of_its_rule() -> None:
    fixes = {rule.code: (rule.name, rule.severity, rule.fix) for rule in RULES}
    for case in FAILING:
        for issue in validate(spec_from(case.contents)).issues:
            assert (issue.name, issue.severity, issue.fix) == fixes[issue.code]
