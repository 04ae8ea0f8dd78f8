"""Take an order from checkout to paid, or undo what was started."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shop.inventory import InventoryService, OutOfStock
from shop.orders.models import Order, OrderLine, OrderNotPlaced, OrderPlaced, OrderStatus
from shop.orders.pricing import quote
from shop.orders.store import OrderStore
from shop.payments import PaymentDeclined, PaymentService, PaymentUnavailable

logger = logging.getLogger(__name__)


@dataclass
class OrderService:
    """Coordinates stock and payment of an order."""

    store: OrderStore
    inventory: InventoryService
    payments: PaymentService
    publish: Callable[[OrderPlaced], None]

    def place(self, checkout_id: str, email: str, lines: Sequence[OrderLine], card: str) -> Order:
        """Place the order of a checkout; a repeated call resumes or returns it."""
        order = self.store.get(checkout_id)
        if order is None:
            order = Order(checkout_id, email, tuple(lines), quote(lines))
            self.store.add(order)
        if order.status is not OrderStatus.PENDING:
            return order
        try:
            self.inventory.reserve(order.order_id, order.quantities())
            self.payments.charge(order.order_id, order.total, card)
        except (OutOfStock, PaymentDeclined):
            self.inventory.release(order.order_id)
            self.store.move(order, OrderStatus.REJECTED, "customer")
        except PaymentUnavailable:
            logger.warning("payment outcome unknown", extra={"order_id": order.order_id})
        else:
            self.store.move(order, OrderStatus.PLACED, "customer")
            self.publish(OrderPlaced(order.order_id, order.customer_email, order.total))
        return order

    def cancel(self, order_id: str) -> None:
        """Give the customer's money back; cancelling twice changes nothing."""
        order = self.store.get(order_id)
        if order is None or order.status in (OrderStatus.PENDING, OrderStatus.REJECTED):
            raise OrderNotPlaced(order_id)
        self.undo(order, "customer")

    def undo(self, order: Order, actor: str) -> None:
        """Refund, release and close an order; safe to repeat after a failure."""
        if order.status is not OrderStatus.CANCELLED:
            self.payments.refund(order.order_id)
            self.inventory.release(order.order_id)
            self.store.move(order, OrderStatus.CANCELLED, actor)
