"""Taking in an inventory: the import to write, and what it changes for the nodes that use it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from yg_old.kernel.document import Count, Record, Text, about, one_of
from yg_old.kernel.edit import Write
from yg_old.kernel.errors import YgError
from yg_old.kernel.inventory import import_text, is_same_import
from yg_old.kernel.snapshot import MAX_TEXT
from yg_old.yggdrasil.inventories.relations import split, users
from yg_old.yggdrasil.inventory_copies import import_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.inventory import Inventory
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.inventory_copies import InventoryCopy


class TargetChange(StrEnum):
    """What an update does to a node of another repository."""

    CHANGED = "changed"  # another contract
    GONE = "gone"
    NEW = "new"


class UsedNodeChange(Record, frozen=True, kw_only=True):
    """A change of a node of another repository that nodes here rely on."""

    target: Annotated[Text, about("The node, as relations name it: IMPORT::NODE.")]
    change: Annotated[
        str,
        one_of(*TargetChange),
        about("Whether its contract is another one, or the node is gone or new."),
    ]
    nodes: Annotated[
        Annotated[tuple[Text, ...], Meta(min_length=1)],
        about("The nodes that rely on it, by path."),
    ]


class ReplacedImport(Record, frozen=True, kw_only=True):
    """The earlier import of a name, from another source or of another repository."""

    source: Annotated[str, about("The file or repository it was taken from.")]
    repository: Annotated[str, about("The name that the other repository gave itself.")]
    commit: Annotated[str, about("The commit it was pinned to; empty if there was none.")]


class TakenImport(Record, frozen=True, kw_only=True):
    """An import that was added or updated."""

    HIDDEN = ("edit",)

    name: Annotated[Text, about("Its name in this repository.")]
    file: Annotated[Text, about("Its file.")]
    source: Annotated[
        Text, about("The file or repository it is taken from; relative to this repository if near.")
    ]
    repository: Annotated[str, about("The name that the other repository gives itself.")]
    commit: Annotated[str, about("The commit it is pinned to; empty if there is none.")]
    previous_commit: Annotated[
        str | None, about("The commit before; null if the import is new or was damaged.")
    ]
    replaced: Annotated[
        ReplacedImport | None,
        about("The import that had this name before, if it was of another source or repository."),
    ]
    nodes: Annotated[Count, about("How many nodes it lists.")]
    contracts: Annotated[bool, about("Whether it has the texts that dependents see.")]
    changes: Annotated[
        tuple[UsedNodeChange, ...], about("Changes of nodes that are in use here, by target.")
    ]
    edit: Write | None  # None: nothing changed


def taken(
    graph: Graph, name: str, inventory: Inventory, source: str, *, contracts: bool
) -> TakenImport:
    """Return the import of an inventory under a name; `source` is where to update it from."""
    text = import_text(inventory, source, contracts=contracts)
    content = text.encode()
    if len(content) > MAX_TEXT:
        hint = "Leave the contracts out with --no-contracts." if contracts else ""
        size = f"{len(content)} bytes, more than {MAX_TEXT // 1_000_000} MB"
        raise YgError(f"the import '{name}' would have {size}", hint=hint)
    before = graph.inventories.get(name)
    file = import_file(name)
    is_same = before is not None and is_same_import(graph.snapshot.text(file).value, text)
    return TakenImport(
        name=name,
        file=file,
        source=source,
        repository=inventory.header.name,
        commit=inventory.header.commit,
        previous_commit=before.commit if before else None,
        replaced=_replaced(before, source, inventory.header.name),
        nodes=len(inventory.nodes),
        contracts=contracts and inventory.has_contracts,
        edit=None if is_same else Write(file, content),
        changes=tuple(_changes(graph, name, inventory)),
    )


def _replaced(before: InventoryCopy | None, source: str, repository: str) -> ReplacedImport | None:
    """Return the earlier import of a name, if it is of another source or repository."""
    if before is None or (before.source, before.repository) == (source, repository):
        return None
    return ReplacedImport(source=before.source, repository=before.repository, commit=before.commit)


def _changes(graph: Graph, name: str, inventory: Inventory) -> Iterator[UsedNodeChange]:
    """Yield the changes of nodes that are in use, by target."""
    imported = graph.inventories.get(name)
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
            yield UsedNodeChange(target=target, change=how, nodes=tuple(nodes))


class ImportRecord(Record, frozen=True, kw_only=True):
    """An import; what it says is null if it is damaged."""

    name: Annotated[Text, about("Its name in this repository.")]
    file: Annotated[Text, about("Its file.")]
    source: Annotated[str | None, about("The file or repository it was taken from.")]
    repository: Annotated[str | None, about("The name that the other repository gives itself.")]
    commit: Annotated[str | None, about("The commit it is pinned to; empty if there is none.")]
    nodes: Annotated[Count | None, about("How many nodes it lists.")]
    contracts: Annotated[bool | None, about("Whether it has the texts that dependents see.")]
    used_by: Annotated[
        tuple[Text, ...], about("The nodes with a relation to one of its nodes, by path.")
    ]
    problem: Annotated[str, about("Why it cannot be read; empty if it can.")]


def listed(graph: Graph) -> tuple[ImportRecord, ...]:
    """Return all imports, sorted by name."""
    used: dict[str, set[str]] = {name: set() for name in graph.inventories.names}
    for target, nodes in users(graph).items():
        used.setdefault(split(target)[0], set()).update(nodes)
    return tuple(_listed(graph, name, used[name]) for name in graph.inventories.names)


def _listed(graph: Graph, name: str, nodes: set[str]) -> ImportRecord:
    fault = graph.inventories.fault(name)
    reason = fault.finding.message if fault else ""
    imported = graph.inventories.get(name)
    return ImportRecord(
        name=name,
        file=import_file(name),
        source=imported.source if imported else None,
        repository=imported.repository if imported else None,
        commit=imported.commit if imported else None,
        nodes=len(imported.nodes) if imported else None,
        contracts=imported.has_contracts if imported else None,
        used_by=tuple(sorted(nodes)),
        problem=reason,
    )
