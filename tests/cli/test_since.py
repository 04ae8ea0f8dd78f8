"""`--since REV`: only what is new since the last common commit of a revision and HEAD."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent import SPEC_GRAPH
from schemas import faults
from support import git, run, write
from yg.surfaces.cli.outcome import Outcome
from yggdrasil.rules.cases import CONFIG, SCHEMAS, calls, maps

TEXT = "What this node is there for, in some fifty characters.\n"
ODD = "zzz: 1\n"
GRAPH = {
    "yg-config.yaml": CONFIG,
    **dict.fromkeys(SCHEMAS, ""),
    "model/a/yg-node.yaml": f"{maps('src/a.py')}{ODD}",
    "model/a/responsibility.md": TEXT,
    "model/b/yg-node.yaml": maps("src/b.py"),
    "model/b/responsibility.md": TEXT,
}
CODE = {"src/a.py": "A = 1\n", "src/b.py": "B = 1\n", "old.py": "OLD = 1\n"}
OLDER = "1 older issue not shown\n"


def change(root: Path, graph: Mapping[str, str] = {}, files: Mapping[str, str] = {}) -> None:
    write(root, {**{f".yggdrasil/{path}": text for path, text in graph.items()}, **files})


def commit(root: Path, graph: Mapping[str, str] = {}, files: Mapping[str, str] = {}) -> str:
    change(root, graph, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "x")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository on a branch, with an issue, a drifted node and an unowned file."""
    root = tmp_path / "repository"
    change(root, GRAPH, CODE)
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    change(root, {}, {"src/a.py": "A = 2\n"})
    git(root, "init", "-q")
    commit(root)
    git(root, "checkout", "-q", "-b", "feature")
    return root


def ask(root: Path, *words: str) -> Outcome:
    return run(*words, "--since", "main", "-C", str(root))


def data(root: Path, *words: str) -> Any:
    outcome = ask(root, *words, "--json")
    assert faults(outcome.text) == []
    return json.loads(outcome.text)


def test_an_older_issue_is_only_counted(root: Path) -> None:
    assert run("validate", "--strict", "-C", str(root)).code == 1
    text = f"No new issues found. 2 nodes checked.\n{OLDER}"
    assert ask(root, "validate", "--strict") == Outcome(text, 0)
    base = git(root, "rev-parse", "main")
    assert data(root, "validate")["since"] == {
        "revision": "main",
        "commit": base,
        "older": 1,
        "notes": [],
    }
    assert "W016" not in ask(root, "validate", "--format", "github").text


def test_a_new_issue_alone_decides(root: Path) -> None:
    change(root, {"model/b/yg-node.yaml": calls("nowhere")})  # in the work tree only
    outcome = ask(root, "validate")
    assert outcome.code == 1
    assert outcome.text.startswith("E004 b -> relation to 'nowhere' does not resolve.\n")
    assert outcome.text.endswith(OLDER)
    assert data(root, "validate")["issues"][0]["code"] == "E004"
    # Only issues of the scope are counted, and what belongs to no node: b maps nothing now.
    assert ask(root, "validate", "a").text.startswith(
        "W032 src -> 1 source file has no owner: b.py."
    )
    assert ask(root, "validate", "a").text.endswith(f"1 node checked.\n{OLDER}")


def test_the_last_common_commit_counts_not_the_tip_of_the_other_branch(root: Path) -> None:
    git(root, "checkout", "-q", "main")
    commit(root, {"model/a/yg-node.yaml": maps("src/a.py")})  # main corrects the issue
    git(root, "checkout", "-q", "feature")
    assert ask(root, "validate").text.endswith(OLDER)


def test_an_issue_of_a_renamed_node_and_file_is_the_same(root: Path) -> None:
    git(root, "mv", "src/a.py", "src/renamed.py")
    git(root, "mv", ".yggdrasil/model/a", ".yggdrasil/model/inner")
    change(root, {"model/inner/yg-node.yaml": f"# x\n{maps('src/renamed.py')}{ODD}"})
    assert ask(root, "validate").text.endswith(OLDER)  # in the work tree
    commit(root)
    assert ask(root, "validate").text.endswith(OLDER)  # in a commit


def test_numbers_in_messages_do_not_matter_but_those_in_names_do(root: Path) -> None:
    short = {"model/b/responsibility.md": "1234567890\n"}
    commit(root, {**short, "model/a/yg-node.yaml": calls("x1")})
    change(root, {"model/b/responsibility.md": "1\n", "model/a/yg-node.yaml": calls("x2")})
    found = json.loads(run("validate", "--json", "--since", "HEAD", "-C", str(root)).text)
    assert [issue["message"] for issue in found["issues"]] == ["relation to 'x2' does not resolve"]


def test_the_issues_of_a_commit_are_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(root, "validate")
    monkeypatch.setattr("yg.commands.since.workspace_at", None)  # nothing is read again
    assert ask(root, "validate") == first


def test_a_commit_without_a_graph_makes_every_issue_new(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, {}, CODE)
    change(tmp_path, GRAPH)
    for _ in range(2):
        outcome = run("validate", "--since", "HEAD", "-C", str(tmp_path))
        assert "W016 a -> " in outcome.text
        assert "older" not in outcome.text
        assert "so every issue counts as new" in outcome.notes


def test_drift_of_untouched_nodes_is_only_counted(root: Path) -> None:
    assert run("drift", "-C", str(root)).code == 1
    outcome = ask(root, "drift")
    assert outcome.code == 0
    assert outcome.text.endswith("1 older drifted node not shown\n")
    change(root, {}, {"src/b.py": "B = 2\n"})
    found = data(root, "drift")
    assert [node["node"] for node in found["nodes"] if node["state"] != "ok"] == ["b"]
    assert (ask(root, "drift").code, found["since"]["older"]) == (1, 1)


