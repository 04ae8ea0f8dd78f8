"""`yg init --platform`: hooks and servers in the files of a project, and their removal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli.test_init import data, init, tree_of
from support import CONFIG, NODE, run, write
from yg.surfaces.hook.event import EVENTS
from yg.surfaces.hook.event import HARNESSES as KNOWN
from yg.yggdrasil.package.overview_block import AGENT_RULES, FILES
from yg.yggdrasil.start.harnesses import HARNESSES, PLUGIN
from yg.yggdrasil.start.platforms import PLATFORMS

GRAPH = {".yggdrasil/yg-config.yaml": CONFIG, ".yggdrasil/model/a/yg-node.yaml": NODE}
HOOKS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
    "copilot": ".github/hooks/yg.json",
    "opencode": ".opencode/plugins/yg.js",
}
SERVERS = {
    "claude-code": [".mcp.json"],
    "codex": [".codex/config.toml"],
    "gemini": [".gemini/settings.json"],
    "cursor": [".cursor/mcp.json"],
    "copilot": [".github/mcp.json", ".vscode/mcp.json"],
    "opencode": ["opencode.json"],
}
JSON_HOOKS = [name for name in HOOKS if name != "opencode"]
# What a project may have in these files before.
MINE = {
    ".claude/settings.json": '{\n  "permissions": {"deny": ["Read(.env)"]},\n  "hooks": {}\n}\n',
    ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}',
    ".codex/config.toml": 'model = "m"  # mine\r\n\r\n[mcp_servers.b]\r\ncommand = "b"',
    ".gemini/settings.json": "{}",
    ".cursor/hooks.json": '{\n\t"version": 1,\n\t"hooks": {"stop": [{"command": "x"}]}\n}\n',
    ".cursor/mcp.json": '{"mcpServers":{}}\n',
    ".github/hooks/yg.json": '{"version": 1, "hooks": {}}',
    ".github/mcp.json": '{\n    "mcpServers": {\n        "b": {"command": "b"}\n    }\n}',
    ".vscode/mcp.json": '{ "servers": { } }',
    ".mcp.json": '\ufeff{\n  "mcpServers": {}\n}\n',
    "opencode.json": '{\n  "theme": "dark"\n}\n',
    "AGENTS.md": "Mine, without an end",
    "CLAUDE.md": "",
    "GEMINI.md": "Mine.\r\n",
    ".github/copilot-instructions.md": "Mine.\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a graph that needs no upgrade."""
    write(tmp_path, GRAPH)
    assert init(tmp_path, "--upgrade").code == 0
    (tmp_path / ".yggdrasil/agent-rules.md").unlink()
    return tmp_path


def content(root: Path, file: str) -> dict[str, Any]:
    text = (root / file).read_text("utf-8-sig")
    found: dict[str, Any] = tomllib.loads(text) if file.endswith("toml") else json.loads(text)
    return found


def commands(value: Any) -> list[str]:
    """Return everything that a configuration runs."""
    if isinstance(value, list):
        return [found for item in value for found in commands(item)]
    if not isinstance(value, dict):
        return []
    own = [
        value[key] for key in ("command", "bash", "powershell") if isinstance(value.get(key), str)
    ]
    return [*own, *(found for item in value.values() for found in commands(item))]


def test_the_platforms_with_hooks_are_those_that_hook_knows() -> None:
    assert HARNESSES.keys() == HOOKS.keys()
    assert {harness.name for harness in HARNESSES.values()} == set(KNOWN)
    shown = {known.rules_file for known in PLATFORMS.values() if known.has_overview}
    assert shown == set(FILES)
    assert not {name for name, known in PLATFORMS.items() if known.has_overview} & HOOKS.keys()


