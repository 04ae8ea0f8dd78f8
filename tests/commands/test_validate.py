"""Verdicts as text, data, GitHub workflow commands and JUnit XML."""

from __future__ import annotations

import json
from unicodedata import category
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas import faults_in
from yg.commands.validate import validation_of, verdict_text
from yg.commands.validate.ci import verdict_github, verdict_junit
from yg.kernel.document import document_text, plain
from yg.kernel.issue import Issue, Level, Place, Severity, Verdict
from yg.kernel.palette import PLAIN, Palette
from yg.text.escapes import escape_bytes, escape_controls
from yg.yggdrasil.rules.check import RULES

ERROR = Issue(
    code="E004",
    name="broken-relation",
    severity=Severity.ERROR,
    subject="orders",
    message="relation to 'pay' does not resolve",
    place=Place(".yggdrasil/model/orders/yg-node.yaml", 4, 13),
    advice=("Existing nodes in model/: payments", "Did you mean 'payments'?"),
    also=(),
    fix="Correct the path.",
)
WARNING = replace(
    ERROR,
    code="W010",
    name="missing-schema",
    severity=Severity.WARNING,
    subject="schemas",
    message="schemas/yg-node.yaml is missing",
    place=Place(".yggdrasil/schemas/yg-node.yaml"),
    advice=(),
    fix="Copy it.",
)
VERDICT = Verdict("", 3, (ERROR, WARNING))
CLEAN = Verdict("", 3, ())
HARMFUL = ("Cc", "Cs", "Zl", "Zp")  # control characters, surrogates, line and paragraph breaks
ANY_TEXT = st.text(st.characters(codec=None), min_size=1)


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    """Draw issues with any text that a file or a file name can contain."""
    codes = [(rule.code, rule.severity) for rule in RULES]
    issues = []
    for _ in range(draw(st.integers(1, 3))):
        code, severity = draw(st.sampled_from(codes))
        issues.append(
            replace(
                ERROR,
                code=code,
                severity=severity,
                subject=draw(ANY_TEXT),
                message=draw(ANY_TEXT),
                place=Place(draw(ANY_TEXT), draw(st.integers(0, 3)), draw(st.integers(1, 3))),
                advice=tuple(draw(st.lists(ANY_TEXT, max_size=2))),
            )
        )
    return Verdict("", 1, tuple(issues))


# Text.


def test_text_shows_each_issue_and_counts_them_in_the_last_line() -> None:
    assert (
        verdict_text(VERDICT, PLAIN)
        == """\
E004 orders -> relation to 'pay' does not resolve.
  .yggdrasil/model/orders/yg-node.yaml:4:13
  Existing nodes in model/: payments
  Did you mean 'payments'?
W010 schemas -> schemas/yg-node.yaml is missing.
  .yggdrasil/schemas/yg-node.yaml
  Copy it.

1 error, 1 warning. 3 nodes checked.
"""
    )


FOLLOWER = replace(
    ERROR, code="E006", subject="flows/f", place=Place("f.yaml", 3, 5), follows=ERROR.key
)


@pytest.mark.parametrize(
    ("issues", "last"),
    [
        ((ERROR,), "1 error, 0 warnings. 3 nodes checked."),
        ((ERROR, FOLLOWER), "1 error (and 1 that follows from it), 0 warnings. 3 nodes checked."),
        (
            (ERROR, FOLLOWER, FOLLOWER, replace(ERROR, code="E003")),
            "2 errors (and 2 that follow from them), 0 warnings. 3 nodes checked.",
        ),
        ((WARNING, WARNING), "0 errors, 2 warnings. 3 nodes checked."),
    ],
)
def test_the_last_line_counts_issues_that_follow_from_others_apart(
    issues: tuple[Issue, ...], last: str
) -> None:
    assert verdict_text(Verdict("", 3, issues), PLAIN).splitlines()[-1] == last


def test_an_issue_that_follows_from_another_is_indented_below_it() -> None:
    verdict = Verdict("", 1, (ERROR, FOLLOWER))
    assert verdict_text(verdict, PLAIN).splitlines()[4:] == [
        "  E006 flows/f -> relation to 'pay' does not resolve.",
        "    f.yaml:3:5",
        "",
        "1 error (and 1 that follows from it), 0 warnings. 1 node checked.",
    ]
    data = plain(validation_of(verdict))
    assert (data["errors"], data["warnings"], data["following"]) == (1, 0, 1)
    assert [issue["follows"] for issue in data["issues"]] == [
        None,
        {"code": "E004", "subject": "orders"},
    ]
    assert faults_in(data) == []


def test_text_without_issues_says_how_much_was_checked() -> None:
    assert verdict_text(CLEAN, PLAIN) == "No issues found. 3 nodes checked.\n"


