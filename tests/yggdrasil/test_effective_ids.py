"""The ids of effective aspects, and the aspects themselves, are the same answer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from support import graph_from
from yg.yggdrasil.resolve import effective_aspects, effective_ids
from yggdrasil.rules.cases import CONFIG

PATHS = ("", "a", "a/b", "a/b/c", "d", "d/e")
IDS = ("x", "y", "z", "gone")
some = st.lists(st.sampled_from(IDS), max_size=2, unique=True)


@given(
    st.dictionaries(st.sampled_from(PATHS), some, min_size=1),
    st.dictionaries(st.sampled_from(IDS[:3]), some, max_size=3),
    st.lists(
        st.tuples(st.lists(st.sampled_from(PATHS[1:]), min_size=1, unique=True), some), max_size=2
    ),
)
def test_ids_are_those_of_the_aspects(
    nodes: dict[str, list[str]],
    aspects: dict[str, list[str]],
    flows: list[tuple[list[str], list[str]]],
) -> None:
    files = {"yg-config.yaml": CONFIG}
    for path, ids in nodes.items():
        uses = "".join(f"  - aspect: {item}\n" for item in ids)
        text = f"name: N\ntype: service\n{'aspects:' if ids else ''}\n{uses}"
        files[f"model/{path}/yg-node.yaml".replace("//", "/")] = text
    for each, implied in aspects.items():
        files[f"aspects/{each}/yg-aspect.yaml"] = f"name: A\nimplies: {implied}\n"
    for number, (participants, ids) in enumerate(flows):
        text = f"name: F\nnodes: {participants}\naspects: {ids}\n"
        files[f"flows/f{number}/yg-flow.yaml"] = text
    graph = graph_from(files)
    for node in graph.nodes:
        expected = {aspect.aspect.id for aspect in effective_aspects(graph, node)}
        assert effective_ids(graph, node) == expected
