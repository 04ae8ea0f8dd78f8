"""Write an Export as CSV, Cypher and GraphML."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from yg_old.kernel.export import ExportEdge, ExportText, Vertex, other_vertices, own_vertices
from yg_old.text.escapes import storable, xml_storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.kernel.export import Export

    Item = Vertex | ExportEdge | ExportText


TABLES = NODES, EDGES, TEXTS = "nodes", "edges", "texts"
_TOKENIZER = "tokenizer"
NODE_COLUMNS = tuple(name for name in Vertex.__struct_fields__ if name != _TOKENIZER)
EDGE_COLUMNS = ExportEdge.__struct_fields__
TEXT_COLUMNS = ExportText.__struct_fields__
# Formats of graphs have the repositories on the vertices at both ends.
_EDGE_PROPERTIES = tuple(name for name in EDGE_COLUMNS if not name.endswith("repository"))


def node_columns(export: Export) -> tuple[str, ...]:
    """Return the columns of vertices, with their tokenizer only if there is one."""
    return Vertex.__struct_fields__ if tokenizer_of(export) else NODE_COLUMNS


def tokenizer_of(export: Export) -> str:
    """Return the tokenizer that counted the sizes; empty if they are estimates."""
    return max((vertex.tokenizer for vertex in export.vertices), default="")


def cell(value: object) -> str:
    """Write a field as text: lists as JSON, None as an empty string."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return storable(json.dumps(value, ensure_ascii=False)) if value else ""
    return "" if value is None else storable(str(value))


_SPECIAL = re.compile(r'[",\r\n]')


def nodes_csv(export: Export) -> str:
    """Write the table of nodes, aspects and flows of this repository."""
    return _table(node_columns(export), own_vertices(export))


def edges_csv(export: Export) -> str:
    """Write the table of edges."""
    return _table(EDGE_COLUMNS, export.edges)


def texts_csv(texts: Iterable[ExportText]) -> str:
    """Write the table of texts."""
    return _table(TEXT_COLUMNS, texts)


def _table(columns: Sequence[str], items: Iterable[Item]) -> str:
    rows = ([cell(getattr(item, name)) for name in columns] for item in items)
    return "".join(f"{','.join(map(_quoted, row))}\n" for row in (columns, *rows))


def _quoted(text: str) -> str:
    """Quote a cell if necessary; unlike csv.writer, also if it has a lone carriage return."""
    escaped = text.replace('"', '""')
    return f'"{escaped}"' if _SPECIAL.search(text) else text


BATCH = 500  # rows per statement: few statements, none too large for memory
_NODE_LABEL = "Yg"  # the label shared by all vertices of all repositories
_CONSTRAINT = (
    f"CREATE CONSTRAINT yg_id IF NOT EXISTS FOR (n:{_NODE_LABEL}) REQUIRE n.id IS UNIQUE;\n"
)
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_NOT_A_NAME = re.compile(r"[^A-Z0-9]+")


def export_cypher(export: Export) -> str:
    """Write Cypher statements that create or update all vertices and edges."""
    return "".join(_statements(export))


def _statements(export: Export) -> Iterator[str]:
    yield _CONSTRAINT
    columns = node_columns(export)
    own, others = own_vertices(export), other_vertices(export)
    # Only the export of their own repository updates the vertices of other repositories.
    for vertices, clause in ((own, "SET"), (others, "ON CREATE SET")):
        for kind, group in _grouped((vertex.kind.value, vertex) for vertex in vertices):
            merge = f"MERGE (n:{_NODE_LABEL}:{kind.capitalize()} {{id: row.id}})"
            yield from _batches(group, columns, f"{merge}\n{clause} {_sets('n', columns)};\n")
    match = f"MATCH (a:{_NODE_LABEL} {{id: row.source}}), (b:{_NODE_LABEL} {{id: row.target}})"
    for name, edges in _grouped((_relationship(edge), edge) for edge in export.edges):
        merge = f"MERGE (a)-[r:`{name}` {{id: row.id}}]->(b)"
        ending = f"{match}\n{merge}\nSET {_sets('r', _EDGE_PROPERTIES)};\n"
        yield from _batches(edges, _EDGE_PROPERTIES, ending)


