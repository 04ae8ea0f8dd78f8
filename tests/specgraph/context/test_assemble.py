"""Which nodes a context holds, to which depth, for which reasons, in which order."""

from __future__ import annotations

from typing import Any

import pytest

from specgraph.graphs import Data, files_of, node, spec, spec_from
from yg.kernel.errors import NotFoundError, UsageError
from yg.specgraph.context.assemble import assemble
from yg.specgraph.context.context import Context
from yg.specgraph.context.entry import IncludedNode

T = "T"


def context(nodes: dict[str, Data], depth: int | str = 2, target: str = T) -> Context:
    return assemble(spec(nodes), target, depth)


def ids(nodes: dict[str, Data], depth: int | str = 2, target: str = T) -> list[str]:
    return [entry.node.id for entry in context(nodes, depth, target).entries]


def levels(nodes: dict[str, Data], depth: int | str = 2) -> dict[str, int]:
    return {entry.node.id: entry.level for entry in context(nodes, depth).entries}


def entry(nodes: dict[str, Data], name: str, depth: int | str = 2) -> IncludedNode:
    return next(item for item in context(nodes, depth).entries if item.node.id == name)


# CTX-1: the arguments.


@pytest.mark.parametrize("depth", [0, -1, True, False, 2.0, "2", "FULL", "", None])
def test_a_depth_is_a_number_from_one_or_full(depth: Any) -> None:
    with pytest.raises(UsageError, match=r"^expected a number >= 1 or 'full' as depth, got '"):
        assemble(spec({T: node("behavior")}), T, depth)


def test_the_usual_depth_is_two() -> None:
    assert assemble(spec({T: node("behavior")}), T).depth == 2


def test_an_unknown_target_is_not_found() -> None:
    with pytest.raises(NotFoundError) as caught:
        assemble(spec({"AUTH-01": node("behavior")}), "AUTH-1")
    assert caught.value.message == "Node not found: AUTH-1"
    assert caught.value.hint == "Did you mean 'AUTH-01'?"


def test_a_target_unlike_any_node_is_looked_for_in_the_tree() -> None:
    with pytest.raises(NotFoundError) as caught:
        assemble(spec({"AUTH-01": node("behavior")}), "ZZZ")
    assert caught.value.hint == "'yg tree' lists all nodes."


def test_a_target_that_cannot_be_read_is_not_found_and_the_hint_says_why() -> None:
    with pytest.raises(NotFoundError) as caught:
        assemble(
            spec_from({**files_of({"U": node("behavior")}), "specgraph/nodes/U.json": "{"}), "U"
        )
    assert caught.value.message == "Node not found: U"
    assert caught.value.hint == "Its file could not be read; 'yg validate' tells why."


# CTX-2: any node can be a target.


@pytest.mark.parametrize(
    ("kind", "heading"),
    [
        ("behavior", "Behavior"),
        ("feature", "Feature"),
        ("layer", "Layer"),
        ("foundation", "Foundation"),
        ("decision", "Decision"),
        ("domain", "Domain Concept"),
        ("policy", "Policy"),
        ("design_token", "Design Token"),
        ("ui_contract", "UI Contract"),
        ("api_contract", "API Contract"),
        ("data_model", "Data Model"),
        ("artifact", "Artifact"),
        ("equivalence_contract", "Equivalence Contract"),
        ("pipeline", "Pipeline"),
        ("gadget", "Node"),
    ],
)
def test_a_target_of_any_type_has_its_own_heading(kind: str, heading: str) -> None:
    assert context({T: node(kind)}).parts[0].kind == heading


# CTX-3: the walk.


@pytest.mark.parametrize("kind", ["depends_on", "implements", "derived_from", "verified_by"])
def test_upstream_links_are_followed(kind: str) -> None:
    nodes = {T: node("behavior", **{kind: ["A"]}), "A": node("domain")}
    assert entry(nodes, "A").reasons == (kind,)
    assert entry(nodes, "A").level == 1


