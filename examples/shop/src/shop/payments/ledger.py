"""Which orders were charged and refunded, in memory as in the other stores."""

import logging
from dataclasses import dataclass

from shop.audit import record_audit

logger = logging.getLogger(__name__)


@dataclass
class Payment:
    """The charge of an order and, once the money went back, its refund."""

    charge_id: str
    refund_id: str | None = None


class Ledger:
    """At most one payment per order; every entry is audited before it is kept."""

    def __init__(self) -> None:
        self._payments: dict[str, Payment] = {}

    def get(self, order_id: str) -> Payment | None:
        """Return the payment of the order, if it was charged."""
        return self._payments.get(order_id)

    def charged(self, order_id: str, charge_id: str) -> Payment:
        """Note the charge of an order."""
        record_audit("system", "charge", f"order/{order_id}", charge=charge_id)
        payment = self._payments[order_id] = Payment(charge_id)
        logger.info("order charged", extra={"order_id": order_id, "charge_id": charge_id})
        return payment

    def refunded(self, order_id: str, refund_id: str) -> None:
        """Note the refund of a charged order."""
        record_audit("system", "refund", f"order/{order_id}", refund=refund_id)
        self._payments[order_id].refund_id = refund_id
        logger.info("order refunded", extra={"order_id": order_id, "refund_id": refund_id})
