"""Repositories that are served to tests, and an agent that asks about them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import ALPHA, SPEC_GRAPH, Agent, agent, repository
from support import git, write, write_graph

SERVED = ("one", "two", "broken", "empty", "misnamed", "old", "spec")
EMPTY = ("empty", "spec")  # of a graph of the usual kind


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make repositories that are served, and one (three) that is not."""
    top = tmp_path_factory.mktemp("places")
    for name in (*SERVED, "three"):
        repository(top / name) if name not in EMPTY else (top / name).mkdir()
    (top / "one" / "link").symlink_to(top / "three")
    git(top / "two", "init", "-q")
    relation = "relations: [{target: nowhere, type: calls}]\n"
    write_graph(top / "broken", {"model/a/yg-node.yaml": ALPHA + relation})
    write_graph(top / "misnamed", {"model/a/yg-node.yaml": ALPHA.replace("src/a.py", "src")})
    Path(os.fsdecode(os.fsencode(top / "misnamed" / "src") + b"/\xff.py")).touch()
    write_graph(top / "old", {".drift-state": '{"a": {"hash": "00"}}'})
    write(top / "spec", SPEC_GRAPH)
    return top


@pytest.fixture(scope="session")
def asking(places: Path) -> Iterator[Agent]:
    roots = [word for name in SERVED for word in ("--root", str(places / name))]
    with agent(*roots) as connected:
        yield connected
