"""What a change to a node of a Spec Graph can reach."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from specgraph.sketches import sketched
from yg.kernel.impact import Dependent, Guided, NodeImpact, Reached, Tie
from yg.render.impact import node_impact_text
from yg.specgraph.assemble import assemble
from yg.specgraph.impact import node_impact

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


def test_those_who_need_it_those_who_name_it_and_those_it_guides() -> None:
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


def test_a_decision_of_a_layer_reaches_all_that_stands_on_the_layer() -> None:
    found = node_impact(sketched(*AUTH), "TOOLS")
    assert found.named_by == (Dependent("WEB", (Tie("contains"),)),)
    assert [each.node for each in found.guided or ()] == ["AUTH", "LOGIN", "LOGOUT"]
    assert {each.reasons for each in found.guided or ()} == {("via layer WEB",)}


def test_a_group_reaches_its_members() -> None:
    assert node_impact(sketched(*AUTH), "AUTH").descendants == ("LOGIN", "LOGOUT")


def test_a_node_that_a_group_depends_on_reaches_the_members_of_the_group() -> None:
    graph = sketched("A feature: contains B; depends_on F", "B behavior", "F foundation")
    assert node_impact(graph, "F").guided == (Guided("B", ("member of A",)),)


def test_the_text_leaves_out_what_spec_graphs_have_no_word_for() -> None:
    assert (
        node_impact_text(node_impact(sketched(*AUTH), "USER"))
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


def test_a_long_chain_is_no_trouble() -> None:
    many = 2_000
    lines = [f"N{at} behavior: depends_on N{at + 1}" for at in range(many)]
    assert len(node_impact(sketched(*lines, f"N{many} decision"), f"N{many}").affected) == many


NAMES = tuple("ABCDEFG")
TYPES = ("feature", "layer", "behavior", "foundation", "decision", "domain", "policy")
KINDS = ("contains", "depends_on", "constrains", "implements", "supersedes")
LINKS = st.sets(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(KINDS), st.sampled_from(NAMES)), max_size=14
)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(TYPES), min_size=len(NAMES), max_size=len(NAMES)), LINKS)
def test_whoever_has_a_node_in_its_context_is_reached_by_it(
    types: list[str], links: set[tuple[str, str, str]]
) -> None:
    lines = []
    for name, kind in zip(NAMES, types, strict=True):
        own = {
            link: [to for at, k, to in sorted(links) if (at, k) == (name, link)] for link in KINDS
        }
        text = "; ".join(f"{link} {' '.join(to)}" for link, to in own.items() if to)
        lines.append(f"{name} {kind}: {text}")
    graph = sketched(*lines)
    reached = {name: set(node_impact(graph, name).affected) for name in NAMES}
    for name in NAMES:
        context = assemble(graph, name, "full")
        shown = {entry.node.id for entry in context.entries}
        shown |= {each.node.id for each in context.affected}
        assert [each for each in sorted(shown) if name not in reached[each]] == []