@pytest.mark.parametrize("platform", HOOKS)
def test_hooks_and_servers_are_installed_once_and_removed_again(
    project: Path, platform: str
) -> None:
    before = tree_of(project)
    outcome = init(project, "--platform", platform, "--mcp")
    assert (outcome.code, outcome.notes) == (0, "")
    for file in (HOOKS[platform], *SERVERS[platform]):
        assert (project / file).is_file()
    assert f"\n  'yg hook --test {HARNESSES[platform].name}' shows" in outcome.text
    after = tree_of(project)
    for words in ((), ("--upgrade",), ("--mcp",), ("--upgrade", "--mcp")):
        again = data(init(project, "--platform", platform, *words, "--json"))
        assert (again["edits"], again["todo"], tree_of(project)) == ([], [], after)
    assert init(project, "--remove", "--platform", platform).code == 0
    assert tree_of(project) == before
    assert init(project, "--remove", "--platform", platform).text == "Nothing to remove.\n"


@pytest.mark.parametrize("platform", HOOKS)
def test_files_of_a_project_return_to_their_former_bytes(project: Path, platform: str) -> None:
    write(project, {file: text.encode() for file, text in MINE.items()})
    before = tree_of(project)
    assert init(project, "--platform", platform, "--mcp").code == 0
    for file in SERVERS[platform]:
        assert "yg" in str(content(project, file))
    assert tree_of(project) != before
    assert init(project, "--platform", platform, "--mcp", "--json").code == 0
    assert init(project, "--remove", "--platform", platform).code == 0
    assert tree_of(project) == before


@pytest.mark.parametrize("text", ["\ufeff {}\n", "\ufeff{}", " {}", "\n\t{ }\r\n", "\ufeff {\n  }"])
def test_an_empty_object_returns_to_its_former_bytes(project: Path, text: str) -> None:
    write(project, {file: text.encode() for file in (".claude/settings.json", ".mcp.json")})
    before = tree_of(project)
    assert init(project, "--platform", "claude-code", "--mcp").code == 0
    assert init(project, "--remove", "--platform", "claude-code").code == 0
    assert tree_of(project) == before


def test_all_platforms_can_be_installed_and_removed_in_any_order(project: Path) -> None:
    before = tree_of(project)
    for platform in PLATFORMS:
        assert init(project, "--platform", platform, "--mcp").code == 0
    whole = tree_of(project)
    assert data(init(project, "--upgrade", "--json"))["edits"] == []
    for platform in PLATFORMS:
        assert init(project, "--remove", "--platform", platform).code == 0
    assert tree_of(project) == before
    assert whole != before


@pytest.mark.parametrize("platform", JSON_HOOKS)
def test_commands_name_events_of_hook_and_no_path_of_a_machine(
    project: Path, platform: str
) -> None:
    init(project, "--platform", platform)
    found = commands(content(project, HOOKS[platform])["hooks"])
    assert found
    for command in found:
        called = re.search(r"\byg hook (\S+) (\S+)", command)
        assert called
        assert called[1] == HARNESSES[platform].name
        assert called[2] in EVENTS
        assert "/" not in command.replace("/dev/null", "")
    is_plain = [command.startswith("yg hook ") for command in found]
    assert all(is_plain) if platform in {"claude-code", "codex", "cursor"} else not any(is_plain)


