"""Commands that write a Spec Graph: what they print, write and refuse."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from schemas import faults
from specgraph.graphs import files_of
from specgraph.sketches import nodes_of
from support import NODE, files_below, private_folder, run, write, write_graph
from yg.commands import write_specs
from yg.disk.writing.generation import JOURNAL
from yg.disk.writing.journal import commit
from yg.surfaces.cli.outcome import Outcome

NODES = nodes_of("F feature: contains A B", "A behavior: depends_on D", "B behavior", "D decision")
A = "specgraph/nodes/A.json"
COMMANDS = (
    ("node", "add", "feature", "X", "--title", "Title", "--statement", "It is."),
    ("node", "set", "A", "title", "Another"),
    ("node", "remove", "B", "--force"),
    ("link", "B", "depends_on", "D"),
    ("unlink", "A", "depends_on", "D"),
    ("pin", "A"),
    ("lock",),
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return write(tmp_path, {path: str(text) for path, text in files_of(NODES).items()})


def done(place: Path, *argv: str) -> Outcome:
    return run(*argv, "-C", str(place))


def test_a_link_is_written_and_reported(place: Path) -> None:
    size = os.path.getsize(place / "specgraph/nodes/B.json")
    assert done(place, "link", "B", "depends_on", "D") == Outcome(
        f"write   specgraph/nodes/B.json ({size + 54} bytes)\n"
    )
    assert json.loads((place / "specgraph/nodes/B.json").read_text())["links"] == {
        "depends_on": ["D"]
    }
    assert done(place, "link", "B", "depends_on", "D") == Outcome("Nothing to write.\n")
    assert done(place, "unlink", "B", "depends_on", "D").code == 0
    assert done(place, "unlink", "B", "depends_on", "D") == Outcome("Nothing to write.\n")
    assert os.path.getsize(place / "specgraph/nodes/B.json") == size


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_a_dry_run_prints_the_edits_and_writes_nothing(place: Path, argv: tuple[str, ...]) -> None:
    before = files_below(place)
    dry = done(place, *argv, "--dry-run", "--json")
    assert (dry.code, dry.notes, faults(dry.text)) == (0, "", [])
    assert done(place, *argv, "--dry-run").code == 0
    assert files_below(place) == before
    real = done(place, *argv, "--json")
    assert json.loads(real.text) == {**json.loads(dry.text), "dry_run": False}
    assert (files_below(place) == before) == (argv[0] == "pin")
    assert done(place, "validate").code == 0


def test_a_dry_run_shows_the_difference(place: Path) -> None:
    text = done(place, "node", "set", "A", "title", "x\x1b[31m", "--dry-run").text
    assert text == (
        "write   specgraph/nodes/A.json (192 bytes)\n"
        "    @@ -1,7 +1,7 @@\n"
        "     {\n"
        '       "id": "A",\n'
        '       "type": "behavior",\n'
        '    -  "title": "Title A",\n'
        '    +  "title": "x\\u001b[31m",\n'
        '       "expectation": "Something can be seen.",\n'
        '       "verification": "make test",\n'
        '       "links": {\n'
    )


def test_new_errors_refuse_a_change_and_are_printed_as_validate_prints_them(place: Path) -> None:
    before = files_below(place)
    outcome = done(place, "link", "D", "depends_on", "A")
    assert outcome == Outcome(
        "",
        1,
        "E109 A -> depends_on cycle: A -> D -> A.\n"
        "  specgraph/nodes/A.json:9:7\n"
        "  Reverse one link of the cycle, or move the shared part to a third node.\n"
        "error: nothing was written: the change would add 1 error\n"
        "  Errors that exist already do not count.\n",
    )
    data = done(place, "link", "D", "depends_on", "A", "--json")
    assert (data.code, data.text, faults(data.notes)) == (1, "", [])
    assert [issue["code"] for issue in json.loads(data.notes)["issues"]] == ["E109"]
    assert files_below(place) == before


def test_stale_pins_are_reported_and_refuse_nothing(place: Path) -> None:
    write(place, {"fields.json": json.dumps({"verification": ["ls"]})})
    add = ("--title", "Title", "--statement", "It is.", "--from", "fields.json")
    assert done(place, "node", "add", "domain", "S", *add).code == 0
    assert done(place, "node", "add", "domain", "T", *add).code == 0
    assert done(place, "link", "T", "derived_from", "S").code == 0
    assert done(place, "pin", "T").code == 0
    outcome = done(place, "node", "set", "S", "title", "Other title")
    assert (outcome.code, outcome.notes) == (0, "")
    assert "E114 T -> the pin of 'S' does not match its current digest.\n" in outcome.text
    assert outcome.text.endswith("'yg pin NODE' then refreshes their pins.\n")
    assert done(place, "validate").code == 1
    data = json.loads(done(place, "node", "set", "S", "title", "Title", "--json").text)
    assert data["stale_pins"] == []  # as it was when it was pinned
    assert done(place, "node", "set", "S", "title", "Other title").code == 0
    assert done(place, "pin", "T").code == 0
    assert done(place, "validate").code == 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("node", "add", "x", "X"), "unknown type 'x'"),
        (("node", "add", "feature"), "'yg node add' takes TYPE ID"),
        (("node", "set", "A", "title"), "'yg node set' takes ID FIELD VALUE"),
        (("node", "remove"), "'yg node remove' takes ID"),
        (("node", "remove", "A", "--title", "T"), "--title requires 'yg node add'"),
        (("node", "remove", "A", "--from", "T"), "--from requires 'yg node add'"),
        (("node", "set", "A", "b", "c", "--force"), "--force requires 'yg node remove'"),
        (
            ("node", "show", "A", "--dry-run"),
            "--dry-run requires 'yg node add' or 'yg node set' or 'yg node remove'",
        ),
        (("link", "A", "needs", "B"), "yg link: argument EDGE: invalid choice: 'needs'"),
        (("pin",), "no node given"),
        (("lock", "A"), "yg lock: unrecognized arguments: A"),
    ],
)
def test_wrong_arguments_are_usage_errors(place: Path, argv: tuple[str, ...], message: str) -> None:
    outcome = done(place, *argv)
    assert outcome.code == 2
    assert outcome.notes.startswith(f"error: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read 'fields.json': no such file or directory"),
        ("{", "not valid JSON: expected a key in double quotes (line 1)"),
        ("[]", "does not hold a JSON object"),
        (b"\xff", "cannot read 'fields.json': not UTF-8 at byte 0 (0xff)"),
    ],
)
def test_a_file_with_fields_must_hold_an_object(
    place: Path, content: str | bytes | None, message: str
) -> None:
    if content is not None:
        write(place, {"fields.json": content})
    outcome = done(place, "node", "add", "feature", "X", "--from", "fields.json")
    assert (outcome.code, outcome.text) == (1, "")
    assert message in outcome.notes


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_another_kind_of_graph_is_reported_plainly(tmp_path: Path, argv: tuple[str, ...]) -> None:
    place = write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    command = f"{argv[0]} {argv[1]}" if argv[0] == "node" else argv[0]
    assert done(place, *argv) == Outcome(
        "",
        1,
        f"error: yg {command} belongs to Spec Graphs, and "
        "the graph in .yggdrasil/ is of kind yggdrasil\n",
    )


def test_an_edit_of_somebody_else_meanwhile_is_not_overwritten(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(root: str, *rest: object) -> None:
        (place / A).write_text("{}")
        commit(root, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(write_specs, "commit", late)
    assert done(place, "node", "set", "A", "title", "Another") == Outcome(
        "",
        1,
        f"error: '{A}' changed while the command was running\n"
        "  Nothing was written. Run the command again.\n",
    )
    assert (place / A).read_text() == "{}"


def test_the_folder_may_be_a_link_inside_the_work_tree(place: Path) -> None:
    (place / "specgraph").rename(place / "elsewhere")
    (place / "specgraph").symlink_to("elsewhere")
    assert done(place, "node", "set", "A", "title", "Another").code == 0
    assert '"Another"' in (place / A).read_text()


def test_the_folder_may_not_be_a_link_to_another_place(place: Path) -> None:
    inner = place / "inner"
    inner.mkdir()
    (inner / "specgraph").symlink_to("../specgraph")
    before = files_below(place / "specgraph")
    outcome = done(inner, "node", "set", "A", "title", "Another")
    assert outcome.code == 1
    assert "outside this work tree" in outcome.notes
    assert files_below(place / "specgraph") == before


def test_a_folder_of_nodes_that_is_a_link_is_not_written(place: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (place / "specgraph/nodes").rename(outside)
    (place / "specgraph/nodes").symlink_to(outside)
    before = files_below(outside)
    for argv in COMMANDS:
        is_allowed = argv[:2] == ("node", "remove")  # graph.json is in the folder itself
        assert done(place, *argv).code == (0 if is_allowed else 1)
    assert files_below(outside) == before


def test_an_interrupted_write_is_completed_by_the_next_command(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_below(place)
    with monkeypatch.context() as patch:
        patch.setattr("yg.disk.writing.journal._remove", lambda _root, _folder: None)
        assert done(place, *COMMANDS[0]).code == 0
    after = files_below(place)
    new = "specgraph/nodes/features/X.json"
    write(place, {path: text for path, text in before.items() if path != new})  # but for one file
    outcome = done(place, "tree")
    assert outcome.notes == ("warning: completed a write to specgraph/ that was interrupted\n")
    assert "X" in outcome.text
    assert files_below(place) == after
    assert not os.path.lexists(private_folder(place, "specgraph") / JOURNAL)
    assert done(place, "tree").notes == ""
