"""`yg validate`: exit codes, scopes and formats, and repositories that mean no good."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from schemas import faults
from support import git, run, run_shop
from yggdrasil.rules.cases import CONFIG, NODE, SCHEMAS, calls, maps

FORMATS = ("text", "json", "sarif", "github", "junit")
needs_closed_doors = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to root"
)


def write(root: Path, files: Mapping[str, str | bytes], **sources: str) -> Path:
    """Write a graph that has a configuration and schemas, and source files beside it."""
    graph = {"yg-config.yaml": CONFIG, **dict.fromkeys(SCHEMAS, ""), **files}
    every = {**{f".yggdrasil/{path}": text for path, text in graph.items()}, **sources}
    for path, text in every.items():
        file = os.path.join(os.fsencode(root), os.fsencode(path))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode())
    return root


SOUND = {"model/a/yg-node.yaml": NODE, "model/a/b/yg-node.yaml": NODE}
WARNED = {**SOUND, "model/c/yg-node.yaml": f"{NODE}zzz: 1\n"}
BROKEN = {**WARNED, "model/d/yg-node.yaml": calls("a", "gone")}


# Exit codes.


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("files", "code"), [(SOUND, 0), (WARNED, 0), (BROKEN, 1)])
def test_errors_alone_make_it_fail_in_every_format(
    tmp_path: Path, files: dict[str, str], code: int, form: str
) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, files)), "--format", form)
    assert (outcome.code, outcome.notes) == (code, "")


def test_the_example_is_sound() -> None:
    outcome = run_shop("validate")
    assert outcome.text.startswith("No issues found. ")
    assert (outcome.code, outcome.notes) == (0, "")


def test_without_a_graph_it_says_how_to_start_one(tmp_path: Path) -> None:
    outcome = run("validate", "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", 1)
    assert "No .yggdrasil/ directory found. Run 'yg init' first." in outcome.notes


@pytest.mark.parametrize(
    "argv",
    [("--format", "xml"), ("--fail-on", "all"), ("a", "b"), ("a", "--scope", "b"), ("--scope", "")],
    ids=" ".join,
)
def test_wrong_usage_is_not_a_finding(tmp_path: Path, argv: tuple[str, ...]) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, SOUND)), *argv)
    assert (outcome.text, outcome.code) == ("", 2)
    assert outcome.notes.startswith("error: ")


@pytest.mark.parametrize(
    ("files", "argv", "code"),
    [
        ("warning", (), 0),
        ("warning", ("--fail-on", "error"), 0),
        ("warning", ("--fail-on", "warning"), 1),
        ("warning", ("--strict",), 1),
        ("warning", ("--strict", "--fail-on", "never"), 0),
        ("error", (), 1),
        ("error", ("--strict",), 1),
        ("error", ("--fail-on=never",), 0),
        ("sound", ("--strict",), 0),
    ],
)
def test_the_exit_code_follows_fail_on(
    tmp_path: Path, files: str, argv: tuple[str, ...], code: int
) -> None:
    graphs = {"sound": SOUND, "warning": STRANGE, "error": BROKEN}
    root = str(write(tmp_path, graphs[files]))
    for form in ("text", "json", "sarif", "github", "junit"):
        assert run("validate", "-C", root, "--format", form, *argv).code == code


STRANGE = {**SOUND, "model/a/yg-node.yaml": f"{NODE}zzz: 1\n"}


@pytest.mark.parametrize(
    ("level", "last", "code"),
    [
        ("error", "1 error, 0 warnings. 2 nodes checked.", 1),
        ("warning", "0 errors, 1 warning. 2 nodes checked.", 0),
        ("off", "No issues found. 2 nodes checked.", 0),
    ],
)
def test_the_configuration_sets_the_level_of_a_rule(
    tmp_path: Path, level: str, last: str, code: int
) -> None:
    files = {**STRANGE, "yg-config.yaml": f"{CONFIG}rules: {{W016: {level}}}\n"}
    root = str(write(tmp_path, files))
    outcome = run("validate", "-C", root)
    assert (outcome.text.splitlines()[-1], outcome.code) == (last, code)
    assert run("build-context", "a", "-C", root).code == 0
    severities = [
        issue["severity"]
        for issue in json.loads(run("validate", "-C", root, "--json").text)["issues"]
    ]
    assert severities == ([] if level == "off" else [level])
    github = run("validate", "-C", root, "--format", "github").text
    assert github.startswith("" if level == "off" else f"::{level} ")
    page = run("explain", "W016", "-C", root).text.splitlines()[0]
    shown = "warning" if level == "warning" else f"{level} here; warning by default"
    assert page == f"W016 unknown-key ({shown})"


def test_an_error_that_the_configuration_tries_to_lower_stays_one(tmp_path: Path) -> None:
    root = str(write(tmp_path, {**BROKEN, "yg-config.yaml": f"{CONFIG}rules: {{E004: off}}\n"}))
    found = json.loads(run("validate", "-C", root, "--json").text)
    assert [issue["code"] for issue in found["issues"] if issue["severity"] == "error"] == [
        "E004",
        "E012",
    ]
    assert run("build-context", "a", "-C", root).code == 1


def test_a_scope_without_the_cause_shows_its_issue_on_its_own(tmp_path: Path) -> None:
    files = {**SOUND, "model/bad/yg-node.yaml": "", "model/d/yg-node.yaml": calls("bad")}
    root = str(write(tmp_path, files))
    whole = json.loads(run("validate", "-C", root, "--json").text)
    assert [(issue["code"], issue["follows"]) for issue in whole["issues"]] == [
        ("E001", None),
        ("E004", {"code": "E001", "subject": "bad"}),
    ]
    assert (whole["errors"], whole["following"], whole["nodes"]) == (1, 1, 4)
    part = json.loads(run("validate", "-C", root, "--json", "--scope", "d").text)
    assert [(issue["code"], issue["follows"]) for issue in part["issues"]] == [("E004", None)]
    assert (part["errors"], part["following"], part["nodes"]) == (1, 0, 1)


def test_a_configuration_that_cannot_be_parsed_is_a_finding_among_others(tmp_path: Path) -> None:
    files = {**BROKEN, "yg-config.yaml": "name: [\n"}
    outcome = run("validate", "-C", str(write(tmp_path, files)), "--json")
    assert [issue["code"] for issue in json.loads(outcome.text)["issues"]] == [
        "E004",
        "E012",
        "W016",
    ]
    assert outcome.code == 1


# Scopes.


@pytest.mark.parametrize("argv", [(), ("all",), ("--scope", "all"), ("--scope", "."), (".",)])
def test_everything_is_checked_unless_a_part_is_named(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, BROKEN)), *argv)
    assert outcome.text.endswith("\n1 error, 1 warning. 4 nodes checked.\n")


@pytest.mark.parametrize(
    "argv",
    [("a",), ("--scope", "a"), ("./a/",), ("model/a",), ("--scope", "model/a/"), ("a/../a",)],
)
def test_a_scope_may_be_spelled_in_many_ways(tmp_path: Path, argv: tuple[str, ...]) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, BROKEN)), *argv)
    assert (outcome.text, outcome.code) == ("No issues found. 2 nodes checked.\n", 0)


def test_the_errors_of_another_part_do_not_make_a_scope_fail(tmp_path: Path) -> None:
    root = str(write(tmp_path, BROKEN))
    assert [run("validate", "-C", root, scope).code for scope in "acd"] == [0, 0, 1]
    assert json.loads(run("validate", "-C", root, "a/b", "--json").text)["scope"] == "a/b"


@pytest.mark.parametrize("scope", ["bb", "../a", "/a", "a/b/c", "A"])
def test_a_scope_that_does_not_exist_is_named(tmp_path: Path, scope: str) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, BROKEN)), "--scope", scope)
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith(f"error: no node at '{scope}'\n  ")


def test_a_scope_that_does_not_exist_is_named_in_json(tmp_path: Path) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, BROKEN)), "--scope", "dd", "--json")
    error = json.loads(outcome.notes)
    assert (outcome.text, outcome.code) == ("", 1)
    assert (error["code"], error["message"]) == ("not-found", "no node at 'dd'")
    assert error["hint"] == "Did you mean 'd'?"


def test_a_node_that_cannot_be_read_is_a_scope_too(tmp_path: Path) -> None:
    root = write(tmp_path, {"model/a/yg-node.yaml": "", "model/b/yg-node.yaml": ""})
    text = run("validate", "-C", str(root), "a").text
    assert [line[:6] for line in text.split("\n") if line.startswith("E")] == ["E001 a"]


# Formats.


def test_json_follows_its_schema(tmp_path: Path) -> None:
    for files in (SOUND, WARNED, BROKEN):
        outcome = run("validate", "-C", str(write(tmp_path, files)), "--json")
        assert faults(outcome.text) == []


def test_json_shows_each_issue_with_its_place_and_fix(tmp_path: Path) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, BROKEN)), "--format=json")
    document = json.loads(outcome.text)
    fix = document["issues"][0].pop("fix")
    assert {key: value for key, value in document.items() if key != "issues"} == {
        "schema": "yg-validate/1",
        "scope": "all",
        "nodes": 4,
        "errors": 1,
        "warnings": 1,
        "following": 0,
    }
    assert document["issues"][0] == {
        "code": "E004",
        "rule": "broken-relation",
        "severity": "error",
        "subject": "d",
        "message": "relation to 'gone' does not resolve",
        "file": ".yggdrasil/model/d/yg-node.yaml",
        "line": 5,
        "column": 14,
        "advice": ["Existing nodes in model/: a, c"],
        "follows": None,
    }
    assert fix.endswith(".")


def test_sarif_has_a_result_for_each_issue(tmp_path: Path) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, BROKEN)), "--format", "sarif")
    (sarif_run,) = json.loads(outcome.text)["runs"]
    assert [result["ruleId"] for result in sarif_run["results"]] == ["E004", "W016"]


def test_github_gets_a_command_for_each_issue(tmp_path: Path) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, BROKEN)), "--format", "github")
    error, warning, end = outcome.text.split("\n")
    assert error.startswith(
        "::error file=.yggdrasil/model/d/yg-node.yaml,line=5,col=14,title=E004 "
    )
    assert warning.startswith("::warning file=.yggdrasil/model/c/yg-node.yaml,line=3,col=1,")
    assert end == ""


def test_junit_fails_for_the_rules_that_found_errors(tmp_path: Path) -> None:
    outcome = run("validate", "-C", str(write(tmp_path, BROKEN)), "--format", "junit")
    suites = ET.fromstring(outcome.text)  # noqa: S314
    failed = [
        case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None
    ]
    assert failed == ["E004 broken-relation"]


def test_below_the_root_of_a_git_repository_services_are_told_the_whole_path(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "--quiet")
    root = str(write(tmp_path / "apps" / "shop", BROKEN))
    file = "apps/shop/.yggdrasil/model/d/yg-node.yaml"
    assert f"::error file={file}," in run("validate", "-C", root, "--format", "github").text
    assert f'"uri": "{file}"' in run("validate", "-C", root, "--format", "sarif").text
    assert "apps/shop" not in run("validate", "-C", root).text


def test_it_answers_the_same_from_every_directory_of_the_repository(tmp_path: Path) -> None:
    root = write(tmp_path, BROKEN, **{"src/deep/a.py": ""})
    from_root = run("validate", "-C", str(root))
    for place in ("src", "src/deep", ".yggdrasil", ".yggdrasil/model/a"):
        assert run("validate", "-C", str(root / place)) == from_root


def test_it_writes_nothing(tmp_path: Path) -> None:
    root = write(tmp_path, BROKEN, **{"src/a.py": ""})
    before = sorted(root.rglob("*"))
    run("validate", "-C", str(root))
    assert sorted(root.rglob("*")) == before


# Commits.


def test_a_commit_is_judged_as_it_was(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    write(tmp_path, {**BROKEN, "model/m/yg-node.yaml": maps("src/a.py")}, **{"src/a.py": ""})
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=broken")
    write(tmp_path, {"model/d/yg-node.yaml": NODE, "model/c/yg-node.yaml": NODE})
    (tmp_path / "src" / "a.py").unlink()
    then = run("validate", "-C", str(tmp_path), "--at", "HEAD", "--json")
    now = run("validate", "-C", str(tmp_path), "--json")
    found = [[issue["code"] for issue in json.loads(item.text)["issues"]] for item in (then, now)]
    assert found == [["E004", "W016"], ["W012"]]
    assert (then.code, now.code) == (1, 0)


def test_a_commit_that_does_not_exist_is_named(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    write(tmp_path, SOUND)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=one")
    outcome = run("validate", "-C", str(tmp_path), "--at", "nowhere")
    assert (outcome.text, outcome.code) == ("", 1)
    assert "'nowhere'" in outcome.notes


# Repositories that mean no good.


def issues_in(root: Path) -> list[tuple[str, str, str]]:
    document: dict[str, Any] = json.loads(run("validate", "-C", str(root), "--json").text)
    return [(issue["code"], issue["subject"], issue["message"]) for issue in document["issues"]]


def test_pipes_and_sockets_are_reported_and_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {**SOUND, "model/m/yg-node.yaml": maps("pipe", "src")}, **{"src/a.py": ""})
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "src" / "pipe")
    os.mkfifo(tmp_path / ".yggdrasil" / "model" / "a" / "responsibility.md")
    os.mkfifo(tmp_path / ".yggdrasil" / "flows")
    monkeypatch.chdir(tmp_path / ".yggdrasil" / "model" / "m")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        found = issues_in(tmp_path)
    assert sorted(code for code, _, _ in found) == ["E020", "E021", "E021", "E021"]
    assert ("E020", "m", "mapping 'pipe' is not a plain file or directory") in found
    assert ("E021", "m", "'socket' cannot be read: not a regular file") in found


@pytest.mark.parametrize("name", ["yg-config.yaml", "model/a/yg-node.yaml"])
def test_a_pipe_in_place_of_a_declaration_is_reported(tmp_path: Path, name: str) -> None:
    write(tmp_path, SOUND)
    (tmp_path / ".yggdrasil" / name).unlink()
    os.mkfifo(tmp_path / ".yggdrasil" / name)
    ((code, _, message),) = issues_in(tmp_path)
    assert (code, message.split(": ")[-1]) == ("E021", "not a regular file")


def test_links_are_not_followed_wherever_they_lead(tmp_path: Path) -> None:
    write(tmp_path, {**SOUND, "model/m/yg-node.yaml": maps("link", "src/loop/a.py")})
    write(tmp_path, {}, **{"src/a.py": "", "secret/yg-node.yaml": "["})
    graph = tmp_path / ".yggdrasil"
    (graph / "model" / "loop").symlink_to("..", target_is_directory=True)
    (graph / "model" / "secret").symlink_to(tmp_path / "secret", target_is_directory=True)
    (graph / "model" / "a" / "responsibility.md").symlink_to("/etc/hostname")
    (graph / "model" / "a" / "gone.md").symlink_to("nowhere")
    (tmp_path / "link").symlink_to("src", target_is_directory=True)
    (tmp_path / "src" / "loop").symlink_to(".", target_is_directory=True)
    codes = [code for code, _, _ in issues_in(tmp_path)]
    assert codes == ["E020", "E020", "W019", "W019", "W019", "W019"]


def test_a_linked_graph_is_judged_like_any_other(tmp_path: Path) -> None:
    elsewhere = write(tmp_path / "elsewhere", BROKEN)
    (tmp_path / ".yggdrasil").symlink_to("elsewhere/.yggdrasil")
    assert run("validate", "-C", str(tmp_path)) == run("validate", "-C", str(elsewhere))


HOSTILE = {
    "model/new\nline/yg-node.yaml": calls("gone"),
    "model/\x1b[2J/yg-node.yaml": calls("gone"),
    "model/<a href='x'>&amp;]]>/yg-node.yaml": calls("gone"),
    "model/::error file=x,line=1::%0A/yg-node.yaml": calls("gone"),
    'model/"quoted" \\ back/yg-node.yaml': calls("gone"),
    "model/\u202egnp/yg-node.yaml": calls("gone"),
    "model/a/b\udcff.md": "",
    "model/all/yg-node.yaml": calls("gone"),
    "model/ /yg-node.yaml": calls("gone"),
}


def test_hostile_names_break_no_format(tmp_path: Path) -> None:
    root = str(write(tmp_path, {**SOUND, **HOSTILE}))
    texts = {form: run("validate", "-C", root, "--format", form).text for form in FORMATS}
    count = len(HOSTILE)
    assert len([line for line in texts["text"].split("\n") if line.startswith("E0")]) == count
    assert "\x1b" not in texts["text"]
    assert len(json.loads(texts["json"])["issues"]) == count
    assert len(json.loads(texts["sarif"])["runs"][0]["results"]) == count
    assert len(texts["github"].rstrip("\n").split("\n")) == count
    assert r"b\377.md" in texts["github"]
    ET.fromstring(texts["junit"])  # noqa: S314


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_names_are_written_as_utf_8_by_the_program(tmp_path: Path, form: str) -> None:
    write(tmp_path, {**SOUND, **HOSTILE})
    argv = [sys.executable, "-m", "yg", "validate", "-C", str(tmp_path), "--format", form]
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    done = subprocess.run(argv, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    text = done.stdout.decode("utf-8")
    if form == "json":
        assert faults(text) == []
    elif form == "sarif":
        json.loads(text)
    elif form == "junit":
        ET.fromstring(text)  # noqa: S314


def test_a_large_source_file_is_searched_to_its_end(tmp_path: Path) -> None:
    node = f"{maps('big.bin')}aspects: [{{aspect: x, anchors: [last, never]}}]\n"
    write(tmp_path, {"model/m/yg-node.yaml": node, "aspects/x/yg-aspect.yaml": "name: X\n"})
    with open(tmp_path / "big.bin", "wb") as file:
        file.seek(40_000_000)
        file.write(b"the last words")
    ((code, _, message),) = issues_in(tmp_path)
    assert (code, message) == ("W014", "anchor 'never' of aspect 'x' is not in any mapped file")


def test_an_ignored_directory_is_reported_and_a_tracked_file_in_it_is_enough(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "--quiet")
    node = maps("build", "gen")
    sources = {"build/a.js": "", "gen/a.py": "", ".gitignore": "build/\ngen/\n"}
    write(tmp_path, {"model/m/yg-node.yaml": node}, **sources)
    git(tmp_path, "add", "--force", "gen/a.py")
    assert issues_in(tmp_path) == [("W017", "m", "mapped directory 'build' is ignored by git")]


@needs_closed_doors
def test_what_may_not_be_read_is_reported(tmp_path: Path) -> None:
    write(tmp_path, {**SOUND, "model/a/responsibility.md": "", "model/c/yg-node.yaml": NODE})
    closed = [tmp_path / ".yggdrasil" / "model" / name for name in ("a/responsibility.md", "c")]
    for path in closed:
        path.chmod(0)
    try:
        found = issues_in(tmp_path)
    finally:
        for path in closed:
            path.chmod(0o700)
    assert found == [
        ("E021", "a", "'responsibility.md' cannot be read: permission denied"),
        ("E021", "c", "'c' cannot be read: permission denied"),
    ]
