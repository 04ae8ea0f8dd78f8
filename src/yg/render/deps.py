"""Render a dependency tree as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.render.data import known
from yg.render.plain import visible
from yg.render.tree import BLACKBOX, Branches

if TYPE_CHECKING:
    from yg.kernel.dependencies import Dependency, DependencyTree
    from yg.render.plain import Palette
    from yg.render.shapes.deps import DepsDocument

DEEPEST = 40  # deepest level to indent; deeper levels are numbered instead


def dependencies_text(tree: DependencyTree, palette: Palette) -> str:
    """Draw a dependency tree."""
    branches = Branches()
    lines = [_label(tree.root, palette, is_blackbox=tree.is_blackbox)]
    for dependency in tree.lines:
        if dependency.level > DEEPEST:
            prefix = f"(level {dependency.level}) "
        else:
            prefix = branches.before(dependency.level, is_last=dependency.is_last)
        lines.append(f"{prefix}{palette.dim(dependency.kind)} {_target(dependency, palette)}")
    return "".join(f"{line}\n" for line in lines)


def _target(dependency: Dependency, palette: Palette) -> str:
    label = _label(dependency.path, palette, is_blackbox=dependency.is_blackbox)
    if dependency.is_broken:
        label += palette.red(" (cannot be read)" if dependency.is_bad else " (does not resolve)")
    return label + (palette.dim(f" ({dependency.repeat})") if dependency.repeat else "")


def _label(path: str, palette: Palette, *, is_blackbox: bool | None) -> str:
    return visible(path) + (palette.yellow(f" {BLACKBOX}") if is_blackbox else "")


def dependencies_data(tree: DependencyTree) -> DepsDocument:
    """Return a dependency tree as data, in the order of the text."""
    from yg.render.shapes.deps import DependencyLine, DepsDocument

    lines = [
        DependencyLine(
            level=dependency.level,
            type=dependency.kind,
            target=dependency.path,
            blackbox=known(dependency.is_blackbox),
            resolved=not dependency.is_broken,
            repeated=dependency.repeat is not None,
        )
        for dependency in tree.lines
    ]
    return DepsDocument(node=tree.root, dependencies=lines)
