"""Relations to nodes of other repositories, which a graph knows from its imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.errors import NotFoundError
from yg_old.kernel.inventory_names import SEPARATOR, is_import_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.inventory import InventoryNode
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.inventory_copies import InventoryCopy
    from yg_old.yggdrasil.model import Node, Relation


class External(Struct, frozen=True):
    """A relation to a node of another repository, and what the import says about that node."""

    relation: Relation
    imported: InventoryCopy | None  # None: there is no such import, or it is damaged
    node: InventoryNode | None  # None: the import has no such node

    @property
    def target(self) -> str:
        """The target as declared: IMPORT::NODE."""
        return self.relation.target.text


def split(target: str) -> tuple[str, str]:
    """Return the import and the node that a target names."""
    name, _, path = target.partition(SEPARATOR)
    return name, path


def place_of(graph: Graph, target: str) -> tuple[str, str]:
    """Return the repository of the node that a target names, and its path there."""
    name, path = split(target)
    imported = graph.inventories.get(name)
    return imported.repository if imported else name, path


def is_contract(recorded: str) -> bool:
    """Return whether a name in a baseline is that of a contract, and not of a document."""
    name, separator, _ = recorded.partition(SEPARATOR)
    return bool(separator) and is_import_name(name)


def is_external(name: str) -> bool:
    """Return whether a name that a user typed is that of a node of another repository."""
    return SEPARATOR in name


def find(graph: Graph, target: str) -> InventoryNode | None:
    """Return the node that a target names; None if it or its import is missing or damaged."""
    name, path = split(target)
    imported = graph.inventories.get(name)
    return imported.nodes.get(path) if imported else None


def resolve(graph: Graph, relation: Relation) -> External:
    """Look up the target of an external relation."""
    target = relation.target.text
    return External(relation, graph.inventories.get(split(target)[0]), find(graph, target))


def externals(graph: Graph, node: Node) -> tuple[External, ...]:
    """Return the external relations of a node, in the order of their declaration."""
    return tuple(resolve(graph, relation) for relation in node.external)


def relying_on(graph: Graph, target: str) -> Iterator[tuple[Node, Relation]]:
    """Yield the nodes with a relation to a node of another repository, and each such relation."""
    for node in graph.nodes:
        for relation in node.external:
            if relation.target.text == target:
                yield node, relation


def users(graph: Graph) -> dict[str, dict[str, None]]:
    """Return, for each target of an external relation, the nodes that rely on it, by path."""
    found: dict[str, dict[str, None]] = {}
    for node in graph.nodes:
        for relation in node.external:
            found.setdefault(relation.target.text, {})[node.path] = None
    return found


def known_target(graph: Graph, name: str) -> str:
    """Return the target that a user named; raise NotFoundError if nobody knows it.

    A target that nodes rely on is known, even if its import does not list it any more.
    """
    target = name.removesuffix("/")
    if find(graph, target) is None and next(relying_on(graph, target), None) is None:
        raise _unknown(graph, target)
    return target


def _unknown(graph: Graph, target: str) -> NotFoundError:
    # Imported here because only this error needs them.
    from yg_old.text.suggest import did_you_mean, nearest

    name, path = split(target)
    imported, fault = graph.inventories.get(name), graph.inventories.fault(name)
    if fault is not None:
        return NotFoundError(f"{name}: {fault.finding.message}", hint=fault.finding.advice[0])
    if imported is None:
        near = did_you_mean(nearest(name, graph.inventories.names))
        hint = near or "'yg import list' shows the imports."
        return NotFoundError(f"there is no import '{name}'", hint=hint)
    near = did_you_mean(f"{name}{SEPARATOR}{other}" for other in nearest(path, imported.nodes))
    hint = near or known_nodes(imported)
    return NotFoundError(f"import '{name}' has no node '{path}'", hint=hint)


def known_nodes(imported: InventoryCopy) -> str:
    """List the first nodes of an import, for the user who named another one."""
    from yg_old.text.suggest import listing

    nodes = listing(imported.nodes, quotes=True) if imported.nodes else "none"
    return f"Existing nodes of {imported.name}{imported.at_commit}: {nodes}"
