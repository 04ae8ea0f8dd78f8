"""The `tree` command: the hierarchy of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import with_skipped
from yg.kernel.paths import ROOT
from yg.render.tree import tree_data, tree_text

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.workspace import OpenWorkspace


def tree(workspace: OpenWorkspace, *, root: str | None = None, depth: int | None = None) -> Answer:
    """Show the tree of nodes, optionally below one node and down to a depth."""
    start = ROOT if root is None else workspace.directory(root)
    outline = workspace.queries.outline(start, depth)
    return with_skipped(
        workspace.skipped(start),
        data=lambda skipped: tree_data(outline, skipped),
        forms={"text": lambda palette: tree_text(outline, palette)},
    )
