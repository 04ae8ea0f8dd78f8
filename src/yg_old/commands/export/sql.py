"""Render an Export as SQL for PostgreSQL: one transaction that replaces a repository's rows.

Ids may be longer than an entry of a B-tree, so they have hash indexes; names of repositories, which
many rows share, have B-trees and a maximum length.
"""

from __future__ import annotations

import json
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from yg_old.commands.export.tables import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    TEXT_COLUMNS,
    node_columns,
    tokenizer_of,
)
from yg_old.kernel.errors import YgError
from yg_old.kernel.export import own_vertices
from yg_old.text.escapes import storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.commands.export.tables import Item
    from yg_old.kernel.export import Export, ExportText

LONGEST_NAME = 1_000  # bytes of a repository's name; an entry of a B-tree has at most 2,704
REPOSITORY_COLUMNS = ("repository", "graph", "commit")
_TYPES = {
    "aspects": "jsonb NOT NULL",
    "mapping": "jsonb NOT NULL",
    "consumes": "jsonb NOT NULL",
    "exceptions": "jsonb NOT NULL",
    "blackbox": "boolean NOT NULL",
    "tokens": "bigint",
    # Columns that a table or a script of another version may lack.
    "excluded": "jsonb NOT NULL DEFAULT '[]'",
    "tokenizer": "text NOT NULL DEFAULT ''",
}
_TEXT = "text NOT NULL"
# psql would read the rows of a COPY that failed as commands, hence ON_ERROR_STOP. The lock makes
# loads wait for each other: two at once may not create the same table, or load one repository.
# The setting is empty unless psql reads this after a script whose end, with its COMMIT, is missing.
_OPENING = """\
BEGIN;
\\set ON_ERROR_STOP on
SET LOCAL client_encoding = 'UTF8';
SET LOCAL standard_conforming_strings = on;
SET LOCAL client_min_messages = warning;
DO $$BEGIN
  PERFORM pg_advisory_xact_lock(31079);
  IF current_setting('yg.repository', true) <> '' THEN
    RAISE EXCEPTION 'the script for % is incomplete', current_setting('yg.repository');
  END IF;
END$$;
"""
_KEY = "PRIMARY KEY (repository)"
# Loaded again without texts, a repository has none.
_DELETE_TEXTS = """\
DO $$BEGIN
  IF to_regclass('yg_texts') IS NOT NULL THEN
    DELETE FROM yg_texts WHERE repository = current_setting('yg.repository');
  END IF;
END$$;
"""
_COPY_ESCAPES = (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"))


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
    name = _literal(export.repository)
    yield f"SET LOCAL yg.repository = {name};\n"
    yield from _definitions(has_texts=texts is not None)
    yield _added("excluded")
    if tokenizer_of(export):
        yield _added("tokenizer")
    tables = ("yg_repositories", "yg_nodes", "yg_edges")
    for table in tables if texts is None else (*tables, "yg_texts"):
        yield f"DELETE FROM {table} WHERE repository = {name};\n"  # noqa: S608
    if texts is None:
        yield _DELETE_TEXTS
    yield from _copy("yg_repositories", REPOSITORY_COLUMNS, [row])
    yield from _copy_items("yg_nodes", node_columns(export), own_vertices(export))
    yield from _copy_items("yg_edges", EDGE_COLUMNS, export.edges)
    if texts is not None:
        yield from _copy_items("yg_texts", TEXT_COLUMNS, texts)
    yield "COMMIT;\n"


def _definitions(*, has_texts: bool) -> Iterator[str]:
    yield _table("yg_repositories", REPOSITORY_COLUMNS, _KEY)
    yield _table("yg_nodes", NODE_COLUMNS)
    yield _indexes("yg_nodes", ("id",), ("repository",))
    yield _table("yg_edges", EDGE_COLUMNS)
    yield _indexes("yg_edges", ("source", "target"), ("repository", "target_repository"))
    if has_texts:
        yield _table("yg_texts", TEXT_COLUMNS)
        yield _indexes("yg_texts", ("node",), ("repository",))


def _table(table: str, columns: Iterable[str], *constraints: str) -> str:
    columns_typed = (f"{name} {_TYPES.get(name, _TEXT)}" for name in columns)
    lines = ",\n".join(f"  {line}" for line in (*columns_typed, *constraints))
    return f"CREATE TABLE IF NOT EXISTS {table} (\n{lines}\n);\n"


def _added(column: str) -> str:
    """Add a column to a table that was created without it."""
    # Asked first, because ALTER TABLE waits for all readers even if there is nothing to add.
    return f"""\
DO $$BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM pg_attribute WHERE attrelid = 'yg_nodes'::regclass AND attname = '{column}'
  ) THEN
    ALTER TABLE yg_nodes ADD COLUMN {column} {_TYPES[column]};
  END IF;
END$$;
"""  # noqa: S608


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


def _copy_items(table: str, columns: Sequence[str], items: Iterable[Item]) -> Iterator[str]:
    return _copy(table, columns, map(attrgetter(*columns), items))


def _field(value: object) -> str:
    """Write a value in the text format of COPY."""
    if isinstance(value, str):
        # Most texts need no escapes; asking first is several times as fast.
        return value if value.isprintable() and "\\" not in value else _escaped(value)
    if value is None:
        return "\\N"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, tuple):
        return _list(value) if value else "[]"
    return str(value)


@lru_cache
def _list(texts: tuple[str, ...]) -> str:
    # Not storable(dumps(..)): jsonb has no \u0000 and no half of a surrogate pair either.
    return _escaped(json.dumps([storable(text) for text in texts], ensure_ascii=False))


def _escaped(text: str) -> str:
    result = storable(text)
    for character, escape in _COPY_ESCAPES:  # much faster than translate()
        result = result.replace(character, escape)
    return result
