"""`yg coverage`: which files of the repository no node owns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from schemas import faults_in
from support import CONFIG, NODE, git, run
from support import write as write_files
from yg.surfaces.cli.outcome import Outcome

FILES = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    ".yggdrasil/model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a]}}\n",
    ".yggdrasil/model/box/yg-node.yaml": f"{NODE}blackbox: true\nmapping: {{paths: [lib]}}\n",
    ".gitignore": "*.log\nbuild/\n",
    "src/a/one.py": "",
    "src/a/deep/two.py": "",
    "src/b.py": "",
    "lib/x/y/z.c": "",
    "noise.log": "",
    "build/out": "",
}
TABLE = """\
Coverage: 60.0% (3 of 5 files)

directory  files  covered  blackbox  uncovered   share
./             5        2         1          2   60.0%
lib/           1        0         1          0  100.0%
lib/x/         1        0         1          0  100.0%
src/           3        2         0          1   66.7%
src/a/         2        2         0          0  100.0%
"""


def write(root: Path, files: Mapping[str, str] = FILES) -> Path:
    return write_files(root, files)


def repository(root: Path) -> Path:
    git(write(root), "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    return root


def coverage(root: Path, *argv: str) -> Outcome:
    return run("coverage", *argv, "-C", str(root))


def uncovered(root: Path) -> list[str]:
    outcome = coverage(root, "--uncovered")
    assert (outcome.code, outcome.notes) == (0, "")
    return outcome.text.splitlines()


def test_files_are_counted_by_directory(tmp_path: Path) -> None:
    assert coverage(repository(tmp_path)) == Outcome(TABLE)


def test_without_git_the_ignore_files_are_obeyed_alike(tmp_path: Path) -> None:
    assert coverage(write(tmp_path)) == Outcome(TABLE)


def test_without_the_git_program_the_answer_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert coverage(root) == Outcome(TABLE)


@pytest.mark.parametrize("place", ["src", "src/a/deep", ".yggdrasil"])
def test_the_whole_repository_counts_wherever_one_asks(tmp_path: Path, place: str) -> None:
    assert coverage(repository(tmp_path) / place) == Outcome(TABLE)


def test_files_that_nobody_owns_are_listed(tmp_path: Path) -> None:
    assert coverage(repository(tmp_path), "--uncovered") == Outcome(".gitignore\nsrc/b.py\n")


def test_files_count_as_git_sees_them(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"new.py": "", "new.log": "", "kept.log": "", "build/kept": ""})
    git(root, "add", "-f", "kept.log", "build/kept")
    (root / "src" / "b.py").unlink()
    assert uncovered(root) == [".gitignore", "build/kept", "kept.log", "new.py"]


def test_a_repository_inside_and_the_graph_do_not_count(tmp_path: Path) -> None:
    root = repository(tmp_path)
    git(write(root / "inner", {"x.py": ""}), "init", "-q")
    write(root, {".yggdrasil/notes.md": "", ".yggdrasil/model/a/x.md": ""})
    assert uncovered(root) == [".gitignore", "src/b.py"]


def test_only_files_beside_the_graph_count(tmp_path: Path) -> None:
    write(tmp_path, {"outside.py": ""})
    write(tmp_path / "shop")
    git(tmp_path, "init", "-q")
    assert coverage(tmp_path / "shop") == Outcome(TABLE)


def test_a_repository_without_files_is_covered(tmp_path: Path) -> None:
    write(tmp_path, {".yggdrasil/yg-config.yaml": CONFIG})
    outcome = coverage(tmp_path, "--fail-under", "100")
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text.startswith("Coverage: 100.0% (0 of 0 files)\n")
    assert coverage(tmp_path, "--uncovered") == Outcome("")


@pytest.mark.parametrize(("depth", "rows"), [("0", 1), ("1", 3), ("2", 5), ("9", 7)])
def test_depth_limits_the_rows(tmp_path: Path, depth: str, rows: int) -> None:
    outcome = coverage(write(tmp_path), "--depth", depth)
    assert len(outcome.text.splitlines()) == 3 + rows


def test_data_has_all_directories_and_follows_the_schema(tmp_path: Path) -> None:
    outcome = coverage(write(tmp_path), "--json", "--depth", "0")
    document = json.loads(outcome.text)
    assert (outcome.code, outcome.notes) == (0, "")
    assert faults_in(document) == []
    assert list(document) == ["schema", "total", "directories", "uncovered", "excluded", "skipped"]
    assert [directory["directory"] for directory in document["directories"]] == [
        ".",
        "lib",
        "lib/x",
        "lib/x/y",
        "src",
        "src/a",
        "src/a/deep",
    ]
    assert document["uncovered"] == [".gitignore", "src/b.py"]


def test_a_node_that_cannot_be_read_owns_nothing_and_is_reported_missing(tmp_path: Path) -> None:
    bad = {".yggdrasil/model/a/yg-node.yaml": "name: [\nmapping: {paths: [src/a]}\n"}
    root = write(write(tmp_path), bad)
    outcome = coverage(root, "--fail-under", "30")
    assert (outcome.code, outcome.text.splitlines()[0]) == (1, "Coverage: 20.0% (1 of 5 files)")
    first, last = outcome.notes.splitlines()
    assert first.startswith("skipped a: ")
    assert last == "coverage 20.00% is below 30%"
    document = json.loads(coverage(root, "--json").text)
    assert [entry["subject"] for entry in document["skipped"]] == ["a"]
    assert faults_in(document) == []


@pytest.mark.parametrize(
    ("least", "code"),
    [("0", 0), ("59.99", 0), ("60", 0), ("60.0", 0), ("60.01", 1), ("61", 1), ("100", 1)],
)
def test_less_than_asked_for_is_a_finding(tmp_path: Path, least: str, code: int) -> None:
    root = write(tmp_path)
    notes = f"coverage 60.00% is below {float(least):g}%\n" if code else ""
    assert coverage(root, "--fail-under", least) == Outcome(TABLE, code, notes)
    listed = coverage(root, "--fail-under", least, "--uncovered")
    assert listed == Outcome(".gitignore\nsrc/b.py\n", code, notes)
    assert coverage(root, "--fail-under", least, "--json").code == code


def test_everything_is_at_least_everything(tmp_path: Path) -> None:
    everything = {".yggdrasil/model/all/yg-node.yaml": f"{NODE}mapping: {{paths: [.]}}\n"}
    outcome = coverage(write(write(tmp_path), everything), "--fail-under", "100")
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text.startswith("Coverage: 100.0% (5 of 5 files)\n")


@pytest.mark.parametrize("least", ["-1", "100.01", "nan", "inf", "-inf", "half", "", "50%", "1,5"])
def test_a_share_that_makes_no_sense_is_wrong_usage(tmp_path: Path, least: str) -> None:
    outcome = coverage(write(tmp_path), f"--fail-under={least}")
    assert (outcome.code, outcome.text) == (2, "")
    assert outcome.notes.splitlines()[0] == (
        f"error: yg coverage: argument --fail-under: expected a number from 0 to 100, got '{least}'"
    )


@pytest.mark.parametrize("depth", ["-1", "x", "1.5", "", "1e3"])
def test_a_depth_that_makes_no_sense_is_wrong_usage(tmp_path: Path, depth: str) -> None:
    outcome = coverage(write(tmp_path), f"--depth={depth}")
    assert (outcome.code, outcome.text) == (2, "")


def test_names_do_not_play_with_the_terminal(tmp_path: Path) -> None:
    root = write(tmp_path, {".yggdrasil/yg-config.yaml": CONFIG, "e\x1b[2J\nvil": ""})
    assert coverage(root, "--uncovered") == Outcome("e\\x1b[2J\\nvil\n")


def test_asking_changes_nothing(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/b.py": "changed", "new.py": ""})
    before = git(root, "status", "--porcelain", "--ignored")
    coverage(root)
    assert git(root, "status", "--porcelain", "--ignored") == before


NESTED = {
    ".yggdrasil/yg-config.yaml": f"{CONFIG}coverage: {{exclude: [docs/, '*.md', '!keep.md']}}\n",
    ".yggdrasil/model/p/yg-node.yaml": f"{NODE}mapping: {{paths: [src, one.py]}}\n",
    ".yggdrasil/model/p/c/yg-node.yaml": f"{NODE}mapping: {{paths: [src/c]}}\n",
    "one.py": "",
    "src/a.py": "",
    "src/b/.yggdrasil/yg-config.yaml": "",
    "src/c/d.py": "",
    "docs/keep.md": "",
    "src/docs/x.py": "",
    "README.md": "",
    "keep.md": "",
    "x.py": "",
}


def test_files_owned_only_by_a_parent_and_excluded_files_are_reported(tmp_path: Path) -> None:
    root = write(tmp_path, NESTED)
    assert (
        coverage(root, "--depth", "0").text
        == """\