@pytest.mark.parametrize("kind", ["contains", "constrains", "supersedes"])
def test_downstream_links_of_others_are_not_followed(kind: str) -> None:
    nodes = {
        T: node("behavior", depends_on=["A"]),
        "A": node("domain", **{kind: ["B"]}),
        "B": node("domain"),
    }
    assert ids(nodes, "full") == ["A"]


CHAIN = {
    T: node("behavior", depends_on=["A"]),
    "A": node("domain", implements=["B"]),
    "B": node("domain", derived_from=["C"]),
    "C": node("domain", verified_by=["D"]),
    "D": node("domain"),
}


@pytest.mark.parametrize(
    ("depth", "found"),
    [
        (1, {"A": 1}),
        (2, {"A": 1, "B": 2}),
        (3, {"A": 1, "B": 2, "C": 3}),
        (4, {"A": 1, "B": 2, "C": 3, "D": 4}),
        (99, {"A": 1, "B": 2, "C": 3, "D": 4}),
        ("full", {"A": 1, "B": 2, "C": 3, "D": 4}),
    ],
)
def test_a_walk_goes_as_deep_as_asked(depth: int | str, found: dict[str, int]) -> None:
    assert levels(CHAIN, depth) == found


def test_the_shortest_way_decides_the_level() -> None:
    nodes = {**CHAIN, T: node("behavior", depends_on=["A", "C"])}
    assert levels(nodes, "full") == {"A": 1, "B": 2, "C": 1, "D": 2}


def test_a_group_that_the_walk_reaches_is_expanded_like_any_node() -> None:
    nodes = {
        T: node("behavior", depends_on=["F"]),
        "F": node("feature", depends_on=["D"]),
        "D": node("domain"),
    }
    assert levels(nodes) == {"F": 1, "D": 2}


# CTX-4: what the target affects.


def test_what_the_target_acts_on_is_listed_once_and_not_expanded() -> None:
    nodes = {
        T: node("decision", contains=["B", "A"], constrains=["A"], supersedes=["C"]),
        "A": node("domain", depends_on=["D"]),
        "B": node("domain"),
        "C": node("decision"),
        "D": node("domain"),
    }
    found = context(nodes, "full")
    assert [(item.node.id, item.edges) for item in found.affected] == [
        ("A", ("constrains", "contains")),
        ("B", ("contains",)),
        ("C", ("supersedes",)),
    ]
    assert found.entries == ()


def test_what_is_in_the_context_already_is_not_said_to_be_affected() -> None:
    nodes = {T: node("decision", depends_on=["A"], constrains=["A"]), "A": node("domain")}
    assert context(nodes).affected == ()


# CTX-5: guidance.


def test_a_node_that_constrains_the_target_is_direct_guidance() -> None:
    nodes = {T: node("behavior"), "TOK": node("design_token", constrains=[T])}
    found = entry(nodes, "TOK", 1)
    assert (found.is_direct, found.reasons, found.level) == (True, ("constrains",), 1)


def test_a_node_that_constrains_an_ancestor_is_inherited_through_any_type_and_all_parents() -> None:
    nodes = {
        T: node("behavior"),
        "D": node("domain", contains=[T]),
        "F": node("feature", contains=["D"]),
        "G": node("feature", contains=[T]),
        "P": node("policy", constrains=["F", "D", "G"]),
    }
    found = entry(nodes, "P", 1)
    assert found.reasons == ("inherited",)
    assert found.via_targets == ("D", "F", "G")
    assert not found.is_direct


def test_constraints_flow_neither_up_nor_along_dependencies() -> None:
    nodes = {
        T: node("feature", contains=["A"], depends_on=["B"]),
        "A": node("behavior"),
        "B": node("domain"),
        "P": node("policy", constrains=["A", "B"]),
    }
    assert ids(nodes, "full") == ["B"]