def test_text_on_a_terminal_marks_codes_and_names() -> None:
    first, second, *_ = verdict_text(VERDICT, Palette(is_on=True)).split("\n")
    assert first == (
        "\x1b[31;1mE004\x1b[0m \x1b[1morders\x1b[0m -> relation to 'pay' does not resolve."
    )
    assert second == "  \x1b[2m.yggdrasil/model/orders/yg-node.yaml:4:13\x1b[0m"


@given(verdicts())
@settings(deadline=None)
def test_no_text_of_a_user_can_play_with_the_terminal(verdict: Verdict) -> None:
    lines = verdict_text(verdict, PLAIN).split("\n")
    assert [letter for line in lines for letter in line if category(letter) in HARMFUL] == []
    issue_lines = sum(2 + (len(issue.advice) or bool(issue.fix)) for issue in verdict.issues)
    assert len(lines) == issue_lines + len(["", "counts", ""])


# Data.


def test_data_holds_every_field_of_an_issue() -> None:
    assert plain(validation_of(replace(VERDICT, scope="orders"))) == {
        "schema": "yg-validate/1",
        "scope": "orders",
        "nodes": 3,
        "errors": 1,
        "warnings": 1,
        "following": 0,
        "issues": [
            {
                "code": "E004",
                "rule": "broken-relation",
                "severity": "error",
                "subject": "orders",
                "message": "relation to 'pay' does not resolve",
                "file": ".yggdrasil/model/orders/yg-node.yaml",
                "line": 4,
                "column": 13,
                "advice": ["Existing nodes in model/: payments", "Did you mean 'payments'?"],
                "fix": "Correct the path.",
                "follows": None,
            },
            {
                "code": "W010",
                "rule": "missing-schema",
                "severity": "warning",
                "subject": "schemas",
                "message": "schemas/yg-node.yaml is missing",
                "file": ".yggdrasil/schemas/yg-node.yaml",
                "line": None,
                "column": None,
                "advice": [],
                "fix": "Copy it.",
                "follows": None,
            },
        ],
    }


@pytest.mark.parametrize("verdict", [VERDICT, CLEAN, replace(CLEAN, scope=".")])
def test_data_follows_its_schema(verdict: Verdict) -> None:
    assert faults_in(plain(validation_of(verdict))) == []


@given(verdicts())
@settings(deadline=None)
def test_data_survives_json_whatever_it_says(verdict: Verdict) -> None:
    data = validation_of(verdict)
    # Surrogates are written as escapes, as on the command line.
    written = document_text(data).encode("utf-8", "backslashreplace")
    assert json.loads(written) == plain(data)


# GitHub.


def test_a_workflow_command_names_file_line_column_and_rule() -> None:
    assert verdict_github(VERDICT) == (
        "::error file=.yggdrasil/model/orders/yg-node.yaml,line=4,col=13,"
        "title=E004 broken-relation::orders -> relation to 'pay' does not resolve."
        "%0AExisting nodes in model/: payments%0ADid you mean 'payments'?\n"
        "::warning file=.yggdrasil/schemas/yg-node.yaml,title=W010 missing-schema"
        "::schemas -> schemas/yg-node.yaml is missing.%0ACopy it.\n"
    )


def test_a_workflow_command_names_files_from_the_root_of_the_git_repository() -> None:
    first, _, _ = verdict_github(VERDICT, "apps/shop").partition(",")
    assert first == "::error file=apps/shop/.yggdrasil/model/orders/yg-node.yaml"


def test_a_workflow_without_issues_has_no_commands() -> None:
    assert verdict_github(CLEAN) == ""


def test_a_workflow_command_escapes_what_would_end_or_forge_it() -> None:
    issue = replace(
        WARNING,
        subject="a%0Ab",
        message="x\r\n::error ::forged",
        place=Place("model/a,line=1::b%/yg-node.yaml"),
    )
    assert verdict_github(Verdict("", 1, (issue,))) == (
        "::warning file=model/a%2Cline=1%3A%3Ab%25/yg-node.yaml,title=W010 missing-schema"
        "::a%250Ab -> x\\r%0A::error ::forged.%0ACopy it.\n"
    )


def unescaped(text: str) -> str:
    """Unescape text like the GitHub runner."""
    for code, letter in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, letter)
    return text


