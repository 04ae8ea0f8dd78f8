"""`yg init`: a graph from nothing, an upgrade in place, and what both say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from schemas import faults_in
from support import CONFIG, NODE, a_dead_process, git, run, write
from yg.kernel.errors import UsageError
from yg.surfaces.cli.outcome import Outcome
from yg.yggdrasil.model import Agreement
from yg.yggdrasil.start.platforms import BEGIN, END, PLATFORMS, rules_text

RULES_FILE, NODE_SCHEMA = ".yggdrasil/agent-rules.md", ".yggdrasil/schemas/yg-node.yaml"
OLD = {
    ".yggdrasil/config.yaml": "name: P\ntags: [t]\nnode_types: [module]\nartifacts: {a.md: {}}\n",
    ".yggdrasil/model/a/node.yaml": "name: A\ntype: module\nmapping: src\n",
}


def tree_of(root: Path) -> dict[str, bytes]:
    """Return every file and directory below a directory."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else b""
        for path in sorted(root.rglob("*"))
    }


def init(root: Path, *argv: str) -> Outcome:
    return run("init", "-C", str(root), *argv)


def data(outcome: Outcome) -> dict[str, Any]:
    """Return a JSON answer, which follows its schema."""
    document: dict[str, Any] = json.loads(outcome.text)
    assert faults_in(document) == []
    return document


# A new graph.


def test_a_new_graph_is_listed_and_the_next_steps_are_reported(tmp_path: Path) -> None:
    outcome = init(tmp_path, "--name", "Shop")
    sizes = {path: len(content) for path, content in tree_of(tmp_path).items()}
    files = [
        "yg-config.yaml",
        ".gitignore",
        "model/",
        "aspects/",
        "flows/",
        "schemas/yg-node.yaml",
        "schemas/yg-aspect.yaml",
        "schemas/yg-flow.yaml",
        "schemas/yg-config.schema.json",
        "schemas/yg-node.schema.json",
        "schemas/yg-aspect.schema.json",
        "schemas/yg-flow.schema.json",
        "agent-rules.md",
    ]
    listed = "".join(
        f"make    .yggdrasil/{name}\n"
        if name.endswith("/")
        else f"write   .yggdrasil/{name} ({sizes[f'.yggdrasil/{name}']} bytes)\n"
        for name in files
    )
    assert outcome == Outcome(
        f"""{listed}
Next, describe a part of the software before you write its code, and print its context package:
  yg new node app
  $EDITOR .yggdrasil/model/app/responsibility.md
  yg build-context app
"""
    )
    assert set(sizes) == {
        ".yggdrasil",
        ".yggdrasil/schemas",
        *(f".yggdrasil/{name.rstrip('/')}" for name in files),
    }


def test_without_a_name_the_project_is_called_like_its_directory(tmp_path: Path) -> None:
    root = tmp_path / "my: shop"
    root.mkdir()
    assert "First, name the project" not in init(root).text
    assert run("validate", "-C", str(root)) == Outcome("No issues found. 0 nodes checked.\n")
    assert run("status", "-C", str(root)).text.startswith("Graph: my: shop\n")


