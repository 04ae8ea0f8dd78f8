"""The reader of the 0.x edition: what its files become, and what is said of bad ones."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from yg.kernel.snapshot import DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.read.v0 import read
from yg.yggdrasil.rules.check import issues_of

NODE = "name: N\ntype: service\n"
CONFIG = "name: P\n"


def snapshot(files: Mapping[str, str | bytes | Kind]) -> DictSnapshot:
    every: dict[str, str | bytes | Kind] = {"config.yaml": CONFIG, **files}
    return DictSnapshot({f"yggdrasil/{path}": content for path, content in every.items()})


def graph_of(files: Mapping[str, str | bytes | Kind]) -> Graph:
    return read(snapshot(files))


def issues(files: Mapping[str, str | bytes | Kind]) -> list[tuple[str, str]]:
    state = snapshot(files)
    return [(issue.code, issue.subject) for issue in issues_of(read(state), SnapshotSources(state))]


def briefing(config: str) -> list[str]:
    graph = graph_of({"config.yaml": config})
    assert graph.config_reading.notes == ()
    return list(graph.config.briefing)


# The configuration.


@pytest.mark.parametrize("key", ["name", "project"])
def test_a_project_has_a_name_under_either_key(key: str) -> None:
    assert graph_of({"config.yaml": f"{key}: Shop\n"}).config.name == "Shop"


def test_name_comes_before_project() -> None:
    assert graph_of({"config.yaml": "project: B\nname: A\n"}).config.name == "A"


def test_the_threshold_is_8000_unless_limits_say_otherwise() -> None:
    assert graph_of({}).config.quality.budget.warning == 8000
    config = "name: P\nlimits: {context_warning_tokens: 12}\n"
    assert graph_of({"config.yaml": config}).config.quality.budget.warning == 12
    assert graph_of({"config.yaml": "name: P\nlimits: {}\n"}).config.quality.budget.warning == 8000


@pytest.mark.parametrize(
    ("config", "lines"),
    [
        ("name: P\n", []),
        ("name: P\nstack: {}\n", []),
        ("name: P\nstack:\nstandards:\ntesting:\n", []),
        ("name: P\nstack: {language: Go}\n", ["", "**Stack:**", "- Language: Go"]),
        (
            "name: P\nstack: {b: 1.5, a: true, 'éa': 2, cI: x}\n",
            ["", "**Stack:**", "- B: 1.5", "- A: true", "- Éa: 2", "- CI: x"],
        ),
        ("name: P\nstandards: One line\n", ["", "**Standards:**", "One line"]),
        (
            "name: P\nstandards: |\n  One\n\n  - two\n",
            ["", "**Standards:**", "One", "", "- two"],
        ),
        ("name: P\nstandards: [a, b]\n", ["", "**Standards:**", "- a", "- b"]),
        (
            "name: P\ntesting: T\nstandards: S\n",
            ["", "**Standards:**", "S", "", "**Testing:**", "T"],
        ),
    ],
)
def test_the_briefing_is_what_the_configuration_says(config: str, lines: list[str]) -> None:
    assert briefing(config) == lines


@pytest.mark.parametrize(
    "config",
    [
        "stack: {a: b}\n",
        "name: 12\n",
        "name: P\nstack: text\n",
        "name: P\nstack: {a: [b]}\n",
        "name: P\nstandards: {a: b}\n",
        "name: P\ntesting: [[a]]\n",
        "name: P\nlimits: {context_warning_tokens: many}\n",
        "name: P\nlimits: {context_warning_tokens: -1}\n",
        "name: [\n",
        "- a\n",
        "",
    ],
)
def test_a_bad_configuration_is_an_error(config: str) -> None:
    assert set(issues({"config.yaml": config})) == {("E012", "config.yaml")}


def test_keys_of_other_tools_are_ignored() -> None:
    assert issues({"config.yaml": "name: P\nplugins: [x]\nlimits: {other: 1}\n"}) == []


# Nodes.


def test_a_node_is_all_that_its_file_declares() -> None:
    text = """\
name: Api
type: anything
tags: [a, b]
relations:
  - {target: x, type: uses}
  - {target: y, type: is-inspired-by, note: ignored}
