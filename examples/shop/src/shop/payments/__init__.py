"""Payments: charging cards and giving money back.

`StripeGateway` and `Books` are exported for wiring only; domains talk to `PaymentService`.
"""

from shop.payments.books import Books
from shop.payments.ledger import Ledger
from shop.payments.service import PaymentDeclined, PaymentService, PaymentUnavailable
from shop.payments.stripe_gateway import StripeGateway

__all__ = [
    "Books",
    "Ledger",
    "PaymentDeclined",
    "PaymentService",
    "PaymentUnavailable",
    "StripeGateway",
]
