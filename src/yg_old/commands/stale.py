"""Stale texts of a package: whether the code that they describe has changed since."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from yg_old.workspace.source_drift import changed_sources
from yg_old.yggdrasil.block_kind import BlockKind
from yg_old.yggdrasil.package.stale import quoted_nodes, with_stale
from yg_old.yggdrasil.resolve import is_drafted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.model import Node
    from yg_old.yggdrasil.package.blocks import Block, ContextPackage
    from yg_old.yggdrasil.package.stale import StaleNode


def stale_marks(
    workspace: OpenWorkspace,
    packages: Sequence[ContextPackage],
    drifted: Collection[str] | None = None,
) -> Callable[[ContextPackage], ContextPackage]:
    """Return the function that adds stale blocks to these packages, or to all of them in one.

    `drifted` are the only nodes to look at; None for all that the packages quote.
    """
    found = _stale_nodes(workspace, packages, drifted)
    return partial(with_stale, found=found, limit=workspace.graph.config.quality.stale)


def all_marked(
    workspace: OpenWorkspace, packages: Iterable[ContextPackage], drifted: Collection[str] | None
) -> Iterable[ContextPackage]:
    """Add stale blocks to the packages of all nodes, with one look at all sources.

    `drifted` are the nodes that differ from their baselines; None if that is not known.
    """
    if not workspace.format.has_drift:
        return packages
    if not (any(workspace.baselines.all()) if drifted is None else drifted):
        return packages
    every = tuple(packages)
    return map(stale_marks(workspace, every, drifted), every)


def own_stale_block(workspace: OpenWorkspace, node: Node, most: int | None = None) -> Block | None:
    """Return the block about the texts of one node itself; None if they are not stale.

    `most` are the tokens of changed code, if fewer than the configuration allows.
    """
    from yg_old.yggdrasil.package.assemble import assemble

    package = assemble(workspace.graph, node)
    found = _stale_nodes(workspace, (package,), (node.path,))
    allowed = workspace.graph.config.quality.stale
    marked = with_stale(package, found, allowed if most is None else min(most, allowed))
    return next((block for block in marked.parts if block.kind is BlockKind.STALE), None)


def _has_text(workspace: OpenWorkspace, node: Node) -> bool:
    """Return whether a node has a text that can be untrue: more than drafts."""
    return bool(node.documents) or not is_drafted(workspace.graph, node)


def _stale_nodes(
    workspace: OpenWorkspace,
    packages: Sequence[ContextPackage],
    drifted: Collection[str] | None,
) -> Mapping[str, StaleNode]:
    """Return what changed in the code of the nodes that packages quote."""
    paths = (path for path in quoted_nodes(packages) if drifted is None or path in drifted)
    nodes = (workspace.graph.nodes.get(path) for path in paths)
    described = [node for node in nodes if node and node.mapping and _has_text(workspace, node)]
    drifts = changed_sources(workspace, described)
    if not drifts:
        return {}
    from yg_old.commands.stale_code import stale_code  # most packages do not need it

    quoted = frozenset(
        document.source.path
        for package in packages
        for block in package.parts
        for document in block.documents
    )
    return stale_code(workspace, drifts, quoted)
