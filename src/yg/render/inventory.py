"""Render inventories as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import asdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.inventory import Inventory
    from yg.render.shapes.inventory import InventoryDocument
    from yg.render.shapes.issues import Skipped


def inventory_data(
    inventory: Inventory, *, skipped: list[Skipped], notes: Sequence[str]
) -> InventoryDocument:
    """Return an inventory as data."""
    from yg.render.shapes.inventory import InventoryDocument, InventoryRecord

    return InventoryDocument(
        name=inventory.header.name,
        commit=inventory.header.commit,
        nodes=[InventoryRecord(**asdict(node)) for node in inventory.nodes],
        skipped=skipped,
        notes=list(notes),
    )
