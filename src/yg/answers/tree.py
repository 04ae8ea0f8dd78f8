"""What does the graph hold? The nodes as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.skipped import with_skipped
from yg.kernel.paths import ROOT, name_of
from yg.render.tree import tree_data, tree_text
from yg.yggdrasil.outline import outline

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.workspace import Workspace


def tree(workspace: Workspace, *, root: str | None = None, depth: int | None = None) -> Answer:
    """Show the tree, or the part of it below one node, so many levels deep."""
    nodes = workspace.graph.nodes
    start = ROOT if root is None else workspace.directory(root)
    entries = outline(workspace.graph, start, depth)
    return with_skipped(
        "tree",
        nodes,
        data=lambda: {"root": start, "nodes": tree_data(entries)},
        forms={"text": lambda palette: tree_text(entries, palette, name_of(nodes.label.tree))},
        within=start,
    )
