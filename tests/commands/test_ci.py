"""Issues for CI services: SARIF 2.1.0, and GitHub workflow commands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from yg.commands.ci import SCHEMA, github, sarif
from yg.kernel.issue import Issue, Level, Severity
from yg.version import __version__
from yg.yggdrasil.rules import RULES

ISSUE = Issue(
    code="E004",
    rule="broken-relation",
    severity=Severity.ERROR,
    subject="orders",
    message="relation to 'pay' does not resolve",
    file=".yggdrasil/model/orders/yg-node.yaml",
    line=4,
    column=13,
    advice=("Did you mean 'payments'?",),
    fix="Correct the path.",
)


def run_of(*issues: Issue, levels: dict[str, Level] = {}, prefix: str = "") -> dict[str, Any]:
    text = sarif(issues, RULES, levels, prefix)
    assert text.endswith("}\n")
    document = json.loads(text)
    (run,) = document.pop("runs")
    assert document == {"$schema": SCHEMA, "version": "2.1.0"}
    assert isinstance(run, dict)
    return run


def prints(*issues: Issue) -> list[str]:
    return [result["partialFingerprints"]["yg/v1"] for result in run_of(*issues)["results"]]


LEVELS = ("none", "note", "warning", "error")


def test_a_run_has_the_structure_of_sarif() -> None:
    run = run_of(ISSUE, replace(ISSUE, line=None, column=None))
    assert list(run) == ["tool", "columnKind", "originalUriBaseIds", "results"]
    assert list(run["tool"]) == ["driver"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert "SRCROOT" in run["originalUriBaseIds"]
    driver = run["tool"]["driver"]
    rules = driver["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        texts = (rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
        assert all(isinstance(text, str) and text for text in texts)
        assert rule["defaultConfiguration"]["level"] in LEVELS
    for result in run["results"]:
        assert result["message"].keys() == {"text"}
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in LEVELS
        for location in result["locations"]:
            region = location["physicalLocation"]["region"]
            assert all(isinstance(number, int) and number >= 1 for number in region.values())


def test_the_tool_names_itself_and_describes_every_rule() -> None:
    driver = run_of()["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("yg", __version__)
    assert [rule["id"] for rule in driver["rules"]] == [rule.code for rule in RULES]
    for described, rule in zip(driver["rules"], RULES, strict=True):
        assert described["name"] == rule.name
        assert described["shortDescription"] == {"text": rule.title}
        assert described["fullDescription"]["text"].startswith(rule.summary)
        assert described["defaultConfiguration"] == {"level": rule.severity.value}
        assert described["help"] == {
            "text": f"{rule.why} {rule.fix}",
            "markdown": f"**Why:** {rule.why}\n\n**Fix:** {rule.fix}",
        }


def test_levels_of_the_configuration_are_described() -> None:
    levels = {"E010": Level.WARNING, "W012": Level.OFF, "W014": Level.ERROR}
    rules = run_of(levels=levels)["tool"]["driver"]["rules"]
    found = {rule["id"]: rule["defaultConfiguration"] for rule in rules}
    assert found["E010"] == {"level": "warning"}
    assert found["W012"] == {"enabled": False, "level": "warning"}
    assert found["W014"] == {"level": "error"}


def test_a_result_points_at_its_rule_and_its_place() -> None:
    (result,) = run_of(ISSUE)["results"]
    assert result.pop("partialFingerprints").keys() == {"yg/v1"}
    assert RULES[result.pop("ruleIndex")].code == "E004"
    assert result == {
        "ruleId": "E004",
        "level": "error",
        "message": {
            "text": "orders -> relation to 'pay' does not resolve.\nDid you mean 'payments'?"
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": ISSUE.file, "uriBaseId": "SRCROOT"},
                    "region": {"startLine": 4, "startColumn": 13},
                }
            }
        ],
    }


@pytest.mark.parametrize(
    ("file", "prefix", "uri"),
    [
        ("a b.md", "", "a%20b.md"),
        ("ä.md", "", "%C3%A4.md"),
        ("a#b?c%d.md", "", "a%23b%3Fc%25d.md"),
        ("b\udcff.md", "", "b%FF.md"),
        ("a\nb.md", "", "a%0Ab.md"),
        ("a.md", "apps/my shop", "apps/my%20shop/a.md"),
    ],
)
def test_a_file_is_named_by_a_uri(file: str, prefix: str, uri: str) -> None:
    (result,) = run_of(replace(ISSUE, file=file), prefix=prefix)["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


# Fingerprints.


def test_fingerprints_tell_different_problems_apart() -> None:
    others = [
        replace(ISSUE, code="E006"),
        replace(ISSUE, subject="other"),
        replace(ISSUE, message="other"),
        replace(ISSUE, file="other"),
        ISSUE,  # a second time
    ]
    assert len(set(prints(ISSUE, *others))) == 6


def test_fingerprints_do_not_depend_on_place_advice_or_measure() -> None:
    short = replace(ISSUE, message="has 12 characters, 50 are expected")
    same = replace(
        short, line=90, column=1, advice=(), fix="", message="has 7 characters, 50 are expected"
    )
    assert prints(short) == prints(same)


# GitHub.


def commands(*issues: Issue, prefix: str = "") -> Sequence[str]:
    return github(issues, prefix).split("\n")


def test_github_gets_a_command_for_each_issue() -> None:
    warning = replace(ISSUE, code="W016", rule="unknown-key", severity=Severity.WARNING)
    whole = replace(warning, line=None, column=None, advice=())
    assert commands(ISSUE, warning, whole, prefix="apps/shop") == [
        (
            "::error file=apps/shop/.yggdrasil/model/orders/yg-node.yaml,line=4,col=13,"
            "title=E004 broken-relation::"
            "orders -> relation to 'pay' does not resolve.%0ADid you mean 'payments'?"
        ),
        (
            "::warning file=apps/shop/.yggdrasil/model/orders/yg-node.yaml,line=4,col=13,"
            "title=W016 unknown-key::"
            "orders -> relation to 'pay' does not resolve.%0ADid you mean 'payments'?"
        ),
        (
            "::warning file=apps/shop/.yggdrasil/model/orders/yg-node.yaml,title=W016 unknown-key::"
            "orders -> relation to 'pay' does not resolve.%0ACorrect the path."
        ),
        "",
    ]


def test_hostile_names_neither_end_a_command_nor_forge_another_one() -> None:
    name = "a,b:c%d\n::error::x\r\x1b[2J\u202e\udcff"
    (line, end) = commands(replace(ISSUE, subject=name, file=name, advice=()))
    assert end == ""
    head, _, message = line.removeprefix("::error ").partition("::")
    assert head.startswith("file=a%2Cb%3Ac%25d%0A%3A%3Aerror%3A%3Ax")
    assert message.startswith("a,b:c%25d%0A::error::x")
    assert line.isprintable()
    assert line.isascii()


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(codec="utf-8")))
def test_any_text_survives(subject: str, message: str) -> None:
    issue = replace(ISSUE, subject=subject, message=message, advice=(), fix="")
    (result,) = run_of(issue)["results"]
    assert result["message"]["text"] == f"{subject} -> {message}."
    assert len(commands(issue)) == 2
