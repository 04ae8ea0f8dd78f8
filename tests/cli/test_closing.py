"""`yg preflight --closing`: what was changed, and what is still to do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent import SPEC_GRAPH
from schemas import faults
from support import git, run, write
from yggdrasil.rules.cases import CONFIG, NODE, SCHEMAS, boxed, calls, maps

TEXT = "What this node is there for, in some fifty characters.\n"
GRAPH = {
    "yg-config.yaml": f"{CONFIG}drift: {{gate: body}}\n",
    **dict.fromkeys(SCHEMAS, ""),
    "model/a/yg-node.yaml": maps("src/a.py"),
    "model/a/responsibility.md": TEXT,
    "model/b/yg-node.yaml": maps("src/b.py"),
    "model/b/responsibility.md": TEXT,
    "model/old/yg-node.yaml": boxed(maps("src/old.py")),
    "model/gone/yg-node.yaml": NODE,
    "model/gone/responsibility.md": TEXT,
}
RELATION = "relations: [{target: a, type: uses}]\n"
CODE = {"src/a.py": "A = 1\n", "src/b.py": "B = 1\n", "src/old.py": "", "notes.txt": "1\n"}


def changed(root: Path, graph: Mapping[str, str] = {}, files: Mapping[str, str] = {}) -> None:
    write(root, {**{f".yggdrasil/{path}": text for path, text in graph.items()}, **files})


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    changed(root, GRAPH, CODE)
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    return root


def closing(root: Path, *options: str) -> Any:
    outcome = run("preflight", "--closing", "--json", "-C", str(root), *options)
    assert faults(outcome.text) == []
    return json.loads(outcome.text)["closing"]


def test_nothing_to_close(repository: Path) -> None:
    outcome = run("preflight", "--closing", "-C", str(repository))
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text == (
        "Changed since HEAD: nothing\n\nTexts untouched: none\n\nDrift: none\n\n"
        "Reasons needed: none\n\nNew issues: none\n\nValidation: 0 errors, 0 warnings\n"
    )


def test_every_changed_node_and_file_is_listed_with_what_is_to_do(repository: Path) -> None:
    graph = {
        "model/a/responsibility.md": f"More. {TEXT}",
        "model/new/yg-node.yaml": calls("nowhere"),
        "model/new/responsibility.md": TEXT,
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        "flows/f/description.md": "## Happy path\n",
    }
    files = {"src/a.py": "A = 2\n", "src/b.py": "B = 2\n", "src/old.py": "2\n", "notes.txt": "2\n"}
    changed(repository, graph, files)
    git(repository, "rm", "-rq", ".yggdrasil/model/gone")
    outcome = run("preflight", "--closing", "-C", str(repository))
    text = outcome.text
    assert outcome.code == 1
    assert (
        text[: text.index("New issues")]
        == """\
Changed since HEAD: 5 nodes, 11 files
  a
    src/a.py
    .yggdrasil/model/a/responsibility.md
  b
    src/b.py
  gone (removed)
    .yggdrasil/model/gone/responsibility.md
    .yggdrasil/model/gone/yg-node.yaml
  new (added)
    .yggdrasil/model/new/responsibility.md
    .yggdrasil/model/new/yg-node.yaml
  old
    src/old.py
  (rest of the graph)
    .yggdrasil/flows/f/description.md
    .yggdrasil/flows/f/yg-flow.yaml
  (no node)
    notes.txt

Texts untouched:
  b: 1 source file changed, no text of the node

Drift:
  a full-drift
  b source-drift
  old source-drift
  'yg drift --drifted-only' shows what changed

Reasons needed:
  yg drift-sync b old --reason TEXT

