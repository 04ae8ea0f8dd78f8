"""The plugin for Claude Code and Codex: manifests with the fields that their loaders read."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from support import REPOSITORY
from yg.version import __version__
from yg.yggdrasil.start.harnesses import HARNESSES

PLUGIN = REPOSITORY / "plugins/yg"
LONGEST_SKILL = 60  # lines


def content(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REPOSITORY / path).read_text("utf-8"))
    return found


def test_claude_code_finds_the_plugin_in_the_marketplace() -> None:
    market = content(".claude-plugin/marketplace.json")
    assert market.keys() == {"name", "owner", "plugins"}
    assert market["owner"].keys() == {"name"}
    (entry,) = market["plugins"]
    assert entry.keys() == {"name", "source"}
    manifest = content("plugins/yg/.claude-plugin/plugin.json")
    assert manifest.keys() == {
        "name",
        "version",
        "description",
    }  # naming hooks would add them twice
    assert (entry["name"], REPOSITORY / entry["source"]) == (manifest["name"], PLUGIN)


def test_codex_finds_the_plugin_in_the_marketplace() -> None:
    market = content(".agents/plugins/marketplace.json")
    assert market.keys() == {"name", "interface", "plugins"}
    assert market["interface"].keys() == {"displayName"}
    (entry,) = market["plugins"]
    assert entry == {
        "name": "yg",
        "source": {"source": "local", "path": "./plugins/yg"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Developer Tools",
    }
    assert REPOSITORY / entry["source"]["path"] == PLUGIN
    manifest = content("plugins/yg/.codex-plugin/plugin.json")
    assert manifest.keys() == {
        *("name", "version", "description", "author", "skills", "mcpServers", "interface")
    }  # the validator of Codex refuses 'hooks'
    assert manifest["author"].keys() == {"name"}
    assert manifest["interface"].keys() == {"displayName", "shortDescription"}
    for part in ("skills", "mcpServers"):
        assert (PLUGIN / manifest[part]).exists()


@pytest.mark.parametrize("folder", [".claude-plugin", ".codex-plugin"])
def test_the_plugin_has_the_version_of_the_program(folder: str) -> None:
    assert content(f"plugins/yg/{folder}/plugin.json")["version"] == __version__


def test_the_plugin_runs_the_hooks_that_init_writes() -> None:
    written = HARNESSES["claude-code"].hooks
    assert written is not None
    assert content("plugins/yg/hooks/hooks.json") == {
        "hooks": {entry.keys[-1]: [entry.value] for entry in written.entries}
    }
    (server,) = HARNESSES["claude-code"].servers
    assert content("plugins/yg/.mcp.json") == {"mcpServers": {"yg": server.entries[0].value}}


def test_the_skill_is_short_and_says_when_to_use_it() -> None:
    (skill,) = (PLUGIN / "skills").glob("*/SKILL.md")
    text = skill.read_text("utf-8")
    _, head, body = text.split("---\n", 2)
    fields = yaml.safe_load(head)
    assert fields.keys() == {"name", "description"}
    assert fields["name"] == skill.parent.name
    assert "Use when" in fields["description"]
    assert body.strip()
    assert len(text.splitlines()) <= LONGEST_SKILL