@pytest.mark.parametrize("platform", ["gemini", "copilot"])
def test_guarded_commands_do_no_harm_where_yg_is_missing(project: Path, platform: str) -> None:
    init(project, "--platform", platform)
    for command in commands(content(project, HOOKS[platform])["hooks"]):
        if not command.startswith("if ("):  # PowerShell
            done = subprocess.run(
                ["/bin/sh", "-c", command],
                env={"PATH": str(project)},
                capture_output=True,
                check=False,
            )
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_fields_are_those_that_each_harness_reads(project: Path) -> None:
    for platform in JSON_HOOKS:
        init(project, "--platform", platform)
    claude, codex, gemini, cursor, copilot = (
        content(project, HOOKS[platform]) for platform in JSON_HOOKS
    )
    handler = {"type": "command", "command": "yg hook claude post-tool", "timeout": 10}
    assert claude["hooks"]["PostToolUse"] == [
        {"matcher": "Read|Edit|Write|NotebookEdit", "hooks": [handler]}
    ]
    assert claude["hooks"].keys() == {"SessionStart", "PostToolUse", "Stop"}
    assert codex["hooks"]["PostToolUse"][0]["matcher"] == "apply_patch"
    assert codex["hooks"]["SessionStart"][0]["matcher"] == "startup|resume|clear|compact"
    assert "matcher" not in codex["hooks"]["Stop"][0]
    assert gemini["hooks"].keys() == {
        *("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress")
    }
    (after,) = gemini["hooks"]["AfterTool"]
    assert after["matcher"] == "^(write_file|replace|read_file)$"
    assert after["hooks"][0]["timeout"] == 10_000
    assert (cursor["version"], copilot["version"]) == (1, 1)
    assert cursor["hooks"].keys() == {"sessionStart", "postToolUse", "preCompact", "stop"}
    assert cursor["hooks"]["postToolUse"][0].keys() == {"command", "matcher", "timeout"}
    assert copilot["hooks"].keys() == {"sessionStart", "postToolUse", "preCompact", "agentStop"}
    assert copilot["hooks"]["postToolUse"][0].keys() == {
        *("type", "matcher", "bash", "powershell", "timeoutSec")
    }


def test_servers_are_listed_as_each_harness_reads_them(project: Path) -> None:
    for platform in SERVERS:
        init(project, "--platform", platform, "--mcp", "--no-hooks")
    plain = {"command": "yg", "args": ["mcp"]}
    assert content(project, ".mcp.json") == {"mcpServers": {"yg": plain}}
    assert content(project, ".codex/config.toml") == {"mcp_servers": {"yg": plain}}
    assert content(project, ".gemini/settings.json") == {"mcpServers": {"yg": plain}}
    assert content(project, ".cursor/mcp.json") == {
        "mcpServers": {"yg": {"type": "stdio", **plain}}
    }
    assert content(project, ".github/mcp.json") == {
        "mcpServers": {"yg": {"type": "local", **plain}}
    }
    assert content(project, ".vscode/mcp.json") == {"servers": {"yg": {"type": "stdio", **plain}}}
    one = {"type": "local", "command": ["yg", "mcp"], "enabled": True}
    assert content(project, "opencode.json") == {"mcp": {"yg": one}}


@pytest.mark.parametrize("platform", HOOKS)
def test_hooks_and_servers_can_be_left_out(project: Path, platform: str) -> None:
    before = tree_of(project)
    init(project, "--platform", platform, "--no-hooks", "--no-mcp")
    rules = {PLATFORMS[platform].file, PLATFORMS[platform].rules_file}
    added = {file for file, text in tree_of(project).items() if text and before.get(file) != text}
    assert added == rules


def test_a_server_is_listed_by_itself_only_where_it_can_run(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for spec, is_listed in ((None, False), (object(), True)):
        monkeypatch.setattr("yg.commands.init.find_spec", lambda _name, spec=spec: spec)
        init(project, "--platform", "claude-code")
        assert (project / ".mcp.json").exists() is is_listed


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        (".claude/settings.json", '{\n  // mine\n  "a": 1\n}', "line 2: "),
        (".claude/settings.json", "", "line 1: "),
        (".claude/settings.json", '{"hooks": []}', "'hooks' is not an object"),
        (".claude/settings.json", b"\xff", "'.claude/settings.json' is not UTF-8"),
        (".mcp.json", '{"mcpServers": 1}', "'mcpServers' is not an object"),
    ],
)
def test_a_file_that_cannot_be_edited_is_left_alone_with_one_line(
    project: Path, file: str, text: str | bytes, reason: str
) -> None:
    write(project, {file: text})
    before = tree_of(project)[file]
    outcome = init(project, "--platform", "claude-code", "--mcp")
    assert outcome.code == 0
    (line,) = [line for line in outcome.text.splitlines() if line.startswith("⚠")]
    assert line.startswith(f"⚠ {file} was left alone: {reason}")
    assert tree_of(project)[file] == before
    assert (project / "CLAUDE.md").is_file()


