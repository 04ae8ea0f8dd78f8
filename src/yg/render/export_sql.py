"""Render an Export as SQL for PostgreSQL: one transaction that replaces a repository's rows.

Ids may be longer than an entry of a B-tree, so they have hash indexes; names of repositories, which
many rows share, have B-trees and a maximum length.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from yg.kernel.errors import YgError
from yg.kernel.escapes import storable
from yg.kernel.export import Vertex, own_vertices
from yg.render.export_tables import EDGE_COLUMNS, TEXT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.kernel.export import Export, ExportText
    from yg.render.export_tables import Item

LONGEST_NAME = 1_000  # bytes of a repository's name; an entry of a B-tree has at most 2,704
REPOSITORY_COLUMNS = ("repository", "graph", "commit")
NODE_COLUMNS = Vertex.__struct_fields__  # always with the tokenizer: the table stays
_TYPES = {
    "aspects": "jsonb NOT NULL",
    "mapping": "jsonb NOT NULL",
    "consumes": "jsonb NOT NULL",
    "exceptions": "jsonb NOT NULL",
    "blackbox": "boolean NOT NULL",
    "tokens": "bigint",
}
_TEXT = "text NOT NULL"
# psql would read the rows of a COPY that failed as commands, hence ON_ERROR_STOP. The lock makes
# loads wait for each other: two at once may not create the same table, or load one repository.
_OPENING = """\
BEGIN;
\\set ON_ERROR_STOP on
SET LOCAL client_encoding = 'UTF8';
SET LOCAL standard_conforming_strings = on;
SET LOCAL client_min_messages = warning;
DO $$BEGIN PERFORM pg_advisory_xact_lock(31079); END$$;
"""
_KEY = "PRIMARY KEY (repository)"
# Loaded again without texts, a repository has none, although that load does not know the table.
_OWNED = "FOREIGN KEY (repository) REFERENCES yg_repositories ON DELETE CASCADE"
_COPY_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def export_sql(
    export: Export, *, graph: str, commit: str, texts: Iterable[ExportText] | None = None
) -> str:
    """Write the transaction; `graph` is the kind of graph, `commit` empty for the work tree."""
    _require_short([export.repository, *(edge.target_repository for edge in export.edges)])
    return "".join(_statements(export, (export.repository, graph, commit), texts))


def _require_short(names: Iterable[str]) -> None:
    for name in dict.fromkeys(names):
        size = len(storable(name).encode())
        if size > LONGEST_NAME:
            raise YgError(
                f"the repository's name '{name[:40]}...' has {size:,} bytes; "
                f"in a database it can have {LONGEST_NAME:,}",
                hint="Choose another with --repository NAME.",
            )


def _statements(
    export: Export, row: Sequence[str], texts: Iterable[ExportText] | None
) -> Iterator[str]:
    yield _OPENING
    yield _table("yg_repositories", REPOSITORY_COLUMNS, _KEY)
    yield _table("yg_nodes", NODE_COLUMNS)
    yield _indexes("yg_nodes", ("id",), ("repository",))
    yield _table("yg_edges", EDGE_COLUMNS)
    yield _indexes("yg_edges", ("source", "target"), ("repository", "target_repository"))
    if texts is not None:
        yield _table("yg_texts", TEXT_COLUMNS, _OWNED)
        yield _indexes("yg_texts", ("node",), ("repository",))
    name = _literal(export.repository)
    for table in ("yg_edges", "yg_nodes", "yg_repositories"):
        yield f"DELETE FROM {table} WHERE repository = {name};\n"  # noqa: S608
    yield from _copy("yg_repositories", REPOSITORY_COLUMNS, [row])
    yield from _copy("yg_nodes", NODE_COLUMNS, _rows(own_vertices(export), NODE_COLUMNS))
    yield from _copy("yg_edges", EDGE_COLUMNS, _rows(export.edges, EDGE_COLUMNS))
    if texts is not None:
        yield from _copy("yg_texts", TEXT_COLUMNS, _rows(texts, TEXT_COLUMNS))
    yield "COMMIT;\n"


def _table(table: str, columns: Iterable[str], *constraints: str) -> str:
    columns_typed = (f"{name} {_TYPES.get(name, _TEXT)}" for name in columns)
    lines = ",\n".join(f"  {line}" for line in (*columns_typed, *constraints))
    return f"CREATE TABLE IF NOT EXISTS {table} (\n{lines}\n);\n"


def _indexes(table: str, ids: Iterable[str], names: Iterable[str]) -> str:
    uses = (*((name, "hash") for name in ids), *((name, "btree") for name in names))
    return "".join(
        f"CREATE INDEX IF NOT EXISTS {table}_{name} ON {table} USING {method} ({name});\n"
        for name, method in uses
    )


def _literal(text: str) -> str:
    return "'" + storable(text).replace("'", "''") + "'"


def _copy(table: str, columns: Iterable[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"COPY {table} ({', '.join(columns)}) FROM STDIN;\n"
    for row in rows:
        yield "\t".join(map(_field, row)) + "\n"
    yield "\\.\n"


def _rows(items: Iterable[Item], columns: Sequence[str]) -> Iterator[list[object]]:
    return ([getattr(item, name) for name in columns] for item in items)


def _field(value: object) -> str:
    """Write a value in the text format of COPY."""
    if value is None:
        return "\\N"
    if isinstance(value, bool):
        return "t" if value else "f"
    if value == ():
        return "[]"
    if isinstance(value, tuple):
        # Not storable(dumps(..)): jsonb has no \u0000 and no half of a surrogate pair either.
        value = json.dumps([storable(text) for text in value], ensure_ascii=False)
    text = str(value)
    if text.isprintable() and "\\" not in text:
        return text  # most are; this is several times as fast
    return storable(text).translate(_COPY_ESCAPES)
