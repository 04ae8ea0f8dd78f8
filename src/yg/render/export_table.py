"""An Export as two tables: what each row holds, as plain data and as one text a cell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from yg.kernel.export import Edge, Vertex
from yg.kernel.storable import storable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.export import Export

NODE_COLUMNS = Vertex.__struct_fields__
EDGE_COLUMNS = Edge.__struct_fields__


def export_data(export: Export) -> dict[str, Any]:
    """Return an export as plain data."""
    return {
        "repository": export.repository,
        "nodes": rows(export.vertices, NODE_COLUMNS),
        "edges": rows(export.edges, EDGE_COLUMNS),
    }


def rows(things: Iterable[Vertex | Edge], columns: Iterable[str]) -> list[dict[str, Any]]:
    """Return the fields of each thing by name."""
    names = tuple(columns)
    return [{name: getattr(each, name) for name in names} for each in things]


def cell(value: object) -> str:
    """Write a field as text: lists as JSON, nothing as an empty text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return storable(json.dumps(value, ensure_ascii=False)) if value else ""
    return "" if value is None else storable(str(value))
