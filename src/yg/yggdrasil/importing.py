"""Taking in an inventory: the import to write, and what it changes for the nodes that use it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.edit import Write
from yg.kernel.errors import YgError
from yg.kernel.inventory import import_text, is_same_import
from yg.kernel.snapshot import MAX_TEXT
from yg.yggdrasil.external import split, users
from yg.yggdrasil.imported import import_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.inventory import Inventory
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.imported import ImportedInventory


class TargetChange(StrEnum):
    """What an update does to a node of another repository."""

    CHANGED = "changed"  # another contract
    GONE = "gone"
    NEW = "new"


class UsedChange(Struct, frozen=True):
    """A change of a node of another repository that nodes here rely on."""

    target: str
    how: TargetChange
    nodes: tuple[str, ...]  # that rely on it, by path


class Taken(Struct, frozen=True, kw_only=True):
    """An import that was added or updated."""

    name: str
    source: str
    repository: str
    commit: str
    before: ImportedInventory | None  # None: it is new, or was damaged
    nodes: int
    has_contracts: bool
    edit: Write | None  # None: nothing changed
    changes: tuple[UsedChange, ...]

    @property
    def replaced(self) -> ImportedInventory | None:
        """The earlier import of this name, if it is of another source or repository."""
        before = self.before
        if before is None or (before.source, before.repository) == (self.source, self.repository):
            return None
        return before


def taken(graph: Graph, name: str, inventory: Inventory, source: str, *, contracts: bool) -> Taken:
    """Return the import of an inventory under a name; `source` is where to update it from."""
    text = import_text(inventory, source, contracts=contracts)
    content = text.encode()
    if len(content) > MAX_TEXT:
        hint = "Leave the contracts out with --no-contracts." if contracts else ""
        size = f"{len(content)} bytes, more than {MAX_TEXT // 1_000_000} MB"
        raise YgError(f"the import '{name}' would have {size}", hint=hint)
    before = graph.imports.get(name)
    file = import_file(name)
    is_same = before is not None and is_same_import(graph.snapshot.text(file).value, text)
    return Taken(
        name=name,
        source=source,
        repository=inventory.header.name,
        commit=inventory.header.commit,
        before=before,
        nodes=len(inventory.nodes),
        has_contracts=contracts and inventory.has_contracts,
        edit=None if is_same else Write(file, content),
        changes=tuple(_changes(graph, name, inventory)),
    )


def _changes(graph: Graph, name: str, inventory: Inventory) -> Iterator[UsedChange]:
    """Yield the changes of nodes that are in use, by target."""
    imported = graph.imports.get(name)
    if imported is None:
        return  # everything is new, or nobody knows what it was
    then = {path: node.digest for path, node in imported.nodes.items()}
    now = {node.path: node.digest for node in inventory.nodes}
    for target, nodes in sorted(users(graph).items()):
        used, path = split(target)
        if used == name and then.get(path) != now.get(path):
            how = (
                (TargetChange.CHANGED if path in then else TargetChange.NEW)
                if path in now
                else TargetChange.GONE
            )
            yield UsedChange(target, how, tuple(nodes))


class ListedImport(Struct, frozen=True):
    """An import of a graph, damaged or not, and the nodes that use it."""

    name: str
    imported: ImportedInventory | None
    fault: str  # why it cannot be read; empty if it can
    users: tuple[str, ...]


def listed(graph: Graph) -> tuple[ListedImport, ...]:
    """Return all imports, sorted by name."""
    used: dict[str, set[str]] = {name: set() for name in graph.imports.names}
    for target, nodes in users(graph).items():
        used.setdefault(split(target)[0], set()).update(nodes)
    return tuple(_listed(graph, name, used[name]) for name in graph.imports.names)


def _listed(graph: Graph, name: str, nodes: set[str]) -> ListedImport:
    fault = graph.imports.fault(name)
    reason = fault.finding.message if fault else ""
    return ListedImport(name, graph.imports.get(name), reason, tuple(sorted(nodes)))
