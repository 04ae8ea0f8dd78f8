"""Amounts of money without floating point."""

from dataclasses import dataclass


class CurrencyMismatch(ValueError):
    """Two amounts of different currencies were combined."""


@dataclass(frozen=True)
class Money:
    """An amount in minor units (cents) of an ISO 4217 currency with two decimals."""

    minor: int
    currency: str

    def __add__(self, other: "Money") -> "Money":
        self._require_same_currency(other)
        return Money(self.minor + other.minor, self.currency)

    def __lt__(self, other: "Money") -> bool:
        self._require_same_currency(other)
        return self.minor < other.minor

    def __mul__(self, count: int) -> "Money":
        return Money(self.minor * count, self.currency)

    def __str__(self) -> str:
        sign = "-" if self.minor < 0 else ""
        units, cents = divmod(abs(self.minor), 100)
        return f"{self.currency} {sign}{units}.{cents:02d}"

    def percent(self, rate: int) -> "Money":
        """Return `rate` percent of this amount, half a cent rounded to the even cent."""
        quotient, rest = divmod(self.minor * rate, 100)
        round_up = rest > 50 or (rest == 50 and quotient % 2 == 1)
        return Money(quotient + round_up, self.currency)

    def _require_same_currency(self, other: "Money") -> None:
        if self.currency != other.currency:
            raise CurrencyMismatch(f"{self.currency} and {other.currency}")
