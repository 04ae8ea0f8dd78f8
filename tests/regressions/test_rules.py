"""What rules once said wrongly, twice or not at all, and must not again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import run, snapshot_from
from yg.commands.issues import issue_text, place_text
from yg.commands.validate.sarif import sarif
from yg.kernel.issue import Issue
from yg.kernel.palette import PLAIN
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.places import spelling_fault
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.check import RULES, issues_of
from yggdrasil.rules.cases import ASPECT, CASES, CONFIG, DESCRIPTION, FIFTY, NODE, SCHEMAS, Case

if TYPE_CHECKING:
    from support import Content

UNREADABLE = "It exists but could not be read: fix .yggdrasil/"


def issues_in(
    files: Mapping[str, Content], sources: Mapping[str, Content] = {}
) -> tuple[Issue, ...]:
    snapshot = snapshot_from({"yg-config.yaml": CONFIG, **SCHEMAS, **files}, sources)
    return issues_of(read(snapshot), SnapshotSources(snapshot))


def codes(files: Mapping[str, Content], sources: Mapping[str, Content] = {}) -> list[str]:
    return [issue.code for issue in issues_in(files, sources)]


def only(issues: tuple[Issue, ...], code: str) -> list[Issue]:
    return [issue for issue in issues if issue.code == code]


def described(text: str, **nodes: str) -> dict[str, Content]:
    """Return nodes, each with a text that is long enough to be an artifact."""
    files: dict[str, Content] = {}
    for name, more in nodes.items():
        files[f"model/{name}/yg-node.yaml"] = f"{NODE}{more}"
        files[f"model/{name}/responsibility.md"] = text
    return files


def mapped(*nodes: str) -> dict[str, Content]:
    return described(FIFTY, **dict(zip("abc", nodes, strict=False)))


def mapping(path: str) -> str:
    return f"mapping: {{paths: [{json.dumps(path)}]}}\n"


# Mappings.


@pytest.mark.parametrize(
    "path", ["/etc", "../other", ".git", ".git/config", ".yggdrasil/model", "C:/x", "vendor/.git/x"]
)
def test_mappings_that_are_rejected_do_not_overlap_as_well(path: str) -> None:
    assert codes(mapped(mapping(path), mapping(path))) == ["E020", "E020"]


def test_a_rejected_mapping_does_not_overlap_with_one_around_it() -> None:
    sources = {"src/x.py": "", "vendor/.git/config": ""}
    assert codes(mapped(mapping("."), mapping("vendor/.git/config")), sources) == ["E020"]


def test_sound_mappings_still_overlap_beside_rejected_ones() -> None:
    files = mapped(mapping("src"), mapping("src/x.py"), mapping("../src"))
    assert codes(files, {"src/x.py": ""}) == ["E009", "E020"]


@pytest.mark.parametrize("path", ["c:x", "c:", "x:y/z.py", "ab:/c"])
def test_a_colon_alone_does_not_make_a_mapping_absolute(path: str) -> None:
    assert spelling_fault(path) == ""
    assert codes(mapped(mapping(path)), {path: ""}) == []


@pytest.mark.parametrize("path", ["c:/x", "C:\\x", "c:\\", "/x", "\\x"])
def test_a_drive_with_a_slash_does(path: str) -> None:
    assert spelling_fault(path) == "is absolute"


@pytest.mark.parametrize(
    "path", ["vendor/.git/config", "vendor/.git", ".git/hooks", "a/../.git", "a\\.git\\x"]
)
def test_nothing_inside_any_git_directory_can_be_mapped(path: str) -> None:
    assert spelling_fault(path) == "lies inside .git/"


def test_names_that_only_begin_like_a_git_directory_can_be_mapped() -> None:
    assert [spelling_fault(path) for path in (".github/x", "a/.gitignore", "x.git")] == [""] * 3


# References.


def test_an_aspect_that_is_only_a_group_of_others_is_not_said_to_be_unreadable() -> None:
    aspects: dict[str, Content] = {"aspects/group/one/yg-aspect.yaml": ASPECT}
    (issue,) = only(issues_in({**mapped("aspects: [{aspect: group}]\n"), **aspects}), "E003")
    assert UNREADABLE not in issue.advice[0]
    assert issue.advice != ()


def test_a_node_that_is_only_a_group_of_others_is_not_said_to_be_unreadable() -> None:
    files = {
        **mapped("relations: [{target: group, type: uses}]\n"),
        "model/group/one/yg-node.yaml": NODE,
        "model/group/one/responsibility.md": FIFTY,
    }
    (issue,) = only(issues_in(files), "E004")
    assert UNREADABLE not in issue.advice[0]
    assert issue.advice != ()


def test_an_aspect_with_files_but_without_its_declaration_is_said_to_be_unreadable() -> None:
    aspects: dict[str, Content] = {"aspects/loose/content.md": "Be careful.\n"}
    (issue,) = only(issues_in({**mapped("aspects: [{aspect: loose}]\n"), **aspects}), "E003")
    assert issue.advice == (f"{UNREADABLE}aspects/loose first.",)


def test_an_aspect_whose_declaration_is_broken_is_said_to_be_unreadable() -> None:
    aspects: dict[str, Content] = {"aspects/broken/yg-aspect.yaml": "name: [\n"}
    (issue,) = only(issues_in({**mapped("aspects: [{aspect: broken}]\n"), **aspects}), "E003")
    assert issue.advice == (f"{UNREADABLE}aspects/broken/yg-aspect.yaml first.",)


# Descriptions of flows.


def flow_issues(description: str) -> list[Issue]:
    files = {
        **mapped(""),
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        "flows/f/description.md": description,
    }
    return list(issues_in(files))


@pytest.mark.parametrize("heading", ["## Goal ##", "## Goal #", "##  goal  ####  ", "## GOAL"])
def test_a_heading_may_be_closed_as_markdown_allows(heading: str) -> None:
    assert flow_issues(DESCRIPTION.replace("## Goal", heading)) == []


@pytest.mark.parametrize("heading", ["# Happy path", "#### 1. The HAPPY PATH of an order"])
def test_any_heading_about_the_happy_path_counts(heading: str) -> None:
    text = DESCRIPTION.replace("### Happy path\n", "")
    assert flow_issues(f"{heading}\n{text}") == []


def test_a_happy_path_without_a_heading_does_not_count() -> None:
    (issue,) = flow_issues(DESCRIPTION.replace("### Happy path", "The happy path"))
    assert issue.code == "W015"
    assert issue.message == "description.md lacks '### Happy path'"


def test_a_happy_path_counts_after_other_paths() -> None:
    text = DESCRIPTION.replace("### Happy path", "### Sad path\nSad.\n### Happy path ###")
    assert flow_issues(text) == []


# Configuration.


def test_an_aspect_that_a_type_requires_twice_is_missed_once() -> None:
    once, twice = (
        {
            "yg-config.yaml": CONFIG.replace("A component}", f"A component, {required}}}"),
            "aspects/x/yg-aspect.yaml": ASPECT,
            **mapped(""),
        }
        for required in ("required_aspects: [x]", "required_aspects: [x, x]")
    )
    assert codes(once).count("W011") == 1
    assert codes(twice).count("W011") == 1


OUTGOING = f"{CONFIG}  why.md: {{description: Why, required: {{when: has_outgoing_relations}}}}\n"


def test_a_relation_to_itself_is_not_an_outgoing_relation() -> None:
    files = {"yg-config.yaml": OUTGOING, **mapped("relations: [{target: a, type: uses}]\n")}
    assert "W001" not in codes(files)


def test_a_relation_to_another_node_is_an_outgoing_one() -> None:
    files = {"yg-config.yaml": OUTGOING, **mapped("relations: [{target: b, type: uses}]\n", "")}
    (issue,) = only(issues_in(files), "W001")
    assert (issue.subject, issue.advice[0]) == ("a", "Node has 1 outgoing relation.")


# What is written.


def budget_issues(words: int) -> list[Issue]:
    config = f"{CONFIG}quality: {{context_budget: {{warning: 10, error: 100000}}}}\n"
    files = {"yg-config.yaml": config, **described("word " * words, a="")}
    return only(issues_in(files), "W005")


def fingerprint(issues: list[Issue]) -> str:
    (run_,) = json.loads(sarif(issues, RULES))["runs"]
    (result,) = run_["results"]
    return str(result["partialFingerprints"]["yg/v1"])


def test_a_large_package_keeps_its_fingerprint_when_it_grows() -> None:
    smaller, larger = budget_issues(100), budget_issues(2_000)
    assert [issue.message for issue in smaller] != [issue.message for issue in larger]
    assert fingerprint(smaller) == fingerprint(larger)


def title(case: Case) -> str:
    return f"{case.code}: {case.name}"


@pytest.mark.parametrize("case", [case for case in CASES if not case.is_passing], ids=title)
def test_every_issue_says_something_below_its_place(case: Case) -> None:
    issues = issues_in(case.files, case.sources)
    for issue in issues:
        if issue.follows:
            continue  # it is shown below its cause, which says what to do
        lines = issue_text(issue, PLAIN).splitlines()
        below = lines[lines.index(f"  {place_text(issue.place)}") + 1 :]
        assert below != []
        assert all(line.strip() for line in below)


@pytest.mark.parametrize("text", ["name: [\n", "{", "a: b: c\n"])
def test_status_refuses_a_configuration_that_cannot_be_parsed(tmp_path: Path, text: str) -> None:
    (tmp_path / ".yggdrasil/model").mkdir(parents=True)
    (tmp_path / ".yggdrasil/yg-config.yaml").write_text(text, encoding="utf-8")
    outcome = run("status", "-C", str(tmp_path))
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("E012 yg-config.yaml -> ")
    assert "error: the configuration cannot be read\n" in outcome.notes
    answer = run("status", "-C", str(tmp_path), "--json")
    assert answer.code == 1
    assert '"E012"' in answer.text + answer.notes


def test_the_root_is_not_listed_twice_because_another_entry_is_empty() -> None:
    node = f"{NODE}mapping: {{paths: ['', ., ./]}}\n"
    faults = only(issues_in({"model/a/yg-node.yaml": node}, {"x.py": "x"}), "E020")
    assert [issue.message for issue in faults] == [
        "mapping '' is empty",
        "mapping './' is listed twice",
    ]


def test_the_code_section_is_suggested_for_a_key_that_resembles_it() -> None:
    config = f"{CONFIG}cod: {{imports: warning}}\n"
    (issue,) = only(issues_in({"yg-config.yaml": config}), "W016")
    assert issue.advice == ("Did you mean 'code'?",)
