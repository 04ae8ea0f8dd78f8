"""Conversion of nodes and flows of the 0.x edition to 2.x; what has no counterpart is listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.digraph import cyclic_groups
from yg_old.kernel.issue import Located
from yg_old.text import paths
from yg_old.text.yaml_edit import yaml_scalar
from yg_old.yggdrasil.model import AspectUse, Node, RelationKind
from yg_old.yggdrasil.owners import is_overlap, mappings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.model import Flow, Relation
    from yg_old.yggdrasil.owners import Mapped

ROOT_TYPE = "module"
_KINDS = {kind.value: kind for kind in RelationKind}


class CarriedNodes(Struct, frozen=True):
    """The nodes of the new graph, and a line for everything that had no place in it."""

    nodes: tuple[Node, ...]
    lost: tuple[str, ...]

    @property
    def is_cyclic(self) -> bool:
        """Whether structural relations form a cycle, which 0.x allows."""
        return bool(cyclic_groups({node.path: node.structural_targets for node in self.nodes}))


def carried_nodes(
    nodes: Sequence[Node], aspects: Mapping[str, str], sources: Sources
) -> CarriedNodes:
    """Return nodes with the aspects of their tags, and valid relations and mappings.

    `aspects` has the id of an aspect for each tag.
    """
    lost: list[str] = []
    known = {node.path for node in nodes}
    mapped = _mappings(nodes, sources, lost)
    carried = tuple(
        replace(
            node,
            aspects=tuple(_aspects(node, aspects, lost)),
            relations=tuple(_relations(node, known, lost)),
            mapping=tuple(Located(path, 1, 1) for path in mapped.get(node.path, ())),
        )
        for node in nodes
    )
    return CarriedNodes(carried, tuple(lost))


def _at(node: Node, word: Located) -> str:
    return f"{node.file}:{word.line}:{word.column}"


def _aspects(node: Node, aspects: Mapping[str, str], lost: list[str]) -> Iterator[AspectUse]:
    """Yield the aspects of the tags of a node."""
    for use in node.aspects:
        aspect_id = aspects.get(use.aspect.text)
        if aspect_id is None:
            lost.append(f"{_at(node, use.aspect)}: no aspect has the tag '{use.aspect}'")
        else:
            yield AspectUse(aspect=Located(aspect_id, 1, 1))


def _relations(node: Node, known: Collection[str], lost: list[str]) -> Iterator[Relation]:
    """Yield the relations of a node to other nodes, each once."""
    seen = set()
    for relation in node.relations:
        target, kind = relation.target, _KINDS.get(str(relation.kind))
        at = f"{_at(node, target)}: the relation '{relation.kind}' to '{target}'"
        if target.text == node.path:
            lost.append(f"{at} leads to the node itself")
        elif target.text not in known:
            lost.append(f"{at} leads to no node")
        else:
            if kind is None:
                kind = RelationKind.USES
                lost.append(f"{at} has a type that 2.x does not know; it is 'uses' now")
            if (target.text, kind) not in seen:
                seen.add((target.text, kind))
                yield replace(relation, kind=kind)


def _mappings(
    nodes: Sequence[Node], sources: Sources, lost: list[str]
) -> dict[str, dict[str, None]]:
    """Return the mapped paths of each node that 2.x accepts: valid, and of one owner."""
    every = [mapping for node in nodes for mapping in mappings(sources, node)]
    owners: dict[str, str] = {}
    # Shorter paths first: then a path that lies in another one meets it.
    for mapping in sorted(every, key=lambda one: one.path.count("/") + (one.path != paths.ROOT)):
        fault = mapping.fault or _overlap(mapping, owners)
        if fault:
            at = _at(mapping.node, mapping.entry)
            lost.append(f"{at}: the mapping '{mapping.entry}' {fault}")
        else:
            owners[mapping.path] = mapping.node.path
    found: dict[str, dict[str, None]] = {}
    for mapping in every:
        if owners.get(mapping.path) == mapping.node.path and not mapping.fault:
            found.setdefault(mapping.node.path, {})[mapping.path] = None
    return found


def _overlap(mapping: Mapped, owners: Mapping[str, str]) -> str:
    """Return why a path cannot belong to a node, because of those that have owners already."""
    path, node = mapping.path, mapping.node.path
    for above in (*paths.lineage(path), path):
        owner = owners.get(above)
        if owner is not None and is_overlap((node, path), (owner, above)):
            return f"overlaps '{above}' of '{owner}'"
    return ""


def root_node(name: str) -> Node:
    """Return a root node, for what the configuration said."""
    kind = Located(ROOT_TYPE, 1, 1)
    return Node(path=paths.ROOT, directory="", name=name, type=kind)


def node_text(node: Node) -> str:
    """Write the declaration of a node."""
    lines = [f"name: {yaml_scalar(node.name)}", f"type: {yaml_scalar(node.type.text)}"]
    if node.aspects:
        lines += ["aspects:", *(f"  - aspect: {yaml_scalar(id_)}" for id_ in node.aspect_ids)]
    if node.relations:
        lines.append("relations:")
        for relation in node.relations:
            lines += [
                f"  - target: {yaml_scalar(relation.target.text)}",
                f"    type: {relation.kind}",
            ]
    if node.mapping:
        lines += ["mapping:", "  paths:"]
        lines += [f"    - {yaml_scalar(path.text)}" for path in node.mapping]
    return "".join(f"{line}\n" for line in lines)


def flow_text(flow: Flow, nodes: Sequence[str]) -> str:
    """Write the declaration of a flow with some participants."""
    listed = "".join(f"  - {yaml_scalar(node)}\n" for node in nodes)
    return f"name: {yaml_scalar(flow.name)}\nnodes:\n{listed}"
