"""A plan puts every node behind all it needs, and says which chain is the longest."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import CONFIG, NODE, graph_from
from yg.commands import plan as plan_command
from yg.kernel.palette import PLAIN
from yg.kernel.plan import Plan
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.questions.deps import needed_for, plan_of

MAPPED, BLACKBOX = "mapping: {paths: [src]}\n", "blackbox: true\n"
KINDS = {"": MAPPED, "?": "", "#": BLACKBOX, "##": BLACKBOX + MAPPED}


def node(needs: str, kind: str = "", relation: str = "uses") -> str:
    """Make a node: mapped, `?` for unmapped, `#` for a blackbox, `##` for a mapped one."""
    edges = ", ".join(f"{{type: {relation}, target: {word}}}" for word in needs.split())
    return f"{NODE}{KINDS[kind]}relations: [{edges}]\n"


def graph(**nodes: str) -> Graph:
    """Make a graph of nodes written as what they need, after their kind and a colon."""
    files = {}
    for path, text in nodes.items():
        kind, _, needs = text.rpartition(":")
        files[f"model/{path}/yg-node.yaml"] = node(needs, kind)
    return graph_from(files)


def stages(**nodes: str) -> list[str]:
    return [" ".join(stage) for stage in plan_of(graph(**nodes)).stages]


# Stages.


def test_a_stage_needs_only_the_ones_before_it() -> None:
    assert stages(a="b c", b="d", c="d", d="", e="", f="a e") == ["d e", "b c", "a", "f"]


def test_a_node_waits_for_the_last_of_what_it_needs() -> None:
    assert stages(a="", b="a", c="b", d="a c", e="a") == ["a", "b e", "c", "d"]


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("uses", ["b", "a"]),
        ("calls", ["b", "a"]),
        ("extends", ["b", "a"]),
        ("implements", ["b", "a"]),
        ("emits", ["a b"]),
        ("listens", ["a b"]),
    ],
)
def test_events_do_not_order(relation: str, expected: list[str]) -> None:
    found = graph_from(
        {
            "model/a/yg-node.yaml": node("b", relation=relation),
            "model/b/yg-node.yaml": node(""),
        }
    )
    assert [" ".join(stage) for stage in plan_of(found).stages] == expected


def test_nodes_that_talk_to_each_other_by_events_are_not_a_cycle() -> None:
    found = graph_from(
        {
            "model/a/yg-node.yaml": node("b", relation="emits"),
            "model/b/yg-node.yaml": node("a", relation="listens"),
        }
    )
    assert plan_of(found).stages == (("a", "b"),)


def test_a_hierarchy_does_not_order() -> None:
    assert stages(**{"a": "", "a/b": "", "a/b/c": ""}) == ["a a/b a/b/c"]


def test_order_passes_through_unmapped_nodes() -> None:
    assert stages(a="u", u="?:v", v="?:b", b="") == ["b", "a"]


def test_an_unmapped_node_takes_no_stage_of_its_own() -> None:
    assert stages(a="u b", u="?:", b="u") == ["b", "a"]


@pytest.mark.parametrize("kind", ["#", "##"])
def test_order_does_not_pass_through_blackboxes(kind: str) -> None:
    assert stages(a="x", x=f"{kind}:b", b="") == ["a b"]


def test_a_relation_to_nothing_orders_nothing() -> None:
    assert stages(a="gone b", b="gone") == ["b", "a"]


def test_the_same_need_twice_is_one_need() -> None:
    assert stages(a="b b", b="") == ["b", "a"]


def test_a_graph_without_nodes_to_build_has_no_stages() -> None:
    assert plan_of(graph(a="?:", b="#:", c="##:")) == Plan(
        stages=(), critical=(), left_out=(("blackbox", 2), ("unmapped", 1))
    )


def test_what_is_left_out_is_counted_by_reason() -> None:
    plan = plan_of(graph(a="", b="?:", c="?:", d="#:", e="##:"))
    assert (plan.total, plan.left_out) == (1, (("blackbox", 2), ("unmapped", 2)))


# Cycles.


@pytest.mark.parametrize("kind", ["#", "##"])
def test_a_cycle_through_a_blackbox_does_not_disturb_the_order(kind: str) -> None:
    assert stages(a="b", b="x", x=f"{kind}:a", c="a") == ["b", "a", "c"]


def test_blackboxes_may_need_each_other_and_themselves() -> None:
    assert stages(x="#:y x", y="#:x", a="x") == ["a"]


@pytest.mark.parametrize(
    ("nodes", "expected", "cycles", "critical"),
    [
        ({"a": "b", "b": "a"}, ["a b"], ["a b"], "a"),
        ({"a": "a b", "b": ""}, ["b", "a"], [], "b a"),
        ({"a": "u", "u": "?:a"}, ["a"], [], "a"),
        ({"u": "?:v", "v": "?:u", "a": "u", "b": ""}, ["a b"], [], "a"),
        ({"a": "b x", "b": "a x", "x": "#:a b"}, ["a b"], ["a b"], "a"),
        (
            {"a": "b", "b": "c", "c": "a d", "d": "", "e": "a"},
            ["d", "a b c", "e"],
            ["a b c"],
            "d a e",
        ),
        ({"a": "u", "u": "?:v b", "v": "?:u", "b": ""}, ["b", "a"], [], "b a"),
        ({"a": "b", "b": "a", "c": "d", "d": "c a"}, ["a b", "c d"], ["a b", "c d"], "a c"),
    ],
)
def test_nodes_that_need_each_other_share_a_stage(
    nodes: dict[str, str], expected: list[str], cycles: list[str], critical: str
) -> None:
    plan = plan_of(graph(**nodes))
    assert [" ".join(stage) for stage in plan.stages] == expected
    assert [" ".join(cycle) for cycle in plan.cycles] == cycles
    assert " ".join(plan.critical) == critical


def left_out(found: Graph, only: frozenset[str] | None = None) -> dict[str, str]:
    plan = plan_of(found, only, lenient=True)
    return {left.node: left.reason for left in plan.unordered}


def test_a_lenient_plan_leaves_out_what_cannot_be_ordered_and_what_needs_it() -> None:
    found = graph(
        a="b", b="a", c="a", d="u", u="?:c", lost="gone", far="lost", ok="x", x="#:gone", free="ok"
    )
    assert left_out(found) == {
        "a": "is on a cycle",
        "b": "is on a cycle",
        "c": "needs 'a', which is left out",
        "d": "needs 'u', which is left out",
        "far": "needs 'lost', which is left out",
        "lost": "needs 'gone', which does not exist",
    }
    assert plan_of(found, lenient=True).stages == (("ok",), ("free",))
    assert left_out(found, frozenset({"c", "ok"})) == {"c": "needs 'a', which is left out"}


def test_a_lenient_plan_leaves_out_nodes_that_could_not_be_read() -> None:
    found = graph_from(
        {
            "model/a/yg-node.yaml": node("bad"),
            "model/bad/yg-node.yaml": "name: [",
            "model/z/yg-node.yaml": node(""),
        }
    )
    assert left_out(found) == {
        "a": "needs 'bad', which could not be read",
        "bad": "could not be read",
    }
    assert plan_of(found, lenient=True).stages == (("z",),)


def test_a_cycle_that_is_only_a_warning_is_ordered_by_a_lenient_plan_too() -> None:
    found = graph_from(
        {
            "yg-config.yaml": f"{CONFIG}rules: {{E010: warning}}\n",
            "model/a/yg-node.yaml": node("b"),
            "model/b/yg-node.yaml": node("a"),
        }
    )
    assert left_out(found) == {}
    assert plan_of(found, lenient=True).cycles == (("a", "b"),)


def test_unmapped_nodes_are_included_when_asked() -> None:
    found = graph(a="u", u="?:b", b="?:", x="#:")
    plan = plan_of(found, unmapped=True)
    assert plan.stages == (("b",), ("u",), ("a",))
    assert plan.left_out == (("blackbox", 1), ("unmapped", 0))


# The longest chain.


def test_the_critical_path_is_a_longest_chain_with_the_first_to_build_in_front() -> None:
    plan = plan_of(graph(a="b", b="c", c="", x="y", y="", z="c"))
    assert plan.critical == ("c", "b", "a")


def test_of_several_longest_chains_the_first_by_path_from_its_end_is_shown() -> None:
    assert plan_of(graph(a="c b", b="", c="", d="b")).critical == ("b", "a")


def test_the_critical_path_leaves_out_what_is_not_built() -> None:
    plan = plan_of(graph(a="u", u="?:v", v="?:b", b="w", w="?:"))
    assert plan.critical == ("b", "a")


# A part of the graph.


def test_a_node_needs_itself_and_all_it_leads_to() -> None:
    found = graph(a="b u", b="c", c="", u="?:v", v="?:d", d="", e="a", x="#:")
    assert needed_for(found, "a") == {"a", "b", "c", "d", "u", "v"}
    assert needed_for(found, "c") == {"c"}


def test_what_only_a_blackbox_needs_is_not_needed() -> None:
    found = graph(a="x", x="#:b", b="")
    assert needed_for(found, "a") == {"a"}


def test_what_is_needed_comes_to_its_end_in_a_cycle() -> None:
    assert needed_for(graph(a="b", b="a"), "a") == {"a", "b"}


def test_a_choice_keeps_the_order_through_nodes_that_are_not_chosen() -> None:
    found = graph(a="b", b="c", c="", d="a")
    plan = plan_of(found, frozenset({"a", "c", "d"}))
    assert (plan.stages, plan.critical) == ((("c",), ("a",), ("d",)), ("c", "a", "d"))


def test_a_choice_of_nothing_is_an_empty_plan() -> None:
    found = graph(a="b", b="", x="#:", u="?:")
    for chosen in (frozenset[str](), frozenset({"x", "u", "gone"})):
        assert (plan_of(found, chosen).stages, plan_of(found, chosen).critical) == ((), ())


# Any graph, and a long one.

NAMES = "abcdefghi"
WORDS = st.lists(st.sampled_from(NAMES), max_size=4, unique=True)
ACYCLIC = st.fixed_dictionaries(dict.fromkeys(NAMES, WORDS)).map(
    lambda needs: {name: [needed for needed in needs[name] if needed < name] for name in needs}
)
SHAPES = st.fixed_dictionaries({name: st.sampled_from(["", "", "", "?", "#"]) for name in NAMES})


def longest(needs: Mapping[str, list[str]], shapes: Mapping[str, str], name: str) -> int:
    """Return the length of the longest chain that ends in a node, by trying every one."""
    if shapes[name] == "#":
        return 0
    before = (longest(needs, shapes, needed) for needed in needs[name])
    return max(before, default=0) + (shapes[name] == "")


def leads_to(
    needs: Mapping[str, list[str]], shapes: Mapping[str, str], start: str, end: str
) -> bool:
    """Tell whether a node needs another through nodes that are no blackboxes."""
    steps = [needed for needed in needs[start] if shapes[needed] != "#"]
    return end in steps or any(leads_to(needs, shapes, step, end) for step in steps)


@given(ACYCLIC, SHAPES)
def test_a_node_is_where_its_longest_chain_ends(
    needs: dict[str, list[str]], shapes: dict[str, str]
) -> None:
    found = graph(**{name: f"{shapes[name]}:{' '.join(needs[name])}" for name in NAMES})
    plan = plan_of(found)
    stage_of = {name: at for at, stage in enumerate(plan.stages, 1) for name in stage}
    chosen = [name for name in NAMES if not shapes[name]]
    assert stage_of == {name: longest(needs, shapes, name) for name in chosen}
    assert all(stage == tuple(sorted(stage)) and stage for stage in plan.stages)
    assert len(plan.critical) == len(plan.stages) == max(stage_of.values(), default=0)
    for first, second in zip(plan.critical, plan.critical[1:], strict=False):
        assert leads_to(needs, shapes, second, first)


@settings(deadline=None, max_examples=40)
@given(ACYCLIC, SHAPES, st.sampled_from(NAMES))
def test_what_a_node_needs_is_what_it_leads_to(
    needs: dict[str, list[str]], shapes: dict[str, str], name: str
) -> None:
    found = graph(**{name: f"{shapes[name]}:{' '.join(needs[name])}" for name in NAMES})
    wanted = {item for item in NAMES if leads_to(needs, shapes, name, item)}
    assert needed_for(found, name) == ({name} if shapes[name] == "#" else wanted | {name})


@settings(deadline=None, max_examples=20)
@given(
    st.permutations([("a", "b c"), ("b", "d"), ("c", "?:d"), ("d", ""), ("e", "#:a"), ("f", "e")])
)
def test_the_order_of_files_never_shows(nodes: list[tuple[str, str]]) -> None:
    assert plan_of(graph(**dict(nodes))) == Plan(
        stages=(("d", "f"), ("b",), ("a",)),
        critical=("d", "b", "a"),
        left_out=(("blackbox", 1), ("unmapped", 1)),
    )


def test_a_chain_of_two_thousand_nodes_needs_no_deep_stack_and_little_text() -> None:
    count = 2_000
    names = [f"n{at:05}" for at in range(count)]
    mapped = NODE + MAPPED
    found = graph_from(
        {
            f"model/{name}/yg-node.yaml": f"{mapped}relations: [{{type: uses, target: {needed}}}]\n"
            for name, needed in zip(names, [*names[1:], "gone"], strict=True)
        }
    )
    plan = plan_of(found)
    assert plan.stages == tuple((name,) for name in reversed(names))
    assert plan.critical == tuple(reversed(names))
    assert len(needed_for(found, "n00000")) == count
    assert len(plan_command.text(plan_command.document_of(plan), PLAIN)) < 60 * count
