"""A survey is the whole of a graph, or exactly what touches one package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support import CONFIG, NODE, graph_from
from yg.kernel.snapshot import Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.rules.check import RULES
from yg.yggdrasil.rules.survey import Survey, around, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support import Content


def whole_of(files: Mapping[str, Content]) -> Survey:
    graph = graph_from(files)
    return whole(graph, SnapshotSources(graph.snapshot), lambda: RULES)


def around_in(files: Mapping[str, Content], path: str) -> Survey:
    graph = graph_from(files)
    return around(graph, SnapshotSources(graph.snapshot), lambda: RULES, [path])


def ids(survey: Survey) -> tuple[list[str], list[str], list[str]]:
    """Name all that is looked at, readable or not."""
    return (
        list(survey.node_readings),
        list(survey.aspect_readings),
        list(survey.flow_readings),
    )


def aspect(*implies: str) -> str:
    return f"name: A\nimplies: [{', '.join(implies)}]\n"


GRAPH: dict[str, Content] = {
    "model/yg-node.yaml": f"{NODE}aspects: [{{aspect: of-root}}]\n",
    "model/a/yg-node.yaml": NODE,
    "model/a/b/yg-node.yaml": f"""{NODE}
aspects: [{{aspect: own}}]
relations: [{{target: t, type: uses}}, {{target: e, type: emits}}]
""",
    "model/a/b/below/yg-node.yaml": NODE,
    "model/a/sibling/yg-node.yaml": NODE,
    "model/t/yg-node.yaml": f"""{NODE}
aspects: [{{aspect: of-target}}]
relations: [{{target: far, type: uses}}]
""",
    "model/t/u/yg-node.yaml": NODE,
    "model/e/yg-node.yaml": NODE,
    "model/far/yg-node.yaml": NODE,
    "aspects/of-root/yg-aspect.yaml": aspect("implied"),
    "aspects/implied/yg-aspect.yaml": aspect("deeply/implied"),
    "aspects/deeply/implied/yg-aspect.yaml": aspect("implied"),
    "aspects/own/yg-aspect.yaml": aspect(),
    "aspects/of-flow/yg-aspect.yaml": aspect(),
    "aspects/of-target/yg-aspect.yaml": aspect(),
    "aspects/unused/yg-aspect.yaml": aspect(),
    "flows/above/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [of-flow]\n",
    "flows/own/yg-flow.yaml": "name: F\nnodes: [a/b]\n",
    "flows/below/yg-flow.yaml": "name: F\nnodes: [a/b/below]\naspects: [unused]\n",
    "flows/of-target/yg-flow.yaml": "name: F\nnodes: [t]\n",
}


def test_the_whole_graph_is_everything_in_it() -> None:
    assert ids(whole_of(GRAPH)) == (
        [".", "a", "a/b", "a/b/below", "a/sibling", "e", "far", "t", "t/u"],
        ["deeply/implied", "implied", "of-flow", "of-root", "of-target", "own", "unused"],
        ["above", "below", "of-target", "own"],
    )


def test_a_package_is_touched_by_its_node_ancestors_targets_aspects_and_flows() -> None:
    assert ids(around_in(GRAPH, "a/b")) == (
        [".", "a", "a/b", "e", "t"],
        ["deeply/implied", "implied", "of-flow", "of-root", "own"],
        ["above", "own"],
    )


def test_a_node_that_is_alone_is_touched_by_itself() -> None:
    files = {"model/a/yg-node.yaml": NODE, "model/ab/yg-node.yaml": NODE}
    assert ids(around_in(files, "a")) == (["a"], [], [])


BAD = "name: 1\n"


def test_what_touches_a_package_counts_though_it_cannot_be_read() -> None:
    files = {
        "model/yg-node.yaml": BAD,
        "model/a/yg-node.yaml": f"""{NODE}
