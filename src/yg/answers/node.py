"""One node of a Spec Graph in full: its file as written, and the nodes that link to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.render.node import node_data, node_text
from yg.specgraph.find import node_named
from yg.specgraph.model import LinkKind

if TYPE_CHECKING:
    from yg.workspace import OpenWorkspace


def node_in_full(workspace: OpenWorkspace, name: str) -> Answer:
    """Show a node."""
    workspace.require_specs("yg node show")
    graph = workspace.specs
    node = node_named(graph, name)
    text = graph.snapshot.text(node.file).value
    links = tuple(
        (source, kind.value) for kind in LinkKind for source in graph.sources(kind, node.id)
    )
    return Answer(
        data=lambda: node_data(node, text, links),
        forms={"text": lambda _palette: node_text(node, text, links)},
    )
