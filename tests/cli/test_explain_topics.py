"""`yg explain types|artifacts|code-first|graph-first`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent import SPEC_GRAPH
from schemas import faults
from support import CONFIG, run, write, write_graph
from yg.commands.explain.topics import TOPICS

TYPED = CONFIG.replace(
    'service: {description: "A component"}',
    'service: {description: "A component\\nof two lines", '
    "required_aspects: [audit, logs], may_use: [module]}",
).replace("required: never", "required: {when: 'has_aspect:audit'}")


@pytest.fixture
def here(tmp_path: Path) -> str:
    write_graph(tmp_path, {"yg-config.yaml": TYPED})
    return str(tmp_path)


def test_types_have_descriptions_required_aspects_and_what_they_may_use(here: str) -> None:
    assert run("explain", "types", "-C", here).text == (
        "module\n  A domain\n\n"
        "service\n  A component\n  of two lines\n  Required aspects: audit, logs\n"
        "  May use: module\n"
    )


def test_artifacts_say_when_a_node_needs_them_and_who_sees_them(here: str) -> None:
    assert run("explain", "artifacts", "-C", here).text == (
        "responsibility.md\n  What it does\n"
        "  Required: always. Nodes that depend on the node see it.\n\n"
        "interface.md\n  What it offers\n"
        "  Required: when has_incoming_relations. Nodes that depend on the node see it.\n\n"
        "internals.md\n  How it works\n  Required: when has_aspect:audit.\n"
    )


@pytest.mark.parametrize("topic", ["code-first", "graph-first"])
def test_a_checklist_ends_with_the_baseline_and_needs_no_graph(topic: str, tmp_path: Path) -> None:
    outcome = run("explain", topic, "-C", str(tmp_path), "--json")
    steps = json.loads(outcome.text)["steps"]
    assert (outcome.code, outcome.notes) == (0, "")
    assert steps[-1].startswith("`yg drift-sync --node NODE`")
    text = run("explain", topic, "-C", str(tmp_path)).text
    assert [line[:3] for line in text.splitlines() if line[:1].isdigit()] == [
        f"{number}. " for number in range(1, len(steps) + 1)
    ]


@pytest.mark.parametrize("topic", TOPICS)
def test_json_follows_its_schema(here: str, topic: str) -> None:
    assert faults(run("explain", topic, "-C", here, "--json").text) == []


@pytest.mark.parametrize("topic", ["types", "artifacts"])
def test_a_bad_configuration_is_reported_with_its_place(tmp_path: Path, topic: str) -> None:
    write_graph(tmp_path, {"yg-config.yaml": f"{CONFIG}rules: [\n"})
    outcome = run("explain", topic, "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", 1)
    assert "E012" in outcome.notes
    assert ".yggdrasil/yg-config.yaml:13:8" in outcome.notes
    assert "error: the configuration cannot be read\n  Fix its errors first." in outcome.notes


@pytest.mark.parametrize("topic", ["types", "artifacts"])
def test_the_configured_topics_need_a_graph(tmp_path: Path, topic: str) -> None:
    outcome = run("explain", topic, "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith("error: No .yggdrasil/ directory found.")


def test_0x_graphs_configure_neither(tmp_path: Path) -> None:
    write(tmp_path, {"yggdrasil/config.yaml": "name: old\n"})
    outcome = run("explain", "types", "-C", str(tmp_path))
    assert outcome.code == 1
    assert outcome.notes.startswith("error: 0.x graphs do not configure node types\n")


@pytest.mark.parametrize("topic", TOPICS)
def test_spec_graphs_have_other_ways(tmp_path: Path, topic: str) -> None:
    write(tmp_path, SPEC_GRAPH)
    outcome = run("explain", topic, "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", 1)
    assert "belongs to Yggdrasil graphs" in outcome.notes


def test_a_topic_has_no_markdown_form() -> None:
    assert run("explain", "types", "--format", "markdown").code == 2


def test_a_misspelt_topic_is_suggested() -> None:
    assert "Did you mean 'code-first'?" in run("explain", "code-frist").notes