def test_a_layer_hands_on_its_decisions_and_what_constrains_anything_in_it_or_around_that() -> None:
    nodes = {
        T: node("behavior", depends_on=["L"]),
        "L": node("layer", contains=["INNER"]),
        "INNER": node("feature", contains=["DEC", "B"]),
        "DEC": node("decision"),
        "B": node("behavior"),
        "OUTER": node("feature", contains=["B"]),
        "P-IN": node("policy", constrains=["B"]),
        "P-LAYER": node("policy", constrains=["L"]),
        "P-OUT": node("policy", constrains=["OUTER"]),
        "P-OTHER": node("policy", constrains=["ELSE"]),
        "ELSE": node("feature", contains=["OUTER-NOT"]),
        "OUTER-NOT": node("behavior"),
    }
    found = context(nodes, 1)
    guided = {item.node.id: item.reasons for item in found.entries if "layer" in item.reasons}
    assert guided == {
        "DEC": ("layer",),
        "P-IN": ("layer",),
        "P-LAYER": ("layer",),
        "P-OUT": ("layer",),
    }


def test_the_guidance_of_a_layer_with_nothing_in_it_is_what_constrains_it() -> None:
    nodes = {
        T: node("behavior", depends_on=["L"]),
        "L": node("layer"),
        "P": node("policy", constrains=["L"]),
    }
    assert entry(nodes, "P").via_layers == ("L",)


def test_a_decision_outside_layers_that_constrains_nothing_near_is_not_guidance() -> None:
    nodes = {
        T: node("behavior"),
        "F": node("feature", contains=[T, "DEC"]),
        "DEC": node("decision"),
    }
    assert ids(nodes, "full") == ["F"]


# CTX-6: effective layers.

LAYERED = {
    T: node("behavior"),
    "F": node("feature", contains=[T], depends_on=["L1"]),
    "L1": node("layer", depends_on=["L2"], contains=["D1"]),
    "L2": node("layer", contains=["D2"]),
    "D1": node("decision", category="stack"),
    "D2": node("decision", category="stack"),
}


def test_layers_are_found_through_groups_and_dependencies() -> None:
    found = {item.node.id: item.layer.passed for item in context(LAYERED).entries if item.layer}
    assert found == {"L1": (T, "F", "L1"), "L2": (T, "F", "L1", "L2")}


def test_of_several_shortest_ways_the_one_with_the_smallest_ids_is_shown() -> None:
    nodes = {
        T: node("behavior", depends_on=["Y", "X"]),
        "X": node("behavior", depends_on=["Q"]),
        "Y": node("behavior", depends_on=["P"]),
        "Q": node("behavior", depends_on=["L"]),
        "P": node("behavior", depends_on=["L"]),
        "L": node("layer"),
    }
    layer = entry(nodes, "L").layer
    assert layer is not None
    assert layer.passed == (T, "X", "Q", "L")


def test_a_parent_that_is_not_a_group_is_not_a_step_towards_a_layer() -> None:
    nodes = {
        T: node("behavior"),
        "D": node("domain", contains=[T], depends_on=["L"]),
        "L": node("layer", contains=["DEC"]),
        "DEC": node("decision"),
    }
    assert ids(nodes, 1) == ["D"]


def test_guidance_names_all_its_layers_the_nearest_first() -> None:
    nodes = {**LAYERED, "P": node("policy", constrains=["L2", "L1"])}
    found = entry(nodes, "P")
    assert (found.via_layers, found.precedence) == (("L1", "L2"), 2)


# CTX-7: the namespace.


def test_the_namespace_is_there_at_every_depth_and_is_not_expanded() -> None:
    nodes = {
        T: node("behavior", depends_on=["A"]),
        "A": node("behavior"),
        "F": node("feature", contains=[T], derived_from=["X"], verified_by=["X"]),
        "L": node("layer", contains=["A"], depends_on=["X"], implements=["X"]),
        "X": node("domain"),
    }
    for depth in (1, 2, "full"):
        assert ids(nodes, depth) == ["F", "L", "A"]


