"""The tree of nodes, and the counts of a graph."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType

from yg_old.kernel.codec import Codec
from yg_old.kernel.document import Count, Document, Positive, Record, Text, about
from yg_old.kernel.overview import Outline, OutlineEntry, Status, TreeNode
from yg_old.text import paths
from yg_old.yggdrasil.later_formats import later_format
from yg_old.yggdrasil.resolve import artifacts, children, effective_ids, expanded, present_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node


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
            node=None if node is None else _outline_node(node, level),
            is_bad=node is None and path in graph.nodes.all,
        )
        if depth is None or level < depth:
            below = sorted(children_of.get(path, ()))
            last = len(below) - 1
            pending.extend([(child, level + 1, at == last) for at, child in enumerate(below)][::-1])


def _label(graph: Graph, path: str) -> str:
    top = paths.name_of(graph.nodes.spec.tree)
    return f"{top}/" if path == paths.ROOT else f"{top}/{path}/"


def _outline_node(node: Node, level: int) -> TreeNode:
    return TreeNode(
        path=node.path,
        level=level,
        name=node.name,
        type=node.type.text,
        aspects=node.aspect_ids,
        blackbox=node.is_blackbox,
        relations=len(node.relations) + len(node.external),
        external=len(node.external) or UNSET,
        mapping=tuple(word.text for word in node.mapping),
    )


class YggdrasilStatus(Document, frozen=True, kw_only=True):
    """A graph in numbers, with which the documents about it begin."""

    project: Annotated[
        str, about("The name of the project; empty when the configuration has none.")
    ]
    types: Annotated[
        dict[Text, Positive],
        about("How many nodes each type has, blackbox nodes left out: configured types first."),
    ]
    nodes: Annotated[Count, about("How many nodes there are, blackbox nodes left out.")]
    blackboxes: Annotated[Count, about("How many blackbox nodes there are.")]
    structural: Annotated[Count, about("How many structural relations all nodes have.")]
    events: Annotated[Count, about("How many event relations all nodes have.")]
    aspects: Annotated[Count, about("How many aspects there are.")]
    flows: Annotated[Count, about("How many flows there are.")]
    artifact_types: Annotated[Count, about("How many artifacts the configuration names.")]
    artifacts_filled: Annotated[
        Count, about("How many of the artifacts that there could be are written; drafts are not.")
    ]
    relations: Annotated[Count, about("How many relations nodes have, blackbox nodes left out.")]
    busiest: Annotated[
        str, about("The node with the most relations; empty when there are no relations.")
    ]
    most_relations: Annotated[Count, about("How many relations that node has.")]
    mapped: Annotated[
        Count, about("How many nodes are mapped to source files, blackbox nodes left out.")
    ]
    covered: Annotated[
        Count, about("How many nodes have at least one aspect, blackbox nodes left out.")
    ]
    slots: Annotated[Count, about("How many artifacts there could be: types times nodes.")]
    unused_aspects: Annotated[
        tuple[Text, ...], about("The aspects that no node, flow or node type uses, sorted.")
    ] = ()
    format: Annotated[
        Text | UnsetType, about("Its format, if that is later than 2.2; otherwise left out.")
    ] = UNSET

    @property
    def numbers(self) -> Status:
        """The counts that all kinds of graphs have."""
        return Status(
            name=self.project,
            nodes=self.nodes + self.blackboxes,
            types=self.types,
            links={"structural": self.structural, "event": self.events},
        )


STATUS: Codec[YggdrasilStatus] = Codec(YggdrasilStatus)
NEAR = 80  # percent of the warning threshold


class PackageSizes(Record, frozen=True, kw_only=True):
    """The sizes of packages, in tokens."""

    HIDDEN = ("oversized",)

    count: Annotated[Count, about("How many packages there are.")]
    largest: Annotated[
        str, about("The node with the largest package; empty if there are no packages.")
    ]
    largest_tokens: Annotated[Count, about("The size of that package.")]
    average_tokens: Annotated[Count, about("The average size, rounded.")]
    near: Annotated[
        Count,
        about("How many packages are larger than 80 percent of the size that gets a warning."),
    ]
    warning: Annotated[Count, about("The size above which a package gets a warning.")]
    tokenizer: Annotated[
        Text | UnsetType, about("The tokenizer that counted tokens; absent if they are estimated.")
    ] = UNSET
    oversized: dict[str, int]  # the sizes above the error budget, by node


PACKAGE_SIZES: Codec[PackageSizes] = Codec(PackageSizes)


def package_sizes_of(graph: Graph) -> PackageSizes:
    """Measure all packages of a graph."""
    from yg_old.yggdrasil.package.sizes import package_sizes  # other questions do not need it

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
        tokenizer=budget.tokenizer or UNSET,
    )


def count_drafts(graph: Graph) -> int:
    """Count the artifacts of nodes that nobody has written yet, blackbox nodes left out."""
    return sum(
        document.source.is_draft
        for node in graph.nodes
        if not node.is_blackbox
        for document in artifacts(graph, node)
    )


def status_of(graph: Graph) -> YggdrasilStatus:
    """Return the counts of a graph, from the index if possible; drafts count as written."""
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
        artifacts_filled=sum(len(names.intersection(present_names(node))) for node in nodes),
        relations=sum(map(_relation_count, nodes)),
        busiest=busiest.path if busiest and busiest.relations else "",
        most_relations=_relation_count(busiest) if busiest else 0,
        mapped=sum(bool(node.mapping) for node in nodes),
        covered=sum(bool(effective_ids(graph, node)) for node in nodes),
        slots=len(names) * len(nodes),
        unused_aspects=_unused_aspects(graph, all_nodes),
        format=later_format(graph) or UNSET,
    )


def _unused_aspects(graph: Graph, nodes: tuple[Node, ...]) -> tuple[str, ...]:
    """Return the aspects that nothing names; one that a used aspect implies is used."""
    named = [aspect for node in nodes for aspect in node.aspect_ids]
    named += [aspect for flow in graph.flows for aspect in flow.aspect_ids]
    for kind in graph.config.node_types.values():
        named += [aspect.text for aspect in kind.required_aspects]
    if graph.edition.has_tags:
        used = set(named)
        return tuple(sorted(aspect.id for aspect in graph.aspects if aspect.tag not in used))
    used = set(expanded(graph, dict.fromkeys(named)))
    return tuple(sorted(aspect.id for aspect in graph.aspects if aspect.id not in used))


def _relation_count(node: Node) -> int:
    return len(node.relations)


def _types(graph: Graph, nodes: tuple[Node, ...]) -> dict[str, int]:
    """Count nodes by type: configured types in order, then the others by name."""
    counts = Counter(node.type.text for node in nodes)
    order = dict.fromkeys((*graph.config.node_types, *sorted(counts)))
    return {name: counts[name] for name in order if counts[name]}
