"""Payments: who owes what, booked twice."""

from billing.payments.accounts import Account, is_open
from billing.payments.ledger import Entry, Ledger, PeriodClosed, UnknownAccount

__all__ = ["Account", "Entry", "Ledger", "PeriodClosed", "UnknownAccount", "is_open"]
