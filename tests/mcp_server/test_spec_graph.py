"""A server for a Spec Graph: its own words and tools, and writes only if they are allowed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from jsonschema import Draft202012Validator

from agent import GRAPH, SPEC_GRAPH, texts
from support import files_below, run, write, write_graph
from yg.commands.arguments import checked
from yg.surfaces.mcp import calls
from yg.surfaces.mcp.listings import listed_prompts, listed_tools
from yg.surfaces.mcp.offered import listed_of, tools_of
from yg.surfaces.mcp.server import INSTRUCTIONS, SPEC_INSTRUCTIONS, server_of
from yg.surfaces.mcp.service import Service, request_to, roots_of
from yg.surfaces.mcp.tools import ONLY_IN_SPECS, READING, SPEC_READING, SYNC, WRITING

FOREIGN = ("aspect", "drift", "baseline", "flow", "artifact")
CHANGES: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    (
        "node-add",
        {"type": "feature", "id": "X", "title": "Title", "statement": "It is."},
        ("node", "add", "feature", "X", "--title", "Title", "--statement", "It is."),
    ),
    (
        "node-set",
        {"node": "MAIL", "field": "title", "value": "Post"},
        ("node", "set", "MAIL", "title", "Post"),
    ),
    (
        "node-remove",
        {"node": "MAIL-01", "force": True},
        ("node", "remove", "MAIL-01", "--force"),
    ),
    (
        "link",
        {"source": "MAIL-01", "edge": "implements", "target": "MAIL"},
        ("link", "MAIL-01", "implements", "MAIL"),
    ),
    (
        "unlink",
        {"source": "MAIL", "edge": "contains", "target": "MAIL-01"},
        ("unlink", "MAIL", "contains", "MAIL-01"),
    ),
    ("pin", {"node": "MAIL"}, ("pin", "MAIL")),
    ("lock", {}, ("lock",)),
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return write(tmp_path, SPEC_GRAPH)


def served(place: Path, **options: bool) -> Service:
    return Service(roots=roots_of(str(place), []), **options)  # type: ignore[arg-type]


def test_the_instructions_and_the_prompt_use_the_words_of_the_format(place: Path) -> None:
    assert server_of(served(place), None).instructions == SPEC_INSTRUCTIONS  # type: ignore[arg-type]
    prompt = calls.get_prompt(served(place), "work-on-node", {"node": "MAIL-01"})
    content = prompt.messages[0].content
    assert isinstance(content, types.TextContent)
    assert "# Context for MAIL-01: Confirm an order\n" in content.text
    assert "`yg verify MAIL-01` runs its commands" in content.text
    assert "do not change it on your own" in content.text
    for text in (SPEC_INSTRUCTIONS, content.text):
        assert [word for word in FOREIGN if word in text] == []
    allowed = calls.get_prompt(served(place, may_write=True), "work-on-node", {"node": "MAIL"})
    assert "change it with `node-set` and `link`" in str(allowed.messages[0].content)


def test_other_servers_keep_their_words(tmp_path: Path) -> None:
    place = write_graph(tmp_path / "one", GRAPH)
    assert server_of(served(place), None).instructions == INSTRUCTIONS  # type: ignore[arg-type]
    few = listed_of(served(place))
    assert all(tool in READING for tool in few)
    assert listed_of(served(place, lists_all=True)) == READING
    assert listed_of(served(place, may_write=True)) == few
    assert listed_of(served(place, may_sync=True)) == (*few, *SYNC)
    both = write(place, SPEC_GRAPH)
    assert listed_of(served(both)) == few
    (tmp_path / "none").mkdir()
    assert listed_of(served(tmp_path / "none")) == few


@pytest.mark.parametrize(
    "options", [{}, {"may_write": True}, {"may_write": True, "may_sync": True}]
)
def test_the_list_of_tools_is_small_and_writes_only_if_allowed(
    place: Path, options: dict[str, bool]
) -> None:
    service = served(place, **options)
    reading = [tool for tool in listed_of(service) if not tool.writes]
    assert sorted(tool.name for tool in reading) == sorted(tool.name for tool in SPEC_READING)
    assert len(reading) <= 10
    assert listed_of(service) == (*reading, *(WRITING if options else ()))
    tools = listed_tools(service)
    limit = 16 * 1024 if not options else 24_000
    assert len(types.ListToolsResult(tools=tools).model_dump_json(by_alias=True)) < limit
    assert not any("verify" in tool.name for tool in tools_of(service))
    writing = {tool.name for tool in tools if not tool.annotations.read_only_hint}  # type: ignore[union-attr]
    assert writing == {tool.name for tool in (WRITING if options else ())}


def test_no_argument_is_listed_that_only_other_graphs_have(place: Path) -> None:
    tools = {tool.name: tool for tool in listed_tools(served(place))}
    listed = {name: set(tool.input_schema["properties"]) for name, tool in tools.items()}
    assert listed["build-context"].isdisjoint({"file", "files", "lenient", "kind"})
    assert listed["find"] == {"words", "limit", "all", "root"}
    assert listed["impact"] == {"node", "diff", "patch", "limit", "offset", "root"}
    assert listed["plan"] == {"node", "lenient", "limit", "offset", "root"}
    assert listed["deps"] == {"node", "depth", "limit", "offset", "root"}
    said = json.dumps([tool.model_dump() for tool in tools.values()])
    inputs = json.dumps([tool.input_schema for tool in tools.values()])
    assert [word for word in ("orders", "flow", "aspect", "mapped") if word in inputs] == []
    assert "drift" not in said


@pytest.mark.parametrize("tool", [*ONLY_IN_SPECS, *WRITING], ids=lambda tool: tool.name)
def test_examples_of_arguments_are_arguments(tool: Any) -> None:
    for argument in tool.accepts:
        schema = argument.schema
        Draft202012Validator.check_schema(schema)
        assert Draft202012Validator(schema).is_valid(argument.example)
    assert checked(tool.accepts, {each.name: each.example for each in tool.accepts})


def test_a_node_is_given_in_full(place: Path) -> None:
    result = calls.call_tool(served(place), "node", {"node": "MAIL-01"})
    text, data = (
        run("node", "show", "MAIL-01", "-C", str(place), *more).text for more in ((), ("--json",))
    )
    assert (texts(result)[0], result.structured_content) == (text, json.loads(data))
    assert json.loads(json.loads(data)["text"])["title"] == "Confirm an order"
    assert text.endswith("Links to it:\n  MAIL contains\n")
    assert calls.call_tool(served(place), "node", {"node": "GONE"}).is_error


@pytest.mark.parametrize(("tool", "arguments", "argv"), CHANGES, ids=str)
def test_a_tool_writes_what_its_command_writes(
    tmp_path: Path, tool: str, arguments: dict[str, Any], argv: tuple[str, ...]
) -> None:
    one, two = write(tmp_path / "one", SPEC_GRAPH), write(tmp_path / "two", SPEC_GRAPH)
    refused = calls.call_tool(served(one), tool, arguments)
    assert texts(refused)[0].startswith(f"error: unknown tool '{tool}'")
    service = served(one, may_write=True)
    dry = calls.call_tool(service, tool, {**arguments, "dry_run": True})
    assert not dry.is_error
    assert files_below(one) == files_below(two)
    result = calls.call_tool(service, tool, arguments)
    printed = run(*argv, "-C", str(two), "--json")
    assert result.structured_content == json.loads(printed.text)
    assert files_below(one) == files_below(two)


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        (
            "link",
            {"source": "MAIL", "edge": "contains", "target": "GONE"},
            "error: nothing was written",
        ),
        ("link", {"source": "MAIL", "edge": "x", "target": "MAIL"}, "error: 'edge' must be one of"),
        ("node-set", {"node": "MAIL", "field": "title", "value": "\0"}, "error: 'value' must be"),
        (
            "node-set",
            {"node": "MAIL", "field": "title", "value": "\udcff"},
            "error: the text is not",
        ),
        ("node-add", {"type": "feature", "id": "../X"}, "error: 'id' must be an id"),
        ("verify", {"node": "MAIL"}, "error: unknown tool 'verify'"),
    ],
    ids=str,
)
def test_a_refusal_is_an_error_result(
    place: Path, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    before = files_below(place)
    result = calls.call_tool(served(place, may_write=True), tool, arguments)
    assert result.is_error
    assert texts(result)[0].startswith(reason)
    assert files_below(place) == before


def test_a_graph_stays_open_until_a_file_changes(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", 0)
    service = served(place)

    def opened() -> object:
        with request_to(service, str(place), {}) as request:
            return request.open().specs

    first = opened()
    assert opened() is first
    file = place / "specgraph/nodes/MAIL.json"
    size = file.stat()
    file.write_text(file.read_text().replace("Mail", "Post"))
    assert file.stat().st_size == size.st_size
    second = opened()
    assert second is not first
    assert opened() is second
    (place / "specgraph/other.json").write_text("{}")
    third = opened()
    assert third is not second
    (place / "specgraph/other.json").unlink()
    assert opened() is not third


def test_a_file_that_has_just_changed_is_read_each_time(place: Path) -> None:
    service = served(place)
    graphs = []
    for _ in range(2):
        with request_to(service, str(place), {}) as request:
            graphs.append(request.open().specs)
    assert graphs[0] is not graphs[1]


def test_a_change_of_a_node_in_a_hidden_place_is_noticed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", 0)
    os.rename(place / "specgraph/nodes", place / "specgraph/.nodes")
    index = place / "specgraph/graph.json"
    index.write_text(index.read_text().replace("nodes/MAIL", ".nodes/MAIL"))
    service = served(place)
    titles = []
    for title in ("Mail", "Post"):
        file = place / "specgraph/.nodes/MAIL.json"
        file.write_text(file.read_text().replace("Mail", title))
        with request_to(service, str(place), {}) as request:
            titles.append(request.open().specs.nodes["MAIL"].title)
    assert titles == ["Mail", "Post"]


def test_a_spec_graph_has_no_prompts_about_types_and_artifacts(place: Path) -> None:
    assert [prompt.name for prompt in listed_prompts(served(place))] == ["work-on-node"]
