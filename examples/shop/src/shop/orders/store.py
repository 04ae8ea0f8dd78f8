"""Where orders are kept, and the only place where their status changes."""

import logging
from datetime import datetime

from shop.audit import record_audit
from shop.orders.models import Order, OrderStatus

logger = logging.getLogger(__name__)


class OrderStore:
    """Orders by id, in memory; the database takes its place in production."""

    def __init__(self) -> None:
        self._orders: dict[str, Order] = {}

    def add(self, order: Order) -> None:
        """Keep a new order."""
        record_audit("customer", "create", f"order/{order.order_id}", total=order.total)
        self._orders[order.order_id] = order
        logger.info("order created", extra={"order_id": order.order_id})

    def get(self, order_id: str) -> Order | None:
        """Return the order, or None if there is none with this id."""
        return self._orders.get(order_id)

    def pending_before(self, moment: datetime) -> list[Order]:
        """Return the orders that are pending and were created before the moment."""
        orders = self._orders.values()
        return [o for o in orders if o.status is OrderStatus.PENDING and o.created_at < moment]

    def move(self, order: Order, status: OrderStatus, actor: str) -> None:
        """Give the order a new status; the audit entry comes first."""
        entity = f"order/{order.order_id}"
        record_audit(actor, "update", entity, status=[order.status, status])
        order.status = status
        logger.info("order moved", extra={"order_id": order.order_id, "status": status.value})
