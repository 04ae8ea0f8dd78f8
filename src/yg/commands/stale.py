"""Stale texts of a package: whether the code that they describe has changed since."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from yg.workspace.source_drift import changed_sources
from yg.yggdrasil.package.stale import quoted_nodes, with_stale

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from yg.workspace.opened import OpenWorkspace
    from yg.yggdrasil.package.blocks import ContextPackage
    from yg.yggdrasil.package.stale import StaleNode


def stale_marks(
    workspace: OpenWorkspace, packages: Sequence[ContextPackage]
) -> Callable[[ContextPackage], ContextPackage]:
    """Return the function that adds stale blocks to these packages, or to all of them in one."""
    found = stale_nodes(workspace, packages)
    return partial(with_stale, found=found, limit=workspace.graph.config.quality.stale)


def stale_nodes(
    workspace: OpenWorkspace, packages: Sequence[ContextPackage]
) -> Mapping[str, StaleNode]:
    """Return what changed in the code of the nodes that packages quote."""
    nodes = (workspace.graph.nodes.get(path) for path in quoted_nodes(packages))
    drifts = changed_sources(workspace, [node for node in nodes if node and node.mapping])
    if not drifts:
        return {}
    from yg.commands.stale_code import stale_code  # most packages do not need it

    quoted = frozenset(
        document.source.path
        for package in packages
        for block in package.parts
        for document in block.documents
    )
    return stale_code(workspace, drifts, quoted)
