"""Entries of the books: posted once, never changed."""

from dataclasses import dataclass
from datetime import date

from billing.payments.accounts import Account, is_open


class UnknownAccount(ValueError):
    """An account does not exist, or is closed."""


class PeriodClosed(Exception):
    """The month of the entry was reported to the tax office."""


@dataclass(frozen=True)
class Entry:
    """An amount in cents that goes from one account to another."""

    key: str
    day: date
    debit: Account
    credit: Account
    minor: int
    currency: str


class Ledger:
    """All entries in the order in which they were posted."""

    def __init__(self, closed_until: date) -> None:
        self._closed_until = closed_until
        self._entries: dict[str, Entry] = {}

    def post(self, entry: Entry) -> None:
        """Add an entry, unless there is one with the same key."""
        if entry.key in self._entries:
            return
        if not (is_open(entry.debit) and is_open(entry.credit)):
            raise UnknownAccount(entry.key)
        if entry.day <= self._closed_until:
            raise PeriodClosed(entry.key)
        self._entries[entry.key] = entry

    def reverse(self, key: str, day: date) -> None:
        """Post the opposite of an entry; do nothing if there is none."""
        found = self._entries.get(key)
        if found is not None:
            back = (f"{key}/reversed", day, found.credit, found.debit)
            self.post(Entry(*back, found.minor, found.currency))

    def balance(self, account: Account, currency: str) -> int:
        """Return the balance of an account in cents; a debit adds to it."""
        booked = (entry for entry in self._entries.values() if entry.currency == currency)
        return sum(
            entry.minor * ((entry.debit is account) - (entry.credit is account)) for entry in booked
        )