def test_a_group_that_the_walk_reaches_as_well_has_the_level_of_the_walk() -> None:
    nodes = {
        T: node("behavior", depends_on=["A"]),
        "A": node("behavior", depends_on=["B"]),
        "B": node("behavior", depends_on=["F"]),
        "F": node("feature", contains=[T]),
    }
    assert levels(nodes, 2) == {"F": 1, "A": 1, "B": 2}
    assert levels(nodes, 3) == {"F": 3, "A": 1, "B": 2}
    assert entry(nodes, "F", 3).reasons == ("contains", "depends_on")


def test_an_ancestor_of_another_type_goes_to_its_own_section_and_is_expanded() -> None:
    nodes = {
        T: node("behavior"),
        "D": node("domain", contains=[T], depends_on=["X"]),
        "X": node("domain"),
    }
    found = entry(nodes, "D")
    assert (found.section, found.level, found.reasons) == ("Domain Concepts", 1, ("contains",))
    assert levels(nodes) == {"D": 1, "X": 2}


def test_a_layer_that_contains_the_target_is_there_for_both_reasons() -> None:
    nodes = {T: node("behavior"), "L": node("layer", contains=[T])}
    found = entry(nodes, "L")
    assert (found.reasons, found.hops) == (("contains", "layer_dependency"), 1)


# CTX-8: prerequisites.


def test_foundations_of_the_namespace_are_prerequisites_and_are_expanded() -> None:
    nodes = {
        **LAYERED,
        "F": node("feature", contains=[T], depends_on=["L1", "FND", "NOT"]),
        "L2": node("layer", depends_on=["FND"]),
        "FND": node("foundation", depends_on=["X"]),
        "X": node("foundation"),
        "NOT": node("domain"),
    }
    found = entry(nodes, "FND", 1)
    assert (found.reasons, found.required_by, found.level) == (("prerequisite",), ("F", "L2"), 1)
    found = entry(nodes, "FND", 2)
    assert (found.reasons, found.level) == (("prerequisite", "required"), 1)
    assert entry(nodes, "X").level == 2
    assert "NOT" not in ids(nodes, 1)


# CTX-9: what is expanded.


def test_depth_two_yields_what_a_constraining_decision_depends_on() -> None:
    nodes = {
        T: node("behavior"),
        "DEC": node("decision", constrains=[T], depends_on=["STACK"]),
        "STACK": node("decision"),
    }
    assert levels(nodes, 1) == {"DEC": 1}
    assert levels(nodes, 2) == {"DEC": 1, "STACK": 2}


# CTX-10: the target, and each node once.


def test_the_target_is_never_in_its_own_context() -> None:
    nodes = {
        T: node("decision", depends_on=[T, "A"], constrains=[T], contains=["A"], supersedes=[T]),
        "A": node("layer", depends_on=[T], contains=[T]),
    }
    found = context(nodes, "full")
    assert [item.node.id for item in found.entries] == ["A"]
    assert found.affected == ()


def test_a_node_appears_once_and_its_reasons_add_up() -> None:
    nodes = {
        T: node("behavior", depends_on=["A"], implements=["A"]),
        "F": node("feature", contains=[T], depends_on=["L"]),
        "L": node("layer", contains=["A"]),
        "A": node("decision", constrains=[T, "F"]),
    }
    found = [item for item in context(nodes).entries if item.node.id == "A"]
    assert [item.reasons for item in found] == [
        ("constrains", "depends_on", "implements", "inherited", "layer")
    ]
    assert found[0].precedence == 0


# CTX-11: supersession.


def test_guidance_that_other_guidance_supersedes_is_left_out_and_reported() -> None:
    nodes = {
        T: node("behavior"),
        "OLD": node("policy", constrains=[T]),
        "MID": node("policy", supersedes=["OLD"]),
        "NEW": node("policy", constrains=[T], supersedes=["MID"]),
    }
    found = context(nodes)
    assert [item.node.id for item in found.entries] == ["NEW"]
    assert [(pruned_node.id, pruned_node.superseded_by) for pruned_node in found.pruned] == [
        ("OLD", ("NEW",))
    ]


