"""`yg validate`: the text and the data of issues, scopes, levels, new issues and exit codes."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphs import CONFIG, NODE, SCHEMAS, git, write
from yg.surfaces.cli.main import Outcome, answer

FORMATS = ("text", "json", "sarif", "github")
TEXT = "What this node is there for, in some fifty characters.\n"


def calls(*targets: str) -> str:
    return f"{NODE}relations:\n" + "".join(
        f"  - {{target: {target}, type: calls}}\n" for target in targets
    )


def maps(*paths: str) -> str:
    return f"{NODE}mapping: {{paths: [{', '.join(paths)}]}}\n"


def made(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a repository whose graph has a configuration and schemas."""
    return write(root, {"yg-config.yaml": CONFIG, **SCHEMAS, **files})


def run(root: Path, *words: str) -> Outcome:
    return answer(["validate", "-C", str(root), *words])


def data(root: Path, *words: str) -> Any:
    return json.loads(run(root, *words, "--json").text)


def found(root: Path, *words: str) -> list[tuple[str, str, str]]:
    """Return code, subject and message of each issue."""
    issues = data(root, *words)["issues"]
    return [(issue["code"], issue["subject"], issue["message"]) for issue in issues]


def codes(root: Path, *words: str) -> list[str]:
    return [code for code, *_ in found(root, *words)]


SOUND = {"model/a/yg-node.yaml": NODE, "model/a/b/yg-node.yaml": NODE}
WARNED = {**SOUND, "model/c/yg-node.yaml": f"{NODE}zzz: 1\nrelation: []\n"}
BROKEN = {**WARNED, "model/d/yg-node.yaml": calls("a", "gone")}
BROKEN_TEXT = """\
E004 d -> relation to 'gone' does not resolve.
  Existing nodes in model/: a, c
  .yggdrasil/model/d/yg-node.yaml:5:14
W016 c -> unknown key 'zzz'.
  Known keys: name, type, description, aspects, blackbox, relations, mapping
  .yggdrasil/model/c/yg-node.yaml:3:1
W016 c -> unknown key 'relation'.
  Did you mean 'relations'?
  .yggdrasil/model/c/yg-node.yaml:4:1

1 error, 2 warnings. 4 nodes checked.
"""


# Text and data.


def test_a_message_ends_with_its_place_and_errors_come_first(tmp_path: Path) -> None:
    root = made(tmp_path, BROKEN)
    assert run(root) == Outcome(BROKEN_TEXT, code=1)
    assert answer(["check", "-C", str(root)]) == Outcome(BROKEN_TEXT, code=1)


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({}, "No issues found. 0 nodes checked.\n"),
        ({"model/a/yg-node.yaml": NODE}, "No issues found. 1 node checked.\n"),
        (SOUND, "No issues found. 2 nodes checked.\n"),
    ],
)
def test_without_issues_there_is_one_line(tmp_path: Path, files: dict[str, str], text: str) -> None:
    assert run(made(tmp_path, files)) == Outcome(text)


def test_data_has_each_issue_with_its_place_and_fix(tmp_path: Path) -> None:
    document = data(made(tmp_path, BROKEN))
    issues = document.pop("issues")
    assert document == {
        "schema": "yg-validate/1",
        "scope": "all",
        "nodes": 4,
        "errors": 1,
        "warnings": 2,
        "following": 0,
    }
    assert issues[0].pop("fix").endswith(".")
    assert issues[0] == {
        "code": "E004",
        "rule": "broken-relation",
        "severity": "error",
        "subject": "d",
        "message": "relation to 'gone' does not resolve",
        "file": ".yggdrasil/model/d/yg-node.yaml",
        "line": 5,
        "column": 14,
        "advice": ["Existing nodes in model/: a, c"],
    }


def test_a_file_as_a_whole_has_no_line(tmp_path: Path) -> None:
    root = made(tmp_path, {"model/a/yg-node.yaml": b"\xff"})
    (issue,) = data(root)["issues"]
    assert (issue["code"], issue["line"], issue["column"]) == ("E021", None, None)
    assert "\n  .yggdrasil/model/a/yg-node.yaml\n" in run(root).text


