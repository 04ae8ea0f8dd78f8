"""What is most worth doing next, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import yg
from schemas import faults_in
from support import CONFIG, git, run, write, write_graph
from yg.kernel.snapshot import DRAFT_MARK

if TYPE_CHECKING:
    from pathlib import Path

DESCRIBED = "A text that says what this node is for, and what it is not for.\n"
CODED = f"{CONFIG}code: {{imports: warning}}\n"


def node(file: str, *targets: str, more: str = "") -> str:
    relations = ", ".join(f"{{target: {target}, type: uses}}" for target in targets)
    return f"name: N\ntype: service\nmapping: {{paths: [{file}]}}\nrelations: [{relations}]\n{more}"


def described(*names: str) -> dict[str, str]:
    files = ("responsibility.md", "interface.md")
    return {f"model/{name}/{file}": DESCRIBED for name in names for file in files}


def code(lines: int) -> str:
    return "x = 1\n" * lines


def advice(root: Path, *argv: str) -> dict[str, Any]:
    outcome = run("advise", "-C", str(root), "--json", *argv)
    assert (outcome.code, outcome.notes) == (0, "")
    found: dict[str, Any] = json.loads(outcome.text)
    assert faults_in(found) == []
    return found


def told(root: Path) -> list[tuple[str, str]]:
    found = advice(root, "--limit", "100")
    return [(item["kind"], item["subject"]) for item in found["advice"]]


def commit(root: Path, date: str = "2026-01-01T00:00:00Z") -> None:
    git(root, "add", "-A")
    user = ("-c", "user.name=a", "-c", "user.email=a@b")
    git(root, *user, "commit", "-qm", "x", "--date", date)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Write a graph that has one thing of each kind to do, and two of some."""
    graph = {
        "yg-config.yaml": CODED,
        "model/broken/yg-node.yaml": node("src/broken.py", "gone"),
        "model/stale/yg-node.yaml": node("src/stale.py"),
        "model/imports/yg-node.yaml": node("src/imports.py"),
        "model/small/yg-node.yaml": node("src/small.py", "old"),
        "model/large/yg-node.yaml": node("src/large.py", "old"),
        "model/old/yg-node.yaml": node("src/old.py", more="decisions: [1]\n"),
        **described("broken", "stale", "imports", "old"),
        "model/stale/internals.md": "It waits for `TIMEOUT`, which is 300 seconds, no longer.\n",
        "model/small/responsibility.md": f"{DRAFT_MARK}\n",
    }
    write_graph(tmp_path, graph)
    sources = {
        "src/broken.py": code(1),
        "src/stale.py": "TIMEOUT = 300\n",
        "src/imports.py": "import old\n",
        "src/small.py": code(3),
        "src/large.py": code(9),
        "src/old.py": code(2),
        "docs/adr/0001-old.md": "# Old\n\n## Status\n\nDeprecated\n",
    }
    write(tmp_path, sources)
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    broken = tmp_path / ".yggdrasil/model/broken/yg-node.yaml"
    broken.write_text(node("src/broken.py"), encoding="utf-8")
    assert run("drift-sync", "-C", str(tmp_path), "--all").code == 0
    broken.write_text(node("src/broken.py", "gone"), encoding="utf-8")
    write(tmp_path, {"src/stale.py": "TIMEOUT = 600\n"})
    return tmp_path


def test_errors_come_first_and_decisions_last(root: Path) -> None:
    assert told(root) == [
        ("error", "broken"),
        ("stale", "stale"),
        ("code", "imports"),
        ("describe", "large"),
        ("describe", "small"),
        ("decision", "old"),
    ]


