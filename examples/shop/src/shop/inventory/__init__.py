"""Inventory: how many units of each article are free to sell.

Other domains use the names below; `store` is private to this package.
"""

from shop.inventory.service import (
    InventoryService,
    OutOfStock,
)
from shop.inventory.store import StockStore

__all__ = [
    "InventoryService",
    "OutOfStock",
    "StockStore",
]
