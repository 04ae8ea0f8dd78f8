"""Comparison of two states of a Spec Graph: changed nodes, and the contexts that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.compare import Alteration, ChangedNode, DiffImpact, Shift
from yg_old.specgraph.context.sizes import Sizes
from yg_old.specgraph.questions.impact import nodes_reached
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import Reference


def shifts(then: SpecGraph, now: SpecGraph, node_ids: Iterable[str]) -> Iterator[Shift]:
    """Yield the contexts of some nodes in both states; equal ones are the same object."""
    is_same = then.nodes == now.nodes
    before, after = Sizes(then), Sizes(now)
    for node_id in node_ids:
        context = after.context(node_id)
        old = context if is_same else before.context(node_id)
        measured = after.measured(context)
        yield Shift(node_id, measured if old == context else before.measured(old), measured)


def diff_impact(then: SpecGraph, now: SpecGraph, files: Iterable[str], since: str) -> DiffImpact:
    """Return the changed nodes, with their contexts, and the nodes whose contexts list them.

    A node counts as reached if its full context lists a changed node in either state.
    """
    graph_files = tuple(file for file in files if paths.is_inside(file, now.folder))
    nodes = tuple(changed_nodes(then, now, graph_files)) if graph_files else ()
    changed = [node.node for node in nodes]
    reached = {**nodes_reached(then, changed), **nodes_reached(now, changed)} if nodes else {}
    return DiffImpact(
        since=since,
        graph_files=graph_files,
        nodes=nodes,
        shifts=tuple(shift for shift in shifts(then, now, changed) if shift.is_changed),
        reached=tuple(found for _, found in sorted(reached.items())),
    )


def changed_nodes(then: SpecGraph, now: SpecGraph, files: Collection[str]) -> Iterator[ChangedNode]:
    """Yield the nodes whose file or entry in graph.json has changed, in the order of ids."""
    changed = frozenset(files)
    before, after = then.references, now.references
    for node_id in sorted({*before, *after}):
        if node_id not in before:
            yield ChangedNode(node_id, Alteration.ADDED)
        elif node_id not in after:
            yield ChangedNode(node_id, Alteration.REMOVED)
        elif (
            _declared(before[node_id]) != _declared(after[node_id])
            or after[node_id].file in changed
        ):
            yield ChangedNode(node_id, Alteration.CHANGED)


def _declared(reference: Reference) -> tuple[str, ...]:
    """Return what an entry of graph.json says; its position does not count."""
    return reference.path, reference.sha256, reference.expected_type


def remaining_nodes(
    then: Callable[[], SpecGraph], now: SpecGraph, files: Sequence[str]
) -> tuple[str, ...]:
    """Return the readable nodes that have changed; `then` is called if graph.json has changed."""
    before = then() if now.file in files else now
    changed = (node.node for node in changed_nodes(before, now, files))
    return tuple(node_id for node_id in changed if now.get(node_id))
