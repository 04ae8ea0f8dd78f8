"""Exports of a graph for other programs: CSV, Cypher and GraphML."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from yg.kernel.escapes import storable
from yg.kernel.export import Edge, Vertex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


BATCH = 500  # rows of one statement: few statements to plan, none too large to hold
_NODE_LABEL = "Yg"  # what all vertices of all repositories have in common
_CONSTRAINT = (
    f"CREATE CONSTRAINT yg_id IF NOT EXISTS FOR (n:{_NODE_LABEL}) REQUIRE n.id IS UNIQUE;\n"
)
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_NOT_A_NAME = re.compile(r"[^A-Z0-9]+")


def export_cypher(export: Export) -> str:
    """Write statements that create what is new and update what is there."""
    return "".join(_statements(export))


def _statements(export: Export) -> Iterator[str]:
    yield _CONSTRAINT
    for kind, vertices in _grouped((each.kind.value, each) for each in export.vertices):
        label = kind.capitalize()
        merge = f"MERGE (n:{_NODE_LABEL}:{label} {{id: row.id}})"
        yield from _batches(vertices, NODE_COLUMNS, f"{merge}\nSET {_sets('n', NODE_COLUMNS)};\n")
    match = f"MATCH (a:{_NODE_LABEL} {{id: row.source}}), (b:{_NODE_LABEL} {{id: row.target}})"
    for name, edges in _grouped((_relationship(each), each) for each in export.edges):
        merge = f"MERGE (a)-[r:`{name}` {{id: row.id}}]->(b)"
        ending = f"{match}\n{merge}\nSET {_sets('r', EDGE_COLUMNS)};\n"
        yield from _batches(edges, EDGE_COLUMNS, ending)


def _grouped(things: Iterable[tuple[str, Vertex | Edge]]) -> list[tuple[str, list[Vertex | Edge]]]:
    found: dict[str, list[Vertex | Edge]] = {}
    for name, each in things:
        found.setdefault(name, []).append(each)
    return sorted(found.items())


def _relationship(edge: Edge) -> str:
    """Return the type of a relationship; its property `type` has the word as declared."""
    return _NOT_A_NAME.sub("_", edge.type.upper()).strip("_") or "RELATION"


def _sets(variable: str, columns: Iterable[str]) -> str:
    # A row leaves out what it has nothing to say of; setting that to null takes it away.
    names = (name for name in columns if name not in ("id", "source", "target"))
    return ", ".join(f"{variable}.{name} = row.{name}" for name in names)


def _batches(things: Sequence[Vertex | Edge], columns: Sequence[str], ending: str) -> Iterator[str]:
    for at in range(0, len(things), BATCH):
        rows = ",\n".join(f"  {_row(each, columns)}" for each in things[at : at + BATCH])
        yield f"UNWIND [\n{rows}\n] AS row\n{ending}"


def _row(thing: Vertex | Edge, columns: Iterable[str]) -> str:
    values = ((name, getattr(thing, name)) for name in columns)
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
_TYPES = {"blackbox": "boolean", "tokens": "int"}  # all other fields are texts
_ENDS = ("id", "source", "target")  # attributes of their own
_LABEL_KEY = "label"  # what viewers write beside a node or an edge
_WRITTEN = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;"}
)


def export_graphml(export: Export) -> str:
    """Write a graph with all its attributes; lists are JSON, for GraphML has none."""
    return "".join(_lines(export))


def _lines(export: Export) -> Iterator[str]:
    yield _OPENING
    yield from _keys("node", NODE_COLUMNS)
    yield from _keys("edge", EDGE_COLUMNS)
    yield f'<graph id="{_text(export.repository)}" edgedefault="directed">\n'
    for vertex in export.vertices:
        yield f'<node id="{_text(vertex.id)}">\n'
        yield from _data("node", vertex, NODE_COLUMNS, vertex.name)
        yield "</node>\n"
    for edge in export.edges:
        ends = f'source="{_text(edge.source)}" target="{_text(edge.target)}"'
        yield f'<edge id="{_text(edge.id)}" {ends}>\n'
        yield from _data("edge", edge, EDGE_COLUMNS, edge.type)
        yield "</edge>\n"
    yield "</graph>\n</graphml>\n"


def _keys(domain: str, columns: Iterable[str]) -> Iterator[str]:
    for name in (_LABEL_KEY, *columns):
        if name not in _ENDS:
            described = f'attr.name="{name}" attr.type="{_TYPES.get(name, "string")}"'
            yield f'<key id="{domain}-{name}" for="{domain}" {described}/>\n'


def _data(domain: str, thing: Vertex | Edge, columns: Iterable[str], label: str) -> Iterator[str]:
    """Yield the attributes that have something to say."""
    yield f'  <data key="{domain}-{_LABEL_KEY}">{_text(label)}</data>\n'
    for name in columns:
        value = cell(getattr(thing, name)) if name not in _ENDS else ""
        if value:
            yield f'  <data key="{domain}-{name}">{_text(value)}</data>\n'


def _text(value: str) -> str:
    return cell(value).translate(_WRITTEN)
