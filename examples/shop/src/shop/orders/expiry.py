"""Close orders whose payment stayed unknown."""

import logging
from datetime import datetime, timedelta

from shop.orders.service import OrderService
from shop.payments import PaymentUnavailable

logger = logging.getLogger(__name__)
PENDING_LIMIT = timedelta(minutes=15)


def expire_pending(orders: OrderService, now: datetime) -> None:
    """Undo every order that has been pending for longer than PENDING_LIMIT."""
    for order in orders.store.pending_before(now - PENDING_LIMIT):
        try:
            orders.undo(order, "system")
        except PaymentUnavailable:
            logger.warning("refund postponed", extra={"order_id": order.order_id})