def test_toml_that_cannot_be_edited_is_left_alone(project: Path) -> None:
    for text in ("a = ", "mcp_servers = 1\n", "mcp_servers = {b = {command = 'b'}}\n"):
        write(project, {".codex/config.toml": text})
        outcome = init(project, "--platform", "codex", "--mcp")
        assert "⚠ .codex/config.toml was left alone: " in outcome.text
        assert (project / ".codex/config.toml").read_text("utf-8") == text


def test_a_server_that_somebody_has_changed_stays(project: Path) -> None:
    init(project, "--platform", "codex", "--mcp")
    file = project / ".codex/config.toml"
    file.write_text(file.read_text("utf-8") + "env = {A = '1'}\n", "utf-8")
    init(project, "--remove", "--platform", "codex")
    assert content(project, ".codex/config.toml")["mcp_servers"]["yg"]["env"] == {"A": "1"}


def test_a_link_is_left_alone(tmp_path: Path, project: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text("{}", "utf-8")
    (project / ".claude").mkdir()
    os.symlink(elsewhere, project / ".claude/settings.json")
    (project / PLUGIN).parent.mkdir(parents=True)
    os.symlink(elsewhere, project / PLUGIN)
    for platform, file in (("claude-code", ".claude/settings.json"), ("opencode", PLUGIN)):
        outcome = init(project, "--platform", platform)
        assert f"⚠ {file} was left alone: " in outcome.text
    assert elsewhere.read_text("utf-8") == "{}"


def test_what_somebody_has_edited_is_not_removed(project: Path) -> None:
    init(project, "--platform", "opencode", "--no-mcp")
    init(project, "--platform", "cline")
    write(project, {PLUGIN: "// mine\n", ".clinerules/yggdrasil.md": "Mine.\n"})
    for platform, file in (("opencode", PLUGIN), ("cline", ".clinerules/yggdrasil.md")):
        outcome = init(project, "--remove", "--platform", platform)
        assert f"⚠ {file} was left alone: " in outcome.text
        assert (project / file).is_file()


def test_one_platform_leaves_the_rules_of_another_that_reads_the_same_file(project: Path) -> None:
    init(project, "--platform", "codex", "--no-mcp")
    shared = tree_of(project)
    init(project, "--platform", "opencode", "--no-mcp")
    init(project, "--remove", "--platform", "opencode")
    assert tree_of(project) == shared


IMPORTING = [name for name, known in PLATFORMS.items() if known.needs_rules_file]


@pytest.mark.parametrize("platform", IMPORTING)
def test_rules_that_were_there_before_stay(project: Path, platform: str) -> None:
    init(project, "--platform", "generic")
    before = tree_of(project)
    assert init(project, "--platform", platform, "--mcp").code == 0
    after = tree_of(project)
    for words in (("--platform", platform), ("--upgrade",)):
        assert data(init(project, *words, "--json"))["edits"] == []
    other = next(name for name in IMPORTING if name != platform)
    assert init(project, "--platform", other).code == 0
    assert init(project, "--remove", "--platform", other).code == 0
    assert tree_of(project) == after
    assert init(project, "--remove", "--platform", platform).code == 0
    assert tree_of(project) == before


@pytest.mark.parametrize("platform", IMPORTING)
def test_rules_that_came_later_for_other_agents_are_there_until_both_are_removed(
    project: Path, platform: str
) -> None:
    before = tree_of(project)
    init(project, "--platform", platform)
    alone = tree_of(project)
    init(project, "--platform", "generic")
    init(project, "--remove", "--platform", platform)
    assert (project / AGENT_RULES).is_file()
    init(project, "--platform", platform)
    init(project, "--remove", "--platform", "generic")
    assert tree_of(project) == alone
    init(project, "--remove", "--platform", platform)
    assert tree_of(project) == before


def test_the_overview_goes_with_the_last_platform_that_needs_it(project: Path) -> None:
    write(project, {".yggdrasil/model/a/responsibility.md": "Keeps accounts in order.\n"})
    init(project, "--platform", "gemini")
    before = tree_of(project)
    init(project, "--platform", "aider")
    assert "Keeps accounts" in (project / AGENT_RULES).read_text()
    init(project, "--remove", "--platform", "aider")
    assert tree_of(project) == before


@pytest.mark.parametrize("platform", IMPORTING)
def test_removing_a_platform_that_was_not_installed_removes_nothing(
    project: Path, platform: str
) -> None:
    init(project, "--platform", "generic")
    assert init(project, "--remove", "--platform", platform).text == "Nothing to remove.\n"


def test_a_dry_run_removes_nothing_and_shows_everything(project: Path) -> None:
    init(project, "--platform", "cursor", "--no-mcp")
    before = tree_of(project)
    outcome = init(project, "--remove", "--platform", "cursor", "--dry-run")
    assert outcome.text == "delete  .cursor/hooks.json\ndelete  .cursor/rules/yggdrasil.mdc\n"
    assert tree_of(project) == before
    document = data(init(project, "--remove", "--platform", "cursor", "--json"))
    assert (document["platforms"], len(document["edits"])) == (["cursor"], 2)


def test_a_platform_is_added_to_a_graph_without_touching_others(project: Path) -> None:
    init(project, "--platform", "claude-code", "--no-mcp")
    write(project, {"CLAUDE.md": "@.yggdrasil/agent-rules.md\n", ".claude/settings.json": "{}\n"})
    document = data(init(project, "--platform", "cursor", "--no-mcp", "--json"))
    assert document["platforms"] == ["cursor"]
    assert (project / ".claude/settings.json").read_text("utf-8") == "{}\n"


def test_an_upgrade_adds_no_hooks_that_nobody_asked_for(project: Path) -> None:
    init(project, "--platform", "claude-code", "--no-hooks", "--no-mcp")
    init(project, "--upgrade")
    assert not (project / ".claude").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--remove",),
        ("--mcp",),
        ("--remove", "--platform", "codex", "--upgrade"),
        ("--remove", "--platform", "codex", "--name", "n"),
        ("--platform", "codex", "--name", "n"),
    ],
)
def test_options_that_exclude_each_other_are_refused(project: Path, words: tuple[str, ...]) -> None:
    before = tree_of(project)
    assert init(project, *words).code == 2
    assert tree_of(project) == before


