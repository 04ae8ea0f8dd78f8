"""Every rule on small graphs."""

from __future__ import annotations

import pytest

from engine.rules import (
    artifacts_cases,
    aspect_cases,
    mapping_cases,
    reading_cases,
    references_cases,
    relations_cases,
)
from engine.rules.judged import Case, issues_in, survey_of, written
from yg.kernel.issue import Severity
from yg.kernel.rule import Rule
from yg.yggdrasil.check import errors_of
from yg.yggdrasil.rules import RULES
from yg.yggdrasil.survey import Survey

CASES = (
    *reading_cases.CASES,
    *references_cases.CASES,
    *relations_cases.CASES,
    *mapping_cases.CASES,
    *artifacts_cases.CASES,
    *aspect_cases.CASES,
)


def code_of(rule: Rule[Survey]) -> str:
    return rule.code


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_graph_has_exactly_the_expected_issues(case: Case) -> None:
    assert written(issues_in(case.everything)) == case.issues


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_order_of_files_makes_no_difference(case: Case) -> None:
    assert written(issues_in(dict(reversed(case.everything.items())))) == case.issues


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_every_rule_has_a_graph_that_passes_and_one_that_fails(rule: Rule[Survey]) -> None:
    found = [f"{rule.code} " in case.issues for case in CASES if case.code == rule.code]
    assert set(found) == {True, False}


def test_errors_alone_are_the_errors_among_all_issues() -> None:
    for case in CASES:
        every = issues_in(case.everything)
        codes = [issue for issue in every if issue.code.startswith("E")]
        errors = [issue for issue in codes if issue.severity is Severity.ERROR]
        assert list(errors_of(survey_of(case.everything))) == errors, str(case)


def test_every_issue_has_the_name_and_the_fix_of_its_rule_and_says_what_to_do() -> None:
    rules = {rule.code: rule for rule in RULES}
    for issue in [issue for case in CASES for issue in issues_in(case.everything)]:
        rule = rules[issue.code]
        assert (issue.rule, issue.fix) == (rule.name, rule.fix)
        assert all(line.strip() for line in issue.guidance)
        assert issue.guidance
