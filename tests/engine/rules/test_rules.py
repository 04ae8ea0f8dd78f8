"""The list of rules, their groups and their pages."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from yg.kernel.issue import Severity
from yg.kernel.rule import LABELS, Rule
from yg.yggdrasil.rules import DECLARED, READ, RULES, SOURCES, TEXTS
from yg.yggdrasil.survey import Survey

NAMES = {
    "E001": "invalid-node-yaml",
    "E002": "unknown-node-type",
    "E003": "unknown-aspect",
    "E004": "broken-relation",
    "E006": "broken-flow-ref",
    "E007": "broken-aspect-ref",
    "E009": "overlapping-mapping",
    "E010": "structural-cycle",
    "E012": "invalid-config",
    "E013": "invalid-artifact-condition",
    "E014": "duplicate-aspect-binding",
    "E015": "missing-node-yaml",
    "E016": "implied-aspect-missing",
    "E017": "aspect-implies-cycle",
    "E018": "invalid-aspect-yaml",
    "E019": "invalid-flow-yaml",
    "E020": "invalid-mapping-path",
    "E021": "unreadable-file",
    "E025": "conflict-marker",
    "W001": "missing-artifact",
    "W002": "shallow-artifact",
    "W005": "budget-warning",
    "W006": "budget-error",
    "W007": "high-fan-out",
    "W009": "unpaired-event",
    "W010": "missing-schema",
    "W011": "missing-required-aspect-coverage",
    "W012": "mapping-path-missing",
    "W013": "directory-without-node",
    "W014": "anchor-not-found",
    "W016": "unknown-key",
    "W018": "artifact-not-configured",
    "W019": "ignored-link",
    "W027": "binary-file",
    "W028": "duplicate-entry",
    "W033": "forbidden-relation",
    "W037": "blackbox-without-code",
}


def code_of(rule: Rule[Survey]) -> str:
    return rule.code


def test_every_code_has_its_name_errors_first() -> None:
    assert {rule.code: rule.name for rule in RULES} == NAMES
    assert [rule.code for rule in RULES] == list(NAMES)


def test_the_severity_of_a_rule_is_the_first_letter_of_its_code() -> None:
    letters = {Severity.ERROR: "E", Severity.WARNING: "W"}
    assert [letters[rule.severity] for rule in RULES] == [code[0] for code in NAMES]


def test_every_rule_is_in_one_group_and_errors_are_in_the_first_two() -> None:
    groups = (*DECLARED, *TEXTS, *READ, *SOURCES)
    assert sorted(map(code_of, groups)) == list(NAMES)
    assert [rule.code for rule in (*READ, *SOURCES) if rule.severity is Severity.ERROR] == []


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_a_page_has_a_summary_why_fix_and_example(rule: Rule[Survey]) -> None:
    assert re.fullmatch(r"[A-Z`][^\n]*\.", rule.summary)
    assert [label for label in LABELS if f"\n{label}:" in rule.page] == list(LABELS)
    assert rule.why.endswith(".")
    assert rule.fix.endswith(".")
    assert rule.details == "" or rule.details.endswith(".")
    assert any(line.strip() for line in rule.example)


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_an_example_is_about_its_own_rule_and_no_other(rule: Rule[Survey]) -> None:
    assert set(re.findall(r"[EW][0-9]{3}", "\n".join(rule.example))) <= {rule.code}


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_a_page_mentions_no_rule_that_is_gone(rule: Rule[Survey]) -> None:
    assert set(re.findall(r"[EW][0-9]{3}", rule.page)) <= NAMES.keys()


def test_importing_the_rules_does_not_import_what_only_suggestions_need() -> None:
    code = "import sys, yg.yggdrasil.check; print('rapidfuzz' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"False\n"
