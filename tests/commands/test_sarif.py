"""Verdicts as SARIF 2.1.0, with stable fingerprints."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from support import snapshot_from
from yg.commands.validate.sarif import sarif
from yg.kernel.issue import Issue, Level, Place, Severity
from yg.kernel.sources import SnapshotSources
from yg.version import __version__
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.check import RULES, issues_of
from yggdrasil.rules.cases import CASES, CONFIG, SCHEMAS, calls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from support import Content
    from yg.kernel.rule import Rule
    from yg.yggdrasil.rules.survey import Survey

ISSUE = Issue(
    code="E004",
    name="broken-relation",
    severity=Severity.ERROR,
    subject="orders",
    message="relation to 'pay' does not resolve",
    place=Place(".yggdrasil/model/orders/yg-node.yaml", 4, 13),
    advice=("Did you mean 'payments'?",),
    also=(),
    fix="Correct the path.",
)
FAILING = {
    code: [case for case in CASES if case.code == code and case.issues]
    for code in sorted({case.code for case in CASES if case.issues})
}


def run_of(*issues: Issue) -> dict[str, Any]:
    document = json.loads(sarif(issues, RULES).encode("utf-8", "backslashreplace"))
    (run,) = document["runs"]
    assert isinstance(run, dict)
    return run


def prints(*issues: Issue) -> list[str]:
    return [result["partialFingerprints"]["yg/v1"] for result in run_of(*issues)["results"]]


def issues_in(
    files: Mapping[str, Content], sources: Mapping[str, Content] = {}
) -> tuple[Issue, ...]:
    snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **files}, sources)
    return issues_of(read(snapshot), SnapshotSources(snapshot))


def test_a_document_names_its_version_and_schema() -> None:
    document = json.loads(sarif([], RULES))
    assert document["version"] == "2.1.0"
    assert re.fullmatch(r"https://.*sarif.*2\.1\.0.*\.json", document["$schema"])
    assert list(document) == ["$schema", "version", "runs"]
    assert document["runs"][0]["results"] == []


def test_the_tool_names_itself_and_describes_every_rule() -> None:
    driver = run_of()["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("yg", __version__)
    assert [rule["id"] for rule in driver["rules"]] == [rule.code for rule in RULES]
    for described, rule in zip(driver["rules"], RULES, strict=True):
        assert described["name"] == rule.name
        assert described["shortDescription"] == {"text": rule.title}
        assert described["fullDescription"]["text"].startswith(rule.summary)
        assert described["defaultConfiguration"] == {"level": rule.severity.value}
        assert rule.why in described["help"]["text"]
        assert rule.fix in described["help"]["text"]
        assert rule.fix in described["help"]["markdown"]


def test_a_rule_is_titled_by_what_is_wrong() -> None:
    titles = {rule["id"]: rule["shortDescription"]["text"] for rule in described_rules(RULES)}
    assert titles["E001"] == "Invalid node YAML"
    assert titles["E004"] == "Broken relation"
    assert titles["W015"] == "Incomplete flow description"
    assert len(set(titles.values())) == len(titles)


def test_levels_of_the_configuration_are_described() -> None:
    levels = {"E010": Level.WARNING, "W012": Level.OFF, "W014": Level.ERROR}
    rules = [replace(rule, level=levels.get(rule.code, rule.level)) for rule in RULES]
    found = {rule["id"]: rule["defaultConfiguration"] for rule in described_rules(rules)}
    assert found["E010"] == {"level": "warning"}
    assert found["W012"] == {"enabled": False, "level": "warning"}
    assert found["W014"] == {"level": "error"}


def described_rules(rules: Sequence[Rule[Survey]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(sarif((), rules))["runs"][0]["tool"]["driver"]["rules"]
    return found


def test_a_result_points_at_its_rule_and_its_place() -> None:
    (result,) = run_of(ISSUE)["results"]
    assert result.pop("partialFingerprints").keys() == {"yg/v1"}
    assert result == {
        "ruleId": "E004",
        "ruleIndex": 3,
        "level": "error",
        "message": {
            "text": "orders -> relation to 'pay' does not resolve.\nDid you mean 'payments'?"
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {
                        "uri": ".yggdrasil/model/orders/yg-node.yaml",
                        "uriBaseId": "SRCROOT",
                    },
                    "region": {"startLine": 4, "startColumn": 13},
                }
            }
        ],
    }


def test_the_base_of_every_place_is_declared() -> None:
    assert "SRCROOT" in run_of(ISSUE)["originalUriBaseIds"]


def test_a_file_is_named_from_the_root_of_the_git_repository() -> None:
    document = json.loads(sarif([ISSUE], RULES, "apps/my shop"))
    (result,) = document["runs"][0]["results"]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "apps/my%20shop/.yggdrasil/model/orders/yg-node.yaml"
    assert result["partialFingerprints"]["yg/v1"] == prints(ISSUE)[0]


def test_columns_are_declared_to_count_characters() -> None:
    assert run_of()["columnKind"] == "unicodeCodePoints"


def test_a_file_as_a_whole_is_shown_at_its_first_line() -> None:
    (result,) = run_of(replace(ISSUE, place=Place("a.md")))["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 1}


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a b.md", "a%20b.md"),
        ("ä.md", "%C3%A4.md"),
        ("a#b?c%d.md", "a%23b%3Fc%25d.md"),
        ("b\udcff.md", "b%FF.md"),
        ("a\nb.md", "a%0Ab.md"),
    ],
)
def test_a_file_is_named_by_a_uri(file: str, uri: str) -> None:
    (result,) = run_of(replace(ISSUE, place=Place(file)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


@pytest.mark.parametrize("code", FAILING)
def test_every_issue_of_every_case_is_a_result(code: str) -> None:
    issues = [issue for case in FAILING[code] for issue in issues_in(case.files, case.sources)]
    run = run_of(*issues)
    rules = run["tool"]["driver"]["rules"]
    for result, issue in zip(run["results"], issues, strict=True):
        assert result["ruleId"] == rules[result["ruleIndex"]]["id"] == issue.code
        assert result["level"] in ("error", "warning")
        assert issue.message in result["message"]["text"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert min(region.values()) >= 1


def test_repeated_problems_have_fingerprints_of_their_own() -> None:
    relations = [f"  - {{target: gone, type: {kind}}}\n" for kind in ("uses", "extends")]
    issues = issues_in({"model/a/yg-node.yaml": calls("gone") + "".join(relations)})
    assert len(issues) == 3
    assert len({issue.message for issue in issues}) == 1
    assert len(set(prints(*issues))) == 3


def moved(files: Mapping[str, Content]) -> dict[str, Content]:
    """Insert comments and blank lines at the top of every YAML file."""
    return {
        path: f"# moved\n\n# down\n{text}"
        if type(text) is str and path.endswith(".yaml") and not path.startswith("schemas/")
        else text
        for path, text in files.items()
    }


@pytest.mark.parametrize("code", FAILING)
def test_fingerprints_stay_when_lines_are_put_above_the_problem(code: str) -> None:
    for case in FAILING[code]:
        before = issues_in({"yg-config.yaml": CONFIG, **case.files}, case.sources)
        after = issues_in(moved({"yg-config.yaml": CONFIG, **case.files}), case.sources)
        # The messages of these two contain the size of the package, which includes the comments.
        is_size = {"W005", "W006"}
        assert prints(*(issue for issue in before if issue.code not in is_size)) == prints(
            *(issue for issue in after if issue.code not in is_size)
        ), case.name


def test_fingerprints_tell_different_problems_apart() -> None:
    others = [
        replace(ISSUE, code="E006"),
        replace(ISSUE, subject="other"),
        replace(ISSUE, message="other"),
        replace(ISSUE, place=Place("other", 4, 13)),
    ]
    assert len(set(prints(ISSUE, *others))) == 5


def test_fingerprints_do_not_depend_on_line_advice_or_wording_of_the_fix() -> None:
    same = replace(ISSUE, place=Place(ISSUE.place.file, 90, 1), advice=(), fix="Other.")
    assert prints(ISSUE) == prints(same)


def test_the_same_issues_give_the_same_bytes() -> None:
    assert sarif([ISSUE, ISSUE], RULES) == sarif([ISSUE, ISSUE], RULES)
    assert sarif([ISSUE], RULES).endswith("}\n")


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(codec="utf-8")))
@settings(deadline=None)
def test_any_text_survives_json(subject: str, message: str) -> None:
    issue = replace(ISSUE, subject=subject, message=message, advice=(), fix="")
    (result,) = run_of(issue)["results"]
    assert result["message"]["text"] == f"{subject} -> {message}."
