"""Tests of every rule on small graphs, and of the list of rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from support import REPOSITORY, run, snapshot_from
from yg.commands.issues import issue_text
from yg.kernel.issue import Issue, Severity
from yg.kernel.palette import PLAIN
from yg.kernel.rule import LABELS, Rule, check
from yg.kernel.snapshot import Snapshot
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.edit.fixes import fixed_files
from yg.yggdrasil.levels import configured
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.blocking import errors_around, errors_of
from yg.yggdrasil.rules.check import RULES, RULES_V0, issues_of
from yg.yggdrasil.rules.survey import Survey, whole
from yggdrasil.rules.cases import (
    ASPECT,
    CASES,
    CONFIG,
    DESCRIPTION,
    NODE,
    SCHEMAS,
    Case,
    carries,
)

if TYPE_CHECKING:
    from support import Content

FAILING = tuple(case for case in CASES if not case.is_passing)
CASES_BY_CODE = {
    code: [case for case in CASES if case.code == code]
    for code in sorted({case.code for case in CASES})
}
ERROR_CODES = "E001 E002 E003 E004 E006 E007 E009 E010 E012 E013 E014 E015 E016 E017 E018 E019 E020"
WARNING_CODES = "W001 W002 W005 W006 W007 W009 W010 W011 W012 W013 W014 W015 W016 W017 W018 W019"
CODE_CODES = (
    "W021 W022 W023 W024 W025 W026 W027 W028 W029 W030 W031 W032 W033 W034 W035 W036 W037 W038"
)
LATER_ERRORS = "E021 E022 E023 E024 E025 E026"
CODES = f"{ERROR_CODES} {LATER_ERRORS} {WARNING_CODES} {CODE_CODES}".split()
EVERY_RULE = tuple(dict.fromkeys((*RULES, *RULES_V0)))


class HalfIgnored(SnapshotSources):
    """Sources of a snapshot with some ignored directories and files."""

    def __init__(self, snapshot: Snapshot, ignored: frozenset[str]) -> None:
        super().__init__(snapshot)
        self._ignored = ignored

    def is_ignored(self, directory: str) -> bool:
        return directory in self._ignored

    def files(self, path: str) -> tuple[str, ...]:
        return tuple(file for file in super().files(path) if file not in self._ignored)


def validated(
    files: Mapping[str, Content],
    sources: Mapping[str, Content] = {},
    ignored: frozenset[str] = frozenset(),
) -> str:
    """Validate a graph with a configuration and schemas, and return the printed issues."""
    return "".join(issue_text(issue, PLAIN) for issue in issues_in(files, sources, ignored))


def issues_in(
    files: Mapping[str, Content],
    sources: Mapping[str, Content] = {},
    ignored: frozenset[str] = frozenset(),
) -> tuple[Issue, ...]:
    """Validate a graph with a configuration and schemas."""
    snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **files}, sources)
    return issues_of(read(snapshot), HalfIgnored(snapshot, ignored))


def title(case: Case) -> str:
    return f"{case.code}: {case.name}"


def code_of(rule: Rule[Survey]) -> str:
    return rule.code


@pytest.mark.parametrize("case", CASES, ids=title)
def test_a_graph_has_exactly_the_expected_issues(case: Case) -> None:
    assert validated(case.files, case.sources, case.ignored) == case.issues


@pytest.mark.parametrize("code", CASES_BY_CODE)
def test_the_order_of_files_makes_no_difference(code: str) -> None:
    for case in CASES_BY_CODE[code]:
        files = dict(reversed(list(case.files.items())))
        sources = dict(reversed(list(case.sources.items())))
        assert validated(files, sources, case.ignored) == case.issues, case.name


@pytest.mark.parametrize("code", CASES_BY_CODE)
def test_errors_alone_are_the_errors_among_all_issues(code: str) -> None:
    for case in CASES_BY_CODE[code]:
        snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **case.files}, case.sources)
        graph, sources = read(snapshot), HalfIgnored(snapshot, case.ignored)
        every = issues_of(graph, sources)
        errors = tuple(issue for issue in every if issue.severity is Severity.ERROR)
        assert errors_of(graph, sources) == errors, case.name
        for path in graph.nodes.all:
            # E010 may report a shorter cycle: only relations that affect the package are read.
            found = errors_around(graph, sources, [path])
            near = [issue for issue in found if issue.code != "E010"]
            assert [issue for issue in near if issue not in errors] == [], case.name


@pytest.mark.parametrize("code", CASES_BY_CODE)
def test_fixes_change_only_what_an_issue_is_about(code: str) -> None:
    for case in CASES_BY_CODE[code]:
        snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **case.files}, case.sources)
        graph, sources = read(snapshot), HalfIgnored(snapshot, case.ignored)
        issues = issues_of(graph, sources)
        reported = {(issue.code, issue.subject, fix) for issue in issues for fix in issue.fixes}
        for file in fixed_files(graph, issues):
            assert file.applied, case.name
            for applied in file.applied:
                assert (applied.code, applied.subject, applied.fix) in reported, case.name


def test_no_two_cases_have_the_same_name() -> None:
    titles = [title(case) for case in CASES]
    assert sorted(set(titles)) == sorted(titles)


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_every_rule_has_a_graph_that_passes_and_one_that_fails(rule: Rule[Survey]) -> None:
    cases = [case for case in CASES if case.code == rule.code]
    assert {case.is_passing for case in cases} == {True, False}


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_a_rule_alone_finds_what_it_finds_among_the_others(rule: Rule[Survey]) -> None:
    for case in (case for case in FAILING if case.code == rule.code):
        snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **case.files}, case.sources)
        sources = HalfIgnored(snapshot, case.ignored)
        graph = read(snapshot)
        (checked,) = configured([rule], graph.config)
        alone = check([checked], whole(graph, sources, lambda: RULES))
        among = issues_of(read(snapshot), sources)
        # Alone, nothing follows from the issue of another rule.
        own = [replace(issue, follows=None) for issue in among if issue.code == rule.code]
        assert alone == tuple(sorted(own, key=lambda issue: issue.order))


def test_the_codes_are_those_of_the_contract_errors_first() -> None:
    assert [rule.code for rule in RULES] == CODES


def test_no_code_has_two_meanings() -> None:
    every = [rule.code for rule in EVERY_RULE]
    assert sorted(set(every)) == sorted(every)
    assert every[: len(CODES)] == CODES


def test_the_severity_of_a_rule_is_the_first_letter_of_its_code() -> None:
    letters = {Severity.ERROR: "E", Severity.WARNING: "W"}
    assert [letters[rule.severity] for rule in RULES] == [code[0] for code in CODES]


def test_rules_have_names_of_their_own_in_kebab_case() -> None:
    names = [str(rule.name) for rule in EVERY_RULE]
    assert sorted(set(names)) == sorted(names)
    assert [name for name in names if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name)] == []


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("E001", "invalid-node-yaml"),
        ("E002", "unknown-node-type"),
        ("E003", "unknown-aspect"),
        ("E004", "broken-relation"),
        ("E006", "broken-flow-ref"),
        ("E007", "broken-aspect-ref"),
        ("E009", "overlapping-mapping"),
        ("E010", "structural-cycle"),
        ("E012", "invalid-config"),
        ("E013", "invalid-artifact-condition"),
        ("E014", "duplicate-aspect-binding"),
        ("E015", "missing-node-yaml"),
        ("E016", "implied-aspect-missing"),
        ("E017", "aspect-implies-cycle"),
        ("E018", "invalid-aspect-yaml"),
        ("E019", "invalid-flow-yaml"),
        ("E020", "invalid-mapping-path"),
        ("E021", "unreadable-file"),
        ("E022", "unknown-import"),
        ("E023", "unknown-external-node"),
        ("E024", "damaged-import"),
        ("E025", "conflict-marker"),
        ("E026", "broken-document"),
        ("W001", "missing-artifact"),
        ("W002", "shallow-artifact"),
        ("W005", "budget-warning"),
        ("W006", "budget-error"),
        ("W007", "high-fan-out"),
        ("W009", "unpaired-event"),
        ("W010", "missing-schema"),
        ("W011", "missing-required-aspect-coverage"),
        ("W012", "mapping-path-missing"),
        ("W013", "directory-without-node"),
        ("W014", "anchor-not-found"),
        ("W015", "flow-description"),
        ("W016", "unknown-key"),
        ("W017", "mapping-ignored"),
        ("W018", "artifact-not-configured"),
        ("W019", "ignored-link"),
        ("W021", "undeclared-dependency"),
        ("W022", "dependency-against-direction"),
        ("W023", "consumes-unknown"),
        ("W024", "name-gone"),
        ("W025", "draft-unread"),
        ("W026", "unused-import"),
        ("W027", "binary-file"),
        ("W028", "duplicate-entry"),
        ("W029", "accepted-import-unneeded"),
        ("W030", "path-gone"),
        ("W031", "decision-not-in-force"),
        ("W032", "unowned-source"),
        ("W033", "forbidden-relation"),
        ("W038", "participants-differ"),
    ],
)
def test_a_code_keeps_its_name(code: str, name: str) -> None:
    assert [rule.name for rule in RULES if rule.code == code] == [name]


@pytest.mark.parametrize("rule", EVERY_RULE, ids=code_of)
def test_a_page_has_a_summary_why_fix_and_example(rule: Rule[Survey]) -> None:
    assert re.fullmatch(r"[A-Z`][^\n]*\.", rule.summary)
    assert [label for label in LABELS if f"\n{label}:" in rule.page] == list(LABELS)
    assert rule.why.endswith(".")
    assert rule.fix.endswith(".")
    assert rule.details == "" or rule.details.endswith(".")
    assert any(line.strip() for line in rule.example)


@pytest.mark.parametrize("rule", EVERY_RULE, ids=code_of)
def test_an_example_is_about_its_own_rule_and_no_other(rule: Rule[Survey]) -> None:
    named = set(re.findall(r"[EW][0-9]{3}", "\n".join(rule.example)))
    assert named <= {rule.code}


@pytest.mark.parametrize("rule", EVERY_RULE, ids=code_of)
def test_the_parts_of_a_page_hold_all_its_words(rule: Rule[Survey]) -> None:
    parts = f"{rule.summary} {rule.details} Why: {rule.why} Fix: {rule.fix} Example:"
    words = [*parts.split(), *" ".join(rule.example).split()]
    assert " ".join(words).casefold() == " ".join(rule.page.split()).casefold()


def test_every_issue_carries_the_fix_of_its_rule() -> None:
    for case in FAILING:
        snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **case.files}, case.sources)
        graph = read(snapshot)
        rules = {rule.code: rule for rule in configured(RULES, graph.config)}
        for issue in issues_of(graph, HalfIgnored(snapshot, case.ignored)):
            rule = rules[issue.code]
            assert (issue.name, issue.fix) == (rule.name, rule.fix)
            assert issue.severity.value == rule.level.value


def test_the_manual_is_what_explain_prints() -> None:
    manual = (REPOSITORY / "docs" / "rules.md").read_text(encoding="utf-8")
    assert run("explain", "--format", "markdown").text == manual


BAD_NODE: dict[str, Content] = {"model/bad/yg-node.yaml": "- no mapping\n"}
BAD_ASPECT: dict[str, Content] = {"aspects/bad/yg-aspect.yaml": "- no mapping\n"}
CALLS_BAD = f"{NODE}relations: [{{target: bad, type: calls}}]\n"
FLOW_FILES: dict[str, Content] = {
    "model/a/yg-node.yaml": NODE,
    "flows/f/description.md": DESCRIPTION,
}


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("E003", {**BAD_ASPECT, "model/a/yg-node.yaml": carries("bad")}),
        ("E004", {**BAD_NODE, "model/a/yg-node.yaml": CALLS_BAD}),
        ("E006", {**BAD_NODE, **FLOW_FILES, "flows/f/yg-flow.yaml": "name: F\nnodes: [bad]\n"}),
        (
            "E007",
            {
                **BAD_ASPECT,
                **FLOW_FILES,
                "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [bad]\n",
            },
        ),
        ("E016", {**BAD_ASPECT, "aspects/x/yg-aspect.yaml": f"{ASPECT}implies: [bad]\n"}),
    ],
)
def test_a_reference_to_something_unreadable_says_so(code: str, files: dict[str, Content]) -> None:
    text = validated(files)
    bad = "E018" if "aspects/bad/yg-aspect.yaml" in files else "E001"
    assert re.findall(r"^ *[EW][0-9]{3}", text, re.MULTILINE) == [bad, f"  {code}"]
    assert "Did you mean" not in text
    cause, found = issues_in(files)
    assert found.follows == cause.key
    file = f".yggdrasil/{next(iter(files))}"
    assert found.advice == (f"It exists but could not be read: fix {file} first.",)