def test_what_is_left_out_is_not_expanded() -> None:
    nodes = {
        T: node("behavior"),
        "OLD": node("policy", constrains=[T], depends_on=["X"]),
        "NEW": node("policy", constrains=[T], supersedes=["OLD"]),
        "X": node("domain"),
    }
    assert ids(nodes, "full") == ["NEW"]


def test_guidance_superseded_by_something_that_is_not_guidance_here_stays_with_a_mark() -> None:
    nodes = {
        T: node("behavior"),
        "OLD": node("policy", constrains=[T]),
        "NEW": node("policy", supersedes=["OLD"]),
    }
    assert entry(nodes, "OLD").superseded_by == ("NEW",)
    assert context(nodes).pruned == ()


def test_nodes_that_supersede_one_another_both_stay_and_are_warned_of() -> None:
    nodes = {
        T: node("behavior"),
        "A": node("policy", constrains=[T], supersedes=["B"]),
        "B": node("policy", constrains=[T], supersedes=["A"]),
    }
    found = context(nodes)
    assert [item.node.id for item in found.entries] == ["A", "B"]
    assert found.warnings == ("Supersedes cycle: A, B.",)


def test_a_cycle_of_supersession_is_overruled_by_what_is_above_it() -> None:
    nodes = {
        T: node("behavior"),
        "A": node("policy", constrains=[T], supersedes=["B"]),
        "B": node("policy", constrains=[T], supersedes=["A"]),
        "C": node("policy", constrains=[T], supersedes=["A"]),
    }
    found = context(nodes)
    assert [item.node.id for item in found.entries] == ["C"]
    assert found.warnings == ("Pruned: A (superseded by C).", "Pruned: B (superseded by C).")


def test_a_node_that_the_walk_reaches_is_never_left_out() -> None:
    nodes = {
        T: node("behavior", depends_on=["OLD"]),
        "OLD": node("policy", constrains=[T]),
        "NEW": node("policy", constrains=[T], supersedes=["OLD"]),
    }
    found = entry(nodes, "OLD")
    assert (found.reasons, found.is_direct, found.superseded_by) == (
        ("depends_on",),
        False,
        ("NEW",),
    )
    assert [pruned_node.id for pruned_node in context(nodes).pruned] == ["OLD"]


# CTX-26: the target supersedes too.


def test_guidance_that_the_target_supersedes_is_left_out() -> None:
    nodes = {
        T: node("policy", supersedes=["MID"]),
        "MID": node("policy", supersedes=["OLD"]),
        "OLD": node("policy", constrains=[T]),
    }
    found = context(nodes)
    assert found.entries == ()
    assert [(pruned_node.id, pruned_node.superseded_by) for pruned_node in found.pruned] == [
        ("OLD", (T,))
    ]
    assert found.warnings == ("Pruned: OLD (superseded by T).",)


def test_guidance_and_target_that_supersede_one_another_stay() -> None:
    nodes = {
        T: node("policy", supersedes=["P"]),
        "P": node("policy", constrains=[T], supersedes=[T]),
    }
    found = context(nodes)
    assert [item.node.id for item in found.entries] == ["P"]
    assert found.warnings == ("Target superseded by P.", "Supersedes cycle: P, T.")


def test_all_that_supersede_a_guide_are_named_also_pruned_ones_and_the_target() -> None:
    nodes = {
        T: node("policy", supersedes=["OLD"]),
        "OLD": node("policy", constrains=[T]),
        "MID": node("policy", constrains=[T], supersedes=["OLD"]),
        "NEW": node("policy", constrains=[T], supersedes=["MID"]),
        "OTHER": node("policy", supersedes=["OLD"]),
    }
    assert context(nodes).warnings == (
        "Pruned: MID (superseded by NEW).",
        "Pruned: OLD (superseded by MID, NEW, T).",
    )


def test_decisions_that_the_target_supersedes_make_nothing_ambiguous() -> None:
    nodes = {**LAYERED, T: node("behavior", supersedes=["D2"])}
    assert context(nodes).warnings == ("Pruned: D2 (superseded by T).",)


