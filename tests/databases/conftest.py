"""One PostgreSQL server for all tests of a process, with nothing in it when one begins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from postgres import Database, Server, started


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    found = started()
    yield found
    found.stop()


@pytest.fixture
def database(server: Server) -> Database:
    return server.database()
