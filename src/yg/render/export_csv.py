"""An Export as CSV, one table at a time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.render.export_table import EDGE_COLUMNS, NODE_COLUMNS, cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.kernel.export import Edge, Export, Vertex

_SPECIAL = re.compile(r'[",\r\n]')


def nodes_csv(export: Export) -> str:
    """Write the table of nodes, aspects and flows."""
    return _table(NODE_COLUMNS, export.vertices)


def edges_csv(export: Export) -> str:
    """Write the table of edges."""
    return _table(EDGE_COLUMNS, export.edges)


def _table(columns: Sequence[str], things: Iterable[Vertex | Edge]) -> str:
    rows = ([cell(getattr(each, name)) for name in columns] for each in things)
    return "".join(f"{','.join(map(_quoted, row))}\n" for row in (columns, *rows))


def _quoted(text: str) -> str:
    """Quote a cell where it has to be; the standard writer leaves a lone carriage return bare."""
    escaped = text.replace('"', '""')
    return f'"{escaped}"' if _SPECIAL.search(text) else text