def test_issues_that_follow_are_counted(tmp_path: Path) -> None:
    files = {
        "model/bad/yg-node.yaml": "",
        "model/a/yg-node.yaml": calls("bad"),
        "flows/f/yg-flow.yaml": "name: F\nnodes: [bad, a]\naspects: [x]\n",
        "aspects/x/yg-aspect.yaml": "name: 1\n",
        "model/b/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n",
        "aspects/y/yg-aspect.yaml": "name: Y\nimplies: [x]\n",
    }
    root = made(tmp_path, files)
    assert run(root).text.endswith(
        "\n2 errors (and 5 that follow from them), 0 warnings. 3 nodes checked.\n"
    )
    document = data(root)
    assert [issue["code"] for issue in document["issues"]] == ["E018", "E001"]
    assert (document["errors"], document["following"], document["nodes"]) == (2, 5, 3)


def test_an_unknown_key_is_one_issue_with_the_number_of_files(tmp_path: Path) -> None:
    files = {f"model/{name}/yg-node.yaml": f"{NODE}owner: me\n" for name in "cab"}
    root = made(tmp_path, {**files, "model/b/yg-node.yaml": f"{NODE}owner: me\nteam: us\n"})
    assert found(root) == [
        ("W016", "a", "unknown key 'owner' in 3 files"),
        ("W016", "b", "unknown key 'team'"),
    ]
    assert codes(root, "--scope", "c") == ["W016"]


# Exit codes.


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("files", "words", "code"),
    [
        (SOUND, (), 0),
        (SOUND, ("--strict",), 0),
        (WARNED, (), 0),
        (WARNED, ("--strict",), 1),
        (BROKEN, (), 1),
        (BROKEN, ("--scope", "a", "--strict"), 0),
    ],
)
def test_errors_fail_and_warnings_only_if_asked_in_every_format(
    tmp_path: Path, files: dict[str, str], words: tuple[str, ...], code: int, form: str
) -> None:
    outcome = run(made(tmp_path, files), *words, "--format", form)
    assert (outcome.code, outcome.notes) == (code, "")


@pytest.mark.parametrize(
    "words", [("--format", "xml"), ("a", "b"), ("a", "--scope", "b"), ("--scope",), ("--fix",)]
)
def test_wrong_usage_is_not_a_finding(tmp_path: Path, words: tuple[str, ...]) -> None:
    outcome = run(made(tmp_path, SOUND), *words)
    assert (outcome.text, outcome.code) == ("", 2)
    assert outcome.notes.startswith("error: ")


def test_without_a_graph_it_says_how_to_start_one(tmp_path: Path) -> None:
    notes = "error: No .yggdrasil/ directory found. Run 'yg init' first.\n"
    assert run(tmp_path) == Outcome("", notes, 1)


# Scopes.


