"""Nodes, packages and rules by address, and the prompt to work on a node."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from agent import GRAPH, Agent
from support import NODE, run


def test_resources_are_read_by_address(asking: Agent, places: Path) -> None:
    templates = asking.ask(asking.client.list_resource_templates).resource_templates
    assert [each.uri_template for each in templates] == [
        "yg://node/{path}",
        "yg://context/{path}",
        "yg://rules/{code}",
    ]

    def read(uri: str) -> str:
        (content,) = asking.ask(asking.client.read_resource, uri).contents
        assert (content.uri, content.mime_type) == (uri, "text/markdown")
        return str(content.text)

    own = (
        f"### yg-node.yaml\n{NODE}\n### responsibility.md\n{GRAPH['model/a/b/responsibility.md']!s}"
    )
    assert read("yg://node/a/b") == read("yg://node/a%2Fb") == own
    package = run("build-context", "a/b", "-C", str(places / "one")).text
    assert read("yg://context/a/b") == package
    assert read(f"yg://context/a/b?root={places}/two") == package
    broken = "yg://node/a?root=../broken"  # of which there is no package
    assert read(broken).startswith("### yg-node.yaml\nname: Alpha\n")
    assert read("yg://rules/E004") == run("explain", "E004").text


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("yg://node/nowhere", "no node at 'nowhere'. 'yg tree' lists all nodes."),
        ("yg://rules/E999", "there is no rule 'E999'. 'yg explain' lists all rules."),
        ("yg://node/", "unknown resource 'yg://node/'. Known resources: "),
        ("yg://[", "unknown resource 'yg://['. Known resources: "),
        ("file:///etc/passwd", "unknown resource 'file:///etc/passwd'. Known resources: "),
        ("yg://node/../../x", "no node at '../../x'. 'yg tree' lists all nodes."),
        ("yg://node/a?root=/", "root '/' is not allowed. This server serves "),
    ],
)
def test_a_resource_that_is_not_there_is_reported(asking: Agent, uri: str, message: str) -> None:
    with pytest.raises(MCPError) as caught:
        asking.ask(asking.client.read_resource, uri)
    assert caught.value.code == -32602
    assert caught.value.message.startswith(message)


def test_the_prompt_lays_out_the_steps_with_the_package(asking: Agent, places: Path) -> None:
    prompt = asking.ask(asking.client.list_prompts).prompts[0]
    assert (prompt.name, prompt.title) == ("work-on-node", "Work on a node")
    assert [(each.name, each.required) for each in prompt.arguments] == [
        ("node", True),
        ("root", False),
    ]
    (message,) = asking.ask(asking.client.get_prompt, prompt.name, {"node": "a/b/"}).messages
    text = message.content.text
    assert text.startswith("Work on the node `a/b`.")
    steps = ("Read", "Change", "If you change", "Update", "Call `validate`", "Call `drift`")
    for number, step in enumerate(steps, start=1):
        assert f"\n{number}. {step}" in text
    assert "run `yg drift-sync --node a/b`" in text
    package = run("build-context", "a/b", "-C", str(places / "one")).text
    assert text.endswith(f"\n{package}\n[root {places}/one, not in git]\n")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("work", {}, "unknown prompt 'work'. Known prompts: work-on-node, types, "),
        ("work-on-node", {}, "missing argument 'node'. Path of the node."),
        ("work-on-node", {"node": "c"}, "no node at 'c'."),
    ],
)
def test_a_prompt_that_cannot_be_written_is_reported(
    asking: Agent, name: str, arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(MCPError) as caught:
        asking.ask(asking.client.get_prompt, name, arguments)
    assert caught.value.message.startswith(message)


def test_the_topics_of_explain_are_prompts(asking: Agent, places: Path) -> None:
    listed = asking.ask(asking.client.list_prompts).prompts
    topics = ["types", "artifacts", "code-first", "graph-first"]
    assert [prompt.name for prompt in listed] == ["work-on-node", *topics]
    for prompt in listed[1:]:
        assert [(argument.name, argument.required) for argument in prompt.arguments] == [
            ("root", False)
        ]
        (message,) = asking.ask(asking.client.get_prompt, prompt.name, {}).messages
        printed = run("explain", prompt.name, "-C", str(places / "one")).text
        assert message.content.text == f"{printed}\n[root {places}/one, not in git]\n"
