"""Things are found by words, the best first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.find import Card, Spot, best, gist_of, summary_of, words_of


def card(path: str, name: str, about: str = "") -> Card:
    return Card(path=path, name=name, type="service", about=gist_of(about))


SHOP = (
    card("billing", "Billing", "Writes invoices for orders."),
    card("orders", "Orders", "What a customer bought."),
    card("orders/intake", "Intake", "Takes carts and payments."),
    card("payments/gateway", "PaymentGateway", "Moves money."),
    card("payments/refunds", "Refunds", "Gives money back."),
)


def found(query: str) -> list[str]:
    return [match.card.path for match in best(SHOP, query)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OrderService", ("order", "service")),
        ("orders/order-service", ("orders", "order", "service")),
        ("HTTPClient v2", ("http", "client", "v2")),
        ("snake_case", ("snake", "case")),
        ("Straße ÉTÉ", ("strasse", "été")),
        ("--//", ()),
    ],
)
def test_a_text_is_split_where_people_see_words(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


def test_a_name_counts_more_than_a_path_and_a_path_more_than_a_responsibility() -> None:
    assert found("payment") == ["payments/gateway", "payments/refunds", "orders/intake"]
    assert found("orders") == ["orders", "orders/intake", "billing"]


def test_more_words_count_more_than_better_places() -> None:
    assert found("payments intake") == ["orders/intake", "payments/gateway", "payments/refunds"]


def test_the_path_that_was_asked_for_comes_first() -> None:
    assert found("./payments/refunds/") == ["payments/refunds", "payments/gateway", "orders/intake"]


def test_a_word_is_found_by_its_beginning_only() -> None:
    assert found("gate") == ["payments/gateway"]
    assert found("way") == []


def test_a_match_tells_the_best_place_of_each_word() -> None:
    match, _ = best(SHOP, "Money nowhere gateway money")
    assert match.spots == (("money", Spot.RESPONSIBILITY), ("gateway", Spot.NAME))


@given(st.permutations(SHOP), st.sampled_from(["payment order", "money", "billing"]))
def test_the_order_of_things_never_shows(cards: list[Card], query: str) -> None:
    assert best(cards, query) == best(SHOP, query)


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("", ""),
        ("# Only a heading\n", ""),
        (
            "# Orders\n\nTakes orders\nand keeps them. More.\n\nRest.\n",
            "Takes orders and keeps them.",
        ),
        ("No full stop", "No full stop"),
        ("Version 2.0 of it! Yes.", "Version 2.0 of it!"),
    ],
)
def test_a_summary_is_the_first_sentence(text: str, summary: str) -> None:
    assert summary_of(text) == summary
