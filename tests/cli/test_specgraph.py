"""Commands on a Spec Graph: depths, broken graphs, commits, and every form of a verdict."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from schemas import faults
from specgraph.graphs import files_of, node
from specgraph.sketches import nodes_of
from support import git, run, write
from yg.specgraph.rules.check import RULES
from yg.surfaces.cli.outcome import Outcome

CHAIN = nodes_of(
    "A behavior: depends_on B",
    "B decision: depends_on C",
    "C decision: depends_on D",
    "D decision",
)
BROKEN = nodes_of(
    "A behavior: depends_on B GONE BAD; contains A",
    "B behavior: depends_on A",
    "BAD policy: constrains A",
    "EMPTY feature",
)


def made(root: Path, nodes: dict[str, dict[str, object]], **changes: str | bytes) -> str:
    files = {path: str(text) for path, text in files_of(nodes).items()}
    damaged = {f"specgraph/nodes/{name}.json": content for name, content in changes.items()}
    return str(write(root, {**files, **damaged}))


def broken(root: Path) -> str:
    return made(root, BROKEN, BAD=b"\xff", EMPTY='{"type": 1}')


@pytest.mark.parametrize(
    ("depth", "shown"),
    [
        ((), "BC"),
        (("--depth", "1"), "B"),
        (("--depth", "2"), "BC"),
        (("--depth=3",), "BCD"),
        (("--depth", "9" * 30), "BCD"),
        (("--depth", "full"), "BCD"),
    ],
    ids=" ".join,
)
def test_a_context_is_as_deep_as_it_is_asked_for(
    tmp_path: Path, depth: tuple[str, ...], shown: str
) -> None:
    outcome = run("build-context", "A", "--json", *depth, "-C", made(tmp_path, CHAIN))
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])
    assert [item["id"] for item in json.loads(outcome.text)["nodes"]] == list(shown)


@pytest.mark.parametrize("depth", ["0", "-1", "00", "2.0", "FULL", "true", "", "all", "²"])
def test_anything_else_is_not_a_depth(tmp_path: Path, depth: str) -> None:
    outcome = run("build-context", "A", f"--depth={depth}", "-C", made(tmp_path, CHAIN))
    assert (outcome.code, outcome.text) == (2, "")
    assert f"expected a number >= 1 or 'full', got '{depth}'" in outcome.notes


def test_a_depth_does_not_go_with_a_file(tmp_path: Path) -> None:
    outcome = run("build-context", "--file", "x", "--depth", "1", "-C", made(tmp_path, CHAIN))
    assert (outcome.code, outcome.text) == (2, "")


def test_the_document_is_markdown_unless_another_form_is_asked_for(tmp_path: Path) -> None:
    place = made(tmp_path, CHAIN)
    document = run("build-context", "A", "-C", place)
    assert document == run("build-context", "A", "--format", "markdown", "--lenient", "-C", place)
    assert document.text.startswith("# Context for A: Title A\n\n## Behavior\n")
    data = json.loads(run("build-context", "A", "--json", "-C", place).text)
    assert (data["markdown"], data["tokens"]) == (document.text, -(-len(document.text) // 4))
    assert run("build-context", "A", "--why", "--format", "markdown", "-C", place).code == 2


def test_a_broken_graph_still_gives_a_context_that_says_what_is_missing(tmp_path: Path) -> None:
    outcome = run("build-context", "A", "--json", "-C", broken(tmp_path))
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])
    data = json.loads(outcome.text)
    assert [item["id"] for item in data["nodes"]] == ["B"]
    assert [link["target"] for link in data["missing"]] == ["BAD", "GONE"]
    assert "depends_on cycle among: A, B." in data["warnings"]


@pytest.mark.parametrize(
    "argv",
    [("tree",), ("deps", "A"), ("impact", "A"), ("status",), ("build-context", "EMPTY")],
    ids=" ".join,
)
def test_answers_of_a_broken_graph_follow_their_schema(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    outcome = run(*argv, "--json", "-C", broken(tmp_path))
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])
    if argv[0] in ("tree", "impact"):
        assert [entry["subject"] for entry in json.loads(outcome.text)["skipped"]] == ["BAD"]


def test_what_could_not_be_read_is_reported_beside_the_text(tmp_path: Path) -> None:
    outcome = run("plan", "-C", made(tmp_path, CHAIN, D="{"))
    assert outcome.code == 0
    assert outcome.notes.startswith("skipped D: ")


def test_there_is_no_plan_through_a_cycle(tmp_path: Path) -> None:
    place = broken(tmp_path)
    assert run("plan", "-C", place) == Outcome(
        "",
        1,
        "error: there is no order: depends_on links form a cycle\n"
        "  'yg validate' writes every cycle out (E109); --lenient leaves these nodes out.\n",
    )
    lenient = run("plan", "-C", place, "--lenient")
    assert lenient.code == 0
    assert "\nCannot be ordered, left out:\n" in lenient.text


def test_a_verdict_has_all_five_forms(tmp_path: Path) -> None:
    place = broken(tmp_path)
    text = run("validate", "-C", place)
    assert (text.code, text.notes) == (1, "")
    assert "E109 A -> " in text.text
    data = run("validate", "--json", "-C", place)
    assert (data.code, faults(data.text)) == (1, [])
    codes = [issue["code"] for issue in json.loads(data.text)["issues"]]
    sarif = json.loads(run("validate", "--format", "sarif", "-C", place).text)["runs"][0]
    assert [result["ruleId"] for result in sarif["results"]] == codes
    assert {rule["id"] for rule in sarif["tool"]["driver"]["rules"]} >= set(codes)
    github = run("validate", "--format", "github", "-C", place).text.splitlines()
    assert [line.split("title=")[1].split()[0] for line in github] == codes
    junit = run("validate", "--format", "junit", "-C", place).text
    assert f'tests="{len(RULES)}"' in junit


def test_a_context_that_is_far_too_large_is_reported_beside_it(tmp_path: Path) -> None:
    nodes = nodes_of("A behavior: depends_on B", "B decision")
    nodes["B"] |= {"statement": "word " * 20_000}
    outcome = run("build-context", "A", "-C", made(tmp_path, nodes))
    assert outcome.code == 0
    assert outcome.notes.startswith("warning: the package is too large (250")
    assert outcome.notes.endswith("split the node 'A'.\n")


def test_every_question_can_be_put_to_a_commit(tmp_path: Path) -> None:
    place = made(tmp_path / "then", CHAIN)
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "then")):
        subprocess.run(["git", *command], cwd=place, check=True)
    (tmp_path / "then" / "specgraph" / "nodes" / "B.json").write_text("null")
    now = made(tmp_path / "now", CHAIN)
    for argv in (
        ("build-context", "A"), ("tree",), ("deps", "A"), ("impact", "C"), ("plan",),
        ("validate",), ("validate", "A"), ("status",),
    ):  # fmt: skip
        then = run(*argv, "--at", "HEAD", "-C", place)
        assert then == run(*argv, "-C", now)
        assert then.code == 0
    assert run("validate", "-C", place).code == 1


def test_a_commit_without_the_folder_has_no_graph(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": ""})
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "then")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    outcome = run("tree", "--at", "HEAD", "-C", made(tmp_path, CHAIN))
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("error: there is no specgraph/ in commit ")


def test_a_scope_is_the_name_of_a_node(tmp_path: Path) -> None:
    place = made(tmp_path, {**CHAIN, "G": node("feature", contains=["A", "B"])})
    assert run("validate", "G", "-C", place) == Outcome("No issues found. 3 nodes checked.\n")
    assert run("validate", "--scope", "X", "-C", place).notes.startswith("error: Node not found: X")


# Differences from a commit.


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    made(tmp_path, CHAIN)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def edited(root: Path, *names: str) -> None:
    changes = {name: CHAIN[name] | {"title": f"New {name}"} for name in names}
    made(root, CHAIN | changes)


def test_no_difference(committed: Path) -> None:
    place = str(committed)
    assert run("build-context", "--diff", "-C", place) == Outcome(
        "Nothing changed that a node owns.\n"
    )
    nothing = run("build-context", "--diff", "--json", "-C", place)
    assert faults(nothing.text) == []
    assert json.loads(nothing.text)["nodes"] == []
    assert (
        "Total scope: 0 nodes (0 changed, 0 reached)\n" in run("impact", "--diff", "-C", place).text
    )


def test_the_impact_of_a_difference(committed: Path) -> None:
    edited(committed, "C")
    place = str(committed)
    found = run("impact", "--diff", "--json", "-C", place)
    assert (found.code, found.notes, faults(found.text)) == (0, "", [])
    data = json.loads(found.text)
    assert data["graph_files"] == ["specgraph/nodes/C.json"]
    assert data["nodes"] == [{"node": "C", "change": "changed"}]
    assert data["reached"] == [{"node": "A", "by": "B"}, {"node": "B", "by": "C"}]
    assert data["affected"] == ["A", "B", "C"]
    staged = json.loads(run("impact", "--diff", "--staged", "--json", "-C", place).text)
    assert staged["nodes"] == []
    git(committed, "add", ".")
    assert json.loads(run("impact", "--diff", "--staged", "--json", "-C", place).text) == data
    markdown = run("impact", "--diff", "--format", "markdown", "-C", place).text
    assert "| `C` | changed |\n" in markdown


def test_the_context_of_a_difference(committed: Path) -> None:
    place = str(committed)
    for names in (("B",), ("B", "D")):
        edited(committed, *names)
        expected = run("build-context", *names, "-C", place)
        assert run("build-context", "--diff", "-C", place) == expected


def test_before_the_graph_every_node_is_new(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-qm", "first", "--allow-empty")
    made(tmp_path, CHAIN)
    data = json.loads(run("impact", "--diff", "--json", "-C", str(tmp_path)).text)
    assert [node["change"] for node in data["nodes"]] == ["added"] * len(CHAIN)


def test_a_simulation_compares_contexts(committed: Path) -> None:
    place = str(committed)
    data = CHAIN["C"] | {"statement": "This is said of C in other words."}
    made(committed, CHAIN | {"C": data})
    text = run("impact", "C", "--simulate", "-C", place).text
    assert "  B:\n    + Changed text: C\n    Budget: " in text
    assert "Mapped files" not in text
    shown = run("impact", "C", "--simulate", "--show", "-C", place).text
    assert "+- C: This is said of C in other words.\n" in shown
    found = run("impact", "C", "--simulate", "--json", "-C", place)
    assert faults(found.text) == []
    packages = json.loads(found.text)["packages"]
    assert [(e["node"], e["changed"]) for e in packages] == [("A", True), ("B", True)]
    assert all("mapped_files" not in package for package in packages)