def test_five_things_are_named_with_reason_and_command(root: Path) -> None:
    outcome = run("advise", "-C", str(root))
    assert (outcome.code, outcome.notes) == (0, "")
    assert (
        outcome.text
        == """\
1. Fix broken
   relation to 'gone' does not resolve (E004).
   yg validate broken
2. Correct the texts about stale
   1 sentence is most likely untrue: internals.md:1.
   yg review stale
3. Correct the relations of imports
   imports 'old' without a relation to it (W021).
   yg validate imports
4. Describe large
   it has no text; 9 lines, relations with 1 node, 1 commit in the last year.
   yg build-context large
5. Describe small
   responsibility.md is a draft; 3 lines, relations with 1 node, 1 commit in the last year.
   yg build-context small
.. and 1 more (yg advise --limit N)
"""
    )
    assert [advice(root, "--limit", "1")[key] for key in ("more",)] == [5]
    assert [item.subject for item in yg.open_workspace(root).advise(limit=2)] == ["broken", "stale"]


def test_a_graph_without_problems_needs_nothing(tmp_path: Path) -> None:
    write_graph(tmp_path, {"yg-config.yaml": CODED, "model/a/yg-node.yaml": node("a.py")})
    write_graph(tmp_path, described("a"))
    write(tmp_path, {"a.py": code(1)})
    text = "Nothing to do: the graph has no errors, and every node with code is described.\n"
    assert run("advise", "-C", str(tmp_path)).text == text


@pytest.mark.parametrize(
    ("files", "code_there", "command"),
    [({"src/a.py": code(2)}, ", for 2 lines of code", "yg draft"), ({}, "", "yg new node PATH")],
)
def test_a_graph_without_nodes_needs_some(
    tmp_path: Path, files: dict[str, str], code_there: str, command: str
) -> None:
    write_graph(tmp_path, {"yg-config.yaml": CONFIG})
    write(tmp_path, files)
    assert run("advise", "-C", str(tmp_path)).text == (
        f"1. Add nodes to test\n   it has no nodes yet{code_there}.\n   {command}\n"
    )


def test_a_node_without_a_text_that_it_needs_is_to_be_described(tmp_path: Path) -> None:
    write_graph(tmp_path, {"yg-config.yaml": CONFIG, "model/a/yg-node.yaml": node("a.py")})
    write_graph(tmp_path, {"model/a/interface.md": DESCRIBED})
    write(tmp_path, {"a.py": code(1)})
    [item] = advice(tmp_path)["advice"]
    assert (item["kind"], item["subject"]) == ("describe", "a")
    assert item["reason"].startswith("missing artifact 'responsibility'; 1 line, ")


def test_lines_times_neighbours_decide_what_to_describe_then_commits(tmp_path: Path) -> None:
    graph = {
        "yg-config.yaml": CONFIG,
        "model/alone/yg-node.yaml": node("alone.py"),
        "model/hub/yg-node.yaml": node("hub.py", "one", "two"),
        "model/one/yg-node.yaml": node("one.py"),
        "model/two/yg-node.yaml": node("two.py"),
        "model/box/yg-node.yaml": node("box.py", "hub", more="blackbox: true\n"),
    }
    write_graph(tmp_path, graph)
    lines = {"alone": 50, "hub": 4, "one": 5, "two": 5, "box": 99}
    write(tmp_path, {f"{name}.py": code(count) for name, count in lines.items()})
    names = [("describe", name) for name in ("hub", "one", "two", "alone")]
    assert told(tmp_path) == names
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    write(tmp_path, {"two.py": code(4) + "y = 2\n"})
    commit(tmp_path)
    assert told(tmp_path) == [names[0], names[2], names[1], names[3]]


def test_only_the_year_before_the_last_commit_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_graph(tmp_path, {"yg-config.yaml": CONFIG, "model/a/yg-node.yaml": node("a.py")})
    git(tmp_path, "init", "-q")
    dates = ("2019-01-01", "2020-06-01", "2021-01-01")
    for number, date in enumerate(dates, 1):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{date}T00:00:00Z")
        write(tmp_path, {"a.py": code(number)})
        commit(tmp_path)
    [item] = advice(tmp_path)["advice"]
    assert item["reason"].endswith("2 commits in the last year")