def test_work_that_was_synced_passes(root: Path) -> None:
    change(root, {}, {"src/b.py": "B = 2\n"})
    commit(root)
    assert ask(root, "drift").code == 1
    assert run("drift-sync", "b", "-C", str(root)).code == 0
    assert ask(root, "drift").code == 0
    # An older drift counts as soon as the node is touched.
    change(root, {"model/a/responsibility.md": f"More. {TEXT}"})
    assert ask(root, "drift").code == 1


def test_an_older_node_that_cannot_be_read_does_not_fail_drift(root: Path) -> None:
    commit(root, {"model/c/yg-node.yaml": "name: [\n"})
    git(root, "branch", "-f", "main")
    assert (run("drift", "-C", str(root)).code, ask(root, "drift").code) == (1, 0)
    change(root, {"model/c/yg-node.yaml": "name: [[\n"})
    assert ask(root, "drift").code == 1


def test_coverage_counts_added_and_changed_files(root: Path) -> None:
    assert run("coverage", "--fail-under", "100", "-C", str(root)).code == 1
    outcome = ask(root, "coverage", "--fail-under", "100")
    assert outcome.code == 0
    assert outcome.text.startswith("Coverage: 100.0% (0 of 0 files)\n")
    assert outcome.text.endswith("1 older unowned file not shown\n")
    change(root, {}, {"new.py": "NEW = 1\n", "src/b.py": "B = 2\n"})
    found = data(root, "coverage")
    assert (found["uncovered"], found["total"]["files"]) == (["new.py"], 2)
    assert ask(root, "coverage", "--fail-under", "100").code == 1


def test_preflight_leaves_out_everything_older(root: Path) -> None:
    assert run("preflight", "-C", str(root)).code == 1
    outcome = ask(root, "preflight")
    assert outcome.code == 0
    assert "Drift: none\n1 older drifted node not shown\n" in outcome.text
    assert outcome.text.endswith(OLDER)
    commit(root, {"model/b/yg-node.yaml": calls("nowhere")}, {"new.py": "NEW = 1\n"})
    found = data(root, "preflight")
    assert (found["errors"], found["warnings"], found["unowned"]) == (1, 1, ["new.py"])  # W032
    assert (found["drift"]["older"], found["since"]["older"]) == (1, 1)
    assert data(root, "preflight", "--quick")["drift"] is None
    closing = data(root, "preflight", "--closing")
    assert [node["node"] for node in closing["closing"]["nodes"]] == ["b"]
    assert ask(root, "preflight").code == 1


def test_preflight_names_the_command_that_shows_what_is_new(root: Path) -> None:
    change(root, {}, {"src/b.py": "B = 2\n"})
    drift, _, _ = ask(root, "preflight").text.partition("not shown")
    assert "  'yg drift --drifted-only --since main' shows what changed\n" in drift


def test_review_compares_with_the_last_common_commit(root: Path) -> None:
    git(root, "checkout", "-q", "main")
    commit(root, {}, {"src/b.py": "B = 3\n"})
    git(root, "checkout", "-q", "feature")
    assert data(root, "review")["nodes"] == []


def test_spec_graphs_have_new_issues_too(tmp_path: Path) -> None:
    write(tmp_path, SPEC_GRAPH)
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    before = json.loads(run("validate", "--json", "-C", str(tmp_path)).text)
    for command in ("validate", "preflight"):
        outcome = run(command, "--since", "HEAD", "--json", "-C", str(tmp_path))
        found = json.loads(outcome.text)
        assert (found["issues"], found["since"]["older"]) == ([], len(before["issues"]))


@pytest.mark.parametrize("command", ["validate", "coverage"])
def test_two_commits_are_wrong_usage(root: Path, command: str) -> None:
    outcome = ask(root, command, "--at", "HEAD")
    assert outcome.code == 2
    assert outcome.notes.startswith("error: --since cannot be combined with --at\n")


@pytest.mark.parametrize("command", ["validate", "drift", "coverage", "preflight", "review"])
def test_a_history_that_is_not_here_is_refused(root: Path, tmp_path: Path, command: str) -> None:
    assert run(command, "--since=", "-C", str(root)).code == 2
    commit(root)
    git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "clone")
    clone = str(tmp_path / "clone")
    outcome = run(command, "--since", "origin/main", "-C", clone)
    assert (outcome.text, outcome.code) == ("", 1)
    fetch = "git fetch --unshallow origin main:refs/remotes/origin/main"
    assert f"'{fetch}'" in outcome.notes
    git(Path(clone), "fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    outcome = run(command, "--since", "origin/main", "-C", clone)
    assert (outcome.text, outcome.code) == ("", 1)
    assert "the last common commit of 'origin/main' and HEAD" in outcome.notes
    git(Path(clone), *fetch.split()[1:])  # which helps
    assert run(command, "--since", "origin/main", "-C", clone).notes == ""


def test_histories_without_a_common_commit_are_refused(root: Path) -> None:
    git(root, "checkout", "-q", "--orphan", "other")
    commit(root, {}, {"new.py": "NEW = 1\n"})
    outcome = ask(root, "validate")
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith("error: 'main' and HEAD have no commit in common\n")


def test_fixes_are_of_all_issues(root: Path) -> None:
    assert ask(root, "validate", "--fix").code == 2
