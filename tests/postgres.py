"""A PostgreSQL server of the tests: no network, no configuration, gone with the tests."""

from __future__ import annotations

import importlib.util
import json
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

DEBIAN = Path("/usr/lib/postgresql")
SETTINGS = ("listen_addresses=", "max_connections=20")
EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
UNSAFE = ("fsync=off",)  # a test's data need not survive a crash


def programs() -> Path | None:
    """Return the directory of PostgreSQL's programs: the system's, else those of `pgserver`."""
    package = importlib.util.find_spec("pgserver")
    inside = [Path(package.origin).parent / "pginstall/bin"] if package and package.origin else []
    places = (*sorted(DEBIAN.glob("*/bin"), reverse=True), *inside)
    return next((place for place in places if (place / "initdb").exists()), None)


class Server:
    """A server with an empty directory, reached through a socket in it."""

    def __init__(self, place: Path, settings: tuple[str, ...] = UNSAFE) -> None:
        self.programs = place
        self._settings = (*SETTINGS, *settings)
        self.directory = Path(tempfile.mkdtemp(prefix="yg-pg-", dir="/tmp"))
        self._as_other: list[str] = []
        if os.geteuid() == 0:  # the server refuses to run as root
            other = pwd.getpwnam("nobody")
            os.chown(self.directory, other.pw_uid, other.pw_gid)
            ids = (f"--reuid={other.pw_uid}", f"--regid={other.pw_gid}", "--clear-groups")
            self._as_other = ["setpriv", *ids]

    def start(self) -> None:
        options = ("--auth=trust", "--username=yg", "--encoding=UTF8", "--locale=C", "--no-sync")
        self._run("initdb", f"--pgdata={self._data}", *options)
        settings = " ".join(f"-c {setting}" for setting in self._settings)
        where = f"-k {self.directory} {settings}"
        log = self.directory / "log"
        self._run("pg_ctl", f"--pgdata={self._data}", f"--log={log}", "-w", "-o", where, "start")

    def stop(self) -> None:
        if (self._data / "postmaster.pid").exists():
            self._run("pg_ctl", f"--pgdata={self._data}", "-m", "immediate", "stop")
        shutil.rmtree(self.directory)

    @property
    def _data(self) -> Path:
        return self.directory / "data"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_other, str(self.programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.directory)

    @property
    def environment(self) -> dict[str, str]:
        """Variables with which PostgreSQL's programs connect to this server."""
        return {"PGHOST": str(self.directory), "PGUSER": "yg"}

    def database(self) -> Database:
        """Return a database with nothing in it: always the same, since a new one takes longer."""
        found = self.named("postgres")
        found.load(f"SET client_min_messages = warning; {EMPTY}")
        return found

    def named(self, name: str) -> Database:
        """Return the database with a name."""
        return Database(self.programs / "psql", self.directory, name)


class Database:
    """A database, as somebody uses it who has only psql."""

    def __init__(self, psql: Path, socket: Path, name: str) -> None:
        self._command = [str(psql), "-X", "-q", "-A", "-t", "-h", str(socket), "-U", "yg", name]

    def start(self, **environment: str) -> subprocess.Popen[bytes]:
        """Start psql, which reads statements from its standard input."""
        pipe = subprocess.PIPE
        env = {**os.environ, **environment}
        return subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=pipe, env=env)

    def run(self, sql: str, **environment: str) -> tuple[int, str, str]:
        """Run statements; return the exit code, the output and the messages."""
        with self.start(**environment) as process:
            out, err = process.communicate(sql.encode())
        return process.returncode, out.decode(), err.decode()

    def load(self, sql: str, **environment: str) -> None:
        """Run statements that neither print nor complain about anything."""
        assert self.run(sql, **environment) == (0, "", "")

    def load_file(self, path: Path) -> None:
        """Run the statements in a file, as many as it may have."""
        with path.open("rb") as file:
            subprocess.run(self._command, stdin=file, check=True)

    def shown(self, query: str) -> str:
        """Return the result of a query as psql shows it."""
        code, out, err = self.run(f"\\a\n\\t off\n{query}")
        assert (code, err) == (0, "")
        return "".join(f"{line.rstrip()}\n" for line in out.rstrip("\n").split("\n"))

    def rows(self, query: str) -> list[dict[str, Any]]:
        """Return the rows of a query in their order."""
        code, out, err = self.run(f"SELECT row_to_json(yg_row) FROM ({query}) AS yg_row")
        assert (code, err) == (0, "")
        return [json.loads(line) for line in out.split("\n") if line]


def started() -> Server:
    """Start a server, or skip the test."""
    place = programs()
    if place is None:
        pytest.skip("there is no PostgreSQL server")
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("PostgreSQL refuses to run as root, and there is no setpriv")
    server = Server(place)
    try:
        server.start()
    except subprocess.CalledProcessError:
        server.stop()
        raise
    return server
