"""The `deps` command: the dependency tree of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.render.deps import dependencies_data, dependencies_text

if TYPE_CHECKING:
    from yg.kernel.dependencies import DependencyTree
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.evidence import DependencyEvidence

EVERY = "all"


def deps(
    workspace: OpenWorkspace,
    node: str,
    *,
    depth: int | None = None,
    only: str = EVERY,
    code: bool = False,
) -> Answer:
    """List the dependencies of a node, optionally limited by depth and class of relation.

    With `code`, say which relations imports back, and which imports have no relation.
    """
    found = _tree(workspace, node, depth, only)
    evidence = _evidence(workspace, found) if code else None
    return Answer(
        data=lambda: dependencies_data(found, evidence),
        forms={"text": lambda palette: dependencies_text(found, palette, evidence)},
    )


def _evidence(workspace: OpenWorkspace, tree: DependencyTree) -> DependencyEvidence:
    workspace.require(workspace.format.has_owners, "imports (--code)")
    from yg.yggdrasil.evidence import dependency_evidence, read_imports

    return dependency_evidence(read_imports(workspace.graph, workspace.sources), tree)


def _tree(workspace: OpenWorkspace, name: str, depth: int | None, only: str) -> DependencyTree:
    if only == EVERY:
        return workspace.queries.dependencies(workspace.find(name), depth)
    workspace.require(workspace.format.has_aspects, "a class of relations (--type)")
    from yg.yggdrasil.deps import RelationClass, dependency_tree

    path = workspace.find(name)
    return dependency_tree(workspace.graph, path, depth, RelationClass(only))
