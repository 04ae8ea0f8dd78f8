"""The tree of nodes, and the counts of a graph."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.codec import Codec
from yg.kernel.overview import Outline, OutlineEntry, OutlineNode, Status
from yg.yggdrasil.resolve import children, effective_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


def outline(graph: Graph, root: str = paths.ROOT, depth: int | None = None) -> Outline:
    """Return the tree of a directory of the model, parents first."""
    return Outline(
        root=root,
        links="relations",
        one_link="relations",  # the specification writes "1 relations"
        shows_names=False,
        entries=tuple(_entries(graph, root, depth)),
    )


def _entries(graph: Graph, root: str, depth: int | None) -> Iterator[OutlineEntry]:
    children_of = children(graph)
    pending = [(root, 0, True)]
    while pending:
        path, level, is_last = pending.pop()
        node = graph.nodes.get(path)
        yield OutlineEntry(
            path=path,
            label=_label(graph, path) if level == 0 else f"{paths.name_of(path)}/",
            level=level,
            is_last=is_last,
            node=None if node is None else _outline_node(node),
            is_bad=node is None and path in graph.nodes.all,
        )
        if depth is None or level < depth:
            below = sorted(children_of.get(path, ()))
            last = len(below) - 1
            pending.extend([(child, level + 1, at == last) for at, child in enumerate(below)][::-1])


def _label(graph: Graph, path: str) -> str:
    top = paths.name_of(graph.nodes.spec.tree)
    return f"{top}/" if path == paths.ROOT else f"{top}/{path}/"


def _outline_node(node: Node) -> OutlineNode:
    return OutlineNode(
        name=node.name,
        type=node.type.text,
        links=len(node.relations) + len(node.external),
        external=len(node.external),
        aspects=node.aspect_ids,
        is_blackbox=node.is_blackbox,
        mapping=tuple(word.text for word in node.mapping),
    )


class YggdrasilStatus(Struct, frozen=True, kw_only=True):
    """The counts of a graph. Quality counts exclude blackbox nodes."""

    project: str
    types: tuple[tuple[str, int], ...]
    nodes: int
    blackboxes: int
    structural: int
    events: int
    aspects: int
    flows: int
    artifact_types: int
    artifacts_filled: int
    relations: int  # of nodes that are not blackboxes
    busiest: str  # the node with the most relations, empty if there are no relations
    most_relations: int
    mapped: int
    covered: int  # nodes to which at least one aspect applies

    @property
    def slots(self) -> int:
        """The number of possible artifacts."""
        return self.artifact_types * self.nodes

    @property
    def numbers(self) -> Status:
        """The counts that all kinds of graphs have."""
        return Status(
            name=self.project,
            nodes=self.nodes + self.blackboxes,
            types=self.types,
            links=(("structural", self.structural), ("event", self.events)),
        )


STATUS: Codec[YggdrasilStatus] = Codec(YggdrasilStatus)
NEAR = 80  # percent of the warning threshold


class PackageSizes(Struct, frozen=True, kw_only=True):
    """The sizes of all packages in tokens, without blackbox nodes."""

    count: int
    largest: str  # the node with the largest package; empty if there is none
    largest_tokens: int
    average_tokens: int
    near: int  # packages above NEAR percent of the size that gets a warning
    warning: int
    oversized: dict[str, int]  # the sizes above the error budget, by node
    tokenizer: str = ""


PACKAGE_SIZES: Codec[PackageSizes] = Codec(PackageSizes)


def package_sizes_of(graph: Graph) -> PackageSizes:
    """Measure all packages of a graph."""
    from yg.yggdrasil.assemble import package_sizes  # other questions do not need it

    sizes = {node.path: tokens for node, tokens in package_sizes(graph, graph.nodes)}
    largest = max(sizes, key=sizes.__getitem__, default="")
    budget = graph.budget
    return PackageSizes(
        count=len(sizes),
        largest=largest,
        largest_tokens=sizes.get(largest, 0),
        average_tokens=round(sum(sizes.values()) / len(sizes)) if sizes else 0,
        near=sum(100 * tokens > NEAR * budget.warning for tokens in sizes.values()),
        warning=budget.warning,
        oversized={node: size for node, size in sizes.items() if budget.status(size) == "error"},
        tokenizer=budget.tokenizer,
    )


def status_of(graph: Graph) -> YggdrasilStatus:
    """Return the counts of a graph, from the index if possible."""
    return graph.snapshot.recall("status", STATUS, lambda: _count(graph))


def _count(graph: Graph) -> YggdrasilStatus:
    """Count the parts of a graph."""
    all_nodes = tuple(graph.nodes)
    nodes = tuple(node for node in all_nodes if not node.is_blackbox)
    relations = (relation for node in all_nodes for relation in node.relations)
    kinds = Counter(relation.kind.is_structural for relation in relations)
    busiest = max(nodes, key=_relation_count, default=None)
    names = set(graph.config.artifacts)
    return YggdrasilStatus(
        project=graph.config.name,
        types=_types(graph, nodes),
        nodes=len(nodes),
        blackboxes=len(all_nodes) - len(nodes),
        structural=kinds[True],
        events=kinds[False],
        aspects=sum(1 for _ in graph.aspects),
        flows=sum(1 for _ in graph.flows),
        artifact_types=len(names),
        artifacts_filled=sum(len(names.intersection(node.files)) for node in nodes),
        relations=sum(map(_relation_count, nodes)),
        busiest=busiest.path if busiest and busiest.relations else "",
        most_relations=_relation_count(busiest) if busiest else 0,
        mapped=sum(bool(node.mapping) for node in nodes),
        covered=sum(bool(effective_ids(graph, node)) for node in nodes),
    )


def _relation_count(node: Node) -> int:
    return len(node.relations)


def _types(graph: Graph, nodes: tuple[Node, ...]) -> tuple[tuple[str, int], ...]:
    """Count nodes by type: configured types in order, then the others by name."""
    counts = Counter(node.type.text for node in nodes)
    order = dict.fromkeys((*graph.config.node_types, *sorted(counts)))
    return tuple((name, counts[name]) for name in order if counts[name])
