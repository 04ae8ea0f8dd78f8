"""Cycles are found, all of them, the shortest first, and in graphs of any size and order."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel import digraph
from yg.kernel.digraph import (
    cyclic_groups,
    shortest_cycle,
)

Edges = dict[str, list[str]]

GRAPHS = st.dictionaries(
    st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefxy"), max_size=4), max_size=6
)


def reached_from(edges: Edges, start: str) -> set[str]:
    """Return every id that one or more steps lead to."""
    found: set[str] = set()
    while True:
        heads = found | {start}
        further = {to for node in heads for to in edges[node] if to in edges} - found
        if not further:
            return found
        found |= further


def groups_by_reach(edges: Edges) -> tuple[tuple[str, ...], ...]:
    """Find the cyclic groups by asking of each pair whether it reaches one another."""
    reach = {node: reached_from(edges, node) for node in edges}
    return tuple(
        sorted(
            {
                tuple(sorted(other for other in reach[node] if node in reach[other]))
                for node in edges
                if node in reach[node]
            }
        )
    )


def is_cycle(edges: Edges, way: tuple[str, ...]) -> bool:
    """Tell whether each id of a way points at the next and the last at the first."""
    return all(to in edges[node] for node, to in zip(way, (*way[1:], *way[:1]), strict=True))


def length_by_trial(edges: Edges, group: tuple[str, ...]) -> int:
    """Find the length of the shortest cycle by trying every way through a group."""
    return next(
        length
        for length in range(1, len(group) + 1)
        if any(is_cycle(edges, way) for way in permutations(group, length))
    )


@pytest.mark.parametrize(
    ("edges", "groups"),
    [
        ({}, ()),
        ({"a": []}, ()),
        ({"a": ["a"]}, (("a",),)),
        ({"a": ["b"], "b": []}, ()),
        ({"a": ["b"]}, ()),
        ({"a": ["b"], "b": ["a"]}, (("a", "b"),)),
        ({"b": ["a"], "a": ["b"], "d": ["d"], "c": ["a", "d"]}, (("a", "b"), ("d",))),
        ({"a": ["b"], "b": ["c", "a"], "c": ["b"]}, (("a", "b", "c"),)),
        ({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, ()),
        ({"a": ["x", "b", "x"], "b": ["b", "b"]}, (("b",),)),
    ],
)
def test_ids_that_reach_one_another_are_a_group(
    edges: Edges, groups: tuple[tuple[str, ...], ...]
) -> None:
    assert cyclic_groups(edges) == groups


@pytest.mark.parametrize(
    ("edges", "cycle"),
    [
        ({"a": ["a"]}, ("a",)),
        ({"b": ["a"], "a": ["b"]}, ("a", "b")),
        ({"a": ["c"], "c": ["b"], "b": ["a"]}, ("a", "c", "b")),
        ({"a": ["b"], "b": ["a", "b"]}, ("b",)),
        ({"a": ["b"], "b": ["c"], "c": ["d", "b"], "d": ["a"]}, ("b", "c")),
        ({"a": ["c", "b"], "b": ["a"], "c": ["a"]}, ("a", "b")),
        ({"a": ["x", "b"], "b": ["y", "a"], "x": [], "y": []}, ("a", "b")),
    ],
)
def test_the_shortest_cycle_begins_at_its_smallest_id(edges: Edges, cycle: tuple[str, ...]) -> None:
    (group,) = cyclic_groups(edges)
    assert shortest_cycle(edges, group) == cycle


@given(GRAPHS)
def test_groups_are_those_that_reachability_gives(edges: Edges) -> None:
    assert cyclic_groups(edges) == groups_by_reach(edges)


@given(GRAPHS)
def test_no_cycle_of_a_group_is_shorter_than_the_shortest(edges: Edges) -> None:
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        assert is_cycle(edges, cycle)
        assert set(cycle) <= set(group)
        assert len(cycle) == len(set(cycle)) == length_by_trial(edges, group)
        assert cycle[0] == min(cycle)


@given(GRAPHS, st.permutations("abcdefxy"))
def test_the_order_of_ids_and_edges_never_shows(edges: Edges, order: list[str]) -> None:
    shuffled = {node: sorted(edges[node], key=order.index) for node in order if node in edges}
    groups = cyclic_groups(edges)
    assert cyclic_groups(shuffled) == groups
    for group in groups:
        assert shortest_cycle(shuffled, group[::-1]) == shortest_cycle(edges, group)


def test_a_chain_of_five_thousand_has_no_cycle() -> None:
    names = [f"{number:05}" for number in range(5_000)]
    chain = {name: [to] for name, to in zip(names, (*names[1:], "nowhere"), strict=True)}
    assert cyclic_groups(chain) == ()
    assert cyclic_groups(dict(reversed(chain.items()))) == ()


def test_a_ring_of_five_thousand_is_one_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digraph, "SEARCH_STEPS", 20_000)
    names = [f"{number:05}" for number in range(5_000)]
    ring = {name: [to] for name, to in zip(names, (*names[1:], names[0]), strict=True)}
    (group,) = cyclic_groups(ring)
    assert group == tuple(names)
    assert shortest_cycle(ring, group) == group


def test_the_shortest_cycle_of_a_large_group_is_found_wherever_it_lies() -> None:
    names = [f"{number:03}" for number in range(500)]
    ring = {name: [to] for name, to in zip(names, (*names[1:], names[0]), strict=True)}
    ring["498"].append("496")
    assert shortest_cycle(ring, names) == ("496", "497", "498")
