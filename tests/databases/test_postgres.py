"""`yg export --format sql`, loaded by psql into a PostgreSQL server."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from postgres import Database
from render.exports import HOSTILE, all_hostile, small
from support import NODE, run, run_shop, write_graph
from yg.kernel.errors import YgError
from yg.kernel.escapes import storable
from yg.kernel.export import Draft, EdgeKind, Export, ExportEdge, ExportText, VertexKind
from yg.render.export_sql import LONGEST_NAME, NODE_COLUMNS, export_sql
from yg.render.export_tables import EDGE_COLUMNS, TEXT_COLUMNS

TABLES = ("yg_repositories", "yg_nodes", "yg_edges", "yg_texts")
SHOP = [1, 15, 27, 24]  # rows of the example in each table


def sql(export: Export, texts: tuple[ExportText, ...] | None = None) -> str:
    return export_sql(export, graph="yggdrasil", commit="", texts=texts)


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
    for name in (*NAMES, *NAMES):
        draft = Draft(name, ())
        draft.add(draft.vertex(VertexKind.NODE, "a"))
        database.load(sql(draft.finished()))
    found = database.rows("SELECT repository FROM yg_nodes")
    assert [row["repository"] for row in found] == [storable(name) for name in NAMES]
    assert len(database.rows("SELECT * FROM yg_repositories")) == len(NAMES)


def test_ids_may_be_longer_than_an_entry_of_an_index(database: Database) -> None:
    # Random letters: PostgreSQL would compress others until they fit.
    path = "".join(random.Random(7).choices("abcdefghijklmnopqrstuvwxyz", k=12_000))  # noqa: S311
    draft = Draft("long", ())
    node = draft.vertex(VertexKind.NODE, path)
    draft.link(node, node, ExportEdge(kind=EdgeKind.RELATION, type="uses"))
    texts = (ExportText(repository="long", node=node.id, name=path, text=path),)
    database.load(sql(draft.finished(), texts))
    assert database.rows("SELECT path FROM yg_nodes") == [{"path": path}]


def test_a_name_as_long_as_allowed_fits_and_a_longer_one_is_refused(database: Database) -> None:
    letters = random.Random(7).choices("abcdefghijklmnopqrstuvwxyz", k=LONGEST_NAME)  # noqa: S311
    name = "".join(letters)
    draft = Draft(name, ())
    draft.add(draft.vertex(VertexKind.NODE, "a"))
    database.load(sql(draft.finished(), ()))
    assert database.rows("SELECT repository FROM yg_nodes") == [{"repository": name}]
    with pytest.raises(YgError, match="has 1,001 bytes"):
        sql(replace(draft.finished(), repository=f"{name}x"))


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