@pytest.mark.parametrize("words", [(), ("all",), ("--scope", "all"), ("--scope", "."), ("model",)])
def test_everything_is_checked_unless_a_part_is_named(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert run(made(tmp_path, BROKEN), *words).text == BROKEN_TEXT


@pytest.mark.parametrize("words", [("a",), ("--scope", "a"), ("./a/",), ("model/a",), ("a/../a",)])
def test_a_scope_may_be_spelled_in_many_ways(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert run(made(tmp_path, BROKEN), *words) == Outcome("No issues found. 2 nodes checked.\n")


def test_a_scope_has_a_node_its_descendants_and_what_belongs_to_no_node(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/b/yg-node.yaml": calls("gone"),
        "model/ab/yg-node.yaml": calls("gone"),
        "flows/f/yg-flow.yaml": "name: F\nnodes: [gone]\n",
        "aspects/x/yg-aspect.yaml": "",
    }
    root = made(tmp_path, files)
    assert [(code, subject) for code, subject, _ in found(root, "a")] == [
        ("E018", "aspects/x"),
        ("E006", "flows/f"),
        ("E004", "a/b"),
    ]
    assert (data(root, "a/b")["scope"], data(root, "a/b")["nodes"]) == ("a/b", 1)


def test_a_node_or_a_directory_without_one_is_a_scope_too(tmp_path: Path) -> None:
    files = {"model/bad/yg-node.yaml": "", "model/x/a/yg-node.yaml": "", "model/y/yg-node.yaml": ""}
    root = made(tmp_path, files)
    assert [subject for _, subject, _ in found(root, "bad")] == ["bad"]
    assert [(code, subject) for code, subject, _ in found(root, "x")] == [
        ("E001", "x/a"),
        ("W013", "x"),
    ]


def test_an_issue_whose_cause_is_outside_the_scope_is_not_hidden(tmp_path: Path) -> None:
    root = made(tmp_path, {"model/bad/yg-node.yaml": "", "model/d/yg-node.yaml": calls("bad")})
    outcome = run(root, "d")
    assert outcome.code == 1
    assert outcome.text.startswith("E004 d -> relation to 'bad' does not resolve.\n")


@pytest.mark.parametrize("scope", ["bb", "../a", "/a", "a/b/c", "A"])
def test_a_scope_that_does_not_exist_is_named(tmp_path: Path, scope: str) -> None:
    outcome = run(made(tmp_path, BROKEN), "--scope", scope)
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith(f"error: no node at '{scope}'\n  ")


# Levels.


@pytest.mark.parametrize(
    ("level", "last", "code"),
    [
        ("error", "2 errors, 0 warnings. 3 nodes checked.", 1),
        ("warning", "0 errors, 2 warnings. 3 nodes checked.", 0),
        ("off", "No issues found. 3 nodes checked.", 0),
    ],
)
def test_the_configuration_sets_the_level_of_a_rule(
    tmp_path: Path, level: str, last: str, code: int
) -> None:
    root = made(tmp_path, {**WARNED, "yg-config.yaml": f"{CONFIG}rules: {{W016: {level}}}\n"})
    outcome = run(root)
    assert (outcome.text.splitlines()[-1], outcome.code) == (last, code)
    document = data(root)
    expected = [] if level == "off" else [level] * 2
    assert [issue["severity"] for issue in document["issues"]] == expected
    assert document["levels"] == {"W016": level}


@pytest.mark.parametrize(
    ("setting", "issue"),
    [
        ("E004: off", ("E012", "'rules' cannot set E004 (broken-relation) to 'off'")),
        ("E012: warning", ("E012", "'rules' cannot set E012 (invalid-config) to 'warning'")),
        ("W999: off", ("E012", "'rules' names 'W999', which is not a rule of this graph")),
        ("W032: off", ("W016", "'rules' names 'W032', which is not a rule any more")),
        ("W012: loud", ("E012", "the level of W012 cannot be 'loud'")),
    ],
)
def test_a_level_that_cannot_be_set_is_an_issue(
    tmp_path: Path, setting: str, issue: tuple[str, str]
) -> None:
    root = made(tmp_path, {**SOUND, "yg-config.yaml": f"{CONFIG}rules: {{{setting}}}\n"})
    assert found(root) == [(issue[0], "yg-config.yaml", issue[1])]
    column = 15 if "loud" in setting else 9
    assert run(root).text.splitlines()[2] == f"  .yggdrasil/yg-config.yaml:7:{column}"


@pytest.mark.parametrize("setting", ["E004: error", "W021: error", "W022: off"])
def test_other_levels_are_accepted(tmp_path: Path, setting: str) -> None:
    root = made(tmp_path, {**SOUND, "yg-config.yaml": f"{CONFIG}rules: {{{setting}}}\n"})
    assert found(root) == []


def test_of_the_errors_cycles_can_be_lowered(tmp_path: Path) -> None:
    cycle = {"model/a/yg-node.yaml": calls("b"), "model/b/yg-node.yaml": calls("a")}
    root = made(tmp_path, cycle)
    assert (codes(root), run(root).code) == (["E010"], 1)
    write(root, {"yg-config.yaml": f"{CONFIG}rules: {{E010: warning}}\n"})
    assert (codes(root), run(root).code) == (["E010"], 0)
    assert answer(["build-context", "a", "-C", str(root)]).code == 0


def test_everything_else_is_checked_without_a_configuration(tmp_path: Path) -> None:
    root = made(tmp_path, BROKEN)
    for config, code in (("name: [\n", "E012"), (b"\xff", "E021"), ("<<<<<<< x\n", "E025")):
        write(root, {"yg-config.yaml": config})
        assert codes(root) == ["E004", code, "W016", "W016"]
    os.unlink(root / ".yggdrasil/yg-config.yaml")
    assert codes(root) == ["E004", "E012", "W016", "W016"]


# New issues.

OLDER = "1 older issue not shown\n"


def commit(root: Path, files: Mapping[str, str | bytes] = {}) -> str:
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "x")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    """Return a repository on a branch, whose graph has an issue."""
    files = {"model/a/yg-node.yaml": f"{NODE}zzz: 1\n", "model/b/yg-node.yaml": NODE}
    root = made(tmp_path / "repository", {**files, "model/b/responsibility.md": TEXT})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "checkout", "-q", "-b", "feature")
    return root


