"""Graphs of format 4 and later have another model: every command says so, and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import yg
from agent import agent, texts
from later_formats import SOURCES, graph_files
from support import git, run, write
from yg.commands.table import COMMANDS
from yg.kernel.errors import AnotherModelError
from yg.kernel.steps import finished
from yg.surfaces.explorer.source import PageSource
from yg.surfaces.lsp.checks import Checker
from yg.surfaces.lsp.documents import Documents
from yg.surfaces.lsp.session import Session
from yg.workspace import older_commit
from yg.workspace.opening import open_workspace

CONFIG_FILE = ".yggdrasil/yg-config.yaml"
ARCHITECTURE = ".yggdrasil/yg-architecture.yaml"
OLDER = {**graph_files("2.12.0"), **SOURCES}
NEWER = {
    CONFIG_FILE: 'version: "4.0.0"\nreviewer: {provider: x}\nparallel: 1\n',
    ARCHITECTURE: "node_types: {}\n",
    ".yggdrasil/model/app/player/yg-node.yaml": "name: P\ntype: service\nmapping: [src/player]\n",
}
READS = "which has another model; yg reads formats up to 3.0.0"
SAID = f"error: the graph in .yggdrasil/ has format 4.0.0, {READS}\n"
ASKED = {  # the words with which each command reads the graph; None: it needs none
    "init": (),
    "draft": ("--add", "--dry-run"),
    "completions": None,
    "new": ("node", "x", "--type", "service"),
    "mv": ("app", "web"),
    "rm": ("app",),
    "node": None,  # of Spec Graphs
    "link": None,
    "unlink": None,
    "pin": None,
    "lock": None,
    "verify": None,
    "build-context": ("app",),
    "owner": ("src/mail.py",),
    "deps": ("app",),
    "impact": ("app",),
    "find": ("sound",),
    "drift-sync": ("--all",),
    "import": ("list",),
    "brief": ("app",),
    "show": ("mail",),
    "uses": ("mail",),
    "check-docs": None,  # needs no graph
    "hook": None,  # never fails
    "explain": None,
    "explore": None,  # see below
    "mcp": None,
    "lsp": None,
}


def committed(root: Path) -> str:
    """Commit an older graph, a change of it and a newer one; return the last older commit."""
    write(root, OLDER)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    write(root, {".yggdrasil/model/app/responsibility.md": "Something else.\n"})
    git(root, "commit", "-qam", "two")
    older = git(root, "rev-parse", "HEAD")
    write(root, NEWER)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "three")
    write(root, {CONFIG_FILE: f"{NEWER[CONFIG_FILE]}debug: true\n"})
    git(root, "commit", "-qam", "four")
    return older


@pytest.mark.parametrize("command", [entry.name for entry in COMMANDS])
def test_every_command_says_it_in_one_sentence(tmp_path: Path, command: str) -> None:
    words = ASKED.get(command, ())
    if words is None:
        pytest.skip("it does not read this graph")
    write(tmp_path, {**OLDER, **NEWER})
    before = sorted(tmp_path.rglob("*"))
    outcome = run(command, *words, "-C", str(tmp_path))
    assert (outcome.text, outcome.code, outcome.notes) == ("", 1, SAID)
    failed = run(command, *words, "-C", str(tmp_path), "--json")
    assert json.loads(failed.notes)["code"] == "another-model"
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({CONFIG_FILE: NEWER[CONFIG_FILE]}, "4.0.0"),
        ({CONFIG_FILE: OLDER[CONFIG_FILE].replace("2.12.0", "5.4.2")}, "5.4.2"),
        ({CONFIG_FILE: OLDER[CONFIG_FILE].replace('"2.12.0"', "4")}, "4 or later"),
        ({ARCHITECTURE: ""}, "4 or later"),
        ({CONFIG_FILE: "reviewer: {}\n"}, "4 or later"),
        ({CONFIG_FILE: "parallel: 2\nquality: {max_direct_relations: 9}\n"}, "4 or later"),
    ],
)
def test_the_signs_of_another_model(tmp_path: Path, files: dict[str, str], name: str) -> None:
    root = write(tmp_path, OLDER)
    assert run("validate", "-C", str(root)).code == 0
    write(root, files)
    said = f"error: the graph in .yggdrasil/ has format {name}, {READS}\n"
    for options in ((), (), ("--no-cache",)):
        assert run("validate", "-C", str(root), *options).notes == said


@pytest.mark.parametrize(
    "text",
    [
        "version: '2.2.0'\n",
        "quality: {}\n",
        "name: P\nreviewer: x\n",
        "node_types: {service: {description: S}}\nparallel: 1\n",
        "[]\n",
        "",
    ],
)
def test_a_broken_configuration_is_not_one_of_another_model(tmp_path: Path, text: str) -> None:
    root = write(tmp_path, {**OLDER, CONFIG_FILE: text})
    outcome = run("validate", "-C", str(root))
    assert "E012 " in outcome.text
    assert "another model" not in outcome.notes


def test_git_knows_the_last_commit_that_can_be_read(tmp_path: Path) -> None:
    older = committed(tmp_path)[:12]
    said = f"{SAID}  The last commit with an older graph is {older}; to read it: --at {older}\n"
    for command in (("tree",), ("drift",), ("init", "--upgrade"), ("init",)):
        assert run(*command, "-C", str(tmp_path)).notes == said
    tree = run("tree", "--at", older, "-C", str(tmp_path))
    assert (tree.code, "player/" in tree.text) == (0, True)
    commit = git(tmp_path, "rev-parse", "HEAD")[:12]
    at_head = run("tree", "--at", "HEAD", "-C", str(tmp_path)).notes
    assert at_head == said.replace("the graph in .yggdrasil/", f"commit {commit}")


def test_a_change_that_is_not_committed_leaves_the_last_commit(tmp_path: Path) -> None:
    committed(tmp_path)
    git(tmp_path, "reset", "-q", "--hard", "HEAD~2")
    write(tmp_path, NEWER)
    head = git(tmp_path, "rev-parse", "HEAD")[:12]
    assert f"is {head}; to read it" in run("tree", "-C", str(tmp_path)).notes


def test_a_graph_in_a_directory_of_a_repository_has_its_own_history(tmp_path: Path) -> None:
    write(tmp_path / "part", OLDER)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    older = git(tmp_path, "rev-parse", "HEAD")[:12]
    write(tmp_path / "part", NEWER)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "two")
    assert f"is {older}; to read it" in run("tree", "-C", str(tmp_path / "part")).notes


def test_without_an_older_commit_there_is_only_the_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path, {**OLDER, **NEWER})
    git(root, "init", "-q")
    assert run("tree", "-C", str(root)).notes == SAID  # no commit
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    assert run("tree", "-C", str(root)).notes == SAID
    monkeypatch.setattr(older_commit, "MOST_COMMITS", 1)
    committed(root / "inner")
    assert run("tree", "-C", str(root / "inner")).notes == SAID  # too far away


def test_a_comparison_with_such_a_commit_says_so(tmp_path: Path) -> None:
    older = committed(tmp_path)
    git(tmp_path, "checkout", "-q", "-B", "back", older)
    newer = git(tmp_path, "rev-parse", "main")
    outcome = run("impact", "app", "--simulate", "--since", newer, "-C", str(tmp_path))
    assert outcome.code == 0
    assert f"commit {newer[:12]} has format 4.0.0" in outcome.text


def test_a_script_reads_the_sentence(tmp_path: Path) -> None:
    write(tmp_path, {**OLDER, **NEWER})
    with pytest.raises(AnotherModelError, match=r"has format 4\.0\.0"):
        yg.open_workspace(os.fspath(tmp_path)).ask("tree")


def test_an_agent_reads_the_sentence(tmp_path: Path) -> None:
    write(tmp_path, {**OLDER, **NEWER})
    with agent("--root", str(tmp_path)) as asking:
        for tool, arguments in (("tree", {}), ("drift", {}), ("impact", {"node": "app"})):
            assert texts(asking.call(tool, **arguments))[0] == SAID


def test_an_editor_reads_the_sentence(tmp_path: Path) -> None:
    write(tmp_path, {**OLDER, **NEWER})
    checker = Checker(Session(str(tmp_path)))
    state = finished(checker.steps(Documents(), "utf-16"))
    assert state.problem == SAID.removeprefix("error: ").rstrip()
    assert (state.issues, state.diagnostics) == ((), {})


def test_the_explorer_does_not_start(tmp_path: Path) -> None:
    write(tmp_path, {**OLDER, **NEWER})
    with pytest.raises(AnotherModelError, match=r"has format 4\.0\.0"):
        PageSource(lambda: open_workspace(str(tmp_path), uses_index=False))
