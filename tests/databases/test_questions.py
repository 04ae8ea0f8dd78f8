"""The commands of docs/organisation.md, run as they are, give the results that the page shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from forked import shared
from postgres import Database, Server
from support import REPOSITORY, SHOP_ROOT

PAGE = (REPOSITORY / "docs" / "organisation.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"```sql\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
LOAD, CHANGED_FILES, EXAMPLE, PARQUET, *_ = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
VIEWS = re.findall(r"```sql\n(CREATE VIEW.*?)```", PAGE, re.DOTALL)[0]
UNNEST = ("jsonb_array_elements_text(node.mapping)", "(SELECT unnest(node.mapping))")


def run_in(place: Path, script: str, server: Server, **environment: str) -> str:
    """Run a script in a shell; return what it wrote to both streams."""
    path = os.pathsep.join((str(server.programs), shared().path))
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=place,
        env={**os.environ, **server.environment, "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return done.stdout


def sources(place: Path) -> Path:
    """Return a directory with what the page needs of our sources."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SHOP_ROOT, place / "yg/examples/shop", ignore=ignored)
    return place / "yg"


@pytest.fixture
def graphs(server: Server) -> Iterator[Database]:
    """Return the database that the page calls so; the test creates it."""
    yield server.named("graphs")
    server.named("postgres").load("DROP DATABASE graphs")


def test_postgres_answers_as_the_page_shows(
    server: Server, graphs: Database, tmp_path: Path
) -> None:
    assert run_in(sources(tmp_path), EXAMPLE, server) == ""
    assert len(QUESTIONS) == 3
    for query, result in QUESTIONS:
        assert graphs.shown(query) == result


@pytest.mark.slow
def test_duckdb_gives_the_same_answers(
    server: Server, graphs: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_in(sources(tmp_path), EXAMPLE, server)
    assert run_in(tmp_path / "shop", PARQUET, server) == ""
    monkeypatch.chdir(tmp_path / "shop")
    with duckdb.connect("graphs/graphs.db") as connection:
        connection.execute(VIEWS)
        assert UNNEST[0] in QUESTIONS[2][0]
        for query, result in QUESTIONS:
            rows = connection.execute(query.replace(*UNNEST)).fetchall()
            lines = result.split("\n")[2:-2]  # without the heading and the number of rows
            shown = [[cell.strip() for cell in line.split("|")] for line in lines]
            assert [[str(cell) for cell in row] for row in rows] == shown


MIRRORS = """\
createdb graphs
git init --quiet --bare ../git/empty.git
cp -R examples/shop ../shop && cd ../shop && git init --quiet && git add .
GIT_COMMITTER_DATE="$(date --date='8 days ago' --iso-8601=seconds)" \\
  git commit --quiet --message 'A week ago'
echo 'Prices are in cents.' >> .yggdrasil/model/orders/pricing/interface.md
mkdir deploy && echo 'replicas: 2' > deploy/shop.yaml && rm pyproject.toml
git add . && git commit --quiet --message 'Now' && git clone --quiet --bare . ../git/shop.git
rm -rf .git .yggdrasil/aspects src && git init --quiet && git add .
git commit --quiet --message 'Begin' && git clone --quiet --bare . ../git/young.git
"""


@pytest.mark.slow
def test_the_nightly_job_gives_the_same_answers_and_loads_a_commit_once(
    server: Server, graphs: Database, tmp_path: Path
) -> None:
    run_in(sources(tmp_path), MIRRORS, server)
    job = f"{LOAD}{CHANGED_FILES}".replace("/srv/git", str(tmp_path / "git"))
    assert 'relation "yg_repositories" does not exist' in run_in(tmp_path, job, server)
    loaded = graphs.rows("SELECT repository, xmin::text FROM yg_repositories ORDER BY repository")
    assert [row["repository"] for row in loaded] == ["shop", "shop@week-ago", "young"]
    assert 'relation "yg_repositories"' not in run_in(tmp_path, job, server)
    again = graphs.rows("SELECT repository, xmin::text FROM yg_repositories ORDER BY repository")
    assert again == loaded
    for query, result in QUESTIONS[:2]:
        assert graphs.shown(query) == result
    assert graphs.rows("SELECT * FROM changed_files ORDER BY repository") == [
        {"repository": "shop", "path": "deploy/shop.yaml"},
        {"repository": "young", "path": "deploy/shop.yaml"},
    ]
