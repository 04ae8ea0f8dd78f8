"""The rule about the size of contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.package import STANDARD_BUDGET
from yg_old.kernel.rule import rule
from yg_old.specgraph.context.context import USUAL_DEPTH
from yg_old.specgraph.questions.large import large_contexts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.graph import SpecGraph


@rule("W106", "budget", Severity.WARNING, title="Large context")
def budget(graph: SpecGraph) -> Iterator[Finding]:
    """No context has more than 10,000 tokens at depth 2.

    Why: a context this large leaves little room for the work itself and hides important details.
    Fix: split the node, or let policies constrain only the nodes they concern.
    Example:
        SHOP contains 400 nodes, and 90 policies constrain SHOP    # W106 on each of the 400
    """
    limit = STANDARD_BUDGET.warning
    for node_id, tokens in large_contexts(graph).items():
        size = f"{'' if graph.budget.tokenizer else 'at least '}{tokens} {graph.budget.unit}"
        message = f"its context has {size} at depth {USUAL_DEPTH} (limit: {limit})"
        yield Finding(node_id, message, Place(graph.nodes[node_id].file))
