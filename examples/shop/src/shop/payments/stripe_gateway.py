"""Client for the three Stripe endpoints we use; taken over from the old shop."""

import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

API = "https://api.stripe.com/v1"


class CardDeclined(Exception):
    """Stripe answered 402."""


class GatewayUnavailable(Exception):
    """Any other answer than success, or none within the time limit."""


class StripeGateway:
    """Returns ids only; everything else Stripe says is dropped."""

    def __init__(self, api_key: str, timeout: float = 8.0) -> None:
        self._api_key = api_key
        self._timeout = timeout

    def create_charge(
        self, order_id: str, minor: int, currency: str, card: str, idempotency_key: str
    ) -> str:
        form: dict[str, Any] = {"amount": minor, "currency": currency.lower(), "source": card}
        form["metadata[order_id]"] = order_id
        return str(self._send("charges", form, idempotency_key)["id"])

    def create_refund(self, charge_id: str, idempotency_key: str) -> str:
        return str(self._send("refunds", {"charge": charge_id}, idempotency_key)["id"])

    def find_charge(self, order_id: str) -> str | None:
        query = urllib.parse.urlencode({"query": f"metadata['order_id']:'{order_id}'"})
        found = self._send(f"charges/search?{query}")["data"]
        return next((c["id"] for c in found if c["status"] == "succeeded"), None)

    def _send(self, path: str, form: dict[str, Any] | None = None, key: str = "") -> Any:
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(f"{API}/{path}", data=data)
        request.add_header("Authorization", f"Bearer {self._api_key}")
        if key:
            request.add_header("Idempotency-Key", key)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code == 402:
                raise CardDeclined from error
            raise GatewayUnavailable(str(error.code)) from error
        except OSError as error:
            raise GatewayUnavailable(str(error)) from error