def test_a_superseded_target_is_warned_of() -> None:
    nodes = {
        T: node("decision"),
        "B": node("decision", supersedes=[T]),
        "A": node("decision", supersedes=[T]),
    }
    assert context(nodes).warnings == ("Target superseded by A, B.",)


# CTX-12: missing targets.


def test_links_to_nothing_are_warned_of_and_listed() -> None:
    nodes = {
        T: node("decision", constrains=["GONE-2"], depends_on=["A", "GONE-1"]),
        "A": node("domain", implements=["GONE-3"], contains=["GONE-4"], depends_on=["B"]),
        "B": node("domain", depends_on=["GONE-5"]),
    }
    found = context(nodes)
    assert [(link.source, link.edge_type, link.target) for link in found.missing] == [
        ("A", "implements", "GONE-3"),
        (T, "constrains", "GONE-2"),
        (T, "depends_on", "GONE-1"),
    ]
    assert found.warnings == (
        "Missing target: A implements GONE-3.",
        "Missing target: T constrains GONE-2.",
        "Missing target: T depends_on GONE-1.",
    )


def test_a_link_that_is_written_twice_is_missed_once() -> None:
    nodes = {T: node("behavior", depends_on=["GONE", "GONE"])}
    assert len(context(nodes).missing) == 1


def test_only_needs_of_groups_around_the_target_are_missed_from_depth_two_on() -> None:
    nodes = {
        T: node("behavior"),
        "D": node("domain", contains=[T]),
        "F": node("feature", contains=["D"], implements=["GONE-1"], verified_by=["GONE-2"]),
        "L": node("layer", contains=[T], depends_on=["GONE-3"]),
    }
    assert context(nodes, 1).missing == ()
    for depth in (2, "full"):
        assert [(link.source, link.target) for link in context(nodes, depth).missing] == [
            ("F", "GONE-1"),
            ("L", "GONE-3"),
        ]


# CTX-25: what the groups around the target need.


REQUIRING = {
    T: node("behavior"),
    "D": node("domain", contains=[T]),
    "F": node("feature", contains=["D"], depends_on=["A", "L"], implements=["B"]),
    "G": node("feature", contains=["F"], implements=["A"], derived_from=["NOT"]),
    "A": node("api_contract", depends_on=["DEEP"]),
    "B": node("feature", depends_on=["DEEP-2"]),
    "L": node("layer", derived_from=["DEEP-3"]),
    "DEEP": node("domain"),
    "DEEP-2": node("domain"),
    "DEEP-3": node("domain"),
    "NOT": node("domain"),
}


def test_what_groups_around_the_target_need_is_there_from_depth_two_on() -> None:
    around = {"D": 1, "F": 1, "G": 1}
    assert levels(REQUIRING, 1) == around
    second = {**around, "A": 2, "B": 2, "L": 2}
    assert levels(REQUIRING, 2) == second | {"L": 2}
    assert levels(REQUIRING, 3) == second | {"DEEP": 3, "DEEP-2": 3, "DEEP-3": 3}
    assert levels(REQUIRING, "full") == levels(REQUIRING, 3)
    found = entry(REQUIRING, "A")
    assert (found.reasons, found.required_by) == (("required",), ("F", "G"))


def test_what_groups_need_keeps_a_closer_level_and_adds_a_reason() -> None:
    nodes = {**REQUIRING, T: node("behavior", implements=["A"])}
    found = entry(nodes, "A")
    assert (found.level, found.reasons) == (1, ("implements", "required"))
    assert entry(nodes, "A", 1).reasons == ("implements",)


def test_a_layer_that_is_required_as_well_keeps_its_place() -> None:
    nodes = {
        T: node("behavior", depends_on=["Z"]),
        "F": node("feature", contains=[T], depends_on=["L", "A"]),
        "A": node("feature"),
        "L": node("layer"),
        "Z": node("layer"),
    }
    assert ids(nodes, 1) == ["F", "Z", "L"]
    assert ids(nodes, 2) == ["F", "Z", "L", "A"]


