"""Views of packages: several nodes in one package, and parts of it left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.yggdrasil.combine import combine
from yg.yggdrasil.cuts import fit_package
from yg.yggdrasil.known import leave_out_known
from yg.yggdrasil.package import ContextPackage, Omission

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.selection import Selection
    from yg.kernel.view import PackageView
    from yg.yggdrasil.graph import Graph


def view_of(graph: Graph, packages: Sequence[ContextPackage], view: PackageView) -> ContextPackage:
    """Combine the packages of some nodes, and leave out what is not to be shown."""
    if not packages:
        return ContextPackage(nodes=(), blocks=(), budget=graph.budget)
    package = select(combine(packages, graph.edition.order), view.selection)
    package = leave_out_known(package, view.known)
    if view.fit is None:
        return package
    return fit_package(package, view.fit, graph.config.quality.cut_first, view.options)


def select(package: ContextPackage, selection: Selection) -> ContextPackage:
    """Leave out the blocks that are not selected."""
    selection.check(block.part for block in package.blocks)
    shown = tuple(block for block in package.blocks if selection.shows(block.part))
    hidden = (block for block in package.blocks if not selection.shows(block.part))
    reason = "--only" if selection.only else "--without"
    omissions = (Omission(block=block, reason=reason) for block in hidden)
    return replace(package, blocks=shown, omissions=(*package.omissions, *omissions))
