"""An Export as CSV, one table at a time."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from yg.render.export_table import EDGE_COLUMNS, NODE_COLUMNS, cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.kernel.export import Edge, Export, Vertex


def nodes_csv(export: Export) -> str:
    """Write the table of nodes, aspects and flows."""
    return _table(NODE_COLUMNS, export.vertices)


def edges_csv(export: Export) -> str:
    """Write the table of edges."""
    return _table(EDGE_COLUMNS, export.edges)


def _table(columns: Sequence[str], things: Iterable[Vertex | Edge]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cell(getattr(each, name)) for name in columns] for each in things)
    return text.getvalue()
