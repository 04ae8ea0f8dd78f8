"""Client for the ledger of the billing team, which books what we charge and give back."""

import json
import urllib.request
from datetime import UTC, datetime

CARDS, SALES = "1360", "8400"  # accounts of the billing team


class BooksUnavailable(Exception):
    """Billing did not accept an entry, or did not answer in time."""


class Books:
    """One entry per order; its key is made from the order, so that a repeat does nothing."""

    def __init__(self, url: str, timeout: float = 2.0) -> None:
        self._url = url
        self._timeout = timeout

    def charged(self, order_id: str, minor: int, currency: str) -> None:
        """Book the charge of an order."""
        entry = {"debit": CARDS, "credit": SALES, "minor": minor, "currency": currency}
        self._send("post", order_id, **entry)

    def refunded(self, order_id: str) -> None:
        """Take the entry of an order back."""
        self._send("reverse", order_id)

    def _send(self, operation: str, order_id: str, **values: object) -> None:
        today = datetime.now(UTC).date().isoformat()
        body = json.dumps({"key": f"shop/order/{order_id}", "day": today, **values}).encode()
        request = urllib.request.Request(f"{self._url}/ledger/{operation}", data=body)
        try:
            urllib.request.urlopen(request, timeout=self._timeout).close()
        except OSError as error:
            raise BooksUnavailable(str(error)) from error
