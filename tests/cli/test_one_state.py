"""Answers while another process writes to a Spec Graph: of the old state, or of the new one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from specgraph.graphs import files_of
from specgraph.sketches import nodes_of
from support import run, write
from yg.commands import one_state
from yg.disk.files.apply import Applier, ApplyError
from yg.disk.writing import journal
from yg.disk.writing.journal import commit
from yg.disk.writing.lock import writing
from yg.kernel.edit import Delete, Write
from yg.kernel.errors import YgError
from yg.specgraph.read.reader import Reader
from yg.surfaces.cli.outcome import Outcome
from yg.surfaces.mcp.calls import call_tool
from yg.surfaces.mcp.service import Service, roots_of
from yg.workspace.opened import OpenWorkspace
from yg.workspace.opening import open_workspace

if TYPE_CHECKING:
    from yg.specgraph.model import NodeReading, Reference

FOLDER = "specgraph"
OLD = nodes_of("A behavior: depends_on B", "B decision", "C decision")
NEW = nodes_of("A behavior: depends_on D", "C decision: depends_on D", "D decision")
FILES = tuple(dict.fromkeys((*files_of(OLD), *files_of(NEW))))


def contents(nodes: dict[str, Any]) -> dict[str, bytes | None]:
    """Return the content of every file, None for those that such a graph does not have."""
    files = files_of(nodes)
    return {path: str(files[path]).encode() if path in files else None for path in FILES}


def edits(nodes: dict[str, Any]) -> list[Write | Delete]:
    found = contents(nodes)
    written = [Write(path, data) for path, data in found.items() if data is not None]
    return [*written, *(Delete(path) for path, data in found.items() if data is None)]


def made(root: Path, nodes: dict[str, Any] = OLD) -> str:
    return str(write(root, {path: str(text) for path, text in files_of(nodes).items()}))


def change(root: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Do what another process would, but do not wait for long."""
    with writing(root, FOLDER, 0.01):
        commit(root, FOLDER, edits(after), contents(before))


def exported(nodes: dict[str, Any], root: Path) -> Outcome:
    return run("export", "--json", "-C", made(root / "same" / "r", nodes))


class Writer:
    """Changes the graph whenever a node has been read, a number of times."""

    def __init__(self, root: str, times: int) -> None:
        self.root, self.left, self.is_new = root, times, False

    def write(self) -> None:
        if self.left:
            self.left -= 1
            states = (NEW, OLD) if self.is_new else (OLD, NEW)
            self.is_new = not self.is_new
            change(self.root, *states)

    def join(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Write after each first node of a graph that is read from files."""
        real = Reader.node

        def node(reader: Reader, reference: Reference) -> NodeReading:
            found = real(reader, reference)
            if reference.id == "A":
                self.write()
            return found

        monkeypatch.setattr(Reader, "node", node)


@pytest.mark.parametrize("times", range(one_state.ATTEMPTS))
def test_a_command_answers_from_one_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    root = made(tmp_path / "r")
    expected = exported(NEW if times % 2 else OLD, tmp_path)
    Writer(root, times).join(monkeypatch)
    assert run("export", "--json", "-C", root) == expected


def test_writers_have_to_wait_at_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last attempt holds the lock, so that an impatient writer gives up."""
    root = made(tmp_path / "r")
    Writer(root, 100).join(monkeypatch)
    opened.clear()
    with pytest.raises(ApplyError, match="another process is writing"):
        one_state.of_one_state(lambda: read_all(root), lambda: opened[-1:])
    assert len(opened) == one_state.ATTEMPTS + 1


opened: list[OpenWorkspace] = []


def read_all(root: str) -> tuple[str, ...]:
    opened.append(open_workspace(root))
    return tuple(opened[-1].specs.nodes)


def test_an_error_of_a_mixed_state_is_not_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made(tmp_path / "r")
    Writer(root, 1).join(monkeypatch)

    def ask() -> tuple[str, ...]:
        found = read_all(root)
        if found not in (tuple(OLD), tuple(NEW)):
            raise YgError("a node is missing")
        return found

    assert one_state.of_one_state(ask, lambda: opened[-1:]) == tuple(NEW)


def test_an_agent_is_reported_one_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = made(tmp_path / "r")
    Writer(root, 1).join(monkeypatch)
    service = Service(roots=roots_of(root, []))
    found = call_tool(service, "validate", {}).structured_content
    assert found is not None
    assert found["issues"] == json.loads(exported_issues(tmp_path))["issues"]


def exported_issues(root: Path) -> str:
    return run("validate", "--json", "-C", made(root / "new", NEW)).text


def interrupted(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a write that is half done, as a writer does that is killed."""

    def stop(_applier: Applier, _path: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Applier, "_delete", stop)
        with pytest.raises(KeyboardInterrupt):
            change(root, OLD, NEW)


def test_who_cannot_write_reads_the_new_state_from_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made(tmp_path / "r")
    expected = exported(NEW, tmp_path)
    interrupted(root, monkeypatch)

    def refuse(*_arguments: object) -> None:
        raise ApplyError("read-only")

    monkeypatch.setattr(journal, "writing", refuse)
    found = run("export", "--json", "-C", root)
    assert (found.text, found.code) == (expected.text, 0)
    assert found.notes.startswith("warning: a write to specgraph/ is not complete;")
    assert (tmp_path / "r/specgraph/nodes/B.json").exists()
    (tmp_path / "r/specgraph/nodes/A.json").write_text("{}")
    note = "because 'specgraph/nodes/A.json' was edited since"
    assert note in run("export", "--json", "-C", root).notes


def test_what_is_found_in_a_journal_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made(tmp_path / "r")
    run("find", "decision", "-C", root)
    interrupted(root, monkeypatch)
    with writing(root, FOLDER), monkeypatch.context() as patch:
        patch.setattr(journal, "READERS_PATIENCE", 0.01)
        service = Service(roots=roots_of(root, []))
        for _ in range(2):
            found = call_tool(service, "find", {"words": "decision"}).structured_content
            assert found is not None
            assert {item["path"] for item in found["results"]} == {"C", "D"}
    assert "D" in run("find", "decision", "-C", root).text


def test_a_write_changes_the_generation_even_if_it_fails(tmp_path: Path) -> None:
    root = made(tmp_path / "r")
    workspace = open_workspace(root)
    states = [workspace.is_outdated]
    with writing(root, FOLDER), pytest.raises(YgError):
        commit(root, FOLDER, [*edits(NEW), Delete(f"{FOLDER}/missing")], contents(OLD))
    assert [*states, workspace.is_outdated] == [False, True]
    assert open_workspace(root).specs.nodes.keys() == OLD.keys()
