"""Which nodes do some files concern: their owners, and those that rest on a file of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.yggdrasil.assemble import Assembler
from yg.yggdrasil.baseline import state_file
from yg.yggdrasil.drift import is_graph_file
from yg.yggdrasil.mapping import Ownership

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from yg.yggdrasil.baselines import Baselines
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


def concerned(
    graph: Graph, baselines: Baselines, nodes: Iterable[Node], files: Collection[str]
) -> Iterator[Node]:
    """Yield those of some mapped nodes whose drift a change to one of the files can change."""
    ownership = Ownership(graph)
    owners = {owner.node for file in files if (owner := ownership.get(file)) is not None}
    of_graph = frozenset(filter(is_graph_file, files))
    assembler = Assembler(graph)
    for node in nodes:
        if node.path in owners or (
            of_graph and not of_graph.isdisjoint(_graph_files(assembler, baselines, node))
        ):
            yield node


def _graph_files(assembler: Assembler, baselines: Baselines, node: Node) -> Iterator[str]:
    """Yield the files of the graph that a node rests on, now or at its baseline."""
    yield state_file(node.path)
    yield from assembler.package(node).decided_by
    # A file that is gone decides no package any more; only the baseline still knows it.
    baseline = baselines.get(node.path)
    yield from baseline.files if baseline else ()
