"""Measures a database of many graphs: loading it, its size, and three questions.

    python benchmarks/organisation.py [--repositories N] [--nodes N] [--past N] [--engine NAME]
                                      [--setting NAME=VALUE ...]

The graphs are generated: every node has an interface, a mapping and three relations, every tenth
node relies on a node of another repository. `--past` repositories are also loaded as they were a
week ago, when one node in a hundred had another interface; one file in a hundred has changed. The
questions are those of docs/organisation.md. Times are those of a clock, then those of processors,
which other work disturbs less: of this program, of the psql that it starts and of the server. The
server is started by this program, with its own settings unless you give others; it needs Linux. One
psql reads all scripts, as in the nightly job of the page. `written` is the time in which yg wrote
the input.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from yg_old.commands.export.parquet import parquet_table
from yg_old.commands.export.sql import export_sql
from yg_old.commands.export.tables import EDGE_COLUMNS, NODE_COLUMNS, TEXT_COLUMNS
from yg_old.kernel.export import (
    EdgeKind,
    ExportBuilder,
    ExportEdge,
    ExportText,
    Presence,
    Vertex,
    VertexKind,
    identity,
)

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from postgres import Server, programs  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yg_old.kernel.export import Export

PAST = "@week-ago"
CALLS = ExportEdge(kind=EdgeKind.RELATION, type="calls", consumes=("get", "put"), failure="wait")
CONTAINS = ExportEdge(kind=EdgeKind.CONTAINS, type="contains")
QUESTIONS = re.findall(
    r"```sql\n(.*?)```\n\n```text",
    (ROOT / "docs/organisation.md").read_text(encoding="utf-8"),
    re.DOTALL,
)
TITLES = ("who relies on a node, at any depth", "changed contracts", "files without an owner")
UNNEST = ("jsonb_array_elements_text(node.mapping)", "(SELECT unnest(node.mapping))")


class Organisation:
    """Repositories that are generated one by one, always the same."""

    def __init__(self, repositories: int, nodes: int, past: int, *, has_texts: bool) -> None:
        self._repositories = repositories
        self._nodes = nodes
        self._past = past
        self._has_texts = has_texts

    @property
    def size(self) -> tuple[int, int]:
        """The number of repositories, and of nodes in each."""
        return self._repositories, self._nodes

    def states(self) -> Iterator[tuple[Export, tuple[ExportText, ...]]]:
        """Yield every repository, then the earlier states of some."""
        now = (self._repository(number, "") for number in range(self._repositories))
        return chain(now, (self._repository(number, PAST) for number in range(self._past)))

    def _repository(self, number: int, state: str) -> tuple[Export, tuple[ExportText, ...]]:
        dice = random.Random(number)
        name = f"{_name(number)}{state}"
        builder = ExportBuilder(name, ("service",))
        vertices = [_vertex(name, path) for path in map(_path, range(self._nodes))]
        for vertex in vertices:
            builder.add(vertex)
        for at, vertex in enumerate(vertices):
            if at % 10:
                builder.link(vertices[at - at % 10], vertex, CONTAINS)
            if at:
                for target in {dice.randrange(at) for _ in range(3)}:
                    builder.link(vertex, vertices[target], CALLS)
            if at % 10 == 0 and number:
                other = dice.randrange(number)
                target = _path(dice.randrange(self._nodes))
                builder.link(vertex, _vertex(_name(other), target), CALLS)
        documented = vertices if self._has_texts else ()
        texts = (_interface(vertex, at, state) for at, vertex in enumerate(documented))
        return builder.finished(), tuple(texts)

    def changed_files(self) -> str:
        """Return statements that create the table of changed files."""
        files = [
            f"('{_name(number)}', '{place}/{_path(at)}/main.py')"
            for number in range(self._repositories)
            for at in range(0, self._nodes, 100)
            for place in ("src", "tools")
        ]
        insert = f"INSERT INTO changed_files VALUES {', '.join(files)};"  # noqa: S608
        return f"CREATE TABLE changed_files (repository text, path text); {insert}"


def _name(number: int) -> str:
    return f"team-{number % 50}/service-{number:04}"


def _path(number: int) -> str:
    return f"domain-{number // 10 * 10:05}" + (f"/part-{number:05}" if number % 10 else "")


def _vertex(repository: str, path: str) -> Vertex:
    return Vertex(
        id=identity(repository, VertexKind.NODE, path),
        repository=repository,
        kind=VertexKind.NODE,
        path=path,
        name=path.capitalize(),
        type="service",
        presence=Presence.PRESENT,
        aspects=("observability/logging", "requires-audit"),
        mapping=(f"src/{path}",),
        tokens=2_000,
        budget="ok",
        drift="ok",
    )


def _interface(vertex: Vertex, number: int, state: str) -> ExportText:
    promise = "Returns what was put last, or fails with NotFound after five seconds.\n"
    old = "It may take a minute.\n" if state and number % 100 == 0 else ""
    text = f"# {vertex.name}\n\n`get(key)` and `put(key, value)`.\n\n{promise * 4}{old}"
    return ExportText(repository=vertex.repository, node=vertex.id, name="interface.md", text=text)


class Figures:
    """Seconds of the clock and of processors, by name, and the answers of the questions."""

    def __init__(self, engine: str, server: Server | None = None) -> None:
        self._engine = engine
        self._server = server
        self._seconds: dict[str, tuple[float, float]] = {}
        self._rows: dict[str, int] = {}

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        clock, processor = time.perf_counter(), self._processor()
        yield
        before = self._seconds.get(name, (0.0, 0.0))
        spent = (time.perf_counter() - clock, self._processor() - processor)
        self._seconds[name] = (before[0] + spent[0], before[1] + spent[1])

    def _processor(self) -> float:
        own = sum(os.times()[:4])
        return own + (_processor_seconds(self._server) if self._server else 0.0)

    def ask(self, questions: list[str], answer: Callable[[str], int]) -> None:
        """Ask each question twice; the second time counts, when the pages are in memory."""
        for title, question in zip(TITLES, questions, strict=True):
            answer(question)
            with self.timed(title):
                self._rows[title] = answer(question)

    def show(self, size: int) -> None:
        print(f"\n{self._engine}: {size / 1e6:,.0f} MB on disk\n")
        for name, (clock, processor) in self._seconds.items():
            rows = f" ({self._rows[name]:,} rows)" if name in self._rows else ""
            print(f"{name:40}{clock:10.2f} s{processor:10.2f} s{rows}")


def _processor_seconds(server: Server) -> float:
    """Return the processor time of a server, of its processes and of those that have ended."""
    with (server.directory / "data/postmaster.pid").open() as file:
        main = int(file.readline())
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    return sum(map(_ticks, (str(main), *children))) / os.sysconf("SC_CLK_TCK")


def _ticks(process: str) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:  # it has just ended; now it counts as a child that has ended
        return 0
    return sum(map(int, stat.rpartition(")")[2].split()[11:15]))


def _questions(repositories: int, nodes: int) -> list[str]:
    """Return the questions; the first about a node of one of the last repositories.

    Relations lead to repositories generated before, so almost all nodes rely on the first ones.
    """
    target = identity(_name(repositories * 19 // 20), VertexKind.NODE, _path(nodes // 100))
    return [question.replace("shop:node:shared/money", target) for question in QUESTIONS]


def postgres(organisation: Organisation, settings: tuple[str, ...]) -> None:
    place = programs()
    if place is None:
        sys.exit("there is no PostgreSQL server")
    server = Server(place, settings)
    figures = Figures(" ".join(("PostgreSQL", *settings)), server)
    server.start()
    try:
        database = server.database()
        scripts = server.directory / "scripts.sql"
        with scripts.open("w", encoding="utf-8") as file:
            for export, texts in organisation.states():
                with figures.timed("written"):
                    sql = export_sql(export, graph="yggdrasil", commit="", texts=texts)
                    file.write(sql)
        with figures.timed("loaded"):
            database.load_file(scripts)
        database.load(organisation.changed_files())
        with figures.timed("analysed"):
            database.load("ANALYZE")
        with figures.timed("one repository loaded again"):
            database.load(sql)
        figures.ask(
            _questions(*organisation.size),
            lambda question: len(database.rows(question.rstrip(";\n"))),
        )
        [found] = database.rows("SELECT pg_database_size(current_database()) AS size")
        figures.show(found["size"])
    finally:
        server.stop()


def duck(organisation: Organisation, _settings: tuple[str, ...]) -> None:
    import duckdb

    figures = Figures("DuckDB")
    place = Path(tempfile.mkdtemp(prefix="yg-duckdb-"))
    try:
        for number, (export, texts) in enumerate(organisation.states()):
            tables = {
                "nodes": (NODE_COLUMNS, export.vertices),
                "edges": (EDGE_COLUMNS, export.edges),
                "texts": (TEXT_COLUMNS, texts),
            }
            for table, (columns, items) in tables.items():
                (place / table).mkdir(exist_ok=True)
                with figures.timed("written"):
                    content = parquet_table(columns, items)
                (place / table / f"{number:05}.parquet").write_bytes(content)
        connection = duckdb.connect(str(place / "graphs.duckdb"))
        for table in ("nodes", "edges", "texts"):
            files = f"read_parquet('{place / table}/*.parquet')"
            with figures.timed("loaded"):
                connection.execute(f"CREATE TABLE yg_{table} AS SELECT * FROM {files}")  # noqa: S608
        connection.execute(organisation.changed_files())
        asked = [question.replace(*UNNEST) for question in _questions(*organisation.size)]
        figures.ask(asked, lambda question: len(connection.execute(question).fetchall()))
        connection.close()
        figures.show((place / "graphs.duckdb").stat().st_size)
    finally:
        shutil.rmtree(place)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repositories", type=int, default=1_000)
    parser.add_argument("--nodes", type=int, default=1_000, help="nodes of each repository")
    parser.add_argument("--past", type=int, default=100, help="repositories with an earlier state")
    parser.add_argument("--engine", choices=("postgres", "duckdb"), help="only this one")
    parser.add_argument("--setting", action="append", default=[], help="of PostgreSQL")
    parser.add_argument("--no-texts", action="store_true", help="nodes and edges only")
    args = parser.parse_args()
    past = min(args.past, args.repositories)
    organisation = Organisation(args.repositories, args.nodes, past, has_texts=not args.no_texts)
    for name, measure in (("postgres", postgres), ("duckdb", duck)):
        if args.engine in (None, name):
            measure(organisation, tuple(args.setting))


if __name__ == "__main__":
    main()
