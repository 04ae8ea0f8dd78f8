"""What an order costs: discounts and shipping."""

from collections.abc import Sequence
from typing import Protocol

from shop.shared import Money

DISCOUNT_FROM_UNITS = 10
DISCOUNT_PERCENT = 5
FREE_SHIPPING_FROM_MINOR = 50_00
SHIPPING_MINOR = 4_90


class Priced(Protocol):
    """Anything with a unit price and a quantity."""

    @property
    def unit_price(self) -> Money: ...

    @property
    def quantity(self) -> int: ...


def line_total(line: Priced) -> Money:
    """Return the price of one line after its quantity discount."""
    gross = line.unit_price * line.quantity
    if line.quantity < DISCOUNT_FROM_UNITS:
        return gross
    return gross + gross.percent(DISCOUNT_PERCENT) * -1


def quote(lines: Sequence[Priced]) -> Money:
    """Return what the customer pays for the lines, shipping included."""
    if not lines or any(line.quantity < 1 for line in lines):
        raise ValueError("an order needs at least one line, each with at least one unit")
    currency = lines[0].unit_price.currency
    goods = sum((line_total(line) for line in lines), start=Money(0, currency))
    if goods < Money(FREE_SHIPPING_FROM_MINOR, currency):
        return goods + Money(SHIPPING_MINOR, currency)
    return goods
