"""Wire the services together and run the background work."""

import os
import smtplib
from collections import deque
from datetime import UTC, datetime

from shop.inventory import InventoryService, StockStore
from shop.notifications import EmailService
from shop.orders import OrderPlaced, OrderService, OrderStore, expire_pending
from shop.payments import Books, Ledger, PaymentService, StripeGateway


class App:
    """The running shop: its services and the queue of undelivered events."""

    def __init__(self) -> None:
        self.events: deque[OrderPlaced] = deque()
        self.inventory = InventoryService(StockStore())
        gateway, books = StripeGateway(os.environ["STRIPE_API_KEY"]), Books(os.environ["BILLING"])
        payments = PaymentService(gateway, Ledger(), books)
        self.orders = OrderService(OrderStore(), self.inventory, payments, self.events.append)
        self.emails = EmailService(smtplib.SMTP(os.environ.get("SMTP_HOST", "localhost")))

    def tick(self) -> None:
        """Deliver queued events and give up on stale orders; called once a minute."""
        for _ in range(len(self.events)):
            event = self.events.popleft()
            try:
                self.emails.on_order_placed(event)
            except (OSError, smtplib.SMTPException):
                self.events.append(event)
        expire_pending(self.orders, datetime.now(UTC))
