"""Contracts of nodes of other repositories: at a baseline, found in git, and now."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct
from msgspec.structs import replace

from yg_old.commands.drift.comparison import Comparison
from yg_old.kernel.inventory import InventoryError, read_inventory
from yg_old.yggdrasil.drift.states import How
from yg_old.yggdrasil.inventories.relations import find, split
from yg_old.yggdrasil.inventory_copies import import_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from yg_old.disk.git.history import History
    from yg_old.yggdrasil.drift.states import Change
    from yg_old.yggdrasil.graph import Graph

MOST_VERSIONS = 50  # of an import, the newest ones
NOT_LISTED = "the import does not list it any more"
NOT_USED = "the node has no relation to it any more"
NO_CONTRACTS = "the import has no contracts"
NOT_IN_GIT = "the old contract is not known: git does not have it"


class OldContract(Struct, frozen=True):
    """A contract in an earlier version of an import."""

    commit: str  # of the other repository
    text: str


class Contracts:
    """The contracts of nodes of other repositories at baselines, by target and digest."""

    def __init__(self, graph: Graph, history: History, wanted: Iterable[tuple[str, str]]) -> None:
        self._graph = graph
        by_import: dict[str, set[tuple[str, str]]] = {}
        for target, digest in wanted:
            by_import.setdefault(split(target)[0], set()).add((split(target)[1], digest))
        self._old = {name: _in_versions(history, name, keys) for name, keys in by_import.items()}

    def compared(self, change: Change, digest: str) -> Comparison:
        """Compare a contract with that at its baseline, which has the digest."""
        name, path = split(change.path)
        imported, node = self._graph.inventories.get(name), find(self._graph, change.path)
        facts = Comparison(path=change.path, is_new=change.how is How.ADDED)
        if imported is None or node is None:
            return replace(facts, note=NOT_LISTED)
        if change.how is How.DELETED:
            return replace(facts, note=NOT_USED)
        if node.contracts is UNSET:
            return replace(facts, note=NO_CONTRACTS)
        now = replace(facts, new=_text(node.contracts), new_commit=imported.commit)
        if facts.is_new:
            return now
        old = self._old[name].get((path, digest))
        if old is None:
            return replace(facts, note=NOT_IN_GIT)
        return replace(now, old=old.text, commit=old.commit)


def _in_versions(
    history: History, name: str, wanted: Collection[tuple[str, str]]
) -> dict[tuple[str, str], OldContract]:
    """Search the versions of an import for contracts of nodes, by path and digest."""
    found: dict[tuple[str, str], OldContract] = {}
    for content in islice(history.versions(import_file(name)), MOST_VERSIONS):
        found = {**_in_version(content, wanted), **found}
        if len(found) == len(wanted):
            break
    return found


def _in_version(
    content: bytes, wanted: Collection[tuple[str, str]]
) -> dict[tuple[str, str], OldContract]:
    """Return the contracts that a version of an import has; none if it was damaged."""
    try:
        inventory = read_inventory(content.decode())
    except (UnicodeDecodeError, InventoryError):
        return {}
    commit = inventory.header.commit
    return {
        (node.path, node.digest): OldContract(commit, _text(node.contracts))
        for node in inventory.nodes
        if (node.path, node.digest) in wanted and node.contracts is not UNSET
    }


def _text(contracts: Mapping[str, str]) -> str:
    """Write the documents of a contract below each other."""
    documents = (f"### {name}\n{text}" for name, text in contracts.items())
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in documents)
