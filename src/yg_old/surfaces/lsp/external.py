"""Nodes of other repositories in an editor, as the imports describe them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import UNSET

from yg_old.kernel.inventory_names import SEPARATOR
from yg_old.yggdrasil.inventories.relations import find, split
from yg_old.yggdrasil.model import INTERFACE_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.surfaces.lsp.session import EditorView
    from yg_old.yggdrasil.inventory_copies import InventoryCopy


def targets(view: EditorView) -> Iterator[tuple[str, str]]:
    """Yield all targets that a relation can have, with the first lines of their descriptions."""
    for name in view.graph.inventories.names:
        imported = view.graph.inventories.get(name)
        for node in imported.nodes.values() if imported else ():
            yield f"{name}{SEPARATOR}{node.path}", node.summary


def interface_of(view: EditorView, target: str) -> str:
    """Return the interface of a target; empty if no import has it."""
    node = find(view.graph, target)
    contracts = {} if node is None or node.contracts is UNSET else node.contracts
    return contracts.get(INTERFACE_FILE, "")


def described(view: EditorView, target: str) -> Iterator[str]:
    """Yield what an import says about a target, if it has the target."""
    node, imported = find(view.graph, target), _import_with(view, target)
    if node is not None and imported is not None:
        text = node.summary or "The import has no summary of it."
        yield f"**{target}** ({node.type} of {imported.repository}{imported.at_commit})\n\n{text}"


def file_of(view: EditorView, target: str) -> str | None:
    """Return the import that describes a target."""
    imported = _import_with(view, target)
    return imported.file if imported else None


def location(view: EditorView, target: str) -> Iterator[types.Location]:
    """Yield the line of the import that describes a target, if there is one."""
    imported = _import_with(view, target)
    if imported is not None:
        place = types.Position(imported.lines[split(target)[1]] - 1, 0)
        yield types.Location(view.uri(imported.file), types.Range(place, place))


def _import_with(view: EditorView, target: str) -> InventoryCopy | None:
    name, path = split(target)
    imported = view.graph.inventories.get(name)
    return imported if imported is not None and path in imported.nodes else None