@pytest.mark.parametrize("argv", [(), ("--upgrade",)])
def test_a_run_killed_before_its_first_file_is_in_nobodys_way(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    left = f".yggdrasil/.yg-tmp-{a_dead_process()}-0"
    write(tmp_path, {left: "half"})
    (tmp_path / ".yggdrasil").mkdir(exist_ok=True)
    assert init(tmp_path, *argv).code == 0
    assert run("validate", "-C", str(tmp_path)).code == 0
    assert not (tmp_path / left).exists()


@pytest.mark.skipif(os.name == "nt", reason="the steps are for a shell of Unix")
def test_the_printed_steps_lead_to_a_context_package(tmp_path: Path) -> None:
    steps = re.findall(r"^  (.*)$", init(tmp_path, "--name", "Shop").text, re.MULTILINE)
    assert len(steps) == 3
    text = "The-whole-application,-until-its-parts-have-their-own-nodes."  # a shell splits words
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    result = subprocess.run(
        ["sh", "-e", "-c", "\n".join(steps)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "EDITOR": f"sed -i s/<.*>/{text}/"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert '<context-package node-path="app" node-name="app"' in result.stdout
    assert f"{text}\n" in result.stdout
    assert result.stdout.endswith("Budget status: ok\n")
    assert run("validate", "-C", str(tmp_path)).text == "No issues found. 1 node checked.\n"


@pytest.mark.parametrize("name", ["Shop", 'The "Shop"', "C:\\shop", "# 1: yes", "Größe 😀", "12"])
def test_a_name_arrives_in_the_packages(tmp_path: Path, name: str) -> None:
    init(tmp_path, "--name", name)
    write(tmp_path, {".yggdrasil/model/a/yg-node.yaml": NODE})
    package = run("build-context", "a", "-C", str(tmp_path))
    assert f"<global>\n**Project:** {name}\n</global>" in package.text


@pytest.mark.parametrize("content", [{".yggdrasil/yg-config.yaml": CONFIG}, OLD])
def test_an_existing_graph_is_refused_and_untouched(
    tmp_path: Path, content: dict[str, str]
) -> None:
    (tmp_path / ".yggdrasil").mkdir()
    write(tmp_path, content)
    before = tree_of(tmp_path)
    assert init(tmp_path) == Outcome(
        "",
        1,
        "error: .yggdrasil/ already exists\n"
        "  Use --upgrade to upgrade it and refresh the agent rules.\n",
    )
    assert tree_of(tmp_path) == before


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("extra", [(), ("--json",)], ids=["text", "json"])
def test_a_dry_run_writes_nothing(tmp_path: Path, platform: str, extra: tuple[str, ...]) -> None:
    shown = init(tmp_path, "--dry-run", "--platform", platform, "--name", "N", *extra)
    assert (shown.code, tree_of(tmp_path)) == (0, {})
    done = init(tmp_path, "--platform", platform, "--name", "N", *extra)
    if extra:
        assert data(done) == {**data(shown), "dry_run": False}
    else:
        assert done.text.startswith(f"{shown.text}\n")
        assert "\nNext, " in done.text


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_platform_finds_the_rules_in_its_file(tmp_path: Path, platform: str) -> None:
    document = data(init(tmp_path, "--platform", platform, "--json"))
    files = tree_of(tmp_path)
    holder = PLATFORMS[platform]
    rules = ".yggdrasil/agent-rules.md" if holder.needs_rules_file else holder.file
    assert rules_text().encode() in files[rules]
    assert (document["platform"], document["dry_run"]) == (platform, False)
    assert {each["path"] for each in document["edits"]} >= {holder.file, rules}
    assert (document["done"], document["warnings"]) == ([], [])


def test_an_unknown_platform_is_a_usage_error(tmp_path: Path) -> None:
    outcome = init(tmp_path, "--platform", "emacs")
    assert (outcome.code, outcome.text, tree_of(tmp_path)) == (UsageError.exit_code, "", {})
    assert all(f"'{name}'" in outcome.notes for name in PLATFORMS)


def test_a_directory_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    outcome = init(tmp_path / "nowhere")
    expected = f"error: '{tmp_path / 'nowhere'}' is not a directory\n"
    assert outcome == Outcome("", 1, expected)


@pytest.mark.parametrize("has_git", [True, False])
def test_below_another_graph_one_has_to_insist(tmp_path: Path, *, has_git: bool) -> None:
    if has_git:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    init(tmp_path, "--name", "Outer")
    below = tmp_path / "packages" / "one"
    below.mkdir(parents=True)
    assert init(below) == Outcome(
        "",
        1,
        "error: there is a graph above this directory already: ../../.yggdrasil\n"
        "  Commands find it from here. To create another one, use --nested.\n",
    )
    assert init(below, "--name", "Inner", "--nested").code == 0
    assert init(below, "--upgrade").code == 0
    assert run("status", "-C", str(below)).text.startswith("Graph: Inner\n")
    assert run("status", "-C", str(tmp_path)).text.startswith("Graph: Outer\n")


def test_a_graph_above_in_another_git_repository_does_not_matter(tmp_path: Path) -> None:
    init(tmp_path, "--name", "Outer")
    below = tmp_path / "clone"
    below.mkdir()
    subprocess.run(["git", "init", "-q", below], check=True)
    assert init(below, "--name", "Inner").code == 0


# Files that the user shares with us.


@pytest.mark.parametrize(
    ("platform", "mine", "expected"),
    [
        ("codex", b"", f"{BEGIN}\n{rules_text()}{END}"),
        ("copilot", b"Mine", f"Mine\n\n{BEGIN}\n{rules_text()}{END}"),
        ("claude-code", b"A\r\n", "A\r\n\r\n@.yggdrasil/agent-rules.md\r\n"),
        ("gemini", b"\xef\xbb\xbfA\n", "\ufeffA\n\n@./.yggdrasil/agent-rules.md\n"),
        ("amp", b"A\n", "A\n\n@.yggdrasil/agent-rules.md\n"),
        ("aider", b"read: a # b\n", "read: [a, .yggdrasil/agent-rules.md] # b\n"),
    ],
)
def test_a_shared_file_keeps_what_the_user_wrote(
    tmp_path: Path, platform: str, mine: bytes, expected: str
) -> None:
    file = PLATFORMS[platform].file
    write(tmp_path, {file: mine})
    assert init(tmp_path, "--platform", platform).code == 0
    assert (tmp_path / file).read_bytes() == expected.encode()
    before = tree_of(tmp_path)
    again = data(init(tmp_path, "--platform", platform, "--upgrade", "--json"))
    assert (again["edits"], tree_of(tmp_path)) == ([], before)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"caf\xe9", "'AGENTS.md' is not UTF-8"),
        (f"{BEGIN}\n".encode(), "the two yggdrasil markers are not there as a pair"),
        (f"{END}\n".encode(), "the two yggdrasil markers are not there as a pair"),
    ],
)
def test_a_file_that_cannot_be_shared_stops_everything(
    tmp_path: Path, content: bytes, message: str
) -> None:
    write(tmp_path, {"AGENTS.md": content})
    outcome = init(tmp_path, "--platform", "codex")
    assert (outcome.code, outcome.text) == (1, "")
    assert message in outcome.notes
    assert tree_of(tmp_path) == {"AGENTS.md": content}


