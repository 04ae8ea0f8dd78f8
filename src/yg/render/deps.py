"""Dependencies as a tree of lines whose length stays in bounds, and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.render.data import known
from yg.render.plain import visible
from yg.render.tree import BLACKBOX, Branches

if TYPE_CHECKING:
    from yg.kernel.dependencies import Dependency, DependencyTree
    from yg.render.plain import Palette

DEEPEST = 40  # levels that are drawn; below that a number stands instead of indentation


def dependencies_text(tree: DependencyTree, palette: Palette) -> str:
    """Draw a dependency tree."""
    branches = Branches()
    lines = [_label(tree.root, palette, is_blackbox=tree.is_blackbox)]
    for each in tree.lines:
        if each.level > DEEPEST:
            prefix = f"(level {each.level}) "
        else:
            prefix = branches.before(each.level, is_last=each.is_last)
        lines.append(f"{prefix}{palette.dim(each.kind)} {_target(each, palette)}")
    return "".join(f"{line}\n" for line in lines)


def _target(each: Dependency, palette: Palette) -> str:
    label = _label(each.path, palette, is_blackbox=each.is_blackbox)
    if each.is_broken:
        label += palette.red(" (cannot be read)" if each.is_bad else " (does not resolve)")
    return label + (palette.dim(f" ({each.repeat})") if each.repeat else "")


def _label(path: str, palette: Palette, *, is_blackbox: bool | None) -> str:
    return visible(path) + (palette.yellow(f" {BLACKBOX}") if is_blackbox else "")


def dependencies_data(tree: DependencyTree) -> dict[str, Any]:
    """Return a dependency tree as plain data, its lines in the order they are drawn."""
    return {
        "node": tree.root,
        "dependencies": [_data(each) for each in tree.lines],
    }


def _data(each: Dependency) -> dict[str, Any]:
    return known(
        {
            "level": each.level,
            "type": each.kind,
            "target": each.path,
            "blackbox": each.is_blackbox,
            "resolved": not each.is_broken,
            "repeated": each.repeat is not None,
        }
    )
