"""Write invoices, and book them."""

from dataclasses import dataclass
from datetime import date

from billing.invoices.numbering import next_number
from billing.payments import Account, Entry, Ledger


@dataclass(frozen=True)
class Invoice:
    """An invoice that was sent; it never changes."""

    number: str
    order: str
    day: date
    minor: int
    currency: str


class InvoiceService:
    """Keeps all invoices; the numbers have no gaps."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._invoices: dict[str, Invoice] = {}

    def issue(self, order: str, day: date, minor: int, currency: str) -> Invoice:
        """Return the invoice of an order; write and book it if there is none yet."""
        if order in self._invoices:
            return self._invoices[order]
        last = max((invoice.number for invoice in self._invoices.values()), default="")
        invoice = Invoice(next_number(last, day.year), order, day, minor, currency)
        booked = (f"invoice/{invoice.number}", day, Account.RECEIVABLES, Account.SALES)
        self._ledger.post(Entry(*booked, minor, currency))
        self._invoices[order] = invoice
        return invoice
