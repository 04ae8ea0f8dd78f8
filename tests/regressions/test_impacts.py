"""What was once wrong when two states of a graph were compared, and in counts of coverage."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support import CONFIG, NODE, git, run
from support import write as write_files
from yg.commands import coverage
from yg.commands.impact.diff import diff_markdown, impact_of_changes
from yg.disk.git.changed_files import changed_files
from yg.kernel.compare import ChangedSource, DiffImpact, Shift
from yg.kernel.palette import PLAIN
from yg.surfaces.cli.outcome import Outcome
from yg.yggdrasil.coverage import Coverage, tally

GRAPH = {
    "yg-config.yaml": CONFIG,
    "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a]}}\n",
    "model/a/responsibility.md": "A is responsible.\nFor all.\n",
    "model/a/interface.md": "charge(amount)\nrefund(amount)\n",
    "model/b/yg-node.yaml": f"{NODE}relations: [{{target: a, type: calls, consumes: [charge]}}]\n",
    "model/b/responsibility.md": "B is responsible.\n",
    "model/e/yg-node.yaml": f"{NODE}relations: [{{target: a, type: listens}}]\n",
    "model/e/responsibility.md": "E is responsible.\n",
    "model/z/yg-node.yaml": NODE,
    "model/z/responsibility.md": "Z is responsible.\n",
}


def write(root: Path, files: Mapping[str, str], folder: str = ".yggdrasil") -> Path:
    write_files(root / folder, files)
    return root


def commit(root: Path) -> Path:
    """Commit everything there is."""
    root.mkdir(exist_ok=True)
    if not (root / ".git").exists():
        git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    return root


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return commit(write(tmp_path / "repository", GRAPH))


def impact(root: Path, *argv: str) -> Outcome:
    return run("impact", *argv, "-C", str(root))


def data(root: Path, *argv: str) -> dict[str, Any]:
    outcome = impact(root, *argv, "--json")
    assert outcome.code == 0
    found: dict[str, Any] = json.loads(outcome.text)
    return found


def changed_packages(root: Path, *argv: str) -> list[str]:
    return [package["node"] for package in data(root, "--diff", *argv)["packages"]]


def changed_interface(root: Path, node: str) -> list[str]:
    """Return the nodes that see another interface of a node than the last commit has."""
    packages = data(root, node, "--simulate")["packages"]
    return [package["node"] for package in packages if package["interface_changed"]]


# What differs.


def test_a_package_that_differs_only_by_a_default_event_name_is_listed(repository: Path) -> None:
    node = GRAPH["model/a/yg-node.yaml"].replace("name: N", "name: Renamed")
    write(repository, {"model/a/yg-node.yaml": node})
    assert "e" in changed_packages(repository)


def test_a_changed_configuration_changes_every_package_that_quotes_it(repository: Path) -> None:
    write(repository, {"yg-config.yaml": CONFIG.replace("name: test", "name: other")})
    assert changed_packages(repository) == ["a", "b", "e", "z"]


def test_what_the_configuration_no_longer_hands_on_is_listed(repository: Path) -> None:
    write(repository, {"yg-config.yaml": CONFIG.replace("interface.md:", "other.md:")})
    assert changed_packages(repository) == ["a", "b"]


def test_line_endings_of_a_checkout_are_not_a_changed_interface(tmp_path: Path) -> None:
    origin = write(tmp_path / "origin", GRAPH)
    write(origin, {".gitattributes": "* text eol=crlf\n"}, ".")
    commit(origin)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(origin), str(clone))
    interface = clone / ".yggdrasil" / "model" / "a" / "interface.md"
    assert b"\r\n" in interface.read_bytes()
    assert changed_interface(clone, "a") == []
    assert changed_packages(clone) == []
    interface.write_bytes(b"charge(amount)\r\n")
    assert changed_interface(clone, "a") == ["b"]


def test_other_consumed_names_alone_are_not_a_changed_interface(repository: Path) -> None:
    node = GRAPH["model/b/yg-node.yaml"].replace("[charge]", "[charge, refund]")
    write(repository, {"model/b/yg-node.yaml": node})
    assert changed_interface(repository, "a") == []
    assert changed_packages(repository) == ["b"]


def test_what_is_staged_is_read_from_the_index(repository: Path) -> None:
    write(repository, {"model/a/interface.md": "staged()\n"})
    git(repository, "add", "-A")
    write(repository, {"model/a/interface.md": "later()\n", "model/z/responsibility.md": "Z!\n"})
    outcome = impact(repository, "--diff", "--staged", "--show")
    assert "+staged()\n" in outcome.text
    assert "later()" not in outcome.text
    assert changed_packages(repository, "--staged") == ["a", "b"]
    assert changed_packages(repository) == ["a", "b", "z"]


def test_what_is_staged_is_found_in_a_graph_below_the_root_of_git(tmp_path: Path) -> None:
    write(tmp_path / "all" / "part", GRAPH)
    commit(tmp_path / "all")
    part = write(tmp_path / "all" / "part", {"model/a/interface.md": "staged()\n"})
    assert changed_packages(part, "--staged") == []
    git(part, "add", "-A")
    assert changed_packages(part, "--staged") == ["a", "b"]


# Commits without a graph.


def test_without_a_graph_in_the_commit_a_simulation_says_so(tmp_path: Path) -> None:
    root = write(commit(write(tmp_path / "r", {"x.py": ""}, ".")), GRAPH)
    short = git(root, "rev-parse", "HEAD")[:12]
    outcome = impact(root, "a", "--simulate")
    assert (outcome.code, outcome.notes) == (0, "")
    assert f"\n  no baseline: there is no .yggdrasil/ in commit {short}\n" in outcome.text


def test_without_a_graph_in_the_commit_every_package_is_new(tmp_path: Path) -> None:
    root = write(commit(write(tmp_path / "r", {"x.py": ""}, ".")), GRAPH)
    packages = data(root, "--diff")["packages"]
    assert [(package["node"], package["tokens_then"]) for package in packages] == [
        (node, None) for node in "abez"
    ]


def upgraded(root: Path) -> tuple[Path, str]:
    """Return a repository whose last commit has a 1.x graph, and that commit."""
    write(root, {"config.yaml": "name: old\n", "model/a/node.yaml": "name: A\ntype: service\n"})
    commit(root)
    (root / ".yggdrasil/config.yaml").unlink()
    write(root, GRAPH)
    return root, git(root, "rev-parse", "HEAD")[:12]


def test_a_commit_with_a_1x_graph_is_not_a_baseline(tmp_path: Path) -> None:
    root, short = upgraded(tmp_path / "r")
    told = f"no baseline: commit {short} holds a 1.x graph"
    assert f"\n  {told}\n" in impact(root, "a", "--simulate").text
    outcome = impact(root, "--diff")
    assert outcome.code == 0
    assert outcome.notes == f"warning: {told}, so every package counts as new\n"
    packages = data(root, "--diff")["packages"]
    assert [(package["node"], package["tokens_then"]) for package in packages] == [
        (node, None) for node in "abez"
    ]


def test_a_commit_with_a_1x_graph_is_named(tmp_path: Path) -> None:
    root, short = upgraded(tmp_path / "r")
    told = sentence(run("tree", "--at", "HEAD", "-C", str(root)))
    assert told == f"commit {short} holds a 1.x graph"


def sentence(outcome: Outcome) -> str:
    """Return the one sentence of an error, which a hint may follow."""
    assert (outcome.code, outcome.text) == (1, "")
    first, *rest = outcome.notes.splitlines()
    assert first.startswith("error: ")
    assert all(line.startswith("  ") for line in rest)
    assert len(rest) <= 1
    return first.removeprefix("error: ")


def test_a_commit_without_the_directory_of_the_graph_is_reported_in_a_sentence(
    tmp_path: Path,
) -> None:
    root = commit(write(tmp_path / "r", {"x.py": ""}, "."))
    first = git(root, "rev-parse", "HEAD")
    write(root / "part", GRAPH)
    commit(root)
    told = sentence(run("tree", "--at", first, "-C", str(root / "part")))
    assert told == f"there is no .yggdrasil/ in commit {first[:12]}"


def test_from_inside_a_submodule_commits_are_those_of_the_submodule(tmp_path: Path) -> None:
    inner = commit(write(tmp_path / "inner", {"x.py": ""}, "."))
    outer = commit(write(tmp_path / "outer", GRAPH))
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    commit(outer)
    place = str(outer / "sub")
    assert run("tree", "-C", place).text == run("tree", "-C", str(outer)).text
    own, foreign = (git(at, "rev-parse", "HEAD") for at in (inner, outer))
    told = f"there is no graph in commit {own[:12]}"
    assert sentence(run("tree", "--at", "HEAD", "-C", place)) == told
    assert foreign in sentence(run("tree", "--at", foreign, "-C", place))


def test_a_submodule_with_no_graph_around_it_is_told_in_a_sentence(tmp_path: Path) -> None:
    inner = commit(write(tmp_path / "inner", {"x.py": ""}, "."))
    outer = commit(write(tmp_path / "outer", {"y.py": ""}, "."))
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    short = git(inner, "rev-parse", "HEAD")[:12]
    told = sentence(run("tree", "--at", "HEAD", "-C", str(outer / "sub")))
    assert told == f"there is no graph in commit {short}"


# Names and markup.


def test_flows_of_one_display_name_are_told_apart_by_id(repository: Path) -> None:
    flows = {f"flows/{id_}/yg-flow.yaml": "name: Same\nnodes: [a]\n" for id_ in ("x", "y")}
    write(repository, flows)
    outcome = impact(repository, "a")
    assert "\nFlows: x, y\n" in outcome.text
    outcome = impact(repository, "--flow", "Same")
    assert sentence(outcome) == "several flows are named 'Same'"
    assert "Use one of the ids: x, y." in outcome.notes
    assert impact(repository, "--flow", "y").code == 0


def markdown(path: str) -> str:
    impact = DiffImpact(
        since="HEAD",
        sources=(ChangedSource(path, None),),
        graph_files=(path,),
        moved=(),
        shifts=(Shift(path, None, None),),
        reached=(),
    )
    return diff_markdown(impact_of_changes(impact))


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("a|b", "`a\\|b`"),
        ("a`b", "``a`b``"),
        ("``", "``` `` ```"),
        ("a\n| x | y |", "`a\\n\\| x \\| y \\|`"),
        ("<script>", "`<script>`"),
    ],
    ids=ascii,
)
def test_no_name_breaks_out_of_its_cell(path: str, shown: str) -> None:
    lines = markdown(path).splitlines()
    assert f"| {shown} | no graph coverage |" in lines
    assert f"| {shown} | none -> none |" in lines
    assert f"- {shown}" in lines


def test_no_text_breaks_out_of_a_fence(repository: Path) -> None:
    write(repository, {"model/z/responsibility.md": "````\n# Out\n`````diff\n"})
    text = impact(repository, "--diff", "--show", "--format", "markdown").text
    fences = [line for line in text.splitlines() if line.startswith("``````")]
    assert fences == ["``````diff", "``````"]
    assert "\n# Out" not in text


# Coverage.


def test_only_everything_is_all() -> None:
    almost = tally(directory=".", covered=999_999, blackbox=0, uncovered=1)
    report = coverage.report_of(Coverage(tallies=(almost,), uncovered=("x",)))
    assert report.total.percent < 100
    assert "100.0%" not in coverage.text(report, PLAIN)


def test_an_edit_in_the_same_tick_as_the_commit_is_a_change(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    write(root, {".yggdrasil/yg-config.yaml": CONFIG, "src/a.py": "one\n"}, "")
    git(root, "init", "-q")
    git(root, "config", "core.trustCtime", "false")  # no test can set that time
    file, index = root / "src/a.py", root / ".git/index"
    then = (1_700_000_000 * 10**9,) * 2
    os.utime(file, ns=then)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    file.write_text("two\n", encoding="utf-8")  # the same size, and the same time
    os.utime(file, ns=then)
    os.utime(index, ns=then)
    commit = git(root, "rev-parse", "HEAD").strip()
    assert "src/a.py" in changed_files(str(root), commit, staged=False).files
