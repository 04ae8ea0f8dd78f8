"""`yg export --format sql`, loaded by psql into a PostgreSQL server."""

from __future__ import annotations

import json
import os
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from commands.export.exports import HOSTILE, all_hostile, small
from postgres import Database
from support import CONFIG, NODE, REPOSITORY, run, run_shop, write, write_graph
from yg.commands.export.sql import LONGEST_NAME, export_sql
from yg.commands.export.tables import EDGE_COLUMNS, NODE_COLUMNS, TEXT_COLUMNS
from yg.kernel.errors import YgError
from yg.kernel.export import (
    EdgeKind,
    Export,
    ExportBuilder,
    ExportEdge,
    ExportText,
    VertexKind,
    updated,
)
from yg.text.escapes import storable

TABLES = ("yg_repositories", "yg_nodes", "yg_edges", "yg_texts")
SHOP = [1, 15, 28, 24]  # rows of the example in each table


def sql(export: Export, texts: tuple[ExportText, ...] | None = None) -> str:
    return export_sql(export, graph="yggdrasil", commit="", texts=texts)


@cache
def shop_sql(*argv: str) -> str:
    outcome = run_shop("export", "--format", "sql", *argv)
    assert (outcome.code, outcome.notes) == (0, "")
    return outcome.text


def contents(database: Database, *tables: str) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of some tables, sorted by their text."""
    return {name: database.rows(f"SELECT * FROM {name} AS r ORDER BY r::text") for name in tables}


def stored(items: tuple[Struct, ...], columns: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return what a table must hold: the fields, with escapes for what no database can hold."""

    def value(field: object) -> object:
        if isinstance(field, tuple):
            return [storable(text) for text in field]
        return storable(str(field)) if isinstance(field, str) else field

    return [{name: value(getattr(item, name)) for name in columns} for item in items]


def test_loading_twice_changes_nothing(database: Database) -> None:
    database.load(shop_sql("--texts"))
    once = contents(database, *TABLES)
    assert [len(rows) for rows in once.values()] == SHOP
    database.load(shop_sql("--texts"))
    assert contents(database, *TABLES) == once


