"""Send mails to customers."""

import logging
from email.message import EmailMessage
from typing import Protocol

from shop.notifications.templates import order_confirmation
from shop.orders import OrderPlaced

logger = logging.getLogger(__name__)


class Mailer(Protocol):
    """The part of `smtplib.SMTP` that is needed here."""

    def send_message(self, msg: EmailMessage) -> object: ...


class EmailService:
    """Answers events with mails, one mail per event."""

    def __init__(self, mailer: Mailer) -> None:
        self._mailer = mailer
        self._confirmed: set[str] = set()

    def on_order_placed(self, event: OrderPlaced) -> None:
        """Confirm the order; an event that comes again is ignored."""
        if event.order_id in self._confirmed:
            return
        self._mailer.send_message(order_confirmation(event))
        self._confirmed.add(event.order_id)
        logger.info("confirmation sent", extra={"order_id": event.order_id})
