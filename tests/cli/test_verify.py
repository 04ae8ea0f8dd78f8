"""`yg verify`: the checks of a node are run, shown and counted, and nothing else is run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from schemas import faults
from specgraph.graphs import Data, files_of, node
from support import NODE, run, write, write_graph
from yg.disk import shell
from yg.disk.shell import run_shell
from yg.surfaces.cli.outcome import Outcome


def made(root: Path, *entries: Any, **others: Data) -> str:
    """Make a graph with a domain concept A that has these checks."""
    nodes = {"A": node("domain", verification=list(entries) or ["true"]), **others}
    return str(write(root, {path: str(text) for path, text in files_of(nodes).items()}))


def results(root: Path, *entries: Any) -> list[tuple[str, str, str]]:
    """Verify A; return state, reason and output of each check."""
    outcome = run("verify", "A", "--json", "-C", made(root, *entries))
    assert faults(outcome.text) == []
    checks = json.loads(outcome.text)["checks"]
    return [(check["state"], check["reason"], check["output"]) for check in checks]


def has_ended(process: str) -> bool:
    """Return whether a process ends; one that was killed may take a moment."""
    stat = Path(f"/proc/{process.strip()}/stat")
    for _ in range(500):
        try:
            status = stat.read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if status == "Z":  # nobody has fetched its exit code yet
            return True
        time.sleep(0.02)
    return False


def test_a_text_is_a_command_and_all_commands_run(tmp_path: Path) -> None:
    command = {"kind": "command", "command": "echo two; exit 3", "expected": "two"}
    outcome = run("verify", "A", "-C", made(tmp_path, "echo one", command, "echo three >&2"))
    assert outcome == Outcome(
        "A: echo one\n    one\n  passed\n"
        "A: echo two; exit 3 => two\n    two\n  failed: exit code 3\n"
        "A: echo three >&2\n    three\n  passed\n"
        "3 checks: 2 passed, 1 failed.\n",
        1,
    )
    assert run("verify", "A", "-C", made(tmp_path, "true")).code == 0
    killed = run("verify", "A", "-C", made(tmp_path, "kill -9 $$"))
    assert killed.text.startswith("A: kill -9 $$\n  failed: ended by signal 9\n")


def test_only_commands_are_run(tmp_path: Path) -> None:
    entries = (
        {"kind": "http", "method": "GET", "url": "http://localhost:1/", "expectStatus": 200},
        {"kind": "manual", "steps": ["Look."]},
        {"kind": "observation", "description": "It is there."},
        {"kind": "policy", "ruleId": "R-1"},
    )
    assert run("verify", "A", "-C", made(tmp_path, *entries)) == Outcome(
        "A: GET http://localhost:1/ -> 200\n  not run: kind http\n"
        "A: Manual: Look.\n  not run: kind manual\n"
        "A: Observe: It is there.\n  not run: kind observation\n"
        "A: Rule R-1\n  not run: kind policy\n"
        "4 checks: 4 not run.\n"
    )


def test_a_dry_run_runs_nothing(tmp_path: Path) -> None:
    place = made(tmp_path, "touch made", {"kind": "command", "command": "x", "cwd": "gone"})
    assert run("verify", "A", "--dry-run", "-C", place) == Outcome(
        "A: touch made\n  not run: dry run\n"
        "A: x (cwd: gone)\n  not run: dry run\n"
        "2 checks: 2 not run.\n"
    )
    assert not (tmp_path / "made").exists()


GUIDED = {
    "D": node("decision", verification=["echo decision"], constrains=["A"]),
    "FND": node("foundation", verification=["echo foundation"]),
    "G": node("feature", contains=["A"], depends_on=["FND"]),
    "P": node("policy", verification=["echo policy"], constrains=["G"]),
    "V": node("equivalence_contract", verification=["echo verified"]),
    "X": node("domain", verification=["echo elsewhere"]),
}


def test_the_checks_are_those_of_the_document_and_of_guides_if_asked_for(tmp_path: Path) -> None:
    target = node("domain", verification=["echo own"], verified_by=["V"], implements=["X"])
    place = made(tmp_path, **{**GUIDED, "A": target})
    plain = run("verify", "A", "-C", place).text
    assert [line.strip() for line in plain.splitlines() if line.startswith("    ")] == [
        "own",
        "policy",
        "verified",
    ]
    guided = json.loads(run("verify", "A", "--with-guides", "--json", "-C", place).text)
    assert [check["node"] for check in guided["checks"]] == ["A", "P", "V", "FND", "D"]


def test_a_group_has_nothing_to_verify(tmp_path: Path) -> None:
    place = made(tmp_path, G=node("feature"))
    assert run("verify", "G", "-C", place) == Outcome("There is nothing to verify.\n")
    assert run("verify", "GONE", "-C", place).code == 1
    assert run("verify", "-C", place).code == 2


def test_a_command_runs_in_its_directory_with_its_environment(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    entry = {
        "kind": "command",
        "command": 'pwd; echo "$COLOUR"; cat',
        "cwd": "web",
        "env": {"COLOUR": "red"},
    }
    expected = f"{os.path.realpath(tmp_path)}/web\nred\n"
    assert results(tmp_path, entry) == [("passed", "", expected)]
    assert results(tmp_path, "pwd") == [("passed", "", f"{os.path.realpath(tmp_path)}\n")]


@pytest.mark.parametrize("cwd", ["..", "/", "gone", "file", "out", "a/../../..", "\0"])
def test_a_directory_outside_is_not_entered(tmp_path: Path, cwd: str) -> None:
    root = write(tmp_path / "root", {"file": ""})
    (root / "out").symlink_to(tmp_path)
    entry = {"kind": "command", "command": f"touch {tmp_path}/ran", "cwd": cwd}
    ((state, reason, _),) = results(root, entry)
    assert (state, reason) == ("failed", f"'{cwd}' is not a directory of the repository")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "entry",
    [
        "a\0b",
        {"kind": "command", "command": "true", "env": {"A": "\0"}},
        {"kind": "command", "command": "true", "env": {"A=B": "x"}},
        "x" * 3_000_000,
    ],
    ids=["nul", "nul in a value", "name with =", "too long"],
)
def test_a_command_that_cannot_be_started_has_failed(tmp_path: Path, entry: Any) -> None:
    ((state, reason, _),) = results(tmp_path, entry)
    assert state == "failed"
    assert reason.startswith("cannot be run: ")


def test_a_command_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path) -> None:
    command = "(trap '' TERM; sleep 60) & echo $! > child; echo before; sleep 60"
    entry = {"kind": "command", "command": command, "timeoutSeconds": 0.3}
    assert results(tmp_path, entry) == [("failed", "timed out after 0.3 s", "before\n")]
    assert has_ended((tmp_path / "child").read_text())


def test_what_a_command_leaves_in_the_background_is_ended(tmp_path: Path) -> None:
    assert results(tmp_path, "sleep 60 & echo $! > child") == [("passed", "", "")]
    assert has_ended((tmp_path / "child").read_text())


def test_control_characters_of_a_command_reach_no_terminal(tmp_path: Path) -> None:
    printed = r"printf '\033]0;owned\007\302\233\r\n\tok \377\n'"
    text = run("verify", "A", "-C", made(tmp_path, printed)).text
    assert "    \\x1b]0;owned\\x07\\x9b\n    \tok \\xff\n  passed\n" in text
    assert not any(letter < " " and letter not in "\n\t" for letter in text)


def test_only_the_end_of_a_long_output_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell, "MOST", 10)
    text = run("verify", "A", "-C", made(tmp_path, "seq 1000")).text
    assert text.startswith("A: seq 1000\n    .. 3883 bytes omitted\n\n    999\n    1000\n")


def test_it_belongs_to_spec_graphs(tmp_path: Path) -> None:
    place = write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    assert run("verify", "a", "-C", str(place)).notes.startswith(
        "error: yg verify belongs to Spec Graphs, and "
    )


def test_another_thread_can_run_commands() -> None:
    from threading import Thread

    found: list[int | None] = []
    thread = Thread(target=lambda: found.append(run_shell("exit 4", "/", {}, None).code))
    thread.start()
    thread.join()
    assert found == [4]


def test_a_request_to_end_ends_the_command_too(tmp_path: Path) -> None:
    place = made(tmp_path, "echo $$ > child; sleep 60")
    command = [sys.executable, "-m", "yg", "verify", "A", "-C", place]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        child = tmp_path / "child"
        while not child.exists() or not child.read_text():
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 130
    assert has_ended(child.read_text())
