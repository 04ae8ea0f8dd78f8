"""Orders, their lines and the event that announces a placed order."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from shop.shared import Money


class OrderNotPlaced(Exception):
    """Only a placed order can be cancelled."""


class OrderStatus(StrEnum):
    """Every order starts as PENDING; REJECTED and CANCELLED are final."""

    PENDING = "pending"
    PLACED = "placed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class OrderLine:
    """One article of an order, at the price the customer saw."""

    sku: str
    quantity: int
    unit_price: Money


@dataclass
class Order:
    """An order; `order_id` is the id of the checkout it came from."""

    order_id: str
    customer_email: str
    lines: tuple[OrderLine, ...]
    total: Money
    status: OrderStatus = OrderStatus.PENDING
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def quantities(self) -> Counter[str]:
        """Return the units per SKU, lines of the same SKU added up."""
        units: Counter[str] = Counter()
        for line in self.lines:
            units[line.sku] += line.quantity
        return units


@dataclass(frozen=True)
class OrderPlaced:
    """Published once the order is paid."""

    order_id: str
    customer_email: str
    total: Money
