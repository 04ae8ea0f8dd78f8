"""The order in which the nodes of a Spec Graph are made real."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgraph.sketches import sketched
from yg.kernel.errors import RefusedError
from yg.kernel.plan import Plan, Unordered
from yg.specgraph.questions.deps import needed_for, plan_of

AUTH = (
    "AUTH feature: contains LOGIN LOGOUT",
    "LOGIN behavior: depends_on DB DEC",
    "LOGOUT behavior: depends_on LOGIN",
    "QUICK behavior",
    "DB foundation: depends_on DEC",
    "DEC decision: depends_on STACK",
    "STACK decision",
    "POL policy: constrains LOGIN",
    "USER domain",
)


def test_what_has_to_hold_comes_before_foundations_and_these_before_behaviors() -> None:
    assert plan_of(sketched(*AUTH)) == Plan(
        stages=(
            ("POL", "STACK", "USER"),
            ("DEC",),
            ("DB",),
            ("LOGIN", "QUICK"),
            ("LOGOUT",),
        ),
        critical=("STACK", "DEC", "DB", "LOGIN", "LOGOUT"),
        left_out=(("grouping", 1),),
    )


def test_only_some_nodes_keep_their_order() -> None:
    graph = sketched(*AUTH)
    needed = needed_for(graph, "LOGIN")
    assert needed == {"LOGIN", "DB", "DEC", "STACK"}
    assert plan_of(graph, needed).stages == (("STACK",), ("DEC",), ("DB",), ("LOGIN",))


def test_what_a_node_needs_is_all_that_its_upstream_links_lead_to() -> None:
    graph = sketched(
        "A behavior: implements B; verified_by C", "B domain: derived_from D", "C policy",
        "D artifact", "E policy: constrains A",
    )  # fmt: skip
    assert needed_for(graph, "A") == {"A", "B", "C", "D"}


def test_a_decision_that_depends_on_a_behavior_waits_for_it() -> None:
    graph = sketched("DEC decision: depends_on A", "A behavior: depends_on F", "F foundation")
    assert plan_of(graph).stages == (("F",), ("A",), ("DEC",))


def test_order_passes_through_groups() -> None:
    graph = sketched("A behavior: depends_on G", "G feature: depends_on B", "B behavior")
    assert plan_of(graph).stages == (("B",), ("A",))


def test_a_link_to_a_group_waits_for_all_that_it_contains() -> None:
    graph = sketched(
        "A behavior: depends_on G",
        "G feature: contains D",
        "D domain: contains B H",
        "H feature: contains C",
        "B behavior",
        "C behavior",
    )
    assert plan_of(graph).stages == (("D",), ("B", "C"), ("A",))


def test_what_a_group_needs_comes_before_all_that_it_contains() -> None:
    graph = sketched(
        "G feature: contains D; implements X; depends_on F; verified_by Y",
        "D domain: contains A",
        "A decision",
        "F decision",
        "X decision: depends_on Z",
        "Y behavior",
        "Z decision",
    )
    assert plan_of(graph).stages == (("F", "Z"), ("X",), ("A", "D"), ("Y",))
    assert needed_for(graph, "A") == {"A", "F", "X", "Z"}


def test_a_group_may_depend_on_what_it_contains() -> None:
    graph = sketched("G feature: contains F A; depends_on F", "F foundation", "A behavior")
    assert plan_of(graph).stages == (("F",), ("A",))


def test_a_cycle_that_only_links_of_groups_close_is_reported_and_left_out() -> None:
    graph = sketched(
        "G feature: contains A; depends_on B",
        "A behavior",
        "B behavior: depends_on A",
        "C behavior: depends_on B",
        "D behavior: depends_on G",
        "E behavior",
    )
    plan = plan_of(graph)
    assert plan.stages == (("E",),)
    assert plan.unordered == (
        Unordered("A", "is on a cycle through its groups"),
        Unordered("B", "is on a cycle through its groups"),
        Unordered("C", "needs 'B', which is left out"),
        Unordered("D", "needs 'all in G', which is left out"),
    )


def test_what_is_needed_for_a_group_is_all_that_it_contains_and_their_needs() -> None:
    graph = sketched("G feature: contains A", "A behavior: depends_on B", "B domain", "C domain")
    assert needed_for(graph, "G") == {"A", "B"}


def test_a_circle_has_no_order() -> None:
    with pytest.raises(RefusedError) as caught:
        plan_of(sketched("A behavior: depends_on B", "B behavior: depends_on A"))
    assert "E109" in caught.value.hint


def test_a_node_that_depends_on_itself_or_on_nothing_is_planned() -> None:
    assert plan_of(sketched("A behavior: depends_on A GONE")).stages == (("A",),)


NAMES = tuple("ABCDEF")
TYPES = st.sampled_from(("feature", "behavior", "foundation", "decision", "policy", "domain"))


@given(
    st.lists(TYPES, min_size=6, max_size=6),
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] > pair[1])),
)
def test_nothing_is_planned_before_what_it_depends_on(
    types: list[str], edges: set[tuple[int, int]]
) -> None:
    lines = [
        f"{name} {kind}: depends_on {' '.join(NAMES[to] for at, to in sorted(edges) if at == n)}"
        for n, (name, kind) in enumerate(zip(NAMES, types, strict=True))
    ]
    stages = plan_of(sketched(*lines)).stages
    stage_of = {name: at for at, stage in enumerate(stages) for name in stage}
    assert set(stage_of) == {n for n, kind in zip(NAMES, types, strict=True) if kind != "feature"}
    for at, to in edges:
        if NAMES[at] in stage_of and NAMES[to] in stage_of:
            assert stage_of[NAMES[at]] > stage_of[NAMES[to]]
