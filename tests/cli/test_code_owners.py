"""People to ask: CODEOWNERS in `owner`, `impact --diff`, `coverage` and the explorer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import UNSET

from schemas import faults_in
from support import CONFIG, NODE, git, run, write
from yg.commands.explore.data import explore
from yg.surfaces.cli.outcome import Outcome
from yg.workspace.opening import open_workspace

FILES = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    ".yggdrasil/model/pay/yg-node.yaml": f"{NODE}mapping: {{paths: [src/pay]}}\n",
    ".yggdrasil/model/shop/yg-node.yaml": (
        f"{NODE}relations: [{{target: pay, type: uses}}]\nmapping: {{paths: [src/shop]}}\n"
    ),
    "src/pay/a.py": "a = 1\n",
    "src/shop/b.py": "b = 1\n",
    "src/shop/c.sql": "",
    "src/other.py": "",
}
OWNERS = "* @all\n/src/pay/ @payments\n/src/shop/ @shop\n*.sql @data @shop\n/src/old/ @gone\n"


def repository(root: Path, files: dict[str, str]) -> Path:
    git(write(root, files), "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    return root


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path, {**FILES, ".github/CODEOWNERS": OWNERS, "CODEOWNERS": "* @no\n"})


def test_owner_shows_whom_to_ask(shop: Path) -> None:
    outcome = run("owner", "src/pay/a.py", "src/shop/c.sql", "../x", "-C", str(shop))
    assert outcome == Outcome(
        "src/pay/a.py -> pay\n"
        "  No mapping of its own; the context comes from src/pay. "
        "Use: yg build-context --node pay\n"
        "  Owners: @payments\n"
        "src/shop/c.sql -> shop\n"
        "  No mapping of its own; the context comes from src/shop. "
        "Use: yg build-context --node shop\n"
        "  Owners: @data @shop\n"
        "../x -> outside the repository\n"
    )
    document = json.loads(run("owner", "src/pay/a.py", "--json", "-C", str(shop)).text)
    assert faults_in(document) == []
    assert document["files"][0]["owners"] == ["@payments"]


def test_impact_ends_with_whom_to_ask_about_changed_and_reached_nodes(shop: Path) -> None:
    write(shop, {"src/pay/a.py": "a = 2\n", ".yggdrasil/model/pay/responsibility.md": "Pays.\n"})
    text = run("impact", "--diff", "-C", str(shop)).text
    assert text.endswith(
        "Total scope: 2 nodes (2 changed, 0 reached)\n"
        "Ask: @data (shop), @payments (pay), @shop (shop)\n"
    )
    markdown = run("impact", "--diff", "--format", "markdown", "-C", str(shop)).text
    assert markdown.endswith("| `@payments` | `pay` |\n| `@shop` | `shop` |\n")
    document = json.loads(run("impact", "--diff", "--json", "-C", str(shop)).text)
    assert faults_in(document) == []
    assert document["owners"][1] == {"owner": "@payments", "nodes": ["pay"]}


def test_coverage_sums_by_owner(shop: Path) -> None:
    assert run("coverage", "--by", "owner", "-C", str(shop)) == Outcome(
        "owner      files  covered  blackbox  uncovered   share\n"
        "@all           3        0         0          3    0.0%\n"
        "@data          1        1         0          0  100.0%\n"
        "@payments      1        1         0          0  100.0%\n"
        "@shop          2        2         0          0  100.0%\n"
        "\n"
        ".github/CODEOWNERS:5: /src/old/ matches no file\n"
    )
    document = json.loads(run("coverage", "--by", "owner", "--json", "-C", str(shop)).text)
    assert faults_in(document) == []
    assert document["owners"][1]["owner"] == "@data"
    assert document["unmatched"] == [
        {"file": ".github/CODEOWNERS", "line": 5, "pattern": "/src/old/"}
    ]
    assert run("coverage", "--by", "owner", "--names", "-C", str(shop)).code == 2


def test_coverage_tells_of_lines_that_match_no_file_and_does_not_fail(shop: Path) -> None:
    outcome = run("coverage", "-C", str(shop))
    assert outcome.text.endswith("\n\n.github/CODEOWNERS:5: /src/old/ matches no file\n")
    assert (outcome.code, outcome.notes) == (0, "")
    assert "CODEOWNERS" in run("coverage", "--uncovered", "-C", str(shop)).text


def test_the_explorer_knows_the_owners(shop: Path) -> None:
    shown = explore(open_workspace(str(shop))).graph.nodes
    assert {node.path: node.owners for node in shown} == {
        "pay": ["@payments"],
        "shop": ["@data", "@shop"],
    }


def test_the_file_of_a_commit_counts_for_that_commit(shop: Path) -> None:
    write(shop, {".github/CODEOWNERS": "* @new\n"})
    assert "Owners: @new\n" in run("owner", "src/pay/a.py", "-C", str(shop)).text
    then = run("owner", "src/pay/a.py", "--at", "HEAD", "-C", str(shop)).text
    assert "Owners: @payments\n" in then


def test_a_graph_below_the_top_has_the_owners_of_its_repository(tmp_path: Path) -> None:
    files = {f"part/{path}": text for path, text in FILES.items()}
    root = repository(tmp_path, {**files, "docs/CODEOWNERS": "/part/src/pay/ @p\n/gone @x\n"})
    for more in ((), ("--at", "HEAD")):
        outcome = run("owner", "src/pay/a.py", *more, "-C", str(root / "part"))
        assert "  Owners: @p\n" in outcome.text
    assert "matches no file" not in run("coverage", "-C", str(root / "part")).text


def test_without_the_file_nothing_is_shown_anywhere(tmp_path: Path) -> None:
    root = repository(tmp_path, FILES)
    write(root, {"src/pay/a.py": "a = 2\n"})
    argvs = (("owner", "src/pay/a.py"), ("impact", "--diff"), ("coverage",))
    for argv in argvs:
        assert "wners" not in run(*argv, "-C", str(root)).text
        assert "Ask" not in run(*argv, "-C", str(root)).text
        document = json.loads(run(*argv, "--json", "-C", str(root)).text)
        assert not {"owners", "unmatched"} & {*document, *document.get("files", [{}])[0]}
    assert all(node.owners is UNSET for node in explore(open_workspace(str(root))).graph.nodes)
    outcome = run("coverage", "--by", "owner", "-C", str(root))
    assert outcome.code == 1
    assert "there is no CODEOWNERS file to count by" in outcome.notes


def test_a_file_that_cannot_be_read_is_no_file(tmp_path: Path) -> None:
    root = repository(tmp_path, FILES)
    (root / "CODEOWNERS").mkdir()
    (root / ".github").mkdir()
    (root / ".github/CODEOWNERS").symlink_to("/etc/passwd")
    assert "wners" not in run("owner", "src/pay/a.py", "-C", str(root)).text