def test_a_repository_replaces_its_rows_and_no_others(database: Database, tmp_path: Path) -> None:
    database.load(shop_sql("--texts"))
    shop = contents(database, *TABLES)
    here = ("export", "--format", "sql", "--texts", "-C", str(tmp_path))
    old = {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": "Old.\n"}
    write_graph(tmp_path, old)
    database.load(run(*here).text)
    (tmp_path / ".yggdrasil/model/a").rename(tmp_path / ".yggdrasil/model/b")
    (tmp_path / ".yggdrasil/model/b/responsibility.md").write_text("New.\n")
    database.load(run(*here).text)
    now = {
        name: database.rows(f"SELECT * FROM {name} AS r WHERE repository = 'shop' ORDER BY r::text")
        for name in TABLES
    }
    assert now == shop
    assert database.rows("SELECT id FROM yg_nodes WHERE repository = 'test'") == [
        {"id": "test:node:b"}
    ]
    assert database.rows("SELECT * FROM yg_texts WHERE repository = 'test'") == [
        {"repository": "test", "node": "test:node:b", "name": "responsibility.md", "text": "New.\n"}
    ]


def test_loaded_again_without_texts_a_repository_has_none(database: Database) -> None:
    database.load(shop_sql("--texts"))
    database.load(shop_sql())
    assert contents(database, "yg_texts") == {"yg_texts": []}


def test_without_texts_there_is_no_table_of_them(database: Database) -> None:
    database.load(shop_sql())
    assert database.rows("SELECT to_regclass('yg_texts') AS found") == [{"found": None}]


def test_columns_are_those_of_csv(database: Database) -> None:
    database.load(shop_sql("--texts"))
    columns = "SELECT column_name FROM information_schema.columns WHERE table_name = '{}'"
    for table in ("nodes", "edges", "texts"):
        header = run_shop("export", "--format", "csv", "--table", table).text.split("\n")[0]
        found = database.rows(f"{columns.format(f'yg_{table}')} ORDER BY ordinal_position")
        assert [row["column_name"] for row in found] == header.split(",")


def test_a_table_of_a_version_without_exclusions_gets_their_column(database: Database) -> None:
    database.load(sql(small()))
    database.load("ALTER TABLE yg_nodes DROP COLUMN excluded;")
    database.load(sql(small()))
    assert database.rows("SELECT excluded FROM yg_nodes WHERE path = 'top/a'") == [
        {"excluded": ["*.test.ts", "src/a/old/"]}
    ]


def test_rows_of_a_version_without_exclusions_have_none(database: Database) -> None:
    database.load(sql(small()))
    default = "SELECT column_default FROM information_schema.columns WHERE column_name = 'excluded'"
    assert database.rows(default) == [{"column_default": "'[]'::jsonb"}]


def test_a_tokenizer_adds_its_column(database: Database) -> None:
    estimated = small()
    counted = updated(estimated, lambda vertex: replace(vertex, tokenizer="o200k"))
    query = "SELECT DISTINCT tokenizer FROM yg_nodes"
    database.load(sql(estimated))
    database.load(sql(counted))
    assert database.rows(query) == [{"tokenizer": "o200k"}]
    database.load(sql(counted))
    database.load(sql(estimated))
    assert database.rows(query) == [{"tokenizer": ""}]


@pytest.mark.parametrize(
    ("example", "counts"), [("shop-0x", [1, 9, 11, 10]), ("spec-shop", [1, 27, 42, 27])]
)
def test_every_kind_of_graph_can_be_loaded(
    database: Database, example: str, counts: list[int]
) -> None:
    root = str(REPOSITORY / "examples" / example)
    outcome = run("export", "-C", root, "--format", "sql", "--texts")
    assert (outcome.code, outcome.notes) == (0, "")
    database.load(outcome.text)
    assert [len(rows) for rows in contents(database, *TABLES).values()] == counts


TEXT = (
    'tab\t back\\slash\\\n\\.\n\\N\r\nit\'s "$$" $yg$ :name \\! \x01\x1b\x7f\u2028\ufffe\U0001f600'
)
HOSTILE_NODE = r"""
name: "it's \\. \t$$\e[31m\x01\\"
type: service
relations:
  - {target: b, type: calls, consumes: ["\\.", "x\ty\\N"], failure: "one\n\\.\ntwo\r\n'; --"}
mapping: {paths: ["src/it's", "src/\\", "src/a\tb", "src/日本"]}
"""


def test_hostile_files_arrive_as_they_are(database: Database, tmp_path: Path) -> None:
    name = 'it\'s: a "shop" \\. $$'
    config = CONFIG.replace("name: test", f"name: {json.dumps(name)}")
    files: dict[str, str | bytes] = {
        "yg-config.yaml": config,
        "model/a/yg-node.yaml": HOSTILE_NODE,
        "model/a/responsibility.md": f"{TEXT}{'long ' * 100_000}".encode(),
        "model/b/yg-node.yaml": NODE,
        "model/b/responsibility.md": b"not UTF-8: \xff",
        "model/b/internals.md": b"NUL: \0",
    }
    write(tmp_path, {f".yggdrasil/{path}": text for path, text in files.items()})
    outcome = run("export", "--format", "sql", "--texts", "-C", str(tmp_path))
    assert "'.yggdrasil/model/b/responsibility.md': not UTF-8 at byte 11 (0xff)" in outcome.notes
    assert "'.yggdrasil/model/b/internals.md': binary, with a NUL at byte 5" in outcome.notes
    database.load(outcome.text)
    [node] = database.rows("SELECT * FROM yg_nodes WHERE path = 'a'")
    assert (node["id"], node["repository"]) == ('it\'s%3A%20a%20"shop"%20\\.%20$$:node:a', name)
    assert node["name"] == "it's \\. \t$$\x1b[31m\x01\\"
    assert node["mapping"] == ["src/it's", "src/\\", "src/a\tb", "src/日本"]
    [edge] = database.rows("SELECT * FROM yg_edges")
    assert (edge["repository"], edge["target_repository"]) == (name, name)
    assert edge["consumes"] == ["\\.", "x\ty\\N"]
    assert edge["failure"] == "one\n\\.\ntwo\r\n'; --"
    assert database.rows("SELECT * FROM yg_texts") == [
        {
            "repository": name,
            "node": node["id"],
            "name": "responsibility.md",
            "text": f"{TEXT}{'long ' * 100_000}",
        }
    ]


def test_hostile_texts_arrive_as_they_are(database: Database) -> None:
    export = all_hostile()
    texts = tuple(
        ExportText(repository="hostile", node=f"hostile:node:{number}", name=text, text=text)
        for number, text in enumerate(HOSTILE)
    )
    # Neither the encoding nor the settings of the session matter.
    settings = {"PGCLIENTENCODING": "LATIN1", "PGOPTIONS": "-c standard_conforming_strings=off"}
    database.load(sql(export, texts), **settings)
    assert database.rows("SELECT * FROM yg_nodes") == stored(export.vertices, NODE_COLUMNS)
    assert database.rows("SELECT * FROM yg_edges") == stored(export.edges, EDGE_COLUMNS)
    assert database.rows("SELECT * FROM yg_texts") == stored(texts, TEXT_COLUMNS)


NAMES = (
    "it's",
    "'; DROP TABLE yg_nodes; --",
    "back\\slash'",
    ":name :'name' :\"name\"",
    "$$; $yg$",
    "\\.",
    "\\! false",
    "a\tb\nc\rd",
    "\udcff\0",
    "日本語",
)


def test_hostile_names_of_repositories_are_names(database: Database) -> None:
    builders = [ExportBuilder(name, ()) for name in (*NAMES, *NAMES)]
    for builder in builders:
        builder.add(builder.vertex(VertexKind.NODE, "a"))
    database.load("".join(sql(builder.finished()) for builder in builders))
    found = database.rows("SELECT repository FROM yg_nodes")
    assert [row["repository"] for row in found] == [storable(name) for name in NAMES]
    assert len(database.rows("SELECT * FROM yg_repositories")) == len(NAMES)


def test_ids_may_be_longer_than_an_entry_of_an_index(database: Database) -> None:
    # Random letters: PostgreSQL would compress others until they fit.
    path = "".join(random.Random(7).choices("abcdefghijklmnopqrstuvwxyz", k=12_000))  # noqa: S311
    builder = ExportBuilder("long", ())
    node = builder.vertex(VertexKind.NODE, path)
    builder.link(node, node, ExportEdge(kind=EdgeKind.RELATION, type="uses"))
    texts = (ExportText(repository="long", node=node.id, name=path, text=path),)
    database.load(sql(builder.finished(), texts))
    assert database.rows("SELECT path FROM yg_nodes") == [{"path": path}]


def test_a_name_as_long_as_allowed_fits_and_a_longer_one_is_refused(database: Database) -> None:
    letters = random.Random(7).choices("abcdefghijklmnopqrstuvwxyz", k=LONGEST_NAME)  # noqa: S311
    name = "".join(letters)
    builder = ExportBuilder(name, ())
    builder.add(builder.vertex(VertexKind.NODE, "a"))
    database.load(sql(builder.finished(), ()))
    assert database.rows("SELECT repository FROM yg_nodes") == [{"repository": name}]
    with pytest.raises(YgError, match="has 1,001 bytes"):
        sql(replace(builder.finished(), repository=f"{name}x"))


def test_loads_at_the_same_time_do_not_disturb_each_other(database: Database) -> None:
    names = [f"shop-{number % 4}" for number in range(8)]
    scripts = [shop_sql("--texts", "--repository", name).encode() for name in names]
    running = [database.start() for _ in scripts]
    for process, script in zip(running, scripts, strict=True):
        assert process.stdin is not None
        process.stdin.write(script)
        process.stdin.close()
    for process in running:
        assert process.wait() == 0
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
        process.stdout.close()
        process.stderr.close()
    counts = "SELECT repository, count(*) FROM {} GROUP BY repository ORDER BY repository"
    for table, count in zip(TABLES, SHOP, strict=True):
        assert database.rows(counts.format(table)) == [
            {"repository": f"shop-{number}", "count": count} for number in range(4)
        ]


def test_a_load_that_fails_leaves_nothing_and_runs_no_row(
    database: Database, tmp_path: Path
) -> None:
    file = tmp_path / "ran"
    database.load("CREATE TABLE yg_nodes (id text, repository text)")
    export = small()
    hostile = replace(export.vertices[0], id=f"\\! touch {file}", name=f"\n\\! touch {file}\n")
    text = sql(replace(export, vertices=(hostile,)))
    code, _, messages = database.run(text)
    assert code == 3
    assert 'column "kind" of relation "yg_nodes" does not exist' in messages
    assert not os.path.lexists(file)
    assert database.rows("SELECT to_regclass('yg_edges') AS found") == [{"found": None}]


@pytest.mark.parametrize("end", ["COPY yg_nodes", "\t", "DELETE FROM yg_edges", "COMMIT;"])
def test_a_script_without_its_end_changes_nothing_and_stops_psql(
    database: Database, end: str
) -> None:
    shop = shop_sql("--texts")
    cut = shop[: shop.rindex(end)]
    code, _, messages = database.run(cut + shop_sql("--repository", "other"))
    assert code == 3, messages
    assert database.rows("SELECT to_regclass('yg_nodes') AS found") == [{"found": None}]
    database.load(shop + shop_sql("--repository", "other"))
    assert len(database.rows("SELECT * FROM yg_repositories")) == 2


def test_a_state_of_the_past_lies_beside_the_present(
    database: Database, committed_shop: Path
) -> None:
    here = ("export", "-C", str(committed_shop), "--format", "sql")
    database.load(run(*here, "--texts").text)
    database.load(run(*here, "--texts", "--at", "HEAD", "--repository", "shop@HEAD").text)
    [now, then] = database.rows("SELECT * FROM yg_repositories ORDER BY repository")
    assert now == {"repository": "shop", "graph": "yggdrasil", "commit": ""}
    assert (then["repository"], len(then["commit"])) == ("shop@HEAD", 40)
    same = """
        SELECT count(*) FROM yg_texts AS now JOIN yg_texts AS past
        ON past.node = 'shop@HEAD' || substr(now.node, 5) AND past.name = now.name
        WHERE now.repository = 'shop' AND now.text = past.text
    """
    assert database.rows(same) == [{"count": SHOP[-1]}]
