"""The three questions of docs/organisation.md give the results that the page shows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import duckdb

from postgres import Database
from support import REPOSITORY, run

PAGE = (REPOSITORY / "docs" / "organisation.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"```sql\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
CHANGED = ("src/shop/orders/pricing.py", "src/shop/inventory/stock.py", "deploy/shop.yaml")
ROWS = ", ".join(f"('shop', '{path}')" for path in CHANGED)
CHANGED_FILES = f"""
CREATE TABLE changed_files (repository text, path text);
INSERT INTO changed_files VALUES {ROWS};
"""


def changed_shop(committed_shop: Path, place: Path) -> Path:
    """Copy the shop, and change a contract."""
    root = Path(shutil.copytree(committed_shop, place / "shop"))
    with (root / ".yggdrasil/model/orders/pricing/interface.md").open("a") as file:
        file.write("\nPrices are in cents.\n")
    return root


def test_postgres_answers_as_the_page_shows(
    database: Database, committed_shop: Path, tmp_path: Path
) -> None:
    root = changed_shop(committed_shop, tmp_path)
    here = ("export", "-C", str(root), "--format", "sql", "--texts")
    database.load(run(*here).text)
    database.load(run(*here, "--at", "HEAD", "--repository", "shop@week-ago").text)
    database.load(CHANGED_FILES)
    assert len(QUESTIONS) == 3
    for query, result in QUESTIONS:
        assert database.shown(query) == result


def test_duckdb_gives_the_same_answers(committed_shop: Path, tmp_path: Path) -> None:
    here = ("export", "-C", str(changed_shop(committed_shop, tmp_path)), "--format", "parquet")
    with duckdb.connect() as connection:
        for table in ("nodes", "edges", "texts"):
            now, past = tmp_path / f"{table}-now.parquet", tmp_path / f"{table}-past.parquet"
            run(*here, "--table", table, "-o", str(now))
            old = ("--at", "HEAD", "--repository", "shop@week-ago")
            run(*here, "--table", table, *old, "-o", str(past))
            files = f"read_parquet('{tmp_path}/{table}-*.parquet')"
            connection.execute(f"CREATE VIEW yg_{table} AS SELECT * FROM {files}")
        connection.execute(CHANGED_FILES)
        for query, result in QUESTIONS:
            asked = query.replace(
                "jsonb_array_elements_text(node.mapping) AS", "(SELECT unnest(node.mapping)) AS"
            )
            rows = connection.execute(asked).fetchall()
            lines = result.split("\n")[2:-2]  # without the heading and the number of rows
            shown = [[cell.strip() for cell in line.split("|")] for line in lines]
            assert [[str(cell) for cell in row] for row in rows] == shown
