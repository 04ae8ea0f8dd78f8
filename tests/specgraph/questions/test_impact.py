"""What a change to a node of a Spec Graph can reach."""

from __future__ import annotations

from specgraph.sketches import sketched
from yg.commands.impact.node import impact_of_node, node_text
from yg.kernel.impact import Dependent, Guided, NodeImpact, Reached, Tie
from yg.specgraph.questions.impact import node_impact

AUTH = (
    "AUTH feature: contains LOGIN LOGOUT; depends_on WEB",
    "LOGIN behavior: depends_on DEC; implements USER",
    "LOGOUT behavior: depends_on LOGIN",
    "USER domain",
    "DEC decision: depends_on STACK; constrains LOGIN",
    "STACK decision",
    "POL policy: constrains AUTH",
    "WEB layer: contains TOOLS",
    "TOOLS decision",
)


def test_dependents_nodes_that_link_to_it_and_nodes_it_guides() -> None:
    assert node_impact(sketched(*AUTH), "STACK") == NodeImpact(
        node="STACK",
        direct=(Dependent("DEC", (Tie("depends_on"),)),),
        transitive=(
            Reached("LOGIN", "DEC", 2, ("DEC", "LOGIN")),
            Reached("LOGOUT", "LOGIN", 3, ("DEC", "LOGIN")),
        ),
        named_by=(),
        guided=(Guided("LOGIN", ("constrained by DEC",)),),
        descendants=(),
    )


def test_a_policy_reaches_what_the_node_it_constrains_contains() -> None:
    found = node_impact(sketched(*AUTH), "POL")
    assert found.guided == (
        Guided("AUTH", ("constrained by POL",)),
        Guided("LOGIN", ("inherited via AUTH",)),
        Guided("LOGOUT", ("inherited via AUTH",)),
    )
    assert found.affected == ("AUTH", "LOGIN", "LOGOUT")


def test_a_decision_of_a_layer_reaches_all_that_is_on_the_layer() -> None:
    found = node_impact(sketched(*AUTH), "TOOLS")
    assert found.named_by == (Dependent("WEB", (Tie("contains"),)),)
    assert [item.node for item in found.guided or ()] == ["AUTH", "LOGIN", "LOGOUT"]
    assert {item.reasons for item in found.guided or ()} == {("via layer WEB",)}


def test_a_group_reaches_its_members() -> None:
    assert node_impact(sketched(*AUTH), "AUTH").descendants == ("LOGIN", "LOGOUT")


def test_a_node_that_a_group_depends_on_reaches_the_members_of_the_group() -> None:
    graph = sketched("A feature: contains B; depends_on F", "B behavior", "F foundation")
    assert node_impact(graph, "F").guided == (Guided("B", ("member of A",)),)


def test_the_text_leaves_out_what_spec_graphs_have_no_word_for() -> None:
    assert (
        node_text(impact_of_node(node_impact(sketched(*AUTH), "USER")))
        == """\
Impact of changes in USER:

Directly dependent:
  <- LOGIN (implements)
Transitively dependent:
  <- LOGIN <- LOGOUT
Named by: (none)
Guided: (none)
Descendants (hierarchy impact): (none)

Total scope: 2 nodes
"""
    )


def test_no_node_reaches_itself_even_in_a_circle() -> None:
    graph = sketched(
        "A decision: depends_on B; constrains A", "B decision: depends_on A; contains A B"
    )
    assert [node_impact(graph, name).affected for name in "AB"] == [("B",), ("A",)]


def test_a_long_chain_works() -> None:
    many = 2_000
    lines = [f"N{at} behavior: depends_on N{at + 1}" for at in range(many)]
    assert len(node_impact(sketched(*lines, f"N{many} decision"), f"N{many}").affected) == many


def test_a_group_that_is_only_verified_by_a_node_does_not_pass_it_on() -> None:
    graph = sketched("A feature: contains B; verified_by F", "B behavior", "F foundation")
    assert node_impact(graph, "F").affected == ("A",)


def test_a_superseded_guide_reaches_only_where_it_still_guides() -> None:
    graph = sketched(
        "F feature: contains A B C",
        "A behavior",
        "B behavior",
        "C policy: supersedes OLD",
        "OLD policy: constrains F",
        "NEW policy: constrains B; supersedes OLD",
    )
    assert node_impact(graph, "OLD").guided == (
        Guided("A", ("inherited via F",)),
        Guided("F", ("constrained by OLD",)),
    )


def test_the_reason_is_one_that_holds_where_the_nearest_guide_is_superseded() -> None:
    graph = sketched(
        "A behavior: depends_on L",
        "L layer: depends_on M",
        "M layer",
        "F feature: contains G",
        "G feature: contains A",
        "X decision",
        "OLD policy: constrains G L; depends_on X",
        "KEPT policy: constrains F M; depends_on X",
        "NEW policy: constrains A; supersedes OLD",
    )
    reasons = {item.node: item.reasons for item in node_impact(graph, "X").guided or ()}
    assert reasons["A"] == ("inherited via F",)
