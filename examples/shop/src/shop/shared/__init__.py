"""Code that every domain may import and that imports no domain.

A module belongs here when another shop, selling other goods under other rules,
could use it unchanged.
"""

from shop.shared.money import (
    CurrencyMismatch,
    Money,
)

__all__ = [
    "CurrencyMismatch",
    "Money",
]
