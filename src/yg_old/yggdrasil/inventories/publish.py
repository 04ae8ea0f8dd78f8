"""The inventory of a Yggdrasil graph: what other repositories may know about its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from yg_old.kernel.errors import BinaryFileError, UnreadableError
from yg_old.kernel.inventory import InventoryNode, contract_digest, inventory_of
from yg_old.kernel.snapshot import draft_line
from yg_old.text.escapes import storable
from yg_old.yggdrasil.model import DESCRIPTION_FILE, RESPONSIBILITY_FILE
from yg_old.yggdrasil.resolve import artifact, artifact_names, offered_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.inventory import Inventory
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node


def graph_inventory(
    graph: Graph, name: str, commit: str, *, contracts: bool
) -> tuple[Inventory, tuple[str, ...]]:
    """Return the inventory of a graph, and notes about nodes with unreadable texts.

    Contracts are the documents that dependents see; without them, only their digests are included.
    """
    nodes, notes = [], []
    for node in graph.nodes:
        try:
            nodes.append(_inventory_node(graph, node, contracts=contracts))
        except UnreadableError as error:
            notes.append(f"{node.path} is left out: {error.message}")
    return inventory_of(storable(name), commit, nodes), tuple(notes)


def _inventory_node(graph: Graph, node: Node, *, contracts: bool) -> InventoryNode:
    documents = dict(_contract(graph, node))
    return InventoryNode(
        path=node.path,
        type=node.type.text,
        name=node.name,
        summary=_summary(graph, node),
        digest=contract_digest(documents),
        contracts=documents if contracts else UNSET,
    )


def _contract(graph: Graph, node: Node) -> Iterator[tuple[str, str]]:
    """Yield the documents that dependents of a node see, by name; binary files have no text."""
    for name in offered_names(graph, node):
        try:
            yield name, _text(graph, node, name)
        except BinaryFileError:
            if graph.edition.configures_artifacts:
                raise


def _summary(graph: Graph, node: Node) -> str:
    """Return the first line of a node's responsibility that is neither blank nor a heading.

    A draft says nothing yet.
    """
    names = {*artifact_names(graph, node), *node.files}
    name = RESPONSIBILITY_FILE if RESPONSIBILITY_FILE in names else DESCRIPTION_FILE
    text = _text(graph, node, name) if name in names else ""
    if draft_line(text):
        return ""
    lines = (line.strip() for line in text.split("\n"))
    return next((line for line in lines if line and not line.startswith(("#", "<!--"))), "")


def _text(graph: Graph, node: Node, name: str) -> str:
    return artifact(graph, node, name).source.value.replace("\r\n", "\n")