@given(verdicts())
@settings(deadline=None)
def test_the_runner_reads_back_what_was_written_without_control_characters(
    verdict: Verdict,
) -> None:
    lines = verdict_github(verdict).split("\n")
    assert lines.pop() == ""
    for line, issue in zip(lines, verdict.issues, strict=True):
        start, settings_text, text = line.split("::", 2)[:1] + line.split("::", 2)[1:]
        kind, _, fields = settings_text.partition(" ")
        values = dict(field.split("=", 1) for field in fields.split(","))
        assert (start, kind) == ("", issue.severity.value)
        assert unescaped(values["file"]) == escape_bytes(escape_controls(issue.place.file))
        assert values.get("line", "0") == str(issue.place.line)
        whole = "\n".join([f"{issue.subject} -> {issue.message}.", *issue.guidance])
        assert unescaped(text) == escape_bytes(escape_controls(whole))


# JUnit.


def test_junit_has_a_case_for_each_rule() -> None:
    suites = ET.fromstring(verdict_junit(VERDICT, RULES))  # noqa: S314
    (suite,) = suites
    names = [case.get("name") for case in suite]
    assert names == [f"{rule.code} {rule.name}" for rule in RULES]
    for element in (suites, suite):
        assert (element.get("tests"), element.get("failures")) == (str(len(RULES)), "1")


def test_junit_fails_for_errors_and_shows_warnings() -> None:
    (suite,) = ET.fromstring(verdict_junit(VERDICT, RULES))  # noqa: S314
    told = [(case.get("name"), part) for case in suite for part in case]
    (failed, failure), (warned, output) = told
    assert (failed, failure.tag) == ("E004 broken-relation", "failure")
    assert failure.get("message") == "orders -> relation to 'pay' does not resolve."
    assert failure.text == (
        ".yggdrasil/model/orders/yg-node.yaml:4:13: orders -> relation to 'pay' does not resolve.\n"
        "  Existing nodes in model/: payments\n"
        "  Did you mean 'payments'?"
    )
    assert (warned, output.tag) == ("W010 missing-schema", "system-out")
    assert output.text == (
        ".yggdrasil/schemas/yg-node.yaml: schemas -> schemas/yg-node.yaml is missing.\n  Copy it."
    )


def test_junit_names_the_first_of_several_problems_and_counts_the_others() -> None:
    verdict = Verdict("", 1, (ERROR, replace(ERROR, subject="x"), replace(ERROR, subject="y")))
    (suite,) = ET.fromstring(verdict_junit(verdict, RULES))  # noqa: S314
    (failure,) = [part for case in suite for part in case]
    title = "orders -> relation to 'pay' does not resolve. And 2 more."
    assert failure.get("message") == title


def test_junit_follows_the_levels_of_the_rules() -> None:
    levels = {"W010": Level.ERROR, "W012": Level.OFF}
    rules = [replace(rule, level=levels.get(rule.code, rule.level)) for rule in RULES]
    raised = replace(WARNING, severity=Severity.ERROR)
    (suite,) = ET.fromstring(verdict_junit(Verdict("", 1, (raised,)), rules))  # noqa: S314
    assert (suite.get("failures"), suite.get("skipped")) == ("1", "1")
    assert [(case.get("name"), part.tag) for case in suite for part in case] == [
        ("W010 missing-schema", "failure"),
        ("W012 mapping-path-missing", "skipped"),
    ]


def test_junit_of_a_clean_graph_has_no_failures() -> None:
    (suite,) = ET.fromstring(verdict_junit(CLEAN, RULES))  # noqa: S314
    assert suite.get("failures") == "0"
    assert [part for case in suite for part in case] == []


@given(verdicts())
@settings(deadline=None)
def test_junit_is_xml_whatever_it_says(verdict: Verdict) -> None:
    text = verdict_junit(verdict, RULES)
    (suite,) = ET.fromstring(text.encode())  # noqa: S314
    lines = [line for case in suite for part in case for line in (part.text or "").split("\n")]
    assert len(lines) == sum(1 + len(issue.guidance) for issue in verdict.issues)


def test_of_many_warnings_with_the_same_code_the_first_three_are_shown() -> None:
    other = replace(WARNING, code="W012")
    verdict = Verdict("", 3, (ERROR, *[WARNING] * 12, other, *[ERROR] * 11))
    text = verdict_text(verdict, PLAIN)
    counts = [text.count(f"{code} ") for code in ("E004", "W010", "W012")]
    assert counts == [12, 4, 1]  # one of W010 in the line below
    assert ".. and 9 more W010 (yg validate --all)\nW012" in text
    assert verdict_text(verdict, PLAIN, shows_all=True).count("W010 ") == 12
    assert len(plain(validation_of(verdict))["issues"]) == 25


def test_ten_warnings_with_the_same_code_are_all_shown() -> None:
    text = verdict_text(Verdict("", 3, (WARNING,) * 10), PLAIN)
    assert (text.count("W010 "), ".. and" in text) == (10, False)