"""
    )
    found = closing(repository)
    assert [(node["node"], node["change"]) for node in found["nodes"]] == [
        ("a", "changed"),
        ("b", "changed"),
        ("gone", "removed"),
        ("new", "added"),
        ("old", "changed"),
    ]
    assert (found["untouched"], found["unowned"]) == (["b"], ["notes.txt"])
    codes = [issue["code"] for issue in found["new_issues"]]
    assert codes == [line[:4] for line in text.splitlines() if line[:1] in "EW" and " -> " in line]
    assert "E004" in codes


def test_issues_that_were_there_before_are_not_new(repository: Path) -> None:
    changed(repository, {"model/b/yg-node.yaml": f"{maps('src/b.py')}zzz: 1\n"})
    assert [issue["code"] for issue in closing(repository)["new_issues"]] == ["W016"]
    git(repository, "commit", "-qam", "y")
    # Another line, but the same issue; a second one with the same words is new.
    changed(repository, {"model/b/yg-node.yaml": f"# x\n{maps('src/b.py')}zzz: 1\nyyy: 1\n"})
    [issue] = closing(repository)["new_issues"]
    assert issue["message"] == "unknown key 'yyy'"
    assert [issue["code"] for issue in closing(repository, "--since", "HEAD~1")["new_issues"]] == [
        "W016",
        "W016",
    ]


def test_drift_of_earlier_commits_is_told_from_that_of_the_changes(repository: Path) -> None:
    changed(repository, {}, {"src/a.py": "A = 3\n"})
    git(repository, "commit", "-qam", "y")
    steps = "  'yg drift --drifted-only' shows what changed\n"
    other = "  'yg preflight --closing --since REV' shows what was changed since another commit\n"
    text = run("preflight", "--closing", "-C", str(repository)).text
    assert f"Drift:\n  a source-drift, before HEAD\n{steps}{other}\n" in text
    changed(repository, {}, {"src/b.py": "B = 3\n"})
    text = run("preflight", "--closing", "-C", str(repository)).text
    assert f"Drift:\n  b source-drift\n  a source-drift, before HEAD\n{steps}\n" in text
    text = run("preflight", "--closing", "--since", "HEAD~1", "-C", str(repository)).text
    assert f"Drift:\n  a source-drift\n  b source-drift\n{steps}\n" in text


def test_drift_by_a_text_of_another_node_is_from_the_changes(repository: Path) -> None:
    changed(repository, {"model/b/yg-node.yaml": maps("src/b.py") + RELATION})
    assert run("drift-sync", "b", "-C", str(repository)).code == 0
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "y")
    changed(repository, {"model/a/responsibility.md": f"More. {TEXT}"})
    text = run("preflight", "--closing", "-C", str(repository)).text
    assert "Drift:\n  a graph-drift\n  b graph-drift\n  'yg drift" in text


def test_since_reaches_further_back(repository: Path) -> None:
    changed(repository, {}, {"src/a.py": "A = 3\n"})
    git(repository, "commit", "-qam", "y")
    assert closing(repository)["nodes"] == []
    found = closing(repository, "--since", "HEAD~1")
    assert (found["since"], [node["node"] for node in found["nodes"]]) == ("HEAD~1", ["a"])


def test_a_commit_without_a_graph_makes_everything_new(tmp_path: Path) -> None:
    root = write(tmp_path, {"x": ""})
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    changed(root, {**GRAPH, "model/b/yg-node.yaml": calls("nowhere")})
    outcome = run("preflight", "--closing", "-C", str(root))
    assert "  a (added)\n" in outcome.text
    assert "E004 b -> " in outcome.text
    assert "so every issue counts as new" in outcome.notes


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--since", ""), 2, "empty commit name"),
        (("--closing", "--quick"), 2, "--quick cannot be combined with --closing"),
        (("--closing", "--since", "nope"), 1, "there is no revision 'nope'"),
        (("--closing", "--since", ""), 2, "empty commit name"),
        (("--closing", "--since", "-x"), 1, "there is no revision '-x'"),
    ],
)
def test_wrong_options_are_refused(
    repository: Path, options: tuple[str, ...], code: int, message: str
) -> None:
    given = [f"--since={options[-1]}" if option == "--since" else option for option in options]
    given = given[: -1 if "--since" in options else None]
    outcome = run("preflight", "-C", str(repository), *given)
    assert (outcome.text, outcome.code) == ("", code)
    assert outcome.notes.startswith(f"error: {message}")


def test_without_git_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    changed(tmp_path, GRAPH, CODE)
    outcome = run("preflight", "--closing", "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith("error: ")


def test_spec_graphs_have_no_closing(tmp_path: Path) -> None:
    write(tmp_path, SPEC_GRAPH)
    outcome = run("preflight", "--closing", "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith("error: preflight --closing belongs to Yggdrasil graphs")