@pytest.mark.parametrize("platform", ["codex", "claude-code", "aider", "cursor"])
def test_links_and_directories_in_the_place_of_a_file_stop_everything(
    tmp_path: Path, platform: str
) -> None:
    linked, taken = tmp_path / "linked", tmp_path / "taken"
    file = PLATFORMS[platform].file
    write(linked, {"elsewhere": "mine"})
    (linked / file).parent.mkdir(parents=True, exist_ok=True)
    (linked / file).symlink_to(linked / "elsewhere")
    (taken / file).mkdir(parents=True)
    for root in (linked, taken):
        outcome = init(root, "--platform", platform)
        assert (outcome.code, outcome.text) == (1, "")
        assert f"'{file}' is a " in outcome.notes
        assert not (root / ".yggdrasil").exists()
    assert (linked / "elsewhere").read_text(encoding="utf-8") == "mine"


# Upgrades.


def test_an_upgrade_says_what_it_did_and_what_it_dropped(tmp_path: Path) -> None:
    outcome = init(write(tmp_path, OLD), "--upgrade", "--platform", "amp")
    assert (outcome.code, outcome.notes) == (0, "")
    lines = outcome.text.splitlines()
    assert lines[:3] == [
        "✓ model/a/node.yaml is now yg-node.yaml",
        "✓ schemas/ replaced by those of the present format",
        "✓ config.yaml is now yg-config.yaml, version 2.2.0",
    ]
    assert lines[3].startswith("⚠ yg-config.yaml: 'tags' has no counterpart and was dropped")
    assert lines[4:] == ["✓ rules for amp: AGENTS.md"]
    validation = run("validate", "-C", str(tmp_path))
    assert "0 errors" in validation.text or validation.text.startswith("No issues")


def test_a_dry_run_of_an_upgrade_writes_nothing_and_shows_everything(tmp_path: Path) -> None:
    before = tree_of(write(tmp_path, OLD))
    outcome = init(tmp_path, "--upgrade", "--dry-run")
    assert (outcome.code, tree_of(tmp_path)) == (0, before)
    for line in (
        "✓ model/a/node.yaml is now yg-node.yaml\n",
        "⚠ yg-config.yaml: 'tags' has no counterpart",
        "write   .yggdrasil/model/a/yg-node.yaml (",
        "delete  .yggdrasil/model/a/node.yaml\n",
        "delete  .yggdrasil/config.yaml\n",
        "write   .yggdrasil/agent-rules.md (",
    ):
        assert line in outcome.text
    shown = data(init(tmp_path, "--upgrade", "--dry-run", "--json"))
    done = data(init(tmp_path, "--upgrade", "--json"))
    assert (shown, tree_of(tmp_path) == before) == ({**done, "dry_run": True}, False)


