"""An Export as Cypher statements, which may be run again to bring a database up to date."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.kernel.storable import storable
from yg.render.export_table import EDGE_COLUMNS, NODE_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.kernel.export import Edge, Export, Vertex

BATCH = 500  # rows of one statement: few statements to plan, none too large to hold
_LABEL = "Yg"  # what all vertices of all repositories have in common
_CONSTRAINT = f"CREATE CONSTRAINT yg_id IF NOT EXISTS FOR (n:{_LABEL}) REQUIRE n.id IS UNIQUE;\n"
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_NOT_A_NAME = re.compile(r"[^A-Z0-9]+")


def export_cypher(export: Export) -> str:
    """Write statements that create what is new and update what is there."""
    return "".join(_statements(export))


def _statements(export: Export) -> Iterator[str]:
    yield _CONSTRAINT
    for kind, vertices in _grouped((each.kind.value, each) for each in export.vertices):
        label = kind.capitalize()
        merge = f"MERGE (n:{_LABEL}:{label} {{id: row.id}})"
        yield from _batches(vertices, NODE_COLUMNS, f"{merge}\nSET {_sets('n', NODE_COLUMNS)};\n")
    match = f"MATCH (a:{_LABEL} {{id: row.source}}), (b:{_LABEL} {{id: row.target}})"
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
    return str(value) if isinstance(value, int) else _quoted(str(value))


def _quoted(text: str) -> str:
    return f"'{storable(text).translate(_ESCAPES)}'"
