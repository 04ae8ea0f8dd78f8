"""The names that an import takes from its target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.code.names import is_index
from yg.text import paths

if TYPE_CHECKING:
    from yg.code.resolve import ImportEdge

EVERYTHING = "*"


def imported_names(edge: ImportEdge) -> tuple[str, ...]:
    """Return the names that an import takes from its target; the module itself has its own name."""
    if edge.names:
        return edge.names
    is_directory = edge.is_folder or is_index(edge.target)
    place = paths.parent(edge.target) if is_index(edge.target) else edge.target
    name = paths.name_of(place)
    module = name if is_directory else name.partition(".")[0]
    return (EVERYTHING,) if module in ("", paths.ROOT) else (module,)
