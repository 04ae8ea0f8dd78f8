"""Reserve stock for orders and take in deliveries."""

import logging
from collections.abc import Mapping

from shop.audit import record_audit
from shop.inventory.store import StockStore

logger = logging.getLogger(__name__)


class OutOfStock(Exception):
    """At least one article of the order is not available in the wanted quantity."""


class InventoryService:
    """All or nothing: an order gets every unit it asks for, or none."""

    def __init__(self, store: StockStore) -> None:
        self._store = store

    def reserve(self, order_id: str, quantities: Mapping[str, int]) -> None:
        """Hold the units for the order; an order that already holds units keeps them."""
        if order_id in self._store.held:
            return
        missing = [sku for sku, units in quantities.items() if self._store.free[sku] < units]
        if missing:
            logger.info("out of stock", extra={"order_id": order_id, "skus": missing})
            raise OutOfStock(", ".join(missing))
        record_audit("system", "reserve", f"order/{order_id}", units=dict(quantities))
        self._store.hold(order_id, quantities)
        logger.info("stock reserved", extra={"order_id": order_id})

    def release(self, order_id: str) -> None:
        """Return what the order holds; without a hold nothing happens."""
        if order_id not in self._store.held:
            return
        record_audit("system", "release", f"order/{order_id}", units=self._store.held[order_id])
        self._store.free_held(order_id)
        logger.info("stock released", extra={"order_id": order_id})

    def restock(self, delivery_id: str, quantities: Mapping[str, int], clerk: str) -> None:
        """Take in a delivery; a delivery scanned twice counts once."""
        if delivery_id in self._store.deliveries:
            return
        record_audit(clerk, "restock", f"delivery/{delivery_id}", skus=len(quantities))
        self._store.receive(delivery_id, quantities)
        logger.info("stock received", extra={"delivery_id": delivery_id})