def test_an_older_issue_is_only_counted(branch: Path) -> None:
    assert run(branch, "--strict").code == 1
    expected = Outcome(f"No new issues found. 2 nodes checked.\n{OLDER}")
    assert run(branch, "--strict", "--since", "main") == expected
    document = data(branch, "--since", "main")
    assert document["since"] == {
        "revision": "main",
        "commit": git(branch, "rev-parse", "main"),
        "older": 1,
    }
    assert run(branch, "--since", "main", "--format", "github").text == ""


def test_a_new_issue_alone_decides(branch: Path) -> None:
    write(branch, {"model/b/yg-node.yaml": calls("nowhere")})  # in the work tree only
    outcome = run(branch, "--since", "main")
    assert outcome == Outcome(
        "E004 b -> relation to 'nowhere' does not resolve.\n"
        "  Existing nodes in model/: a\n"
        "  .yggdrasil/model/b/yg-node.yaml:4:14\n\n"
        f"1 error, 0 warnings. 2 nodes checked.\n{OLDER}",
        code=1,
    )
    commit(branch)
    assert run(branch, "--since", "main") == outcome
    assert (
        run(branch, "--since", "main", "a").text == f"No new issues found. 1 node checked.\n{OLDER}"
    )


def test_the_last_common_commit_counts_not_the_tip_of_the_other_branch(branch: Path) -> None:
    git(branch, "checkout", "-q", "main")
    commit(branch, {"model/a/yg-node.yaml": NODE})  # which corrects the issue
    git(branch, "checkout", "-q", "feature")
    assert run(branch, "--since", "main").text.endswith(OLDER)


def test_an_issue_whose_line_or_measure_changes_is_the_same(branch: Path) -> None:
    config = CONFIG.replace("{included_in_relations: true}", "{required: always}", 1)
    quality = "quality: {min_artifact_length: 100}\n"
    commit(branch, {"yg-config.yaml": config + quality})
    assert "W001" in codes(branch)
    write(
        branch,
        {"model/a/yg-node.yaml": f"# x\n{NODE}\nzzz: 1\n", "model/b/responsibility.md": "B.\n"},
    )
    assert found(branch, "--since", "HEAD") == []


def test_numbers_in_names_make_another_issue(branch: Path) -> None:
    commit(branch, {"model/a/yg-node.yaml": calls("x1")})
    write(branch, {"model/a/yg-node.yaml": calls("x2")})
    assert [message for *_, message in found(branch, "--since", "HEAD")] == [
        "relation to 'x2' does not resolve"
    ]


