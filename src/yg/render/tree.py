"""The tree of nodes, drawn with lines, and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel import paths
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.render.plain import Palette
    from yg.yggdrasil.outline import OutlineEntry

BLACKBOX = "■ blackbox"


class Branches:
    """The lines in front of a tree's entries, which come parents first."""

    def __init__(self) -> None:
        self._stems: list[str] = []

    def before(self, level: int, *, is_last: bool) -> str:
        """Return what stands before an entry of a level, counted from 1 below the root."""
        del self._stems[level - 1 :]
        prefix = "".join(self._stems) + ("└── " if is_last else "├── ")
        self._stems.append("    " if is_last else "│   ")
        return prefix


def tree_text(entries: Iterable[OutlineEntry], palette: Palette, top: str = "model") -> str:
    """Draw the tree: path, type, aspects, blackbox flag, number of relations."""
    branches = Branches()
    lines = []
    for entry in entries:
        if entry.level == 0:
            where = f"{top}/" if entry.path == paths.ROOT else f"{top}/{entry.path}/"
        else:
            where = branches.before(entry.level, is_last=entry.is_last)
            where += f"{paths.name_of(entry.path)}/"
        lines.append(f"{visible(where)}{_facts(entry, palette)}\n")
    return "".join(lines)


def _facts(entry: OutlineEntry, palette: Palette) -> str:
    node = entry.node
    if node is None:
        return palette.red(" (cannot be read)") if entry.is_declared else ""
    facts = [palette.dim(f"[{visible(node.type.text)}]")]
    if node.aspects:
        facts.append(visible(f"aspects:{','.join(node.aspect_ids)}"))
    if node.is_blackbox:
        facts.append(palette.yellow(BLACKBOX))
    facts.append(palette.dim(f"-> {len(node.relations)} relations"))
    return f" {' '.join(facts)}"


def tree_data(entries: Iterable[OutlineEntry]) -> list[dict[str, Any]]:
    """Return the tree as a list, parents first; directories that are no nodes left out."""
    return [
        {
            "path": entry.path,
            "level": entry.level,
            "name": entry.node.name,
            "type": entry.node.type.text,
            "aspects": list(entry.node.aspect_ids),
            "blackbox": entry.node.is_blackbox,
            "relations": len(entry.node.relations),
            "mapping": [word.text for word in entry.node.mapping],
        }
        for entry in entries
        if entry.node is not None
    ]