def test_the_target_does_not_require_itself() -> None:
    nodes = {T: node("foundation"), "F": node("feature", contains=[T, "B"], depends_on=[T])}
    assert ids({**nodes, "B": node("behavior")}, "full") == ["F"]


# CTX-13: cycles.


def test_every_dependency_cycle_that_touches_the_context_is_warned_of_once() -> None:
    nodes = {
        T: node("behavior", depends_on=["C", "S"]),
        "C": node("behavior", depends_on=["B", "A"]),
        "B": node("behavior", depends_on=["A", "C"]),
        "A": node("behavior", depends_on=["B"]),
        "S": node("behavior", depends_on=["S"]),
        "X": node("behavior", depends_on=["Y"]),
        "Y": node("behavior", depends_on=["X"]),
    }
    found = context(nodes, "full")
    assert [item.node.id for item in found.entries] == ["C", "S", "A", "B"]
    assert found.warnings == ("depends_on cycle among: A, B, C.", "depends_on cycle among: S.")


def test_a_cycle_that_the_target_is_in_is_warned_of() -> None:
    nodes = {T: node("behavior", depends_on=["A"]), "A": node("behavior", depends_on=[T])}
    assert context(nodes).warnings == ("depends_on cycle among: A, T.",)


@pytest.mark.parametrize("kind", ["contains", "constrains", "implements", "verified_by"])
def test_other_cycles_are_legal_and_silent(kind: str) -> None:
    nodes = {T: node("domain", **{kind: ["A"]}), "A": node("domain", **{kind: [T]})}
    assert context(nodes, "full").warnings == ()


def test_a_chain_of_two_thousand_nodes_is_walked_to_its_end() -> None:
    count = 2_000
    chain = {f"N-{at}": node("behavior", depends_on=[f"N-{at + 1}"]) for at in range(count)}
    chain[f"N-{count}"] = node("behavior")
    found = context(chain, "full", "N-0")
    assert max(item.level for item in found.entries) == count
    assert [item.level for item in found.entries] == sorted(item.level for item in found.entries)


def test_a_cycle_is_reported_with_ten_ids_and_the_number_of_the_others() -> None:
    many = 13
    nodes = {
        chr(65 + at): node("behavior", depends_on=[chr(65 + (at + 1) % many)]) for at in range(many)
    }
    assert context(nodes, 1, "A").warnings == (
        "depends_on cycle among: A, B, C, D, E, F, G, H, I, J and 3 more.",
    )


# CTX-14: order.


def test_hard_policies_come_before_soft_ones_wherever_they_come_from() -> None:
    nodes = {
        T: node("behavior", depends_on=["A"]),
        "A": node("policy", severity="soft", depends_on=["Z"]),
        "B": node("policy", severity="odd", constrains=[T]),
        "Y": node("policy", constrains=[T]),
        "Z": node("policy"),
    }
    assert ids(nodes) == ["Y", "Z", "A", "B"]


def test_a_section_is_ordered_by_level_precedence_and_id() -> None:
    nodes = {
        **LAYERED,
        T: node("behavior", depends_on=["Z"]),
        "Z": node("decision", category="stack", depends_on=["A"]),
        "A": node("decision", category="stack"),
        "N": node("decision", category="stack", constrains=[T]),
    }
    found = [(item.node.id, item.level, item.precedence) for item in context(nodes).entries]
    assert [item for item in found if item[0] in "NZA" or item[0][0] == "D"] == [
        ("N", 1, 0),
        ("Z", 1, 0),
        ("D1", 1, 2),
        ("D2", 1, 3),
        ("A", 2, 0),
    ]


def test_the_namespace_shows_ancestors_then_layers_then_other_groups() -> None:
    nodes = {
        T: node("behavior", depends_on=["W2", "W1", "B-LAYER"]),
        "Z": node("feature", contains=[T]),
        "Y": node("feature", contains=[T]),
        "A": node("feature", contains=["Z"], depends_on=["A-LAYER"]),
        "A-LAYER": node("layer"),
        "B-LAYER": node("layer"),
        "W1": node("feature"),
        "W2": node("feature", depends_on=["V"]),
        "V": node("feature"),
    }
    assert ids(nodes) == ["Y", "Z", "A", "B-LAYER", "A-LAYER", "W1", "W2", "V"]


