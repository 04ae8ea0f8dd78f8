"""Two repositories in one database: who relies on whom, whatever was loaded first."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from postgres import Database
from support import REPOSITORY, run

EXAMPLES = REPOSITORY / "examples"
ORDERS = [("billing", "shop"), ("shop", "billing")]
RELIANT = """
    WITH RECURSIVE reliant (id, depth) AS (
      SELECT 'billing:node:payments/ledger', 0
      UNION
      SELECT edge.source, reliant.depth + 1
      FROM reliant JOIN yg_edges AS edge ON edge.target = reliant.id
      WHERE edge.kind = 'relation'
    )
    SELECT node.repository, node.path, min(reliant.depth) AS depth
    FROM reliant JOIN yg_nodes AS node ON node.id = reliant.id
    WHERE reliant.depth > 0
    GROUP BY node.repository, node.path
    ORDER BY depth, node.repository, node.path
"""
FOUND = [
    ("billing", "invoices/invoice-service", 1),
    ("shop", "payments/payment-service", 1),
    ("shop", "orders/order-service", 2),
]
LEDGER = "SELECT repository, name, type, presence FROM yg_nodes WHERE path = 'payments/ledger'"


def exported(name: str, *argv: str) -> str:
    outcome = run("export", "-C", str(EXAMPLES / name), "--no-drift", *argv)
    assert (outcome.code, outcome.notes) == (0, "")
    return outcome.text


@pytest.mark.parametrize("order", ORDERS)
def test_postgres_follows_relations_into_other_repositories(
    database: Database, order: tuple[str, ...]
) -> None:
    for name in (*order, *order):  # loaded again, nothing changes
        database.load(exported(name, "--format", "sql"))
    rows = database.rows(RELIANT)
    assert [(row["repository"], row["path"], row["depth"]) for row in rows] == FOUND
    assert database.rows(LEDGER) == [
        {"repository": "billing", "name": "Ledger", "type": "service", "presence": "present"}
    ]


def test_an_edge_waits_for_the_repository_it_leads_to(database: Database) -> None:
    database.load(exported("shop", "--format", "sql"))
    edges = "SELECT target FROM yg_edges WHERE target_repository = 'billing'"
    assert database.rows(edges) == [{"target": "billing:node:payments/ledger"}]
    assert database.rows(LEDGER) == []


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_duckdb_gives_the_same_answer(form: str, tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        for table in ("nodes", "edges"):
            for name in ORDERS[0]:
                file = tmp_path / f"{table}-{name}.{form}"
                exported(name, "--format", form, "--table", table, "-o", str(file))
            files = f"read_{form}('{tmp_path}/{table}-*.{form}')"
            connection.execute(f"CREATE VIEW yg_{table} AS SELECT * FROM {files}")
        assert connection.execute(RELIANT).fetchall() == FOUND
        assert connection.execute(LEDGER).fetchall() == [
            ("billing", "Ledger", "service", "present")
        ]
