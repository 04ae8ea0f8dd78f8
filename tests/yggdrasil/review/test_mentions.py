"""Which parts of the code a sentence mentions."""

from __future__ import annotations

import pytest

from yg.text.sentences import Sentence
from yg.yggdrasil.review.mentions import PartName, mentions_in

FILE = "src/shop/orders/pricing.py"


def is_mentioned(name: str, text: str, *, is_code: bool = False) -> bool:
    return PartName(name, FILE).is_in(mentions_in(Sentence(1, text, is_code=is_code)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("quote", "`quote` returns a price."),
        ("quote", "Call `quote()` first."),
        ("quote", "Call `quote(lines) -> Money` first."),
        ("quote", "`pricing.quote` or `orders.quote`"),
        ("quote", "Call quote(lines) first."),
        ("Cart.total", "`Cart.total`"),
        ("Cart.total", "`total`"),
        ("Cart.total", "`cart.total()` and `self.total`"),
        ("Cart.total", "Cart.total is a sum."),
        ("Cart.total", "`Cart::total` and `Cart#total`"),
        ("ShoppingCart.total", "`shopping_cart.total`, `cart.total`"),
        ("SHIPPING_MINOR", "SHIPPING_MINOR is added."),
        ("OrderService", "OrderService does it."),
        ("HTTPServer", "The HTTPServer does it."),
        ("STATES", "STATES are listed."),
        ("Manifests.json", "`Manifests.json` reads a file."),
        ("sha256", "It has a sha256 of the file."),
        ("Cart", "`Cart.total` is a member of it."),
        ("Outer.Inner.run", "`Inner.run`"),
    ],
)
def test_a_sentence_mentions_a_part(name: str, text: str) -> None:
    assert is_mentioned(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("quote", "A quote is a price, and quote is a word."),
        ("quote", "`quotes` and `re_quote`"),
        ("quote", "`shlex.quote` is another one."),
        ("Cart.total", "`Order.total` is another one."),
        ("Cart.total", "The total is a sum."),
        ("all", "`yg drift-sync --all` and `un-all`"),
        ("pricing", "See `src/shop/pricing.py` and `pricing.py`."),
        ("drift", "Run `drift-sync`, see [drift](docs/drift_page.md)."),
        ("drift_page", "See [drift](docs/drift_page.md) and <https://example.com/drift_page>."),
        ("file", "The file(s) are read."),
        ("Cart", "Cart is a word, too."),
        ("T", "`T` is a type variable."),
        ("(file)", "The (file) itself."),
    ],
)
def test_a_sentence_does_not_mention_a_part(name: str, text: str) -> None:
    assert not is_mentioned(name, text)


def test_every_name_in_a_code_block_is_a_mention() -> None:
    assert is_mentioned("quote", "price = quote(lines)", is_code=True)
    assert is_mentioned("lines", "price = quote(lines)", is_code=True)
    assert not is_mentioned("line", "price = quote(lines)", is_code=True)