def test_a_second_occurrence_is_new(branch: Path) -> None:
    commit(branch, {"model/a/yg-node.yaml": calls("x")})
    relations = f"{calls('x')}  - {{target: x, type: uses}}\n"
    write(branch, {"model/a/yg-node.yaml": relations})
    assert codes(branch, "--since", "HEAD") == ["E004"]


def test_a_new_reference_to_what_was_broken_before_is_not_hidden(branch: Path) -> None:
    commit(branch, {"model/bad/yg-node.yaml": ""})
    write(branch, {"model/b/yg-node.yaml": calls("bad")})
    assert run(branch, "--since", "HEAD").code == 1


def test_a_commit_without_a_graph_makes_every_issue_new(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": ""})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    root = made(tmp_path, WARNED)
    assert codes(root, "--since", "HEAD") == ["W016", "W016"]
    assert data(root, "--since", "HEAD")["since"]["older"] == 0


@pytest.mark.parametrize(
    ("words", "code", "notes"),
    [
        (("--since", "HEAD", "--at", "HEAD"), 2, "error: --since cannot be combined with --at\n"),
        (("--since", "gone"), 1, "error: there is no revision 'gone'\n"),
        (("--at", "gone"), 1, "error: there is no revision 'gone'\n"),
        (("--since", "other"), 1, "error: 'other' and HEAD have no commit in common\n"),
    ],
    ids=str,
)
def test_what_cannot_be_compared_is_refused(
    branch: Path, words: tuple[str, ...], code: int, notes: str
) -> None:
    git(branch, "checkout", "-q", "--orphan", "other")
    commit(branch, {"new.py": ""})
    git(branch, "checkout", "-q", "feature")
    outcome = run(branch, *words)
    assert (outcome.text, outcome.code) == ("", code)
    assert outcome.notes.startswith(notes)


def test_without_git_nothing_is_new(tmp_path: Path) -> None:
    outcome = run(made(tmp_path, WARNED), "--since", "HEAD")
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith("error: this is not a git repository")


def test_a_commit_is_judged_as_it_was(branch: Path) -> None:
    commit(branch, {**BROKEN, "model/m/yg-node.yaml": maps("src/a.py"), "src/a.py": ""})
    write(branch, {"model/d/yg-node.yaml": NODE, "model/c/yg-node.yaml": NODE})
    (branch / "src/a.py").unlink()
    assert (codes(branch, "--at", "HEAD"), codes(branch)) == (
        ["E004", "W016", "W016"],
        ["W012"],
    )


# Repositories that are not what they should be.


def test_pipes_and_sockets_are_reported_and_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made(tmp_path, {**SOUND, "model/m/yg-node.yaml": maps("pipe", "src"), "src/a.py": ""})
    os.mkfifo(root / "pipe")
    os.mkfifo(root / "src/pipe")
    os.mkfifo(root / ".yggdrasil/model/a/responsibility.md")
    os.mkfifo(root / ".yggdrasil/flows")
    monkeypatch.chdir(root / ".yggdrasil/model/m")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        issues = found(root)
    assert sorted(code for code, *_ in issues) == ["E020", "E021", "E021", "E021"]
    assert ("E020", "m", "mapping 'pipe' is not a plain file or directory") in issues
    assert ("E021", "m", "'socket' cannot be read: not a regular file") in issues


@pytest.mark.parametrize("name", ["yg-config.yaml", "model/a/yg-node.yaml"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "directory"])
def test_a_declaration_that_is_no_file_is_reported(tmp_path: Path, name: str, make: Any) -> None:
    root = made(tmp_path, {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": TEXT})
    (root / ".yggdrasil" / name).unlink()
    make(root / ".yggdrasil" / name)
    assert len(found(root)) >= 1
    assert run(root).code == 1


def test_links_are_not_followed_wherever_they_lead(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        {
            **SOUND,
            "model/m/yg-node.yaml": maps("link", "src/loop/a.py"),
            "src/a.py": "",
            "secret/yg-node.yaml": "[",
        },
    )
    model = root / ".yggdrasil/model"
    (model / "loop").symlink_to("..", target_is_directory=True)
    (model / "secret").symlink_to(root / "secret", target_is_directory=True)
    (model / "a/responsibility.md").symlink_to("/etc/hostname")
    (model / "a/gone.md").symlink_to("nowhere")
    (root / "link").symlink_to("src", target_is_directory=True)
    (root / "src/loop").symlink_to(".", target_is_directory=True)
    assert codes(root) == ["E020", "E020", "W019", "W019", "W019", "W019"]


HOSTILE = {
    f"model/{name}/yg-node.yaml": calls("gone")
    for name in (
        *("new\nline", "\x1b[2J", "::error file=x,line=1::%0A", '"quoted" \\ back', "\u202egnp"),
        *("all", " ", "bäckerei", "日本"),
    )
} | {"model/a/b\udcff.md": ""}


def test_hostile_names_break_no_format(tmp_path: Path) -> None:
    root = made(tmp_path, {**SOUND, **HOSTILE})
    texts = {form: run(root, "--format", form).text for form in FORMATS}
    count = len(HOSTILE)
    assert len([line for line in texts["text"].split("\n") if line.startswith("E0")]) == count
    assert texts["text"].replace("\n", "").isprintable()
    assert len(json.loads(texts["json"])["issues"]) == count
    assert len(json.loads(texts["sarif"])["runs"][0]["results"]) == count
    assert len(texts["github"].rstrip("\n").split("\n")) == count
    assert all(line.startswith("::error file=") for line in texts["github"].splitlines())


def test_what_may_not_be_read_is_reported(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is closed to root")
    files = {**SOUND, "model/a/responsibility.md": TEXT, "model/c/yg-node.yaml": NODE}
    root = made(tmp_path, files)
    closed = [root / ".yggdrasil/model" / name for name in ("a/responsibility.md", "c")]
    for path in closed:
        path.chmod(0)
    try:
        issues = found(root)
    finally:
        for path in closed:
            path.chmod(0o700)
    assert issues == [
        ("E021", "a", "'responsibility.md' cannot be read: permission denied"),
        ("E021", "c", "'c' cannot be read: permission denied"),
    ]


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (b"\xff", "E021", "'responsibility.md' cannot be read: not UTF-8 at byte 0 (0xff)"),
        (b"a\0", "E021", "'responsibility.md' cannot be read: binary, with a NUL at byte 1"),
        (
            b"x" * 16_000_001,
            "E021",
            "'responsibility.md' cannot be read: larger than 16 MB (16000001 bytes)",
        ),
        (TEXT.encode() + b"<<<<<<< HEAD\n", "E025", "unresolved merge conflict"),
    ],
    ids=["Latin-1", "NUL", "large", "conflict"],
)
def test_a_text_that_is_none_is_reported_and_the_rest_is_checked(
    tmp_path: Path, content: bytes, code: str, message: str
) -> None:
    root = made(tmp_path, {**WARNED, "model/a/responsibility.md": content})
    assert found(root)[0] == (code, "a", message)
    assert codes(root)[1:] == ["W016", "W016"]


def test_it_answers_the_same_from_every_directory_and_changes_nothing(tmp_path: Path) -> None:
    root = made(tmp_path, {**BROKEN, "src/deep/a.py": ""})
    before = sorted(root.rglob("*"))
    for place in ("src", "src/deep", ".yggdrasil", ".yggdrasil/model/a"):
        assert run(root / place) == Outcome(BROKEN_TEXT, code=1)
    assert sorted(root.rglob("*")) == before


def test_below_the_root_of_a_git_repository_services_are_given_the_whole_path(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "-q")
    root = made(tmp_path / "apps/my shop", BROKEN)
    file = ".yggdrasil/model/d/yg-node.yaml"
    assert f"::error file=apps/my shop/{file}," in run(root, "--format", "github").text
    assert f'"uri": "apps/my%20shop/{file}"' in run(root, "--format", "sarif").text
    assert "apps" not in run(root).text
