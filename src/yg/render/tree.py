"""Render the tree of nodes as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from yg.render.data import known
from yg.render.plain import visible

if TYPE_CHECKING:
    from yg.kernel.overview import Outline, OutlineEntry
    from yg.render.plain import Palette
    from yg.render.shapes.issues import Skipped
    from yg.render.shapes.tree import TreeDocument

BLACKBOX = "■ blackbox"


class Branches:
    """The line prefixes of a tree whose entries come in order, parents first."""

    def __init__(self) -> None:
        self._stems: list[str] = []

    def before(self, level: int, *, is_last: bool) -> str:
        """Return the prefix of an entry; levels count from 1 below the root."""
        del self._stems[level - 1 :]
        prefix = "".join(self._stems) + ("└── " if is_last else "├── ")
        self._stems.append("    " if is_last else "│   ")
        return prefix


def tree_text(outline: Outline, palette: Palette) -> str:
    """Write the tree with path, type, aspects, blackbox flag and number of relations."""
    branches = Branches()
    lines = []
    for entry in outline.entries:
        prefix = branches.before(entry.level, is_last=entry.is_last) if entry.level else ""
        lines.append(f"{prefix}{visible(entry.label)}{_facts(entry, outline, palette)}\n")
    return "".join(lines)


def _facts(entry: OutlineEntry, outline: Outline, palette: Palette) -> str:
    node = entry.node
    if node is None:
        return palette.red(" (cannot be read)") if entry.is_bad else ""
    facts = [palette.dim(f"[{visible(node.type)}]")]
    if outline.shows_names:
        facts.append(visible(node.name))
    if node.aspects:
        facts.append(visible(f"aspects:{','.join(node.aspects)}"))
    if node.is_blackbox:
        facts.append(palette.yellow(BLACKBOX))
    external = f" ({node.external} external)" if node.external else ""
    links = outline.one_link if node.links == 1 else outline.links
    facts.append(palette.dim(f"-> {node.links} {links}{external}"))
    if entry.repeat:
        facts.append(palette.dim(f"({entry.repeat})"))
    return f" {' '.join(facts)}"


def tree_data(outline: Outline, skipped: list[Skipped]) -> TreeDocument:
    """Return the nodes of the tree as data, parents first."""
    from yg.render.shapes.tree import TreeDocument, TreeNode

    nodes = [
        TreeNode(
            path=entry.path,
            level=entry.level,
            name=node.name,
            type=node.type,
            aspects=UNSET if node.aspects is None else list(node.aspects),
            blackbox=known(node.is_blackbox),
            relations=node.links,
            external=node.external or UNSET,
            mapping=UNSET if node.mapping is None else list(node.mapping),
            repeated=True if entry.repeat else UNSET,
        )
        for entry in outline.entries
        if (node := entry.node) is not None
    ]
    return TreeDocument(root=outline.root, nodes=nodes, skipped=skipped)
