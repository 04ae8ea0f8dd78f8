"""Many processes that write one Spec Graph: nothing is lost, and a kill leaves old or new."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from specgraph.graphs import files_of
from specgraph.sketches import nodes_of
from support import files_below, run, write

pytestmark = pytest.mark.slow

YG = [sys.executable, "-m", "yg"]
WRITERS = 20
GRAPH = "specgraph/graph.json"


def made(root: Path, *lines: str) -> Path:
    """Write a graph in which graph.json has the digest of each node."""
    files = {path: str(text) for path, text in files_of(nodes_of(*lines)).items()}
    index = json.loads(files[GRAPH])
    for entry in index["nodes"]:
        entry["sha256"] = sha256(files[f"specgraph/{entry['path']}"].encode()).hexdigest()
    return write(root, {**files, GRAPH: json.dumps(index, indent=2) + "\n"})


def at_once(root: Path, commands: list[list[str]]) -> None:
    """Run commands in parallel; all must succeed."""
    processes = [subprocess.Popen([*YG, *command, "-C", str(root)]) for command in commands]
    assert [process.wait(timeout=300) for process in processes] == [0] * len(commands)


def test_twenty_writers_of_one_graph_lose_nothing(tmp_path: Path) -> None:
    root = made(tmp_path, "F feature", *(f"B-{at} behavior" for at in range(WRITERS)))
    text = ["--title", "A title", "--statement", "What belongs together"]
    links = [["link", "F", "contains", f"B-{at}"] for at in range(WRITERS // 2)]
    nodes = [["node", "add", "feature", f"N-{at}", *text] for at in range(WRITERS // 2)]
    at_once(root, [*links, *nodes])
    content = json.loads((root / "specgraph/nodes/F.json").read_text())
    assert sorted(content["links"]["contains"]) == sorted(f"B-{at}" for at in range(WRITERS // 2))
    listed = {entry["id"] for entry in json.loads((root / GRAPH).read_text())["nodes"]}
    assert {f"N-{at}" for at in range(WRITERS // 2)} <= listed
    assert run("validate", "-C", str(root)).code == 0


def test_readers_see_no_half_of_a_write(tmp_path: Path) -> None:
    root = made(tmp_path, "F feature: contains A B C", "A behavior", "B behavior", "C behavior")
    text = ["--title", "A title", "--statement", "What belongs together"]
    commands = [
        *(["node", "remove", name, "--force"] for name in "ABC"),
        *(["node", "add", "feature", f"N-{at}", *text] for at in range(WRITERS // 2)),
    ]
    processes = [subprocess.Popen([*YG, *command, "-C", str(root)]) for command in commands]
    answers = 0
    while any(process.poll() is None for process in processes):
        assert run("validate", "--no-cache", "-C", str(root)).code == 0
        answers += 1
    assert [process.wait() for process in processes] == [0] * len(commands)
    assert answers


def test_a_writer_that_is_killed_leaves_the_old_or_the_new_graph(tmp_path: Path) -> None:
    """Kill at times spread over a run; most of a run is the start of Python."""
    lines = ("F feature: contains A B C", "A behavior", "B behavior: depends_on A", "C behavior")
    command = ["node", "remove", "A", "--force"]
    root = made(tmp_path / "whole", *lines)
    before = files_below(root)
    start = time.monotonic()
    at_once(root, [command])
    whole = time.monotonic() - start
    after = files_below(root)
    rounds = 40
    for number in range(rounds):
        root = made(tmp_path / str(number), *lines)
        # In a group of its own, so that nothing else is hit.
        process = subprocess.Popen(
            [*YG, *command, "-C", str(root)], start_new_session=True, stdout=subprocess.DEVNULL
        )
        time.sleep(whole * (0.4 + 0.6 * number / rounds))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert run("validate", "-C", str(root)).code == 0
        assert files_below(root) in (before, after)
        assert run("node", "set", "B", "title", "Another", "-C", str(root)).code == 0
        assert run("validate", "-C", str(root)).code == 0