# CTX-22: the other warnings.


def test_several_decisions_of_a_category_from_layers_are_ambiguous() -> None:
    nodes = {**LAYERED, "D3": node("decision", constrains=["L2"], category="pattern")}
    assert context(nodes).warnings == (
        "Ambiguous propagated decisions in category 'stack': D1, D2.",
    )


def test_a_superseded_decision_makes_nothing_ambiguous() -> None:
    nodes = {**LAYERED, "D1": node("decision", category="stack", supersedes=["D2"])}
    assert context(nodes).warnings == ("Pruned: D2 (superseded by D1).",)


def test_decisions_that_did_not_come_through_layers_are_not_ambiguous() -> None:
    nodes = {
        T: node("behavior"),
        "A": node("decision", constrains=[T]),
        "B": node("decision", constrains=[T]),
    }
    assert context(nodes).warnings == ()


def test_a_hard_policy_overrides_a_soft_one_that_says_the_same() -> None:
    nodes = {
        T: node("behavior", depends_on=["WALKED"]),
        "H": node("policy", statement="Be  quick\nalways", constrains=[T]),
        "S2": node("policy", statement="be QUICK always", severity="soft", constrains=[T]),
        "S1": node("policy", statement=" Be quick always ", severity="soft", constrains=[T]),
        "OTHER": node("policy", statement="Be slow", severity="soft", constrains=[T]),
        "WALKED": node("policy", statement="Be quick always", severity="soft"),
    }
    assert context(nodes).warnings == (
        "Hard policies H override soft policies S1, S2 (same statement).",
    )


def test_decisions_without_a_reason_are_reported_the_target_included() -> None:
    nodes = {
        T: node("decision", metadata={}, depends_on=["B", "A"]),
        "A": node("decision", metadata={"rationale": "  "}),
        "B": node("decision"),
    }
    assert context(nodes).warnings == (
        "Decision A has no metadata.rationale.",
        "Decision T has no metadata.rationale.",
    )


def test_warnings_come_in_their_order() -> None:
    nodes = {
        **LAYERED,
        T: node("decision", depends_on=["T2"], metadata={}, category="stack"),
        "T2": node("decision", depends_on=[T, "GONE"], supersedes=[T]),
        "H": node("policy", constrains=[T], supersedes=["S"]),
        "S": node("policy", severity="soft", constrains=[T], supersedes=["H"]),
        "X": node("policy", statement="Other", constrains=[T]),
        "Y": node("policy", statement="Another", constrains=[T], supersedes=["X"]),
    }
    assert context(nodes).warnings == (
        "Target superseded by T2.",
        "Missing target: T2 depends_on GONE.",
        "depends_on cycle among: T, T2.",
        "Ambiguous propagated decisions in category 'stack': D1, D2.",
        "Hard policies H override soft policies S (same statement).",
        "Decision T has no metadata.rationale.",
        "Supersedes cycle: H, S.",
        "Pruned: X (superseded by Y).",
    )


# Files.


def test_a_context_names_every_file_that_had_a_say() -> None:
    nodes = {
        T: node("behavior", depends_on=["A"]),
        "A": node("domain"),
        "F": node("feature", contains=[T], depends_on=["L"]),
        "L": node("layer"),
        "OLD": node("policy", constrains=[T]),
        "NEW": node("policy", constrains=[T], supersedes=["OLD"]),
        "A2": node("domain", supersedes=["A"]),
        "UNRELATED": node("domain"),
    }
    assert context(nodes).source_files == (
        "specgraph/graph.json",
        *(f"specgraph/nodes/{item}.json" for item in ("A", "A2", "F", "L", "NEW", "OLD", T)),
    )
