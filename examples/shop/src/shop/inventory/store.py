"""Stock figures, in memory; the database takes its place in production."""

from collections import Counter
from collections.abc import Mapping


class StockStore:
    """Free units per SKU, the units held per order, and the deliveries seen."""

    def __init__(self) -> None:
        self.free: Counter[str] = Counter()
        self.held: dict[str, dict[str, int]] = {}
        self.deliveries: set[str] = set()

    def hold(self, order_id: str, quantities: Mapping[str, int]) -> None:
        """Take units out of the free stock for an order."""
        self.free.subtract(quantities)
        self.held[order_id] = dict(quantities)

    def free_held(self, order_id: str) -> None:
        """Return the units held for an order to the free stock."""
        self.free.update(self.held.pop(order_id))

    def receive(self, delivery_id: str, quantities: Mapping[str, int]) -> None:
        """Add the units of a delivery to the free stock."""
        self.free.update(quantities)
        self.deliveries.add(delivery_id)
