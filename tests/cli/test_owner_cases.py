"""`yg owner` for files without an owner: which case a file is, and what can be done."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from schemas import faults_in
from support import CONFIG, git, run, write

if TYPE_CHECKING:
    from pathlib import Path


def node(path: str) -> str:
    return f"name: N\ntype: service\nmapping: {{paths: [{path}]}}\n"


FILES = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    ".yggdrasil/model/orders/yg-node.yaml": node("src/orders/core.py"),
    ".yggdrasil/model/orders/tax/yg-node.yaml": node("src/orders/tax/rates.py"),
    ".gitignore": "*.log\n",
    "src/orders/core.py": "",
    "src/orders/util.py": "",
    "src/orders/tax/rates.py": "",
    "src/orders/tax/x.py": "",
    "legacy/old thing/a.c": "",
    "legacy/old thing/b.c": "",
    "setup.py": "",
}


def committed(root: Path, files: dict[str, str]) -> str:
    """Write files and commit them."""
    write(root, files)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Files")
    return str(root)


@pytest.fixture
def root(tmp_path: Path) -> str:
    return committed(tmp_path, FILES)


def case(root: str, *files: str, at: str = "") -> list[tuple[str | None, list[str]]]:
    options = ["--at", at] if at else []
    data: dict[str, Any] = json.loads(run("owner", *files, *options, "--json", "-C", root).text)
    assert faults_in(data) == []
    return [(found["case"], found["neighbours"]) for found in data["files"]]


def test_a_file_beside_files_of_a_node_is_partly_mapped(root: str) -> None:
    assert run("owner", "src/orders/util.py", "-C", root).text == (
        "src/orders/util.py -> no graph coverage\n"
        "  Partly mapped: other files in src/orders belong to orders.\n"
        "    add it to a node   list it under 'mapping' in .yggdrasil/model/orders/yg-node.yaml\n"
        "    a node of its own  yg new node util --map src/orders/util.py\n"
    )


def test_a_file_above_files_of_nodes_is_partly_mapped(root: str) -> None:
    assert case(root, "src/main.py", "src/orders/tax/x.py", "src") == [
        ("partly-mapped", ["orders", "orders/tax"]),
        ("partly-mapped", ["orders/tax"]),
        ("partly-mapped", ["orders", "orders/tax"]),
    ]


def test_a_file_among_files_without_nodes_is_existing_code(root: str) -> None:
    file = "legacy/old thing/a.c"
    assert run("owner", file, "-C", root).text == (
        "legacy/old thing/a.c -> no graph coverage\n"
        "  Existing code: no node owns anything in legacy/old thing.\n"
        "    describe it      yg new node 'old thing' --map 'legacy/old thing'\n"
        "    a blackbox node  yg new node 'old thing' --blackbox --map 'legacy/old thing'\n"
        "    leave it alone   yg coverage --uncovered lists what has no owner yet\n"
    )


def test_the_folder_of_new_code_has_no_other_files(root: str, tmp_path: Path) -> None:
    (tmp_path / "neu").mkdir()
    (tmp_path / "neu" / "just-written.py").touch()
    (tmp_path / "neu" / "noise.log").touch()
    assert case(root, "neu/just-written.py", "fresh/x.py") == [("new-code", []), ("new-code", [])]
    text = run("owner", "fresh/x.py", "-C", root).text
    assert "blackbox" not in text.partition("describe it first")[2]
    assert "Never use a blackbox node" in text


def test_a_lone_file_that_is_committed_is_existing_code(root: str, tmp_path: Path) -> None:
    committed(tmp_path, {"alone/z.py": ""})
    assert case(root, "alone/z.py") == [("existing-code", [])]
    assert case(root, "alone/z.py", at="HEAD") == [("existing-code", [])]


def test_ignored_files_and_files_of_git_are_no_case(root: str, tmp_path: Path) -> None:
    (tmp_path / "src" / "run.log").touch()
    assert case(root, "src/run.log", ".git/config") == [(None, []), (None, [])]


def test_at_the_top_only_the_file_itself_would_be_mapped(root: str) -> None:
    assert "--blackbox --map setup.py\n" in run("owner", "setup.py", "-C", root).text
    text = run("owner", "later.py", "-C", root).text
    assert "yg new node later --map later.py\n" in text
    assert "blackbox" not in text


def test_what_can_be_done_is_written_once_for_each_folder(root: str) -> None:
    text = run("owner", "legacy/old thing/a.c", "legacy/old thing/b.c", "-C", root).text
    assert text.count("Existing code") == 1
    assert text.endswith("legacy/old thing/b.c -> no graph coverage\n")


@pytest.mark.parametrize(
    ("file", "way"),
    [
        ("legacy/old thing/a.c", "describe it"),
        ("legacy/old thing/a.c", "a blackbox node"),
        ("src/orders/util.py", "a node of its own"),
        ("fresh/x.py", "describe it first"),
        (".github/workflow.yaml", "describe it first"),
        ("src/orders/new/orders", "describe it first"),
    ],
)
def test_the_commands_give_the_file_an_owner(root: str, file: str, way: str) -> None:
    lines = run("owner", file, "-C", root).text.splitlines()
    command = next(line.partition("yg ")[2] for line in lines if way in line)
    assert run(*shlex.split(command), "-C", root).code == 0
    data = json.loads(run("owner", file, "--json", "-C", root).text)
    assert data["files"][0]["status"] == "owned"
    assert run("validate", "-C", root).code == 0


def test_a_name_that_is_taken_is_not_proposed(root: str) -> None:
    assert "yg new node other-Orders --map other/Orders\n" in (
        run("owner", "other/Orders/x.py", "-C", root).text
    )
