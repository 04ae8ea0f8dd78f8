"""A rule is a function with a page; its findings become issues in one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yg.kernel.issue import Finding, Issue, Level, Place, Severity, in_order
from yg.kernel.rule import Rule, check, rule

Survey = Iterable[Finding]


def checked(rules: Sequence[Rule[Survey]], survey: Survey) -> tuple[Issue, ...]:
    """Run rules at their usual levels."""
    return in_order(check(rules, survey, lambda rule: Level(rule.severity.value)))


@rule("E900", "no-apples", Severity.ERROR)
def no_apples(survey: Survey) -> Iterator[Finding]:
    """No basket holds apples.

    Pears are tolerated:
    they keep longer.

    Why: apples spoil
    all that lies near them.
    Fix: take the apples out,
        one by one.

    Example:
        basket:
          - pear
    """
    yield from survey


@rule("W900", "few-pears", Severity.WARNING)
def few_pears(survey: Survey) -> Iterator[Finding]:
    """Pears are few."""
    yield from survey


@rule("W902", "endless", Severity.WARNING)
def endless(survey: Survey) -> Iterator[Finding]:
    """Findings end."""
    yield from survey


@rule("W901", "bare", Severity.WARNING)
def bare(survey: Survey) -> Iterator[Finding]:
    yield from ()


def issue(each: Rule[Survey], finding: Finding) -> Issue:
    """Return the issue that a finding of a rule becomes."""
    return Issue(
        code=each.code,
        rule=each.name,
        severity=each.severity,
        subject=finding.subject,
        message=finding.message,
        file=finding.place.file,
        line=finding.place.line or None,
        column=finding.place.column or None,
        advice=finding.advice,
        also=finding.also,
        fix=each.fix,
    )


def test_a_rule_carries_its_code_name_severity_and_page() -> None:
    assert (no_apples.code, no_apples.name, no_apples.severity) == (
        "E900",
        "no-apples",
        Severity.ERROR,
    )
    assert no_apples.page == (
        "No basket holds apples.\n"
        "\n"
        "Pears are tolerated:\n"
        "they keep longer.\n"
        "\n"
        "Why: apples spoil\n"
        "all that lies near them.\n"
        "Fix: take the apples out,\n"
        "    one by one.\n"
        "\n"
        "Example:\n"
        "    basket:\n"
        "      - pear"
    )


def test_the_parts_of_a_page_are_running_text_and_its_example_keeps_its_lines() -> None:
    assert no_apples.summary == "No basket holds apples."
    assert no_apples.details == "Pears are tolerated: they keep longer."
    assert no_apples.why == "Apples spoil all that lies near them."
    assert no_apples.fix == no_apples.part("Fix") == "Take the apples out, one by one."
    assert no_apples.example == ("basket:", "  - pear")


def test_parts_that_a_page_does_not_have_are_empty() -> None:
    assert (few_pears.summary, few_pears.details, few_pears.why, few_pears.fix) == (
        "Pears are few.",
        "",
        "",
        "",
    )
    assert (few_pears.example, few_pears.part("Nothing")) == ((), "")


def test_a_rule_without_a_docstring_has_an_empty_page() -> None:
    assert (bare.page, bare.summary, bare.fix) == ("", "", "")


def test_a_finding_becomes_an_issue_with_all_that_its_rule_says() -> None:
    finding = Finding("a/b", "an apple", Place("b.yaml", 2, 3), ("Eat it.",), ("a/c",))
    assert checked([no_apples], [finding]) == (
        Issue(
            code="E900",
            rule="no-apples",
            severity=Severity.ERROR,
            subject="a/b",
            message="an apple",
            file="b.yaml",
            line=2,
            column=3,
            advice=("Eat it.",),
            also=("a/c",),
            fix="Take the apples out, one by one.",
        ),
    )


def test_too_many_findings_are_cut_off_with_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("yg.kernel.rule.MOST_FINDINGS", 3)
    many = (Finding("s", "m", Place("f", line)) for line in count(1))
    messages = [(item.place.line, item.message) for item in checked([endless], many)]
    rest = "there are more than 3 findings of this rule; the rest are omitted"
    assert messages == [(1, "m"), (2, "m"), (3, "m"), (4, rest)]


def test_the_middle_is_cut_out_of_a_very_long_line() -> None:
    found = Finding("s", "m" * 9_000, Place("f"), ("a" * 2_000, "b" * 2_001))
    (cut,) = checked([few_pears], [found])
    m, b = "m" * 1_000, "b" * 1_000
    assert (cut.message, cut.advice) == (f"{m} .. {m}", ("a" * 2_000, f"{b} .. {b}"))


def test_nothing_found_is_not_an_issue() -> None:
    assert checked([no_apples, few_pears], []) == ()
    assert checked([], [Finding("a", "m", Place("f"))]) == ()


ORDERED = [
    issue(no_apples, Finding("s", "m", Place("B.yaml"))),
    issue(no_apples, Finding("s", "m", Place("a.yaml"))),
    issue(no_apples, Finding("s", "m", Place("a.yaml", 2, 1))),
    issue(no_apples, Finding("s", "m", Place("a.yaml", 2, 9))),
    issue(no_apples, Finding("t", "a", Place("a.yaml", 2, 9))),
    issue(no_apples, Finding("t", "b", Place("a.yaml", 2, 9))),
    issue(no_apples, Finding("s", "m", Place("a.yaml", 10))),
    issue(few_pears, Finding("s", "m", Place("a.yaml", 1, 5))),
    issue(bare, Finding("s", "m", Place("a.yaml", 1, 1))),
    issue(few_pears, Finding("s", "m", Place("a.yaml", 3))),
]


@given(st.permutations(ORDERED))
def test_errors_stand_before_warnings_and_each_by_file_line_and_code(issues: list[Issue]) -> None:
    assert sorted(issues, key=lambda value: value.order) == ORDERED


@settings(max_examples=50, deadline=None)
@given(st.permutations([no_apples, few_pears, bare]), st.permutations([1, 2, 10]))
def test_the_order_of_rules_and_findings_never_shows(
    rules: list[Rule[Survey]], lines: list[int]
) -> None:
    issues = checked(rules, [Finding("s", "m", Place("f", line)) for line in lines])
    assert [(item.code, item.place.line) for item in issues] == [
        ("E900", 1),
        ("E900", 2),
        ("E900", 10),
        ("W900", 1),
        ("W900", 2),
        ("W900", 10),
    ]
