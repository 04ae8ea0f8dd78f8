"""Suggestions are few, near, and always the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text.suggest import did_you_mean, listing, nearest

NODES = ("orders", "orders/cart", "orders/order-service", "payments", "payments/ledger")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("ordres", ("orders",)),
        ("paymets/leger", ("payments/ledger",)),
        ("ledger", ("payments/ledger",)),
        ("orders/orderservice", ("orders/order-service",)),
        ("Orders/Cart", ("orders/cart",)),
        ("warehouse", ()),
        ("", ()),
    ],
)
def test_names_that_are_near_are_suggested_the_best_first(name: str, near: tuple[str, ...]) -> None:
    assert nearest(name, NODES) == near


def test_no_more_than_three_names_are_suggested_equals_in_code_point_order() -> None:
    assert nearest("node", ["nodee", "noded", "nodeb", "nodec", "nodea"]) == (
        "nodea",
        "nodeb",
        "nodec",
    )


def test_among_no_names_none_is_near() -> None:
    assert nearest("orders", []) == ()
    assert nearest("orders", iter(())) == ()


@given(st.permutations([*NODES, "order", "border", "orders2"]), st.sampled_from([*NODES, "odrers"]))
def test_the_order_of_candidates_never_shows(names: list[str], name: str) -> None:
    assert nearest(name, names) == nearest(name, sorted(names))


@given(st.text(max_size=8), st.lists(st.text(max_size=8), max_size=6))
def test_every_suggestion_is_a_candidate(name: str, names: list[str]) -> None:
    near = nearest(name, names)
    assert len(near) <= 3
    assert set(near) <= set(names)


@given(st.text("abcdefgh/-", min_size=1, max_size=8).filter(lambda name: name.strip("/-")))
def test_a_name_is_nearest_to_itself(name: str) -> None:
    assert nearest(name, [name, "zzzzzzzzzzzzzzzz"]) == (name,)


@pytest.mark.parametrize(
    ("near", "question"),
    [
        ((), ""),
        (("a",), "Did you mean 'a'?"),
        (("a", "b"), "Did you mean 'a' or 'b'?"),
        (("a", "b", "c"), "Did you mean 'a' or 'b' or 'c'?"),
    ],
)
def test_suggestions_are_put_as_a_question(near: tuple[str, ...], question: str) -> None:
    assert did_you_mean(near) == question


@pytest.mark.parametrize(
    ("names", "most", "text"),
    [
        ("", 8, ""),
        ("a", 8, "a"),
        ("abcdefgh", 8, "a, b, c, d, e, f, g, h"),
        ("abcdefghi", 8, "a, b, c, d, e, f, g, h and 1 more"),
        ("abcde", 2, "a, b and 3 more"),
    ],
)
def test_of_many_names_the_first_few_are_listed(names: str, most: int, text: str) -> None:
    assert listing(names, most) == text


def test_eight_names_are_listed_unless_asked_otherwise() -> None:
    assert listing("abcdefghij") == "a, b, c, d, e, f, g, h and 2 more"
