"""`yg export --format csv` and `parquet`, read by DuckDB."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec import Struct

from commands.export.exports import HOSTILE, all_hostile
from support import NODE, run, run_shop, write_graph
from yg.commands.export.parquet import parquet_table
from yg.commands.export.tables import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    TEXT_COLUMNS,
    cell,
    edges_csv,
    nodes_csv,
    texts_csv,
)
from yg.kernel.export import Export, ExportText
from yg.text.escapes import storable

# Nothing is guessed: a cell that looks like a number or a date is a text.
READ_CSV = "read_csv('{}', all_varchar = true, header = true, delim = ',', quote = '\"', "
READ_CSV += "escape = '\"', strict_mode = true, max_line_size = 20000000)"

TEXTS = tuple(
    ExportText(repository="hostile", node=f"hostile:node:{number}", name=text, text=text)
    for number, text in enumerate(HOSTILE)
)


def rows(query: str) -> list[dict[str, Any]]:
    with duckdb.connect() as connection:
        found = connection.execute(query)
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def tables(export: Export) -> dict[str, tuple[tuple[str, ...], tuple[Struct, ...], str]]:
    """Return the columns, the items and the CSV of each table."""
    return {
        "nodes": (NODE_COLUMNS, export.vertices, nodes_csv(export)),
        "edges": (EDGE_COLUMNS, export.edges, edges_csv(export)),
        "texts": (TEXT_COLUMNS, TEXTS, texts_csv(TEXTS)),
    }


@pytest.mark.parametrize("table", ["nodes", "edges", "texts"])
def test_hostile_texts_arrive_in_csv_as_they_are(table: str, tmp_path: Path) -> None:
    columns, items, text = tables(all_hostile())[table]
    file = tmp_path / "table.csv"
    file.write_bytes(text.encode())
    assert rows(f"SELECT * FROM {READ_CSV.format(file)}") == [
        {name: cell(getattr(item, name)) or None for name in columns} for item in items
    ]


@pytest.mark.parametrize("table", ["nodes", "edges", "texts"])
def test_hostile_texts_arrive_in_parquet_as_they_are(table: str, tmp_path: Path) -> None:
    columns, items, _ = tables(all_hostile())[table]
    file = tmp_path / "table.parquet"
    file.write_bytes(parquet_table(columns, items))  # type: ignore[arg-type]

    def value(field: object) -> object:
        if isinstance(field, tuple):
            return [storable(text) for text in field]
        return storable(str(field)) if isinstance(field, str) else field

    assert rows(f"SELECT * FROM '{file}'") == [
        {name: value(getattr(item, name)) for name in columns} for item in items
    ]


def test_parquet_has_the_columns_of_csv_and_keeps_types(tmp_path: Path) -> None:
    for table in ("nodes", "edges", "texts"):
        file = tmp_path / f"{table}.parquet"
        outcome = run_shop("export", "--format", "parquet", "--table", table, "-o", str(file))
        assert (outcome.code, outcome.text, outcome.notes) == (0, "", "")
        header = run_shop("export", "--format", "csv", "--table", table).text.split("\n")[0]
        assert list(rows(f"SELECT * FROM '{file}'")[0]) == header.split(",")
    query = f"SELECT * FROM '{tmp_path}/nodes.parquet' WHERE path = 'orders/pricing'"
    [node] = rows(query)
    assert (node["mapping"], node["blackbox"]) == (["src/shop/orders/pricing.py"], False)
    assert isinstance(node["tokens"], int)


def test_a_table_of_many_repositories_is_all_their_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        file = tmp_path / f"{name}.parquet"
        run_shop("export", "--format", "parquet", "--repository", name, "-o", str(file))
    query = f"SELECT repository, count(*) AS n FROM '{tmp_path}/*.parquet' GROUP BY 1 ORDER BY 1"
    assert rows(query) == [{"repository": "a", "n": 15}, {"repository": "b", "n": 15}]


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    files = (tmp_path / "1", tmp_path / "2")
    for file in files:
        run_shop("export", "--format", "parquet", "--table", "edges", "-o", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_text_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    declared = {"model/a/yg-node.yaml": NODE.encode()}
    write_graph(tmp_path, {**declared, "model/a/responsibility.md": b"\xff"})
    outcome = run("export", "--format", "csv", "--table", "texts", "-C", str(tmp_path))
    assert (outcome.code, outcome.text) == (0, "repository,node,name,text\n")
    assert outcome.notes == (
        "warning: cannot read '.yggdrasil/model/a/responsibility.md': not UTF-8 at byte 0 (0xff); "
        "its text is left out\n"
    )


def test_a_file_is_written_relative_to_the_directory(tmp_path: Path) -> None:
    write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    here = ("export", "-C", str(tmp_path), "--json")
    outcome = run(*here, "-o", "graph.json")
    assert (outcome.code, outcome.text) == (0, "")
    assert json.loads((tmp_path / "graph.json").read_text())["repository"] == "test"
    for file, problem in (
        ("none/graph.json", "No such file or directory"),
        (".", "Is a directory"),
    ):
        refused = run(*here, "-o", file)
        assert (refused.code, refused.text) == (1, "")
        assert f"cannot write '{file}': {problem}" in refused.notes


def test_only_parquet_needs_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for argv in (("csv",), ("sql",), ("csv", "--table", "texts")):
        assert run("export", "-C", str(tmp_path), "--format", *argv).code == 0
    outcome = run("export", "-C", str(tmp_path), "--format", "parquet", "-o", "nodes.parquet")
    assert (outcome.code, outcome.text) == (1, "")
    assert "requires the extra 'parquet': pip install 'yggdrasil-context[parquet]'" in outcome.notes
    assert not (tmp_path / "nodes.parquet").exists()