def test_a_second_upgrade_changes_nothing(tmp_path: Path) -> None:
    init(write(tmp_path, OLD), "--upgrade")
    before = tree_of(tmp_path)
    again = init(tmp_path, "--upgrade")
    assert again == Outcome("✓ rules for generic: .yggdrasil/agent-rules.md\n")
    assert tree_of(tmp_path) == before


def test_an_upgrade_of_an_up_to_date_graph_refreshes_the_rules_alone(tmp_path: Path) -> None:
    init(tmp_path, "--name", "Shop")
    before = tree_of(tmp_path)
    (tmp_path / ".yggdrasil/agent-rules.md").unlink()
    document = data(init(tmp_path, "--upgrade", "--json"))
    assert [each["path"] for each in document["edits"]] == [".yggdrasil/agent-rules.md"]
    assert tree_of(tmp_path) == before


def test_an_upgrade_refreshes_every_platform_that_is_in_use(tmp_path: Path) -> None:
    used = ["amp", "cursor", "claude-code", "copilot", "codex", "aider"]
    init(tmp_path, "--name", "Shop", "--platform", used[0])
    for platform in used[1:]:
        init(tmp_path, "--upgrade", "--platform", platform)
    whole = tree_of(tmp_path)
    write(
        tmp_path,
        {RULES_FILE: "old", "GEMINI.md": "mine", "CLAUDE.md": "@.yggdrasil/agent-rules.md\n"},
    )
    (tmp_path / "WINDSURF.md").symlink_to("CLAUDE.md")
    document = data(init(tmp_path, "--upgrade", "--json"))
    assert sorted(document["platforms"]) == sorted(used)
    after = tree_of(tmp_path)
    assert after[RULES_FILE] == whole[RULES_FILE]
    assert after["AGENTS.md"] == whole["AGENTS.md"]
    assert init(tmp_path, "--upgrade").text.count("✓ rules for ") == len(used)


def test_an_upgrade_that_is_not_finished_fails_and_says_what_to_fix(tmp_path: Path) -> None:
    write(tmp_path, {**OLD, ".yggdrasil/model/bad/node.yaml": "name: [\n"})
    outcome = init(tmp_path, "--upgrade")
    assert outcome.code == 1
    assert "⚠ the upgrade is not finished: fix model/bad/node.yaml, then run" in outcome.text
    write(tmp_path, {".yggdrasil/model/bad/node.yaml": "name: Good\ntype: module\n"})
    assert data(init(tmp_path, "--upgrade", "--json"))["unfinished"] == []
    assert run("tree", "-C", str(tmp_path)).code == 0


# What somebody has edited.


@pytest.mark.parametrize("file", [RULES_FILE, NODE_SCHEMA])
def test_an_edited_file_is_kept_beside_the_new_one(tmp_path: Path, file: str) -> None:
    init(tmp_path, "--name", "Shop")
    before = tree_of(tmp_path)
    write(tmp_path, {file: before[file] + b"Mine.\n"})
    copy = f"{file}.before-upgrade"
    report = f"✓ {file}: your version is kept as {copy}\n"
    shown = init(tmp_path, "--upgrade", "--dry-run").text
    assert f"copy    {file} -> {copy}\nwrite   {file} (" in shown
    assert report in shown
    assert tree_of(tmp_path) == {**before, file: before[file] + b"Mine.\n"}
    outcome = init(tmp_path, "--upgrade")
    assert (outcome.code, outcome.notes) == (0, "")
    assert report in outcome.text
    assert tree_of(tmp_path) == {**before, copy: before[file] + b"Mine.\n"}
    again = init(tmp_path, "--upgrade")
    assert again == Outcome("✓ rules for generic: .yggdrasil/agent-rules.md\n")


def test_an_earlier_copy_is_never_replaced(tmp_path: Path) -> None:
    init(tmp_path, "--name", "Shop")
    before = tree_of(tmp_path)
    texts = [b"one\n", b"two\n", b"three\n", b"two\n"]
    for text in texts:
        write(tmp_path, {RULES_FILE: text})
        assert init(tmp_path, "--upgrade").code == 0
    assert tree_of(tmp_path) == {
        **before,
        f"{RULES_FILE}.before-upgrade": b"one\n",
        f"{RULES_FILE}.before-upgrade.2": b"two\n",
        f"{RULES_FILE}.before-upgrade.3": b"three\n",
    }


