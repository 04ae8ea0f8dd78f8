"""Graphs of a size that no one draws by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.rules.judged import ASPECT, CONFIG, calls, issues_in, maps
from graphs import NODE, Content
from yg.kernel import digraph
from yg.yggdrasil.rules.mapping import MOST_ANCHORS

MANY = 2_000


def codes(files: dict[str, Content]) -> list[str]:
    return [issue.code for issue in issues_in(files)]


def test_a_chain_of_two_thousand_relations_is_not_a_cycle() -> None:
    chain: dict[str, Content] = {
        f"model/n{i}/yg-node.yaml": calls(f"n{i + 1}") for i in range(MANY - 1)
    }
    assert issues_in({**chain, f"model/n{MANY - 1}/yg-node.yaml": NODE}) == ()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search only a little for a shorter cycle than the first: a ring has no other."""
    monkeypatch.setattr(digraph, "SEARCH_STEPS", 10_000)


@pytest.mark.usefixtures("hasty")
def test_a_ring_of_two_thousand_nodes_is_one_cycle_reported_in_a_line() -> None:
    (issue,) = issues_in(
        {f"model/n{i}/yg-node.yaml": calls(f"n{(i + 1) % MANY}") for i in range(MANY)}
    )
    assert issue.code == "E010"
    assert issue.message.startswith("structural cycle: n0 -> n1 -> n2 -> ")
    assert " -> .. 1961 more .. -> " in issue.message
    assert issue.message.endswith(" -> n1998 -> n1999 -> n0")


@pytest.mark.usefixtures("hasty")
def test_a_ring_of_implications_is_one_cycle() -> None:
    ring: dict[str, Content] = {
        f"aspects/a{i}/yg-aspect.yaml": f"{ASPECT}implies: [a{(i + 1) % MANY}]\n"
        for i in range(MANY)
    }
    assert codes(ring) == ["E017"]


def test_where_everything_calls_everything_one_pair_is_shown_first_and_every_relation() -> None:
    names = [f"n{i:03}" for i in range(120)]
    dense = {f"model/{n}/yg-node.yaml": calls(*(to for to in names if to != n)) for n in names}
    (issue,) = issues_in(
        {"yg-config.yaml": f"{CONFIG}quality: {{max_direct_relations: 500}}\n", **dense}
    )
    assert issue.message == "structural cycle: n000 -> n001 -> n000"
    heading, *relations, _ = issue.advice
    others = [f"  n000 -> {name}" for name in names[2:]]
    assert heading == "Relations on a cycle:"
    assert relations[: len(names)] == ["  n000 -> n001", "  n001 -> n000", *others]
    assert len(set(relations)) == len(relations) == 120 * 119


def test_a_thousand_broken_references_are_all_reported() -> None:
    broken: dict[str, Content] = {
        f"model/n{i}/yg-node.yaml": f"{calls(f'gone{i}')}aspects: [{{aspect: gone{i}}}]\n"
        for i in range(1000)
    }
    assert Counter(codes(broken)) == {"E003": 1000, "E004": 1000}


def test_a_thousand_owners_of_one_path_all_name_the_first() -> None:
    owners: dict[str, Content] = {f"model/n{i:04}/yg-node.yaml": maps("src") for i in range(1000)}
    issues = issues_in({**owners, "src/a.py": ""})
    assert {issue.message for issue in issues} == {"mapping 'src' is also mapped by 'n0000'"}
    assert len(issues) == 999


def test_a_hundred_levels_of_nodes_and_mappings_stay_one_lineage() -> None:
    nodes = ["/".join(["a"] * depth) for depth in range(1, 101)]
    deep: dict[str, Content] = {f"model/{path}/yg-node.yaml": maps(f"src/{path}") for path in nodes}
    assert issues_in({**deep, f"src/{nodes[-1]}/a.py": ""}) == ()


def test_one_key_in_a_thousand_files_is_one_issue_about_all_of_them() -> None:
    names = [f"n{i:04}" for i in range(1000)]
    (issue,) = issues_in({f"model/{name}/yg-node.yaml": f"{NODE}relation: []\n" for name in names})
    assert (issue.subject, issue.also) == (names[0], tuple(names[1:]))
    assert issue.message == "unknown key 'relation' in 1000 files"


def test_of_a_node_with_very_many_anchors_the_first_are_looked_for() -> None:
    anchors = ", ".join(f"gone{i}" for i in range(MOST_ANCHORS + 10))
    node = f"{NODE}aspects: [{{aspect: x, anchors: [{anchors}]}}]\nmapping: {{paths: [a.py]}}\n"
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": node,
        "aspects/x/yg-aspect.yaml": ASPECT,
        "a.py": "",
    }
    assert codes(files) == ["W014"] * MOST_ANCHORS