mapping: [src/a, src/b]
"""
    node = graph_of({"m/api/node.yaml": text, "m/api/z.md": "", "m/api/a.md": ""}).nodes.get(
        "m/api"
    )
    assert node is not None
    assert (node.name, node.type.text, node.aspect_ids) == ("Api", "anything", ("a", "b"))
    relations = [(relation.target.text, str(relation.kind)) for relation in node.relations]
    assert relations == [("x", "uses"), ("y", "is-inspired-by")]
    assert all(relation.kind.is_structural for relation in node.relations)
    assert [word.text for word in node.mapping] == ["src/a", "src/b"]
    assert node.files == ("a.md", "z.md")


def test_a_mapping_may_be_one_path() -> None:
    node = graph_of({"a/node.yaml": f"{NODE}mapping: src/a.py\n"}).nodes.get("a")
    assert node is not None
    assert [word.text for word in node.mapping] == ["src/a.py"]


@pytest.mark.parametrize("kind", ["emits", "listens", "uses", "Any Name"])
def test_every_relation_is_structural_whatever_its_name(kind: str) -> None:
    text = f"{NODE}relations: [{{target: b, type: {kind}}}]\n"
    node = graph_of({"a/node.yaml": text}).nodes.get("a")
    assert node is not None
    assert [(str(relation.kind), relation.kind.is_structural) for relation in node.relations] == [
        (kind, True)
    ]


def test_nodes_are_nested_freely_and_need_no_node_above_them() -> None:
    files = {"a/b/c/node.yaml": NODE, "a/node.yaml": NODE, "z/y/node.yaml": NODE, "z/x.md": ""}
    assert [node.path for node in graph_of(files).nodes] == ["a", "a/b/c", "z/y"]
    assert issues(files) == []


def test_aspects_and_flows_at_the_top_are_not_nodes() -> None:
    files = {"aspects/node.yaml": NODE, "flows/x/node.yaml": NODE, "a/flows/node.yaml": NODE}
    graph = graph_of(files)
    assert [node.path for node in graph.nodes] == ["a/flows"]
    assert graph.nodes.get("flows/x") is None


@pytest.mark.parametrize(
    "text",
    [
        "type: service\n",
        "name: N\n",
        "name: 12\ntype: service\n",
        f"{NODE}tags: audit\n",
        f"{NODE}tags: [1]\n",
        f"{NODE}relations: text\n",
        f"{NODE}relations: [{{target: b}}]\n",
        f"{NODE}relations: [{{type: uses}}]\n",
        f"{NODE}relations: [b]\n",
        f"{NODE}mapping: {{paths: [a]}}\n",
        f"{NODE}mapping: [1]\n",
        "name: [\n",
        "",
    ],
)
def test_a_bad_node_is_an_error_and_its_neighbours_stay(text: str) -> None:
    files = {"a/node.yaml": text, "a/child/node.yaml": NODE, "b/node.yaml": NODE}
    assert set(issues(files)) == {("E001", "a")}
    assert [node.path for node in graph_of(files).nodes] == ["a/child", "b"]


# Aspects and flows.


def test_an_aspect_is_a_file_with_a_name_and_a_tag() -> None:
    files = {
        "aspects/b.yaml": "name: B\ntag: x\n",
        "aspects/a.yml": "name: A\ntag: x\npropagates: false\nrules: [anything]\n",
        "aspects/notes.md": "No aspect.\n",
        "aspects/.hidden.yaml": "name: H\ntag: h\n",
        "aspects/below/c.yaml": "name: C\ntag: c\n",
    }
    found = [
        (aspect.id, aspect.name, aspect.tag, aspect.propagates)
        for aspect in graph_of(files).aspects
    ]
    assert found == [("a.yml", "A", "x", False), ("b.yaml", "B", "x", True)]
    assert issues(files) == []


@pytest.mark.parametrize(
    "text",
    ["name: A\n", "tag: x\n", "name: A\ntag: 1\n", "name: A\ntag: x\npropagates: no\n", "a: [\n"],
)
def test_a_bad_aspect_is_an_error_and_the_others_stay(text: str) -> None:
    files = {"aspects/a.yaml": text, "aspects/b.yaml": "name: B\ntag: b\n"}
    assert set(issues(files)) == {("E018", "aspects/a.yaml")}
    assert [aspect.id for aspect in graph_of(files).aspects] == ["b.yaml"]


@pytest.mark.parametrize("text", ["nodes: [a]\n", "name: F\nnodes: a\n", "name: 1\n", "a: [\n"])
def test_a_bad_flow_is_an_error_and_the_others_stay(text: str) -> None:
    good = "name: G\nnodes: [a]\n"
    files = {"flows/f/flow.yaml": text, "flows/g/flow.yaml": good, "a/node.yaml": NODE}
    assert set(issues(files)) == {("E019", "flows/f")}
    assert [flow.id for flow in graph_of(files).flows] == ["g"]


# Checking.


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a/node.yaml": NODE}, []),
        ({"a/node.yaml": f"{NODE}relations: [{{target: b, type: x}}]\n"}, [("E004", "a")]),
        ({"flows/f/flow.yaml": "name: F\nnodes: [gone]\n"}, [("E006", "flows/f")]),
        ({"a/node.yaml": f"{NODE}tags: [x]\n"}, [("W020", "a")]),
        (
            {"a/node.yaml": f"{NODE}tags: [x]\n", "aspects/x.yaml": "name: X\ntag: y\n"},
            [("W020", "a")],
        ),
        ({"a/node.yaml": f"{NODE}tags: [x]\n", "aspects/q.yaml": "name: X\ntag: x\n"}, []),
        ({"a/node.yaml": NODE, "a/x.md": b"\xff"}, [("E021", "a")]),
        ({"a/node.yaml": NODE, "a/x.md": Kind.LINK}, [("W019", "a")]),
        # What 2.x asks for and 0.x does not.
        ({"a/node.yaml": f"{NODE}colour: green\n"}, []),
        ({"a/node.yaml": f"{NODE}mapping: src/gone.py\n"}, []),
        ({"a/x.md": "no node here"}, []),
        ({"flows/f/flow.yaml": "name: F\nnodes: []\n"}, []),
    ],
)
def test_each_code_of_the_check(
    files: dict[str, str | bytes | Kind], expected: list[tuple[str, str]]
) -> None:
    assert issues(files) == expected


def test_a_package_above_the_threshold_is_a_warning() -> None:
    files = {
        "config.yaml": "name: P\nlimits: {context_warning_tokens: 100}\n",
        "a/node.yaml": NODE,
        "a/description.md": "x" * 1_000,
        "b/node.yaml": NODE,
    }
    assert issues(files) == [("W005", "a")]
