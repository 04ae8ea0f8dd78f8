"""The numbers of a graph, each counted by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict, replace

from support import graph_from
from yg.yggdrasil.questions.overview import YggdrasilStatus, status_of
from yggdrasil.rules.cases import ASPECT, CONFIG, NODE, boxed, calls, carries, maps

CONFIG_OF_THREE = """\
name: counted
node_types:
  module: {description: A domain}
  service: {description: A component}
  library: {description: A tool}
artifacts:
  responsibility.md: {}
  interface.md: {}
"""
COUNTED = {
    "yg-config.yaml": CONFIG_OF_THREE,
    "model/yg-node.yaml": "name: Top\ntype: module\n",
    "model/responsibility.md": "",
    "model/a/yg-node.yaml": f"{calls('b')}  - {{target: b, type: emits}}\n",
    "model/a/responsibility.md": "",
    "model/a/interface.md": "",
    "model/a/notes.md": "no artifact",
    "model/b/yg-node.yaml": f"{maps('src/b')}aspects: [{{aspect: x}}]\n",
    "model/old/yg-node.yaml": boxed(f"{maps('src/old')}relations: [{{target: a, type: calls}}]\n"),
    "model/old/interface.md": "",
    "model/bad/yg-node.yaml": "",
    "aspects/x/yg-aspect.yaml": ASPECT,
    "aspects/y/yg-aspect.yaml": ASPECT,
    "aspects/bad/yg-aspect.yaml": "",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [y]\n",
    "flows/bad/yg-flow.yaml": "",
}


def test_a_graph_is_counted_without_its_blackboxes_where_quality_is_meant() -> None:
    assert status_of(graph_from(COUNTED)) == YggdrasilStatus(
        project="counted",
        types={"module": 1, "service": 2},
        nodes=3,
        blackboxes=1,
        structural=2,
        events=1,
        aspects=2,
        flows=1,
        artifact_types=2,
        artifacts_filled=3,
        relations=2,
        busiest="a",
        most_relations=2,
        mapped=1,
        covered=2,
        slots=6,
    )


def test_slots_are_artifact_types_times_nodes() -> None:
    assert status_of(graph_from(COUNTED)).slots == 6


def test_an_empty_graph_is_all_zeros() -> None:
    status = status_of(graph_from({"yg-config.yaml": CONFIG}))
    empty = {key: value for key, value in asdict(status).items() if value}
    assert empty == {"project": "test", "artifact_types": 1}
    assert status.slots == 0


def test_a_graph_of_blackboxes_alone_has_no_busiest_node() -> None:
    graph = graph_from({"model/a/yg-node.yaml": boxed(calls("a")), "yg-config.yaml": CONFIG})
    status = status_of(graph)
    assert (status.nodes, status.blackboxes, status.structural) == (0, 1, 1)
    assert (status.busiest, status.most_relations, status.relations) == ("", 0, 0)


def test_of_the_busiest_nodes_the_first_is_named() -> None:
    graph = graph_from({f"model/{name}/yg-node.yaml": calls("c") for name in "bac"})
    assert status_of(graph).busiest == "a"


def test_types_come_in_the_order_of_the_configuration_and_unknown_ones_by_name() -> None:
    types = ["zebra", "library", "module", "ape", "module"]
    files = {
        f"model/{at}/yg-node.yaml": f"name: N\ntype: {name}\n" for at, name in enumerate(types)
    }
    status = status_of(graph_from({"yg-config.yaml": CONFIG_OF_THREE, **files}))
    assert tuple(status.types.items()) == (("module", 2), ("library", 1), ("ape", 1), ("zebra", 1))


@pytest.mark.parametrize(
    "brings",
    [
        {"model/a/yg-node.yaml": carries("x")},
        {"model/yg-node.yaml": boxed(carries("x"))},
        {"flows/f/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [x]\n"},
    ],
    ids=["own", "hierarchy", "flow"],
)
def test_an_aspect_covers_a_node_however_it_comes_there(brings: dict[str, str]) -> None:
    files = {"model/a/yg-node.yaml": NODE, "aspects/x/yg-aspect.yaml": ASPECT}
    without = status_of(graph_from(files))
    status = status_of(graph_from({**files, **brings}))
    assert (without.covered, status.covered) == (0, 1)


def test_an_aspect_that_does_not_exist_covers_nothing() -> None:
    assert status_of(graph_from({"model/a/yg-node.yaml": carries("x")})).covered == 0


def test_the_order_of_files_never_shows() -> None:
    shuffled = dict(sorted(COUNTED.items(), reverse=True))
    assert status_of(graph_from(shuffled)) == status_of(graph_from(COUNTED))


def test_a_configuration_that_cannot_be_read_leaves_the_nodes_counted() -> None:
    status = status_of(graph_from({**COUNTED, "yg-config.yaml": "- bad\n"}))
    whole = status_of(graph_from(COUNTED))
    assert status == replace(
        whole,
        project="",
        artifact_types=0,
        artifacts_filled=0,
        slots=0,
        types={"module": 1, "service": 2},
    )


def test_an_aspect_is_used_by_a_node_a_flow_a_type_or_another_aspect() -> None:
    config = CONFIG.replace("{description: A component}", "{description: C, required_aspects: [t]}")
    aspects = {f"aspects/{name}/yg-aspect.yaml": ASPECT for name in "nfti"}
    used = {
        "yg-config.yaml": config,
        **aspects,
        "aspects/implies/yg-aspect.yaml": f"{ASPECT}implies: [i]\n",
        "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: n}}, {{aspect: implies}}]\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [f]\n",
    }
    assert status_of(graph_from(used)).unused_aspects == ()
    idle = {
        "aspects/z/yg-aspect.yaml": f"{ASPECT}implies: [x]\n",
        "aspects/x/yg-aspect.yaml": ASPECT,
        "aspects/bad/yg-aspect.yaml": "name: [",
    }
    assert status_of(graph_from({**used, **idle})).unused_aspects == ("x", "z")
