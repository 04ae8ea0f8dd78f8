"""What does a node depend on? Its dependency tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.render.deps import dependencies_data, dependencies_text
from yg.yggdrasil.deps import RelationClass, dependency_tree

if TYPE_CHECKING:
    from yg.workspace import Workspace


def deps(
    workspace: Workspace, node: str, *, depth: int | None = None, only: str = RelationClass.ALL
) -> Answer:
    """Follow relations of one class from a node, so many levels deep."""
    start = workspace.node(node)
    found = dependency_tree(workspace.graph, start, depth, RelationClass(only))
    return Answer(
        schema="deps",
        data=lambda: dependencies_data(found),
        forms={"text": lambda palette: dependencies_text(found, palette)},
    )
