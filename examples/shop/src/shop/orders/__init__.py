"""Orders: what a customer bought, at which price, and what became of it."""

from shop.orders.expiry import expire_pending
from shop.orders.models import Order, OrderLine, OrderNotPlaced, OrderPlaced, OrderStatus
from shop.orders.pricing import quote
from shop.orders.service import OrderService
from shop.orders.store import OrderStore

__all__ = [
    "Order",
    "OrderLine",
    "OrderNotPlaced",
    "OrderPlaced",
    "OrderService",
    "OrderStatus",
    "OrderStore",
    "expire_pending",
    "quote",
]
