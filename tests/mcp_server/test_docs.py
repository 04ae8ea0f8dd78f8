"""What docs/mcp.md and server.json say is true."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from pathlib import Path

import pytest

from forked import shared
from support import REPOSITORY, benchmark
from transcripts import is_shown
from yg.surfaces.mcp.resources import TEMPLATES
from yg.surfaces.mcp.tools import READING, SYNC
from yg.version import __version__

PAGE = (REPOSITORY / "docs" / "mcp.md").read_text(encoding="utf-8")
FIGURES = (REPOSITORY / "benchmarks" / "README.md").read_text(encoding="utf-8")
COSTS = FIGURES.partition("## Answers to agents\n")[2].partition("\n## ")[0]


def tools_in(page: str) -> list[str]:
    """Return the names of tools in the rows of a page."""
    return re.findall(r"^\| `([a-z][a-z-]*)` \|", page, re.MULTILINE)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def without_commit(text: str) -> str:
    return re.sub(r"commit [0-9a-f]{12}", "commit", text)


def test_every_snippet_starts_the_server() -> None:
    snippets = [json.loads(text) for text in blocks("json")[:-1]]
    snippets += [tomllib.loads(text) for text in blocks("toml")]
    servers = [entry["yg"] for snippet in snippets for entry in snippet.values()]
    assert len(servers) == 3
    assert [(server["command"], server["args"][0]) for server in servers] == [("yg", "mcp")] * 3


def test_the_session_is_a_real_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = benchmark("mcp_session")
    monkeypatch.setattr(script, "PROGRAM", shared(serves=True).yg)
    told: str = asyncio.run(script.session(script.prepared(tmp_path)))
    assert is_shown(without_commit(blocks("text")[0]), f"{without_commit(told.strip())}\n")


def test_every_tool_resource_and_cost_is_on_the_page() -> None:
    names = [tool.name for tool in READING]
    tools = PAGE.partition("## Tools\n\n")[2].partition("\n\n")[0]
    named = re.findall(r"`([a-z][a-z-]*)`", tools)
    assert sorted({*named}) == sorted([*names, *(tool.name for tool in SYNC)])
    assert tools_in(COSTS) == names
    assert re.findall(r"^\| `(yg://[^`]+)` \|", PAGE, re.MULTILINE) == [
        template.address for template in TEMPLATES
    ]


def test_the_registry_learns_of_this_version() -> None:
    entry = json.loads((REPOSITORY / "server.json").read_text(encoding="utf-8"))
    (package,) = entry["packages"]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (entry["version"], package["version"]) == (__version__, __version__)
    assert package["identifier"] == project["name"]
    assert package["identifier"] in project["scripts"]  # what uvx runs
    assert package["runtimeArguments"][0]["value"] in project["optional-dependencies"]["mcp"]
    assert f"mcp-name: {entry['name']}" in (REPOSITORY / "README.md").read_text(encoding="utf-8")
