"""The tools answer for every kind of graph, as the commands do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent import SPEC_GRAPH, Agent, texts
from support import run

CALLS: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    ("build-context", {"node": "MAIL-01"}, ("MAIL-01",)),
    ("build-context", {"node": "MAIL", "depth": 1}, ("MAIL", "--depth", "1")),
    ("build-context", {"node": "MAIL", "depth": "full"}, ("MAIL", "--depth", "full")),
    ("build-context", {"node": "MAIL", "format": "text"}, ("MAIL", "--format", "text")),
    ("find", {"words": "mail order"}, ("mail", "order")),
    ("tree", {}, ()),
    ("deps", {"node": "MAIL"}, ("MAIL",)),
    ("impact", {"node": "MAIL"}, ("MAIL",)),
    ("validate", {}, ()),
    ("plan", {}, ()),
)


@pytest.mark.parametrize(("tool", "arguments", "argv"), CALLS, ids=str)
def test_a_tool_answers_about_a_spec_graph_as_its_command_does(
    asking: Agent, places: Path, tool: str, arguments: dict[str, Any], argv: tuple[str, ...]
) -> None:
    result = asking.call(tool, root="../spec", **arguments)
    printed = [
        run(tool, "-C", str(places / "spec"), *argv, *more).text for more in ((), ("--json",))
    ]
    assert (texts(result)[0], result.structured_content) == (printed[0], json.loads(printed[1]))


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("drift", {}, "drift belongs to Yggdrasil graphs"),
        ("owner", {"files": ["x"]}, "the owner of a file belongs to Yggdrasil graphs"),
        ("impact", {"aspect": "x"}, "an aspect (--aspect) belongs to Yggdrasil graphs"),
        ("tree", {"kind": "yggdrasil"}, "No .yggdrasil/ directory found."),
        ("build-context", {"node": "MAIL-1"}, "Node not found: MAIL-1"),
    ],
    ids=str,
)
def test_what_a_spec_graph_does_not_have_is_reported(
    asking: Agent, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    result = asking.call(tool, root="../spec", **arguments)
    assert result.is_error
    assert texts(result)[0].startswith(f"error: {reason}")


def test_a_depth_is_a_number_or_full(asking: Agent) -> None:
    result = asking.call("build-context", node="MAIL", depth=0, root="../spec")
    assert texts(result)[0].startswith("error: 'depth' must be an integer >= 1, or full\n")


def test_the_node_resource_is_the_file_of_the_node(asking: Agent) -> None:
    uri = "yg://node/MAIL-01?root=../spec"
    (content,) = asking.ask(asking.client.read_resource, uri).contents
    file = SPEC_GRAPH["specgraph/nodes/MAIL-01.json"]
    assert content.text == f"### MAIL-01.json\n{file!s}\n"


def test_the_prompt_goes_with_any_node(asking: Agent) -> None:
    arguments = {"node": "MAIL-01", "root": "../spec"}
    (message,) = asking.ask(asking.client.get_prompt, "work-on-node", arguments).messages
    assert message.content.text.startswith("Work on the node `MAIL-01`.")