# The overview.


def test_agents_without_hooks_find_the_overview_behind_the_rules(project: Path) -> None:
    write(project, {".yggdrasil/model/a/responsibility.md": "Keeps things. " * 9})
    for platform in ("cline", "amp"):
        init(project, "--platform", platform)
        text = (project / PLATFORMS[platform].rules_file).read_text("utf-8")
        assert run("overview", "-C", str(project)).text in text
    init(project, "--platform", "claude-code")
    assert "- a: Keeps things." in (project / ".yggdrasil/agent-rules.md").read_text("utf-8")
    init(project, "--remove", "--platform", "amp")
    init(project, "--upgrade")
    assert "- a: Keeps things." not in (project / ".yggdrasil/agent-rules.md").read_text("utf-8")


def test_an_overview_is_refreshed_by_fix_and_by_upgrade(project: Path) -> None:
    init(project, "--platform", "cline")
    rules = project / ".clinerules/yggdrasil.md"
    for words in (("validate", "--fix"), ("init", "--upgrade")):
        write(project, {".yggdrasil/model/a/responsibility.md": f"By {words[0]}. " * 9})
        assert "W036 .clinerules" in run("validate", "-C", str(project)).text
        run(words[0], "-C", str(project), *words[1:])
        assert f"- a: By {words[0]}.\n" in rules.read_text("utf-8")
        assert "W036" not in run("validate", "-C", str(project)).text
    assert not list(project.glob("**/*.before-upgrade"))
