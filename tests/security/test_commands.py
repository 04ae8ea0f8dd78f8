"""Every command in a stranger's repository runs, changes and shows nothing that it should not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hostile import (
    Trap,
    commit_all,
    configure,
    files_below,
    give_away,
    needs_root,
    needs_shell,
    sh,
    touch_everything,
    write,
)

COMMANDS = [
    ("build-context", "a"),
    ("build-context", "a", "--at", "HEAD"),
    ("tree",),
    ("tree", "--at", "HEAD"),
    ("aspects",),
    ("flows",),
    ("validate",),
    ("validate", "--since", "HEAD"),
    ("validate", "--format", "sarif"),
    ("owner", "src/a.py", "src/x.log"),
    ("coverage",),
    ("explain", "E001"),
]
PRIVATE = "The secret of another repository."
CONFIG = """\
version: "2.2.0"
name: test
node_types: {service: {description: A component}}
artifacts: {responsibility.md: {required: always, description: What it does}}
"""
GRAPH = {
    "yg-config.yaml": CONFIG,
    "model/a/yg-node.yaml": "name: A\ntype: service\nmapping: {paths: [src]}\n",
    "model/a/responsibility.md": f"{PRIVATE} Does what has to be done, and nothing but that.\n",
}
SOURCES = {
    ".gitattributes": "* filter=trap diff=trap\n",
    ".gitignore": "*.log\n",
    "src/a.py": "a = 1\n",
}


def in_graph(files: Mapping[str, str]) -> dict[str, str]:
    return {f".yggdrasil/{path}": text for path, text in files.items()}


def run(root: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "yg", argv[0], "-C", str(root), *argv[1:]]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@needs_shell
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_that_a_hostile_configuration_names_is_run(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    root, trap = tmp_path / "root", Trap(tmp_path / "trap")
    commit_all(root, in_graph(GRAPH) | SOURCES)
    program = str(trap.program)
    keys = ("filter.trap.clean", "filter.trap.smudge", "diff.trap.textconv", "core.fsmonitor")
    settings = dict.fromkeys((*keys, "diff.external", "gpg.program", "core.sshCommand"), program)
    configure(root, settings | {"core.hooksPath": str(trap.hooks), "log.showSignature": "true"})
    write(root, {"src/b.py": "b = 1\n", "src/x.log": ""})
    touch_everything(root)
    before = files_below(root)
    done = run(root, *command)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    assert files_below(root) == before
    trap.assert_unsprung()


@pytest.mark.parametrize("command", COMMANDS[:-1], ids=" ".join)
def test_a_graph_that_is_a_link_to_another_place_is_refused(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    outside = write(tmp_path / "outside", GRAPH)
    root = tmp_path / "root"
    commit_all(root, SOURCES)
    (root / ".yggdrasil").symlink_to(outside)
    before = files_below(tmp_path)
    done = run(root, *command)
    assert (done.returncode, done.stdout) == (1, "")
    assert "outside this work tree" in done.stderr or "--at" in command
    assert PRIVATE not in done.stderr
    assert files_below(tmp_path) == before


@pytest.mark.parametrize("command", COMMANDS[:2] + COMMANDS[6:8], ids=" ".join)
def test_links_inside_a_graph_are_not_followed(tmp_path: Path, command: tuple[str, ...]) -> None:
    root = tmp_path / "root"
    graph = {path: text.replace(PRIVATE, "") for path, text in GRAPH.items()}
    write(tmp_path, {"outside/yg-node.yaml": PRIVATE, "outside/internals.md": PRIVATE})
    write(root, in_graph(graph))
    (root / ".yggdrasil/model/b").symlink_to(tmp_path / "outside")
    (root / ".yggdrasil/model/a/internals.md").symlink_to(tmp_path / "outside/internals.md")
    commit_all(root, SOURCES)
    done = run(root, *command)
    assert done.returncode in (0, 1)
    assert PRIVATE not in done.stdout + done.stderr


@pytest.mark.parametrize("name", [".gitignore", "src/.gitignore", "src/fifo"])
def test_a_fifo_in_a_work_tree_without_git_is_not_opened(tmp_path: Path, name: str) -> None:
    write(tmp_path, in_graph(GRAPH) | {"src/a.py": "a = 1\n"})
    os.mkfifo(tmp_path / name)
    for command in (("coverage",), ("validate",), ("build-context", "a")):
        assert run(tmp_path, *command).returncode in (0, 1)


@pytest.mark.parametrize("command", COMMANDS[:-1], ids=" ".join)
def test_a_graph_above_the_work_tree_is_not_used(tmp_path: Path, command: tuple[str, ...]) -> None:
    write(tmp_path, in_graph(GRAPH))
    commit_all(tmp_path / "clone", SOURCES)
    done = run(tmp_path / "clone", *command)
    assert PRIVATE not in done.stdout
    assert "no graph" in (done.stdout + done.stderr).lower() or (
        "No .yggdrasil/ directory found. Run 'yg init' first." in done.stderr
    )


OF_WORK_TREE = [command for command in COMMANDS[:-1] if "--at" not in command]


@needs_root
@pytest.mark.parametrize("command", OF_WORK_TREE, ids=" ".join)
def test_a_graph_of_somebody_else_is_not_used(tmp_path: Path, command: tuple[str, ...]) -> None:
    root = tmp_path / "root"
    commit_all(root, in_graph(GRAPH) | SOURCES)
    give_away(root / ".yggdrasil")
    done = run(root, *command)
    assert PRIVATE not in done.stdout
    assert "belongs to another user" in done.stderr or "no graph" in done.stdout


def test_git_that_is_not_used_is_said_once(tmp_path: Path) -> None:
    commit_all(tmp_path / "main", {"x": "x"})
    root = write(tmp_path / "root", in_graph(GRAPH) | SOURCES | {"src/x.log": "", "b.py": ""})
    (root / ".git").symlink_to("../main/.git")
    done = run(root, "coverage", "--uncovered")
    assert "b.py" in done.stdout
    assert "x.log" not in done.stdout
    assert done.stderr.count("git is not used here") == 1
    sh(tmp_path / "main", "status")