def test_our_own_file_with_other_line_endings_is_not_an_edited_one(tmp_path: Path) -> None:
    init(tmp_path, "--name", "Shop")
    before = tree_of(tmp_path)
    for file in (RULES_FILE, NODE_SCHEMA):
        write(tmp_path, {file: before[file].replace(b"\n", b"\r\n")})
    assert init(tmp_path, "--upgrade").code == 0
    assert tree_of(tmp_path) == before


def test_a_new_graph_keeps_an_edited_file_of_a_platform(tmp_path: Path) -> None:
    file = ".clinerules/yggdrasil.md"
    write(tmp_path, {file: "Mine.\n"})
    outcome = init(tmp_path, "--platform", "cline", "--name", "Shop")
    told = f"✓ {file}: your version is kept as {file}.before-upgrade\n"
    assert outcome.text.startswith(told)
    assert (tmp_path / f"{file}.before-upgrade").read_text(encoding="utf-8") == "Mine.\n"


def test_a_newer_graph_is_refused_and_untouched(tmp_path: Path) -> None:
    newer = {".yggdrasil/yg-config.yaml": CONFIG.replace("2.2.0", "3.0.1"), "AGENTS.md": "Mine."}
    before = tree_of(write(tmp_path, newer))
    assert init(tmp_path, "--upgrade", "--platform", "codex") == Outcome(
        "",
        1,
        "error: the graph is of format 3.0.1, newer than 3.0.0\n"
        "  Upgrade yg first; nothing was changed.\n",
    )
    assert json.loads(init(tmp_path, "--upgrade", "--json").notes)["code"] == "newer-graph"
    assert tree_of(tmp_path) == before


def test_there_has_to_be_something_to_upgrade(tmp_path: Path) -> None:
    assert init(tmp_path, "--upgrade") == Outcome(
        "",
        1,
        "error: no .yggdrasil/ to upgrade\n  Omit --upgrade to create one.\n",
    )


@pytest.mark.parametrize(
    "argv",
    [("tree",), ("validate",), ("build-context", "a"), ("drift",), ("status",), ("owner", "x")],
    ids=" ".join,
)
def test_every_command_sends_a_1x_graph_to_the_upgrade(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    assert run(*argv, "-C", str(write(tmp_path, OLD))) == Outcome(
        "",
        1,
        "error: the graph in .yggdrasil/ has the 1.x layout (config.yaml)\n"
        "  Bring it up to date with 'yg init --upgrade'.\n",
    )


def test_a_linked_graph_is_upgraded_where_it_is(tmp_path: Path) -> None:
    write(tmp_path / "graphs", OLD)
    (tmp_path / ".yggdrasil").symlink_to("graphs/.yggdrasil")
    assert init(tmp_path, "--upgrade").code == 0
    assert (tmp_path / "graphs" / ".yggdrasil" / "yg-config.yaml").is_file()
    assert (tmp_path / ".yggdrasil").is_symlink()


def test_files_that_are_gone_but_still_in_git_are_no_code(tmp_path: Path) -> None:
    write(tmp_path, {"app.py": "x = 1\n"})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    (tmp_path / "app.py").unlink()
    assert "  yg new node app\n" in init(tmp_path).text


@pytest.mark.parametrize("agreement", Agreement)
def test_the_rules_are_short(agreement: Agreement) -> None:
    assert len(rules_text(agreement)) <= 2_000
    assert "[" not in rules_text(agreement)


def test_the_configuration_says_who_agrees_to_a_sync(tmp_path: Path) -> None:
    init(tmp_path, "--platform", "generic")
    rules = tmp_path / ".yggdrasil/agent-rules.md"
    assert rules.read_text(encoding="utf-8") == rules_text()
    assert "ask the user" in rules_text()
    config = tmp_path / ".yggdrasil/yg-config.yaml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("drift:\n", "drift:\n  agreement: agent\n"), encoding="utf-8")
    assert init(tmp_path, "--platform", "generic", "--upgrade").code == 0
    assert rules.read_text(encoding="utf-8") == rules_text(Agreement.AGENT)
    assert "ask the user" not in rules_text(Agreement.AGENT)
