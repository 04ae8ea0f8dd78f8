"""Views of packages: several nodes in one package, and parts of it left out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from yg_old.kernel.view import show
from yg_old.yggdrasil.package.blocks import ContextPackage
from yg_old.yggdrasil.package.combine import combine
from yg_old.yggdrasil.package.cuts import cuttable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.kernel.view import PackageView
    from yg_old.yggdrasil.graph import Graph


def view_of(graph: Graph, packages: Sequence[ContextPackage], view: PackageView) -> ContextPackage:
    """Combine the packages of some nodes, and leave out what is not to be shown."""
    if not packages:
        return ContextPackage(nodes=(), parts=(), budget=graph.budget)
    package = combine(packages, graph.edition.order)
    return show(package, view, partial(cuttable, patterns=graph.config.quality.cut_first))
