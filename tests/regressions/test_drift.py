"""What once went wrong with drift, and must not again: nothing recorded is lost unseen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forked import UNPRIVILEGED, shared
from support import CONFIG, NODE, run, write
from support import node_owning as node
from yg.surfaces.cli.outcome import Outcome

STATE = ".yggdrasil/.drift-state"
MODEL = ".yggdrasil/model"
OLD_STATE = {"hash": "1", "files": {"src/a.py": "2"}}
PATIENCE = 60  # seconds after which a command hangs


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


TWO = {
    f"{MODEL}/a/yg-node.yaml": node("src/a.py"),
    f"{MODEL}/b/yg-node.yaml": node("src/b"),
    "src/a.py": "a\n",
    "src/b/x.py": "x\n",
}


def repository(root: Path, files: Mapping[str, str | bytes] = TWO) -> Path:
    return write(root, {".yggdrasil/yg-config.yaml": CONFIG, **files})


def synced(root: Path, files: Mapping[str, str | bytes] = TWO) -> Path:
    repository(root, files)
    assert sync(root, "--all").code == 0
    return root


def sync(root: Path, *argv: str) -> Outcome:
    return run("drift-sync", "-C", str(root), *argv)


def drift(root: Path, *argv: str) -> Outcome:
    return run("drift", "-C", str(root), *argv)


def drift_of(root: Path, name: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = json.loads(drift(root, "--json").text)["nodes"]
    return next(entry for entry in found if entry["node"] == name)


def states(root: Path) -> dict[str, bytes]:
    """Return every file of the drift state as it is on the disk."""
    return {
        path.relative_to(root / STATE).as_posix(): path.read_bytes()
        for path in sorted((root / STATE).rglob("*"))
        if path.is_file()
    }


def unprivileged(root: Path, *argv: str) -> Ran:
    """Run a command to which permissions apply, even for root."""
    if os.geteuid() == 0 and sys.platform != "linux":
        pytest.skip("root may read everything here")
    done = subprocess.run(
        [*shared().python(UNPRIVILEGED), *argv],
        cwd=root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextmanager
def closed(path: Path) -> Iterator[None]:
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        yield
    finally:
        path.chmod(mode)


def refuses_to_record(root: Path, name: str, reason: str) -> None:
    """Check that one node cannot be recorded, for a reason, and that its baseline stays."""
    before = states(root)
    outcome = sync(root, name)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(f"error: cannot synchronize {name}: ")
    assert reason in outcome.notes
    assert states(root) == before


# A model that cannot be seen is not an empty one.


def a_file(model: Path) -> None:
    shutil.rmtree(model)
    model.write_text("not a directory\n", encoding="utf-8")


def a_link(model: Path) -> None:
    moved = model.rename(model.parent.parent / "elsewhere")
    model.symlink_to(moved, target_is_directory=True)


def a_broken_link(model: Path) -> None:
    shutil.rmtree(model)
    model.symlink_to("nowhere")


@pytest.mark.parametrize("replace", [a_file, a_link, a_broken_link])
def test_all_removes_no_baseline_when_the_model_is_not_a_directory(
    tmp_path: Path, replace: Callable[[Path], None]
) -> None:
    root = synced(tmp_path)
    before = states(root)
    replace(root / MODEL)
    assert "Removed" not in sync(root, "--all").text
    assert sorted(before) == ["a.json", "b.json"]
    assert states(root) == before


def test_all_removes_no_baseline_when_the_model_cannot_be_opened(tmp_path: Path) -> None:
    root = synced(tmp_path)
    before = states(root)
    with closed(root / MODEL):
        ran = unprivileged(root, "drift-sync", "--all")
    assert "Traceback" not in ran.err
    assert "Removed" not in ran.out
    assert states(root) == before


def test_all_removes_no_baseline_of_nodes_below_a_directory_that_cannot_be_opened(
    tmp_path: Path,
) -> None:
    files = {**TWO, f"{MODEL}/group/c/yg-node.yaml": node("src/c.py"), "src/c.py": "c\n"}
    root = synced(tmp_path, files)
    before = states(root)
    with closed(root / MODEL / "group"):
        ran = unprivileged(root, "drift-sync", "--all")
    assert "Removed" not in ran.out
    assert "group/c.json" in before
    assert states(root) == before


# Waiting for another writer.


def test_what_changed_while_another_process_was_waited_for_is_what_gets_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = synced(tmp_path)
    files = {f"{MODEL}/c/yg-node.yaml": node("src/c.py"), "src/c.py": "c\n", f"{STATE}/c.json": "x"}

    @contextmanager
    def waited_for(*_: str) -> Iterator[None]:
        write(root, files)
        yield

    monkeypatch.setattr("yg.commands.drift_sync.writing", waited_for)
    outcome = sync(root, "--all")
    assert "Synchronized: c\n" in outcome.text
    assert "src/c.py" in json.loads(states(root)["c.json"])["files"]


def test_the_baseline_of_a_node_that_came_while_waiting_is_not_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = synced(tmp_path)
    files = {
        f"{MODEL}/c/yg-node.yaml": node("src/c.py"),
        "src/c.py": "c\n",
        f"{STATE}/c.json": json.dumps(OLD_STATE),
    }

    @contextmanager
    def waited_for(*_: str) -> Iterator[None]:
        write(root, files)
        yield

    monkeypatch.setattr("yg.commands.drift_sync.writing", waited_for)
    assert "Removed" not in sync(root, "--all").text
    assert sorted(states(root)) == ["a.json", "b.json", "c.json"]


# What cannot be seen as a whole is not recorded.


def test_a_file_in_a_closed_directory_is_not_taken_for_a_deleted_one(tmp_path: Path) -> None:
    root = synced(tmp_path, {**TWO, f"{MODEL}/b/yg-node.yaml": node("src/b/x.py")})
    before = states(root)
    with closed(root / "src/b"):
        found = unprivileged(root, "drift", "b")
        written = unprivileged(root, "drift-sync", "b")
        checked = unprivileged(root, "validate")
    assert "    src/b/x.py (unreadable)\n" in found.out
    assert found.err == "warning: cannot look into 'src/b'\n"
    assert (written.code, states(root)) == (1, before)
    assert "W012 b -> mapping path 'src/b/x.py' is in 'src/b', which cannot be read." in checked.out


def test_an_exclusion_of_files_in_a_closed_directory_is_not_idle(tmp_path: Path) -> None:
    wide = "name: N\ntype: service\nmapping: {paths: [src], exclude: [src/b]}\n"
    root = repository(tmp_path, {**TWO, f"{MODEL}/a/yg-node.yaml": wide})
    with closed(root / "src/b"):
        assert "W012 a" not in unprivileged(root, "validate").out
    (root / "src/b/x.py").unlink()
    assert "W012 a -> exclusion 'src/b' matches no file" in unprivileged(root, "validate").out


def test_a_node_is_not_recorded_while_a_directory_of_its_mapping_is_closed(tmp_path: Path) -> None:
    root = synced(tmp_path, {**TWO, "src/b/deep/y.py": "y\n"})
    before = states(root)
    with closed(root / "src/b/deep"):
        ran = unprivileged(root, "drift-sync", "b")
    assert (ran.code, ran.out) == (1, "")
    assert "cannot look into 'src/b/deep'" in ran.err
    assert states(root) == before


def test_a_closed_directory_outside_its_mapping_does_not_keep_a_node_from_being_recorded(
    tmp_path: Path,
) -> None:
    root = synced(tmp_path, {**TWO, "src/b/deep/y.py": "y\n"})
    write(root, {"src/a.py": "!"})
    with closed(root / "src/b/deep"):
        ran = unprivileged(root, "drift-sync", "a")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Synchronized: a")


def test_a_node_is_not_recorded_while_the_configuration_is_broken(tmp_path: Path) -> None:
    root = synced(tmp_path)
    write(root, {".yggdrasil/yg-config.yaml": "name: [\n", "src/a.py": "!"})
    refuses_to_record(root, "a", "yg-config.yaml cannot be read")


def test_a_node_is_not_recorded_while_an_aspect_it_carries_is_broken(tmp_path: Path) -> None:
    aspect = ".yggdrasil/aspects/careful/yg-aspect.yaml"
    carrier = f"{node('src/a.py')}aspects: [{{aspect: careful}}]\n"
    root = synced(tmp_path, {**TWO, f"{MODEL}/a/yg-node.yaml": carrier, aspect: "name: C\n"})
    write(root, {aspect: "name: [\n", "src/a.py": "!"})
    refuses_to_record(root, "a", "aspect 'careful' cannot be read")


def test_a_node_is_not_recorded_while_an_implied_aspect_is_broken(tmp_path: Path) -> None:
    aspects = {
        ".yggdrasil/aspects/careful/yg-aspect.yaml": "name: C\nimplies: [exact]\n",
        ".yggdrasil/aspects/exact/yg-aspect.yaml": "name: E\n",
    }
    carrier = f"{node('src/a.py')}aspects: [{{aspect: careful}}]\n"
    root = synced(tmp_path, {**TWO, **aspects, f"{MODEL}/a/yg-node.yaml": carrier})
    write(root, {".yggdrasil/aspects/exact/yg-aspect.yaml": "name: [\n", "src/a.py": "!"})
    refuses_to_record(root, "a", "aspect 'exact' cannot be read")


@pytest.mark.parametrize(
    ("name", "path", "inside"), [("a", "src/a.py", ""), ("b", "src/b", ""), ("b", "src", "src")]
)
def test_a_node_is_not_recorded_when_what_it_maps_became_a_link(
    tmp_path: Path, name: str, path: str, inside: str
) -> None:
    root = synced(tmp_path)
    moved = (root / path).rename(root / "moved")
    (root / path).symlink_to(moved)
    refuses_to_record(root, name, f"passes through the link '{inside}'" if inside else "is a link")


def test_a_node_with_one_sound_path_is_not_recorded_when_another_became_a_link(
    tmp_path: Path,
) -> None:
    root = synced(
        tmp_path,
        {**TWO, f"{MODEL}/a/yg-node.yaml": node("src/a.py", "src/c.py")} | {"src/c.py": "c\n"},
    )
    (root / "src/c.py").unlink()
    (root / "src/c.py").symlink_to("a.py")
    refuses_to_record(root, "a", "mapping 'src/c.py' is a link")


# What is gone, or cannot be read, is reported.


def test_an_empty_directory_is_as_good_as_none(tmp_path: Path) -> None:
    root = synced(tmp_path)
    write(root, {f"{MODEL}/a/yg-node.yaml": node("src/a.py", "src/empty")})
    without = drift_of(root, "a")
    assert (without["state"], without["source"]) == (
        "full-drift",
        [
            {
                "path": "src/empty",
                "how": "deleted",
                "to": None,
                "class": "unknown",
                "names": [],
                "parts": [],
            }
        ],
    )
    (root / "src/empty").mkdir(parents=True)
    assert drift_of(root, "a") == without


def test_a_node_that_cannot_be_read_is_reported_and_makes_drift_fail(tmp_path: Path) -> None:
    root = synced(tmp_path)
    write(root, {f"{MODEL}/a/yg-node.yaml": "name: [\n"})
    outcome = drift(root)
    assert outcome.code == 1
    assert outcome.notes.startswith("warning: a is left out: ")
    assert json.loads(drift(root, "--json").text)["notes"][0].startswith("a is left out: ")


# State files that are no state files.


HUGE = f'{{"hash": "1", "files": {{}}, "number": {"9" * 5_000}}}'


def test_a_number_of_very_many_digits_in_a_state_file_is_reported_and_survived(
    tmp_path: Path,
) -> None:
    root = synced(tmp_path)
    write(root, {f"{STATE}/a.json": HUGE})
    outcome = drift(root)
    assert outcome.code == 1
    assert outcome.notes.startswith(f"warning: {STATE}/a.json: ")
    assert (drift_of(root, "a")["baseline"], drift_of(root, "b")["state"]) == (False, "ok")
    assert sync(root, "--all").code == 0
    assert drift(root) == drift(root, "--scope", "all")
    assert drift(root).code == 0


@pytest.mark.parametrize("text", ["{", "[]", HUGE, '{"hash": 1}', b"\xff"])
@pytest.mark.parametrize("chosen", ["a", "--all"])
def test_a_corrupt_state_file_that_gets_replaced_is_reported(
    tmp_path: Path, text: str | bytes, chosen: str
) -> None:
    root = synced(tmp_path)
    write(root, {f"{STATE}/a.json": text})
    outcome = sync(root, chosen)
    assert (outcome.code, outcome.text.splitlines()[0]) == (0, "Synchronized: a")
    assert outcome.notes.startswith(f"warning: {STATE}/a.json: ")
    assert json.loads(states(root)["a.json"])["files"].keys() >= {"src/a.py"}


def test_a_corrupt_state_file_that_gets_replaced_is_reported_in_json(tmp_path: Path) -> None:
    root = synced(tmp_path)
    write(root, {f"{STATE}/a.json": "{"})
    notes = json.loads(sync(root, "a", "--json").text)["notes"]
    assert [note.startswith(f"{STATE}/a.json: ") for note in notes] == [True]


def test_a_directory_in_place_of_one_state_file_does_not_stop_the_others(tmp_path: Path) -> None:
    root = repository(tmp_path, {**TWO, f"{STATE}/a.json/keep": "mine"})
    outcome = sync(root, "--all")
    assert outcome.code == 1
    lines = outcome.text.splitlines()
    assert lines[0].startswith("Failed: a: ")
    assert lines[1] == "Synchronized: b"
    assert sorted(states(root)) == ["a.json/keep", "b.json"]


def test_removed_baselines_are_listed_in_order(tmp_path: Path) -> None:
    names = ["z", "m/n", "m", "aa", "c/d/e", "b2", "b10"]
    gone = {f"{STATE}/{name}.json": json.dumps(OLD_STATE) for name in names}
    root = repository(tmp_path, {**TWO, **gone})
    outcome = sync(root, "--all")
    removed = [line for line in outcome.text.splitlines() if line.startswith("Removed: ")]
    assert removed == [f"Removed: {path}" for path in sorted(gone)]


# The single state file of earlier versions.


@pytest.mark.parametrize("text", ["my notes\n", "", json.dumps({"x": OLD_STATE})])
@pytest.mark.parametrize("command", ["drift", "drift-sync"])
def test_a_file_called_like_the_old_state_that_nobody_brought_over_is_not_lost(
    tmp_path: Path, command: str, text: str
) -> None:
    root = write(synced(tmp_path), {f"{STATE}.old": text})
    before = states(root)
    run(command, "-C", str(root), *(["--all"] if command == "drift-sync" else []))
    kept = [(root / f"{STATE}.{item}") for item in ("old", "rejected")]
    assert [file.read_text(encoding="utf-8") for file in kept if file.exists()] == [text]
    assert states(root) == before


def test_escaped_letters_beyond_the_first_plane_do_not_stop_a_migration(tmp_path: Path) -> None:
    files = {"src/\U0001f600.py": "2"}
    text = json.dumps({"\U0001f600": {"hash": "1", "files": files}, "b": OLD_STATE})
    assert "\\ud83d\\ude00" in text
    root = repository(tmp_path, {**TWO, STATE: text})
    assert "rejected" not in drift(root).notes
    found = {name: json.loads(state)["files"] for name, state in states(root).items()}
    assert found == {"\U0001f600.json": files, "b.json": OLD_STATE["files"]}
    assert not (root / f"{STATE}.rejected").exists()


@pytest.mark.parametrize("key", ["x\0y", "n" * 300, f"group/{'n' * 300}", "\u00e4" * 150])
def test_a_key_that_no_file_can_be_named_after_is_reported_and_kept_aside(
    tmp_path: Path, key: str
) -> None:
    text = json.dumps({key: OLD_STATE, "b": OLD_STATE})
    root = repository(tmp_path, {**TWO, STATE: text})
    outcome = drift(root)
    assert outcome.code == 1
    assert "is not a node path; the old file is kept as .drift-state.rejected\n" in outcome.notes
    assert sorted(states(root)) == ["b.json"]
    assert (root / f"{STATE}.rejected").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("scope", ["--node", "--recursive"])
def test_a_flow_that_cannot_be_read_is_not_taken_for_a_missing_file(
    tmp_path: Path, scope: str
) -> None:
    flow = ".yggdrasil/flows/f/yg-flow.yaml"
    files = {
        ".yggdrasil/yg-config.yaml": CONFIG,
        f"{MODEL}/a/yg-node.yaml": f"{NODE}mapping: {{paths: [a.py]}}\n",
        flow: "name: F\nnodes: [a]\n",
        "a.py": "a = 1\n",
    }
    place = ("-C", str(write(tmp_path, files)))
    assert run("drift-sync", *place, "a").code == 0
    (tmp_path / flow).write_text("[")
    words = ("--node", "a") if scope == "--node" else ("a", scope)
    outcome = run("drift-sync", *place, *words)
    assert outcome.code == 1
    assert outcome.notes == (
        "error: cannot synchronize a: flow 'f' cannot be read\n"
        "  Nothing was written. 'yg validate' shows how to fix the errors.\n"
    )
