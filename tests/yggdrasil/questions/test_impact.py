"""Impact: who depends on a node, whom an aspect applies to, who takes part in a flow."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import NODE, graph_from
from yg.commands.impact.node import impact_of_node, node_text
from yg.kernel.impact import AncestorLink, EventLink, NodeImpact, Reached, Sharing, dependents
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import RelationKind
from yg.yggdrasil.questions.impact import (
    AspectImpact,
    FlowImpact,
    aspect_impact,
    descendants,
    flow_impact,
    incoming,
    node_impact,
)
from yg.yggdrasil.resolve import Reason, Source

EMITS, LISTENS = RelationKind.EMITS, RelationKind.LISTENS


def node(*relations: str, name: str = "N", aspects: str = "") -> str:
    """Make a node; relations are written as in its file, aspects as ids."""
    uses = ", ".join(f"{{aspect: {word}}}" for word in aspects.split())
    edges = ", ".join(f"{{{relation}}}" for relation in relations)
    return f"name: {name}\ntype: service\naspects: [{uses}]\nrelations: [{edges}]\n"


def graph(aspects: str = "", flows: str = "", **nodes: str) -> Graph:
    """Make a graph of nodes, aspects like `a b>c` (b implies c) and flows like `f=n,m:a`."""
    files = {f"model/{path}/yg-node.yaml": text for path, text in nodes.items()}
    for word in aspects.split():
        name, _, implied = word.partition(">")
        files[f"aspects/{name}/yg-aspect.yaml"] = f"name: {name}\nimplies: [{implied}]\n"
    for word in flows.split():
        name, _, rest = word.partition("=")
        members, _, brought = rest.partition(":")
        declared = f"name: The {name}\nnodes: [{members}]\naspects: [{brought}]\n"
        files[f"flows/{name}/yg-flow.yaml"] = declared
    return graph_from(files)


def of_node(found: Graph, path: str, method: str = "") -> NodeImpact:
    target = found.nodes.get(path)
    assert target is not None
    return node_impact(found, target, method)


def of_aspect(found: Graph, aspect_id: str) -> AspectImpact:
    aspect = found.aspects.get(aspect_id)
    assert aspect is not None
    return aspect_impact(found, aspect)


def of_flow(found: Graph, flow_id: str) -> FlowImpact:
    flow = found.flows.get(flow_id)
    assert flow is not None
    return flow_impact(found, flow)


def direct(impact: NodeImpact) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    return {item.node: [(tie.kind, tie.consumes) for tie in item.ties] for item in impact.direct}


def carriers(impact: AspectImpact) -> dict[str, list[str]]:
    return {
        carrier.node: [str(reason) for reason in carrier.reasons] for carrier in impact.carriers
    }


# Direct dependents.


def test_direct_dependents_are_those_with_a_structural_relation_to_the_node() -> None:
    found = graph(
        t=NODE,
        d=node("type: uses, target: t"),
        c=node("type: calls, target: t, consumes: [x, y]"),
        b=node("type: extends, target: t"),
        a=node("type: implements, target: t"),
        event=node("type: emits, target: t"),
        other=node("type: uses, target: a"),
    )
    assert direct(of_node(found, "t")) == {
        "a": [("implements", ())],
        "b": [("extends", ())],
        "c": [("calls", ("x", "y"))],
        "d": [("uses", ())],
    }
    assert [item.node for item in of_node(found, "t").direct] == ["a", "b", "c", "d"]


def test_several_relations_to_one_node_are_one_dependent() -> None:
    found = graph(
        t=NODE,
        a=node(
            "type: uses, target: t, consumes: [x]",
            "type: emits, target: t",
            "type: calls, target: t",
            "type: uses, target: t, consumes: [y]",
        ),
    )
    assert direct(of_node(found, "t")) == {"a": [("uses", ("x", "y")), ("calls", ())]}


def test_a_node_does_not_depend_on_itself() -> None:
    found = graph(t=node("type: uses, target: t", "type: emits, target: t"))
    impact = of_node(found, "t")
    assert (impact.direct, impact.transitive, impact.events, impact.affected) == ((), (), (), ())


def test_a_node_that_cannot_be_read_depends_on_nothing() -> None:
    found = graph(t=NODE, a="name: A\nrelations: [{type: uses, target: t}]\n")
    assert of_node(found, "t").affected == ()


def test_paths_compare_exactly() -> None:
    found = graph(
        t=NODE, a=node("type: uses, target: T"), b=node("type: uses, target: t/"), tt=NODE
    )
    assert of_node(found, "t").direct == ()


# Transitive dependents.


def test_transitive_dependents_come_by_their_shortest_way() -> None:
    found = graph(
        t=NODE,
        a=node("type: uses, target: t"),
        b=node("type: uses, target: a"),
        c=node("type: uses, target: b", "type: calls, target: a"),
        d=node("type: uses, target: c", "type: uses, target: b", "type: uses, target: t"),
        e=node("type: listens, target: a"),
    )
    assert of_node(found, "t").transitive == (
        Reached("b", "a", 2, ("a", "b")),
        Reached("c", "a", 2, ("a", "c")),
    )


def test_of_two_equal_ways_the_first_by_path_is_shown() -> None:
    found = graph(
        t=NODE,
        z=node("type: uses, target: t"),
        b=node("type: uses, target: t"),
        m=node("type: uses, target: z", "type: uses, target: b"),
        n=node("type: uses, target: m"),
    )
    assert of_node(found, "t").transitive == (
        Reached("m", "b", 2, ("b", "m")),
        Reached("n", "m", 3, ("b", "m")),
    )


def test_cycles_come_to_their_end() -> None:
    found = graph(
        t=node("type: uses, target: b"),
        a=node("type: uses, target: t", "type: uses, target: c"),
        b=node("type: uses, target: a"),
        c=node("type: uses, target: b"),
    )
    impact = of_node(found, "t")
    assert impact.affected == ("a", "b", "c")
    assert [item.node for item in impact.transitive] == ["b", "c"]


# One method.


def test_a_method_keeps_nodes_that_consume_it_or_everything() -> None:
    found = graph(
        t=NODE,
        a=node("type: calls, target: t, consumes: [charge, refund]"),
        b=node("type: calls, target: t, consumes: [refund]"),
        c=node("type: calls, target: t"),
        d=node("type: calls, target: t, consumes: [Charge, charge2]"),
    )
    assert direct(of_node(found, "t", "charge")) == {
        "a": [("calls", ("charge", "refund"))],
        "c": [("calls", ())],
    }


def test_a_method_is_looked_for_in_all_relations_to_the_node() -> None:
    found = graph(
        t=NODE,
        a=node(
            "type: uses, target: t, consumes: [refund]",
            "type: calls, target: t, consumes: [charge]",
        ),
    )
    assert direct(of_node(found, "t", "charge")) == {"a": [("calls", ("charge",))]}


def test_a_method_keeps_the_transitive_dependents_of_nodes_that_consume_it() -> None:
    found = graph(
        t=NODE,
        a=node("type: calls, target: t, consumes: [charge]"),
        b=node("type: calls, target: t, consumes: [refund]"),
        over_a=node("type: uses, target: a"),
        over_b=node("type: uses, target: b"),
        top=node("type: uses, target: over_a", "type: uses, target: over_b"),
    )
    impact = of_node(found, "t", "charge")
    assert [item.node for item in impact.direct] == ["a"]
    assert [(item.node, item.by) for item in impact.transitive] == [
        ("over_a", "a"),
        ("top", "over_a"),
    ]
    assert impact.affected == ("a", "over_a", "top")


def test_who_does_not_consume_a_method_may_still_depend_on_someone_who_does() -> None:
    found = graph(
        t=NODE,
        a=node("type: calls, target: t, consumes: [charge]"),
        b=node("type: calls, target: t, consumes: [refund]", "type: uses, target: a"),
    )
    impact = of_node(found, "t", "charge")
    assert direct(impact) == {"a": [("calls", ("charge",))]}
    assert impact.transitive == (Reached("b", "a", 2, ("a", "b")),)


def test_a_method_that_nobody_consumes_reaches_nobody() -> None:
    found = graph(
        t=NODE,
        a=node("type: calls, target: t, consumes: [charge]"),
        b=node("type: uses, target: a"),
    )
    assert of_node(found, "t", "nothing").affected == ()


# Events.


def test_events_count_in_both_directions() -> None:
    found = graph(
        t=node("type: emits, target: heard, event_name: Done", name="Target"),
        heard=node(name="Heard"),
        hears=node("type: listens, target: t, event_name: Done"),
        tells=node("type: emits, target: t, event_name: Start"),
        default=node("type: listens, target: t"),
        far=node("type: listens, target: hears, event_name: Done"),
    )
    assert of_node(found, "t").events == (
        EventLink("default", LISTENS, "Target"),
        EventLink("heard", LISTENS, "Done"),
        EventLink("hears", LISTENS, "Done"),
        EventLink("tells", EMITS, "Start"),
    )


def test_an_event_that_both_sides_declare_is_listed_once() -> None:
    found = graph(
        t=node(
            "type: emits, target: a, event_name: E",
            "type: emits, target: b",
            "type: emits, target: c, event_name: E",
        ),
        a=node("type: listens, target: t, event_name: E"),
        b=node("type: listens, target: t, event_name: F"),
        c=node("type: listens, target: t, event_name: G"),
    )
    assert of_node(found, "t").events == (
        EventLink("a", LISTENS, "E"),
        EventLink("b", LISTENS, "F"),
        EventLink("c", LISTENS, "E"),
        EventLink("c", LISTENS, "G"),
    )


def test_an_emitted_event_without_a_name_is_named_for_its_target() -> None:
    found = graph(
        t=node("type: emits, target: a", "type: emits, target: gone"), a=node(name="Mailer")
    )
    assert of_node(found, "t").events == (EventLink("a", LISTENS, "Mailer"),)


def test_whom_the_node_listens_to_is_not_reached_by_it() -> None:
    found = graph(t=node("type: listens, target: a, event_name: E"), a=NODE)
    assert of_node(found, "t").affected == ()


# Hierarchy, flows, aspects.


def test_descendants_are_all_nodes_below() -> None:
    found = graph(**{"a": NODE, "a/b": NODE, "a/b/c": NODE, "a/x/y": NODE, "ab": NODE, "a-b": NODE})
    assert of_node(found, "a").descendants == ("a/b", "a/b/c", "a/x/y")
    assert descendants(found, "a/b/c") == ()


def test_everything_descends_from_the_root_node() -> None:
    found = graph_from({"model/yg-node.yaml": NODE, "model/a/yg-node.yaml": NODE})
    assert of_node(found, ".").descendants == ("a",)
    assert of_node(found, "a").affected == ()


def test_flows_are_those_of_the_node_and_its_ancestors() -> None:
    found = graph(
        flows="z=a y=a/b x=a/b/c w=other",
        **{"a": NODE, "a/b": NODE, "a/b/c": NODE, "other": NODE},
    )
    assert of_node(found, "a/b").flows == ("y", "z")


def test_aspects_are_effective_ones_and_shared_ones_are_reported_in_their_order() -> None:
    found = graph(
        aspects="own from-above>implied from-flow implied unused",
        flows="f=a/b,c:from-flow",
        **{
            "a": node(aspects="from-above"),
            "a/b": node(aspects="own"),
            "c": node(aspects="implied"),
            "d": node(aspects="unused"),
            "e": node(aspects="from-flow own"),
        },
    )
    impact = of_node(found, "a/b")
    assert impact.aspects == ("from-above", "implied", "own", "from-flow")
    assert impact.sharing == (
        Sharing("a", ("from-above", "implied")),
        Sharing("c", ("implied", "from-flow")),
        Sharing("e", ("own", "from-flow")),
    )


def test_sharing_an_aspect_is_not_being_affected() -> None:
    found = graph(aspects="x", a=node(aspects="x"), b=node(aspects="x"))
    assert of_node(found, "a").sharing == (Sharing("b", ("x",)),)
    assert of_node(found, "a").affected == ()


def test_relations_to_ancestors_are_found_in_both_classes_and_affect_nothing() -> None:
    found = graph(
        **{
            "a": node("type: uses, target: a"),
            "a/b": node("type: calls, target: a"),
            "a/b/c": node("type: uses, target: a"),
            "a/b/c/d": NODE,
            "x": node("type: listens, target: a/b", "type: uses, target: a"),
            "y": node("type: uses, target: a, consumes: [p]", "type: uses, target: a"),
            "z": node("type: uses, target: a/b/c"),
        },
    )
    impact = of_node(found, "a/b/c")
    assert impact.through_ancestors == (
        AncestorLink("a/b", "calls", "a"),
        AncestorLink("x", "listens", "a/b"),
        AncestorLink("x", "uses", "a"),
        AncestorLink("y", "uses", "a"),
    )
    assert impact.affected == ("a/b/c/d", "z")
    assert of_node(found, "a").through_ancestors == ()


def test_affected_nodes_are_counted_once_however_they_are_reached() -> None:
    found = graph(
        **{
            "t": NODE,
            "t/child": node("type: uses, target: t", "type: listens, target: t"),
            "a": node("type: uses, target: t/child", "type: emits, target: t"),
        }
    )
    assert of_node(found, "t").affected == ("a", "t/child")


# Aspects.


@pytest.mark.parametrize(
    ("path", "reasons"),
    [
        ("own", ["own"]),
        ("own/below", ["hierarchy from own"]),
        ("own/below/far", ["hierarchy from own"]),
        ("member", ["flow f"]),
        ("member/below", ["flow f"]),
        ("implying", ["implied by y"]),
        ("implying/below", ["implied by y"]),
        ("all", ["implied by y", "own", "flow f"]),
    ],
)
def test_every_reason_for_an_aspect_is_reported(path: str, reasons: list[str]) -> None:
    found = graph(
        aspects="x y>x z",
        flows="f=member,all:x g=stranger:z",
        **{
            "own": node(aspects="x"),
            "own/below": NODE,
            "own/below/far": NODE,
            "member": NODE,
            "member/below": NODE,
            "implying": node(aspects="y"),
            "implying/below": NODE,
            "all": node(aspects="y x"),
            "stranger": node(aspects="z"),
        },
    )
    impact = of_aspect(found, "x")
    assert carriers(impact)[path] == reasons
    assert "stranger" not in impact.affected


def test_reasons_stay_values() -> None:
    found = graph(aspects="x", a=node(aspects="x"), **{"a/b": NODE})
    assert [carrier.reasons for carrier in of_aspect(found, "x").carriers] == [
        (Reason(Source.OWN),),
        (Reason(Source.HIERARCHY, "a"),),
    ]


def test_flows_that_bring_an_aspect_are_listed_also_when_another_aspect_implies_it() -> None:
    found = graph(
        aspects="x y>x z>y other",
        flows="direct=a:x by-y=a:y by-z=a:z none=a:other",
        a=NODE,
    )
    assert of_aspect(found, "x").flows == ("by-y", "by-z", "direct")


def test_a_flow_brings_an_aspect_even_when_no_participant_exists() -> None:
    impact = of_aspect(graph(aspects="x", flows="f=gone:x"), "x")
    assert (impact.flows, impact.affected) == (("f",), ())


def test_implications_are_reported_as_they_are_declared() -> None:
    found = graph(aspects="a>c,b b>d c d e>a")
    impact = of_aspect(found, "a")
    assert (impact.implied_by, impact.implies) == (("e",), ("c", "b"))
    assert (of_aspect(found, "d").implied_by, of_aspect(found, "d").implies) == (("b",), ())


def test_aspects_that_imply_each_other_come_to_their_end() -> None:
    found = graph(aspects="a>b b>a", n=node(aspects="a"))
    assert carriers(of_aspect(found, "a")) == {"n": ["own", "implied by b"]}


def test_an_aspect_that_applies_to_nobody_reaches_nobody() -> None:
    impact = of_aspect(graph(aspects="x", a=NODE), "x")
    assert (impact.carriers, impact.flows, impact.affected) == ((), (), ())


# Flows.


def participants(impact: FlowImpact) -> tuple[tuple[str, bool], ...]:
    return tuple((participant.node, participant.descendant) for participant in impact.participants)


def test_participants_bring_their_descendants() -> None:
    found = graph(
        flows="f=b,a:saga",
        aspects="saga",
        **{"a": NODE, "a/c": NODE, "a/c/d": NODE, "b": NODE, "ab": NODE, "a-b": NODE},
    )
    impact = of_flow(found, "f")
    assert participants(impact) == (("a", False), ("a/c", True), ("a/c/d", True), ("b", False))
    assert (impact.flow, impact.name, impact.aspects) == ("f", "The f", ("saga",))
    assert impact.affected == ("a", "a/c", "a/c/d", "b")


def test_a_descendant_that_is_listed_itself_is_a_participant() -> None:
    found = graph(flows="f=a,a/b", **{"a": NODE, "a/b": NODE, "a/c": NODE})
    assert participants(of_flow(found, "f")) == (("a", False), ("a/b", False), ("a/c", True))


def test_the_root_node_brings_everything() -> None:
    found = graph_from(
        {
            "model/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": "name: F\nnodes: [.]\n",
        }
    )
    assert participants(of_flow(found, "f")) == ((".", False), ("a", True))


# Any graph, and a long one.

NAMES = "abcdefgh"
EDGES = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=20)


def reachable(edges: set[tuple[str, str]], start: set[str]) -> dict[str, int]:
    """Return how many nodes the shortest way back to a start has, by trying every edge."""
    found = dict.fromkeys(start, 1)
    for step in range(1, len(NAMES) + 1):
        layer = {source for source, target in edges if found.get(target) == step}
        found |= dict.fromkeys(layer - found.keys(), step + 1)
    return found


@given(EDGES)
def test_dependents_are_those_found_by_trying_every_edge(edges: set[tuple[str, str]]) -> None:
    found = graph(
        **{
            name: node(*(f"type: uses, target: {to}" for at, to in sorted(edges) if at == name))
            for name in NAMES
        }
    )
    impact = of_node(found, "a")
    nearest = {source for source, target in edges if target == "a"} - {"a"}
    ways = reachable({edge for edge in edges if "a" not in edge}, nearest)
    assert {item.node for item in impact.direct} == nearest
    assert {item.node: item.links for item in impact.transitive} == {
        name: length for name, length in ways.items() if name not in nearest
    }
    by = {item.node: item.by for item in impact.transitive}
    for item in impact.transitive:
        chain = [item.node]
        while chain[-1] in by:
            chain.append(by[chain[-1]])
        assert all(step in edges for step in pairwise(chain))
        assert (len(chain), tuple(reversed(chain))[:2]) == (item.links, item.opening)


@settings(deadline=None, max_examples=40)
@given(EDGES, st.sets(st.sampled_from(NAMES), max_size=4))
def test_dependents_of_several_nodes_never_contain_them(
    edges: set[tuple[str, str]], start: set[str]
) -> None:
    found = graph(
        **{
            name: node(*(f"type: calls, target: {to}" for at, to in sorted(edges) if at == name))
            for name in NAMES
        }
    )
    reached = dependents(incoming(found), "", start)
    assert [item.node for item in reached] == sorted(reachable(edges, start).keys() - start)


def test_a_chain_of_two_thousand_nodes_needs_no_deep_stack_and_little_text() -> None:
    count = 2_000
    found = graph(
        n00000=NODE,
        **{
            f"n{at:05}": f"{NODE}relations: [{{type: uses, target: n{at - 1:05}}}]\n"
            for at in range(1, count)
        },
    )
    impact = of_node(found, "n00000")
    assert [item.node for item in impact.direct] == ["n00001"]
    assert impact.transitive[-1] == Reached("n01999", "n01998", count - 1, ("n00001", "n00002"))
    assert len(impact.affected) == count - 1
    lines = node_text(impact_of_node(impact)).splitlines()
    last = lines.index("Event-dependent: (none)") - 1
    assert lines[last] == "  <- n00001 <- n00002 <- .. 1996 more .. <- n01999"
    assert max(map(len, lines)) < 100
    last_reached = impact_of_node(impact).transitive[-1]
    assert (last_reached.node, last_reached.by) == ("n01999", "n01998")
