"""Two states of a Spec Graph: changed nodes, what they reach, and contexts that differ."""

from __future__ import annotations

import pytest
from hypothesis import given

from specgraph.graphs import Data, files_of, node, spec, spec_from, written
from specgraph.random_graphs import spec_nodes
from specgraph.sketches import nodes_of
from yg.commands.build_context.spec_context import context_text
from yg.commands.impact.diff import diff_text, impact_of_changes
from yg.commands.impact.packages import simulated, simulated_package
from yg.kernel.compare import Alteration, ChangedNode, DiffImpact, Shift
from yg.kernel.impact import Reached
from yg.specgraph.graph import SpecGraph
from yg.specgraph.questions.compare import diff_impact, remaining_nodes, shifts
from yg.specgraph.questions.impact import node_impact, nodes_reached

THEN = nodes_of(
    "AUTH feature: contains LOGIN LOGOUT",
    "LOGIN behavior: depends_on DEC",
    "LOGOUT behavior",
    "DEC decision",
    "POL policy: constrains AUTH",
)


def changed_files(then: dict[str, Data], now: dict[str, Data]) -> list[str]:
    before, after = files_of(then), files_of(now)
    names = before.keys() | after.keys()
    return sorted(name for name in names if before.get(name) != after.get(name))


def impact(now: dict[str, Data]) -> DiffImpact:
    return diff_impact(spec(THEN), spec(now), changed_files(THEN, now), "HEAD")


def test_nothing_changed() -> None:
    assert impact(THEN) == DiffImpact(since="HEAD", graph_files=(), nodes=(), shifts=(), reached=())


def test_a_changed_node_reaches_what_its_impact_names() -> None:
    found = impact(THEN | {"DEC": node("decision", statement="Another one.")})
    assert found.nodes == (ChangedNode("DEC", Alteration.CHANGED),)
    assert found.reached == (Reached("LOGIN", "DEC", 2, ("DEC", "LOGIN")),)
    assert [shift.node for shift in found.shifts] == ["DEC"]
    assert (found.changed, found.affected) == (("DEC",), ("DEC", "LOGIN"))


def test_a_removed_node_reaches_what_it_reached_before() -> None:
    found = impact({name: data for name, data in THEN.items() if name != "POL"})
    assert found.nodes == (ChangedNode("POL", Alteration.REMOVED),)
    assert [reached.node for reached in found.reached] == ["AUTH", "LOGIN", "LOGOUT"]
    assert [reached.by for reached in found.reached] == ["POL", "AUTH", "AUTH"]
    assert [(shift.node, shift.now) for shift in found.shifts] == [("POL", None)]


def test_an_added_node_reaches_what_it_guides() -> None:
    found = impact(THEN | {"NEW": node("policy", constrains=["LOGOUT"])})
    assert found.nodes == (ChangedNode("NEW", Alteration.ADDED),)
    assert [(reached.node, reached.by) for reached in found.reached] == [("LOGOUT", "NEW")]


def indexed(entries: list[dict[str, str]]) -> SpecGraph:
    index = {"specgraphVersion": "1.0.0", "nodes": entries}
    return spec_from(files_of(THEN) | {"specgraph/graph.json": written(index)})


def test_an_entry_of_graph_json_can_change_alone() -> None:
    entries = [{"id": name, "path": f"nodes/{name}.json"} for name in THEN]
    pinned = [e | {"sha256": "0" * 64} if e["id"] == "DEC" else e for e in entries]
    found = diff_impact(spec(THEN), indexed(pinned), ["specgraph/graph.json"], "HEAD")
    assert found.nodes == (ChangedNode("DEC", Alteration.CHANGED),)
    assert found.shifts == ()  # the context says the same
    turned = diff_impact(spec(THEN), indexed(entries[::-1]), ["specgraph/graph.json"], "HEAD")
    assert turned.nodes == ()


def test_files_outside_the_graph_do_not_count() -> None:
    assert (
        diff_impact(spec(THEN), spec(THEN), ["src/a.py", "specgraphs/x.json"], "HEAD").nodes == ()
    )


def test_remaining_nodes_are_those_that_can_be_read() -> None:
    now = {name: data for name, data in THEN.items() if name != "POL"}
    now |= {"NEW": node("policy"), "LOGIN": node("behavior")}
    files = changed_files(THEN, now)
    assert remaining_nodes(lambda: spec(THEN), spec(now), files) == ("LOGIN", "NEW")


def test_the_earlier_graph_is_not_read_if_graph_json_is_the_same() -> None:
    assert remaining_nodes(pytest.fail, spec(THEN), ["specgraph/nodes/DEC.json"]) == ("DEC",)


def test_a_difference_as_text() -> None:
    found = impact(THEN | {"DEC": node("decision", statement="Another one.")})
    [shift] = found.shifts
    assert shift.then is not None
    assert shift.now is not None
    assert diff_text(impact_of_changes(found)) == (
        "Impact of 1 changed file since HEAD:\n\n"
        "Changed graph files:\n  specgraph/nodes/DEC.json\n"
        f"Changed nodes:\n  DEC (changed): {shift.then.tokens} -> {shift.now.tokens} tokens (ok)\n"
        "Reached through links:\n  LOGIN <- DEC\n\n"
        "Total scope: 2 nodes (1 changed, 1 reached)\n"
    )
    assert "+Another one.\n" in diff_text(impact_of_changes(found, context_text))


def test_a_simulation_says_whose_text_differs() -> None:
    now = THEN | {"DEC": node("decision", statement="Another one.")}
    [login, logout] = shifts(spec(THEN), spec(now), ["LOGIN", "LOGOUT"])
    assert (login.is_changed, login.sees_change_of("DEC")) == (True, True)
    assert (logout.is_changed, login.sees_change_of("POL")) == (False, False)
    packages = [
        simulated_package(shift, "DEC", None, None, has_contracts=False)
        for shift in (login, logout)
    ]
    text = simulated(packages, "DEC")
    assert "  LOGIN:\n    + Changed text: DEC\n    Budget: " in text
    assert "Mapped files" not in text


def test_a_node_without_a_context() -> None:
    graph = spec(THEN)
    assert list(shifts(graph, graph, ["GONE"])) == [Shift("GONE", None, None)]


@given(spec_nodes())
def test_several_nodes_reach_what_each_of_them_does(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    targets = list(nodes)[::2]
    every = {other for target in targets for other in node_impact(graph, target).affected}
    found = nodes_reached(graph, targets)
    assert found.keys() == every - set(targets)
    assert all(reached.by in graph.nodes for reached in found.values())