def _grouped(
    items: Iterable[tuple[str, Vertex | ExportEdge]],
) -> list[tuple[str, list[Vertex | ExportEdge]]]:
    groups: dict[str, list[Vertex | ExportEdge]] = {}
    for name, item in items:
        groups.setdefault(name, []).append(item)
    return sorted(groups.items())


def _relationship(edge: ExportEdge) -> str:
    """Return the Cypher type of an edge; its property `type` keeps the declared spelling."""
    return _NOT_A_NAME.sub("_", edge.type.upper()).strip("_") or "RELATION"


def _sets(variable: str, columns: Iterable[str]) -> str:
    # Rows omit empty fields; setting a property to null removes it.
    names = (name for name in columns if name not in ("id", "source", "target"))
    return ", ".join(f"{variable}.{name} = row.{name}" for name in names)


def _batches(
    items: Sequence[Vertex | ExportEdge], columns: Sequence[str], ending: str
) -> Iterator[str]:
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        rows = ",\n".join(f"  {_row(item, columns)}" for item in batch)
        yield f"UNWIND [\n{rows}\n] AS row\n{ending}"


def _row(item: Vertex | ExportEdge, columns: Iterable[str]) -> str:
    values = ((name, getattr(item, name)) for name in columns)
    return f"{{{', '.join(f'{k}: {_literal(v)}' for k, v in values if v not in ('', (), None))}}}"


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return str(value) if isinstance(value, int) else _string(str(value))


def _string(text: str) -> str:
    return f"'{storable(text).translate(_ESCAPES)}'"


_OPENING = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""
_TYPES = {"blackbox": "boolean", "tokens": "int"}  # all other fields are strings
_ENDS = ("id", "source", "target")  # written as XML attributes
_LABEL_KEY = "label"  # shown by viewers beside a node or an edge
_XML_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;"}
)


def export_graphml(export: Export) -> str:
    """Write a graph with all its attributes; lists are JSON because GraphML has no lists."""
    return "".join(_lines(export))


def _lines(export: Export) -> Iterator[str]:
    yield _OPENING
    columns = node_columns(export)
    yield from _keys("node", columns)
    yield from _keys("edge", _EDGE_PROPERTIES)
    yield f'<graph id="{_text(export.repository)}" edgedefault="directed">\n'
    for vertex in export.vertices:
        yield f'<node id="{_text(vertex.id)}">\n'
        yield from _data("node", vertex, columns, vertex.name)
        yield "</node>\n"
    for edge in export.edges:
        ends = f'source="{_text(edge.source)}" target="{_text(edge.target)}"'
        yield f'<edge id="{_text(edge.id)}" {ends}>\n'
        yield from _data("edge", edge, _EDGE_PROPERTIES, edge.type)
        yield "</edge>\n"
    yield "</graph>\n</graphml>\n"


def _keys(domain: str, columns: Iterable[str]) -> Iterator[str]:
    for name in (_LABEL_KEY, *columns):
        if name not in _ENDS:
            described = f'attr.name="{name}" attr.type="{_TYPES.get(name, "string")}"'
            yield f'<key id="{domain}-{name}" for="{domain}" {described}/>\n'


def _data(
    domain: str, item: Vertex | ExportEdge, columns: Iterable[str], label: str
) -> Iterator[str]:
    """Yield the attributes that are not empty."""
    yield f'  <data key="{domain}-{_LABEL_KEY}">{_text(label)}</data>\n'
    for name in columns:
        value = cell(getattr(item, name)) if name not in _ENDS else ""
        if value:
            yield f'  <data key="{domain}-{name}">{_text(value)}</data>\n'


def _text(value: str) -> str:
    return xml_storable(cell(value)).translate(_XML_ESCAPES)
