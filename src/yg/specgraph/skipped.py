"""What is missing from an answer because it could not be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.paths import ROOT
from yg.specgraph.model import Trouble
from yg.specgraph.resolve import contents

if TYPE_CHECKING:
    from yg.kernel.issue import Finding
    from yg.specgraph.graph import Graph


def skipped(graph: Graph, within: str = ROOT) -> list[Finding]:
    """Return what is wrong with each node that could not be read, one finding each."""
    if not graph.references:
        notes = (note for note in graph.index.notes if note.trouble is Trouble.INDEX)
        return [note.finding for note in notes][:1]
    chosen = graph.references if within == ROOT else sorted(contents(graph, [within]))
    found = (_why(graph, each) for each in chosen if graph.get(each) is None)
    return [finding for finding in found if finding]


def _why(graph: Graph, node_id: str) -> Finding | None:
    """Return what is wrong with a node's file, or else with its entry in graph.json."""
    reading = graph.reading(node_id)
    notes = (*(reading.notes if reading else ()), *graph.index.notes)
    return next((note.finding for note in notes if note.finding.subject == node_id), None)
