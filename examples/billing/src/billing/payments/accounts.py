"""The accounts that can be booked to."""

from enum import StrEnum


class Account(StrEnum):
    """An account; its value is the number that the tax office knows."""

    CARDS = "1360"
    RECEIVABLES = "1400"
    SALES = "8400"


_CLOSED: frozenset[Account] = frozenset()


def is_open(account: Account) -> bool:
    """Return whether entries may still be booked to an account."""
    return account not in _CLOSED
