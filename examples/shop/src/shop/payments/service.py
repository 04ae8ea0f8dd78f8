"""Charge an order once, refund it once."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from shop.payments.books import Books, BooksUnavailable
from shop.payments.ledger import Ledger
from shop.payments.stripe_gateway import CardDeclined, GatewayUnavailable, StripeGateway
from shop.shared import Money

logger = logging.getLogger(__name__)
ATTEMPTS = 3
T = TypeVar("T")


class PaymentDeclined(Exception):
    """The bank said no; nothing was charged."""


class PaymentUnavailable(Exception):
    """No usable answer from the provider; the money may or may not have moved."""


@dataclass
class PaymentService:
    """Keeps the ledger in step with the provider."""

    gateway: StripeGateway
    ledger: Ledger
    books: Books

    def charge(self, order_id: str, amount: Money, card: str) -> None:
        """Charge the order, unless the ledger already has its charge."""
        if self.ledger.get(order_id):
            return
        form = (order_id, amount.minor, amount.currency, card, f"charge-{order_id}")
        charge_id = _ask(order_id, lambda: self.gateway.create_charge(*form))
        self.ledger.charged(order_id, charge_id)
        _book(order_id, lambda: self.books.charged(order_id, amount.minor, amount.currency))

    def refund(self, order_id: str) -> None:
        """Give the order's money back; does nothing if none was taken."""
        payment = self.ledger.get(order_id)
        if payment is None:
            charge_id = _ask(order_id, lambda: self.gateway.find_charge(order_id))
            payment = self.ledger.charged(order_id, charge_id) if charge_id else None
        if payment and payment.refund_id is None:
            charge, key = payment.charge_id, f"refund-{order_id}"
            refund_id = _ask(order_id, lambda: self.gateway.create_refund(charge, key))
            self.ledger.refunded(order_id, refund_id)
            _book(order_id, lambda: self.books.refunded(order_id))


def _ask(order_id: str, call: Callable[[], T]) -> T:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return call()
        except CardDeclined as error:
            raise PaymentDeclined(order_id) from error
        except GatewayUnavailable:
            logger.warning("gateway unavailable", extra={"order_id": order_id, "attempt": attempt})
    raise PaymentUnavailable(order_id)


def _book(order_id: str, call: Callable[[], None]) -> None:
    try:
        call()
    except BooksUnavailable:
        logger.warning("not booked", extra={"order_id": order_id})
