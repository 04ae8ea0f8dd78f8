"""`yg coverage`: how many files some node owns, and which have no owner."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from graphs import git, graph_from, write
from yg.commands.coverage import CoverageReport
from yg.commands.explain import json_schema
from yg.surfaces.cli.main import Outcome, answer
from yg.yggdrasil.coverage import coverage_of


def node(*mapped: str, more: str = "") -> str:
    return f"name: N\ntype: service\nmapping: {{paths: {json.dumps(mapped)}}}\n{more}"


FILES = {
    "model/all/yg-node.yaml": node("src/a", "src/shared.py"),
    "model/all/one/yg-node.yaml": node("src/a/deep/one.py"),
    "model/old/yg-node.yaml": node("legacy", more="blackbox: true\n"),
    "src/a/x.py": "",
    "src/a/deep/one.py": "",
    "src/a/deep/two.py": "",
    "src/shared.py": "",
    "src/free.py": "",
    "legacy/l.c": "",
    "README.md": "",
}
CONFIG = "name: t\nnode_types: {service: {description: S}}\nartifacts: {i.md: {}}\n"
TABLE = """\
Coverage: 71.4% (5 of 7 files)

directory  files  covered  blackbox  uncovered   share
./             7        4         1          2   71.4%
legacy/        1        0         1          0  100.0%
src/           5        4         0          1   80.0%
src/a/         3        3         0          0  100.0%
"""


def coverage(root: Path, files: dict[str, str], *words: str) -> Outcome:
    place = write(root, {"yg-config.yaml": CONFIG, **files})
    return answer(["coverage", "-C", str(place), *words])


def test_directories_are_counted_two_levels_deep(tmp_path: Path) -> None:
    assert coverage(tmp_path, FILES) == Outcome(TABLE)


def test_uncovered_files_are_listed_and_fail(tmp_path: Path) -> None:
    expected = Outcome("README.md\nsrc/free.py\n", "", 1)
    assert coverage(tmp_path, FILES, "--uncovered") == expected
    rest = {"model/rest/yg-node.yaml": node(".")}
    assert coverage(tmp_path, {**FILES, **rest}, "--uncovered") == Outcome("")


def test_json_has_every_directory_and_the_uncovered_files(tmp_path: Path) -> None:
    found = coverage(tmp_path, FILES, "--json")
    document = json.loads(found.text)
    jsonschema.validate(document, json_schema(CoverageReport))
    keys = ("directory", "files", "covered", "blackbox", "uncovered", "percent")
    directories = [
        dict(zip(keys, values, strict=True))
        for values in (
            (".", 7, 4, 1, 2, 71.43),
            ("legacy", 1, 0, 1, 0, 100.0),
            ("src", 5, 4, 0, 1, 80.0),
            ("src/a", 3, 3, 0, 0, 100.0),
            ("src/a/deep", 2, 2, 0, 0, 100.0),
        )
    ]
    assert (found.code, document) == (
        0,
        {
            "schema": "yg-coverage/1",
            "total": directories[0],
            "directories": directories,
            "uncovered": ["README.md", "src/free.py"],
            "excluded": 0,
            "skipped": [],
        },
    )
    listed = coverage(tmp_path, FILES, "--uncovered", "--json")
    assert (listed.code, json.loads(listed.text)) == (1, {**document, "lists_uncovered": True})


def test_a_repository_without_files_is_covered(tmp_path: Path) -> None:
    found = coverage(tmp_path, {})
    assert found.text.startswith("Coverage: 100.0% (0 of 0 files)\n")


def test_a_hundred_percent_is_every_file(tmp_path: Path) -> None:
    files = {f"src/f{number}.py": "" for number in range(3_000)}
    found = coverage(tmp_path, {**files, "x": "", "model/n/yg-node.yaml": node("src")}, "--json")
    assert json.loads(found.text)["total"]["percent"] == 99.97
    text = coverage(tmp_path, {}).text
    assert text.startswith("Coverage: 99.9% (3000 of 3001 files)\n")


def test_only_files_as_git_sees_them_count(tmp_path: Path) -> None:
    more = {".gitignore": "*.log\n", "x.log": "", "tracked.log": "", "deleted.py": ""}
    write(tmp_path, {**FILES, **more, "inner/y.py": ""})
    os.symlink("README.md", tmp_path / "link")
    os.symlink("src", tmp_path / "linked")
    for repository in (tmp_path, tmp_path / "inner"):
        git(repository, "init", "-q")
    git(tmp_path, "add", "-f", "tracked.log", "deleted.py")
    os.remove(tmp_path / "deleted.py")
    found = json.loads(coverage(tmp_path, {}, "--json").text)
    assert found["uncovered"] == [".gitignore", "README.md", "src/free.py", "tracked.log"]


def test_what_yg_writes_does_not_count(tmp_path: Path) -> None:
    rules = (".cursor/rules/yggdrasil.mdc", ".roo/rules/yggdrasil.md")
    files = {**FILES, **dict.fromkeys(rules, ""), ".yggdrasil/agent-rules.md": ""}
    assert coverage(tmp_path, files) == Outcome(TABLE)


def test_excluded_files_do_not_count(tmp_path: Path) -> None:
    config = {"yg-config.yaml": f'{CONFIG}coverage: {{exclude: ["*.md", /legacy/]}}\n'}
    assert coverage(tmp_path, {**FILES, **config}) == Outcome(
        "Coverage: 80.0% (4 of 5 files)\n"
        "Excluded by the configuration: 2\n"
        "\n"
        "directory  files  covered  blackbox  uncovered   share\n"
        "./             5        4         0          1   80.0%\n"
        "src/           5        4         0          1   80.0%\n"
        "src/a/         3        3         0          0  100.0%\n"
    )


def test_names_do_not_play_with_the_terminal(tmp_path: Path) -> None:
    files = {"ä ö/x.py": "", "e\x1b[1m/y.py": "", "z\udcff": ""}
    assert coverage(tmp_path, files, "--uncovered").text == ("e\\x1b[1m/y.py\nz\\377\nä ö/x.py\n")


def test_a_node_that_cannot_be_read_owns_nothing_and_is_named(tmp_path: Path) -> None:
    bad = {"model/old/yg-node.yaml": "name: [\n"}
    found = coverage(tmp_path, {**FILES, **bad}, "--uncovered")
    place = ".yggdrasil/model/old/yg-node.yaml:1:7"
    assert found == Outcome(
        "README.md\nlegacy/l.c\nsrc/free.py\n",
        f"skipped old: not valid YAML: '[' is not closed ({place})\n",
        1,
    )


def test_a_configuration_that_cannot_be_used_is_the_one_error(tmp_path: Path) -> None:
    found = coverage(tmp_path, {**FILES, "yg-config.yaml": "name: ''\n"})
    assert (found.text, found.code) == ("", 1)
    assert "error: the configuration cannot be used" in found.notes


def test_the_coverage_of_a_commit_counts_its_files(tmp_path: Path) -> None:
    write(tmp_path, {"yg-config.yaml": CONFIG, **FILES})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    write(tmp_path, {"later.py": "", "model/later/yg-node.yaml": node("README.md")})
    os.remove(tmp_path / "src/a/x.py")
    assert coverage(tmp_path, {}, "--at", "HEAD") == Outcome(TABLE)


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)


@given(
    st.dictionaries(st.sampled_from("mnop"), st.tuples(PATHS, st.booleans()), max_size=4),
    st.sets(PATHS),
)
def test_every_directory_counts_the_files_below_it(
    mapped: dict[str, tuple[str, bool]], files: set[str]
) -> None:
    nodes = {
        f"model/{name}/yg-node.yaml": node(path, more=f"blackbox: {str(is_blackbox).lower()}\n")
        for name, (path, is_blackbox) in mapped.items()
    }
    found = coverage_of(graph_from(nodes), files)

    def kind(file: str) -> str:
        ways = [entry for entry in sorted(mapped.values()) if f"{file}/".startswith(f"{entry[0]}/")]
        longest = [entry for entry in ways if entry[0] == ways[-1][0]]
        # Of several nodes with one path, the first by path is asked.
        names = sorted(name for name, entry in mapped.items() if entry in longest)
        return ("blackbox" if mapped[names[0]][1] else "covered") if names else "uncovered"

    above = {file[:at] for file in files for at in range(len(file)) if file[at] == "/"}
    assert {tally.directory for tally in found.tallies} == {".", *above}
    for tally in found.tallies:
        start = "" if tally.directory == "." else f"{tally.directory}/"
        kinds = [kind(file) for file in files if file.startswith(start)]
        counted = (tally.covered, tally.blackbox, tally.uncovered)
        assert counted == tuple(map(kinds.count, ("covered", "blackbox", "uncovered")))
        assert tally.files == len(kinds)
    assert found.uncovered == tuple(sorted(file for file in files if kind(file) == "uncovered"))
