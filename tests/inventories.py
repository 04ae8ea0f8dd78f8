"""Small inventories and imports for tests."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET

from yg.kernel.inventory import (
    Inventory,
    InventoryNode,
    contract_digest,
    import_text,
    inventory_of,
)

COMMIT = "c0ffee" * 6 + "c0ff"
LEDGER = {"responsibility.md": "Keeps the books.\n", "interface.md": "## post(entry)\n"}


def published(
    path: str, documents: Mapping[str, str] = {}, *, contracts: bool = True
) -> InventoryNode:
    """Return a node of an inventory, named for its path."""
    return InventoryNode(
        path=path,
        type="service",
        name=path.rpartition("/")[2].capitalize(),
        summary=next(iter(documents.values()), "").partition("\n")[0],
        digest=contract_digest(documents),
        contracts=dict(documents) if contracts else UNSET,
    )


def billing(*nodes: InventoryNode, commit: str = COMMIT) -> Inventory:
    """Return an inventory of a repository that calls itself acme-billing."""
    standard = (published("payments"), published("payments/ledger", LEDGER))
    return inventory_of("acme-billing", commit, nodes or standard)


def billing_import(
    *nodes: InventoryNode, commit: str = COMMIT, contracts: bool = True, source: str = "../billing"
) -> str:
    """Return the text of an import of that inventory."""
    return import_text(billing(*nodes, commit=commit), source, contracts=contracts)