aspects: [{{aspect: x}}, {{aspect: bad}}, {{aspect: missing}}]
relations: [{{target: t, type: uses}}, {{target: missing, type: uses}}]
""",
        "model/t/yg-node.yaml": BAD,
        "model/other/yg-node.yaml": BAD,
        "aspects/x/yg-aspect.yaml": aspect("implied"),
        "aspects/bad/yg-aspect.yaml": BAD,
        "aspects/implied/yg-aspect.yaml": "implies: [x]\n",
        "aspects/other/yg-aspect.yaml": "implies: [x]\n",
    }
    survey = around_in(files, "a")
    assert ids(survey) == ([".", "a", "t"], ["bad", "implied", "x"], [])
    assert [node.path for node in survey.nodes] == ["a"]
    assert [item.id for item in survey.aspects] == ["x"]
    assert [note.finding.subject for note in survey.notes] == [
        ".",
        ".",
        "t",
        "t",
        "aspects/bad",
        "aspects/implied",
    ]


def test_a_bad_node_is_touched_by_what_is_above_it_and_by_its_flows() -> None:
    files = {
        "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n",
        "model/a/b/yg-node.yaml": BAD,
        "aspects/x/yg-aspect.yaml": aspect(),
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a/b]\n",
    }
    assert ids(around_in(files, "a/b")) == (["a", "a/b"], ["x"], ["f"])


def test_a_flow_that_cannot_be_read_may_list_anybody() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "flows/bad/yg-flow.yaml": "name: F\nnodes: a\n",
        "flows/other/yg-flow.yaml": "name: F\nnodes: [b]\n",
    }
    survey = around_in(files, "a")
    assert ids(survey) == (["a"], [], ["bad"])
    assert [note.finding.message for note in survey.notes] == ["'nodes' must be a list, found text"]


def test_the_configuration_touches_every_package() -> None:
    files = {"yg-config.yaml": f"{CONFIG}quality: 1\nstack: x\n", "model/a/yg-node.yaml": NODE}
    for survey in (around_in(files, "a"), whole_of(files)):
        assert [note.finding.subject for note in survey.notes] == ["yg-config.yaml"]
        assert [use.key.name.text for use in survey.unknown_keys] == ["stack"]


def test_notes_and_strays_come_from_every_file_and_every_folder() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": f"{NODE}tags: []\n",
        "model/bare/b/yg-node.yaml": NODE,
        "model/bare/b/linked.md": Kind.LINK,
        "aspects/x/content.md": "Undeclared.",
        "aspects/y/yg-aspect.yaml": "name: Y\ntag: y\n",
        "flows/f/content.md": "Undeclared.",
        "flows/g/yg-flow.yaml": "name: 1\nnodes: [a]\nwho: me\n",
    }
    survey = whole_of(files)
    assert [(note.issue.value, note.finding.subject) for note in survey.notes] == [
        ("directory-without-node", "bare"),
        ("invalid-aspect-yaml", "aspects/x"),
        ("invalid-flow-yaml", "flows/f"),
        ("ignored-link", "bare/b"),
        ("invalid-flow-yaml", "flows/g"),
    ]
    assert [(use.subject, use.key.name.text) for use in survey.unknown_keys] == [
        ("a", "tags"),
        ("aspects/y", "tag"),
        ("flows/g", "who"),
    ]


def test_texts_are_those_that_can_reach_a_package() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": "R",
        "model/a/notes.md": "Not configured.",
        "model/docs/responsibility.md": "Of no node.",
        "aspects/x/yg-aspect.yaml": aspect(),
        "aspects/x/content.md": "C",
        "aspects/x/more.txt": "M",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        "flows/f/description.md": "D",
    }
    texts = [(text.subject, text.text.path) for text in whole_of(files).doubtful_texts]
    assert texts == [
        ("a", ".yggdrasil/model/a/responsibility.md"),
        ("aspects/x", ".yggdrasil/aspects/x/content.md"),
        ("aspects/x", ".yggdrasil/aspects/x/more.txt"),
        ("flows/f", ".yggdrasil/flows/f/description.md"),
    ]


@pytest.mark.parametrize("path", ["a/b", "a", ".", "t", "far"])
def test_every_file_that_decides_a_package_is_looked_at_around_it(path: str) -> None:
    graph = graph_from(GRAPH)
    node = graph.nodes.get(path)
    assert node is not None
    survey = around_in(GRAPH, path)
    files = {text.text.path for text in survey.doubtful_texts}
    files |= {node.file for node in survey.nodes}
    files |= {item.file for item in survey.aspects} | {flow.file for flow in survey.flows}
    assert set(assemble(graph, node).source_files) <= files


def test_incoming_relations_are_those_of_other_nodes_of_both_classes() -> None:
    relations = "relations: [{target: t, type: uses}, {target: t, type: emits}]\n"
    files = {
        "model/b/yg-node.yaml": NODE + relations,
        "model/a/yg-node.yaml": NODE + "relations: [{target: t, type: listens}]\n",
        "model/t/yg-node.yaml": NODE + "relations: [{target: t, type: uses}]\n",
    }
    assert whole_of(files).incoming == {"t": ("a", "b")}