Coverage: 66.7% (4 of 6 files)
Owned only by a parent that maps the directory: 33.3% (2)
Excluded by the configuration: 3

directory  files  covered  blackbox  uncovered  share
./             6        4         0          2  66.7%
"""
    )
    assert uncovered(root) == ["keep.md", "x.py"]
    data = json.loads(coverage(root, "--json").text)
    assert faults_in(data) == []
    assert (data["total"]["parent"], data["excluded"]) == (2, 3)
    parents = {directory["directory"]: directory["parent"] for directory in data["directories"]}
    assert parents == {".": 2, "src": 2, "src/b": 1, "src/b/.yggdrasil": 1, "src/c": 0}


def test_who_owns_a_file_of_a_graph_is_the_same_for_every_command(tmp_path: Path) -> None:
    root = write(tmp_path, NESTED)
    nested = "src/b/.yggdrasil/yg-config.yaml"
    git(root, "init", "-q")
    git(root, "add", "one.py")
    git(root, "commit", "-q", "-m", "one")
    git(root, "init", "-q", "src/inner")
    write(root, {"src/inner/x.py": ""})
    files = (str(root / nested), str(root / "src/inner/x.py"))
    owners = json.loads(run("owner", "-C", str(root), "--json", *files).text)["files"]
    assert [owner["node"] for owner in owners] == ["p", None]
    assert "src/inner/x.py" not in uncovered(root)
    diff = json.loads(run("impact", "-C", str(root), "--diff", "--json").text)
    changed = {source["path"]: source["node"] for source in diff["sources"]}
    assert (changed[nested], changed["src/inner"]) == ("p", None)
    unowned = json.loads(run("preflight", "-C", str(root), "--json").text)["unowned"]
    assert unowned == uncovered(root) == ["keep.md", "x.py"]
    assert run("drift-sync", "-C", str(root), "p").code == 0
    state = json.loads((root / ".yggdrasil/.drift-state/p.json").read_bytes())
    sources = [path for path in state["files"] if not path.startswith(".yggdrasil/")]
    assert sources == ["one.py", "src/a.py", nested, "src/docs/x.py"]
