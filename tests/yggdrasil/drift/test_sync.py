"""Synchronising records files as they are, and removes only baselines without a node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from support import NODE, graph_from, snapshot_from
from yg.kernel.digest import FileDigest, file_digests
from yg.kernel.edit import Delete, Write
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.yggdrasil.drift.baseline import Baseline, baseline_of
from yg.yggdrasil.drift.baselines import Baselines
from yg.yggdrasil.drift.layout import baseline_text
from yg.yggdrasil.drift.sync import Synced, edits_of, garbage, synced
from yg.yggdrasil.drift.tracking import Tracked

if TYPE_CHECKING:
    from support import Content

STATE = ".drift-state"
OWN = ".yggdrasil/model/a/yg-node.yaml"
FILES: dict[str, Content] = {OWN: "node", "src/a.py": "a"}
TRACKED = Tracked(graph=(OWN,), source=("src/a.py",), gone=(), is_gone=False)
MAPPED = f"{NODE}mapping: {{paths: [src/a.py]}}\n"
BASELINE = '{"hash": "1", "files": {"src/a.py": "2"}}'


class Hashes:
    """Digests of files held in memory."""

    def __init__(self, files: Mapping[str, Content]) -> None:
        self._snapshot = DictSnapshot(files)

    def of(self, path: str) -> FileDigest:
        return file_digests([self._snapshot.read(path)])


class Facts:
    """Facts of files in no language that can be read."""

    def of(self, _path: str) -> None:
        return None


NOW = {path: Hashes(FILES).of(path).lf for path in FILES}


def sync(before: Baseline | None = None, files: Mapping[str, Content] = FILES) -> Synced:
    return synced("a", TRACKED, before, Hashes(files), Facts())


def removed(files: Mapping[str, Content]) -> list[str]:
    """Return what would be removed below the graph's folder."""
    edits = list(garbage(graph_from(files), Baselines(snapshot_from(files))))
    assert all(isinstance(edit, Delete) for edit in edits)
    return sorted(edit.path.removeprefix(".yggdrasil/") for edit in edits)


# Recording.


def test_all_tracked_files_are_recorded_sources_and_graph_files() -> None:
    result = sync()
    assert result == Synced("a", None, baseline_of(NOW))
    content = baseline_text(baseline_of(NOW)).encode()
    assert result.edit == Write(".yggdrasil/.drift-state/a.json", content)


def test_the_baseline_of_the_root_node_has_a_name_that_no_node_can_have() -> None:
    result = synced(".", TRACKED, None, Hashes(FILES), Facts())
    assert result.edit is not None
    assert result.edit.path == ".yggdrasil/.drift-state/.root.json"


@pytest.mark.parametrize("recipe", [baseline_of(NOW).hash, "of another recipe", ""])
def test_a_baseline_with_the_same_files_is_not_written_again(recipe: str) -> None:
    result = sync(Baseline(recipe, NOW))
    assert (result.is_changed, result.edit) == (False, None)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {OWN: NOW[OWN]},
        {**NOW, "src/a.py": "0"},
        {**NOW, "src/gone.py": "0"},
        {"src/A.py": NOW["src/a.py"], OWN: NOW[OWN]},
    ],
    ids=["bare hash", "added", "changed", "deleted", "renamed"],
)
def test_a_baseline_with_other_files_is_written(files: dict[str, str]) -> None:
    before = Baseline(baseline_of(NOW).hash, files)
    assert sync(before) == Synced("a", before, baseline_of(NOW))
    assert sync(before).is_changed


@pytest.mark.parametrize(
    ("tracked", "reason"),
    [
        (
            Tracked(graph=(OWN,), source=("src/a.py",), gone=("src/b", "src/c"), is_gone=False),
            "mapped paths do not exist: src/b, src/c",
        ),
        (
            Tracked(graph=(OWN,), source=(), gone=("src",), is_gone=True),
            "mapped paths do not exist: src",
        ),
    ],
    ids=["some", "all"],
)
def test_a_node_whose_mapped_paths_are_gone_is_not_recorded(tracked: Tracked, reason: str) -> None:
    before = Baseline("1", {"src/a.py": "2"})
    result = synced("a", tracked, before, Hashes(FILES), Facts())
    assert result == Synced("a", before, None, reason)
    assert (result.is_changed, result.edit) == (False, None)


def test_a_node_without_any_path_that_could_exist_is_not_recorded() -> None:
    tracked = Tracked(graph=(OWN,), source=(), gone=(), is_gone=True)
    result = synced("a", tracked, None, Hashes(FILES), Facts())
    assert (result.after, result.failure != "") == (None, True)


@pytest.mark.parametrize("path", [OWN, "src/a.py"])
def test_a_node_with_a_file_that_cannot_be_read_is_not_recorded(path: str) -> None:
    result = sync(files={**FILES, path: UnreadableError(path, "permission denied")})
    assert result == Synced("a", None, None, f"cannot read '{path}': permission denied")
    assert result.edit is None


def test_a_node_of_too_many_files_for_one_baseline_is_not_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = len(baseline_text(baseline_of(NOW)).encode())
    monkeypatch.setattr("yg.yggdrasil.drift.layout.MAX_TEXT", written)
    assert sync().after == baseline_of(NOW)
    monkeypatch.setattr("yg.yggdrasil.drift.layout.MAX_TEXT", written - 1)
    files = f"it has {len(NOW)} files, more than one baseline can list; split the node"
    assert sync() == Synced("a", None, None, files)


def test_only_what_is_new_becomes_an_edit() -> None:
    results = [sync(), sync(baseline_of(NOW)), Synced("b", None, None, "failed")]
    assert list(edits_of(results)) == [results[0].edit]


# Tidying up.


@pytest.mark.parametrize(
    "state",
    ["gone.json", "a/gone.json", "gone/a/b.json", ".root.json", "a.json.json"],
)
def test_the_baseline_of_a_node_that_is_gone_is_removed(state: str) -> None:
    files = {"model/a/yg-node.yaml": MAPPED, f"{STATE}/a.json": BASELINE}
    assert removed({**files, f"{STATE}/{state}": BASELINE}) == [f"{STATE}/{state}"]


def test_the_baseline_of_a_node_that_is_no_longer_mapped_is_removed() -> None:
    files = {"model/a/yg-node.yaml": NODE, f"{STATE}/a.json": BASELINE}
    assert removed(files) == [f"{STATE}/a.json"]


def test_the_baselines_of_mapped_nodes_stay() -> None:
    files = {
        "model/yg-node.yaml": MAPPED,
        "model/a/yg-node.yaml": MAPPED,
        "model/x/y/b/yg-node.yaml": f"{MAPPED}blackbox: true\n",
        "model/a.json/yg-node.yaml": MAPPED,
        f"{STATE}/.root.json": BASELINE,
        f"{STATE}/a.json": BASELINE,
        f"{STATE}/a.json.json": BASELINE,
        f"{STATE}/x/y/b.json": BASELINE,
    }
    assert removed(files) == []


@pytest.mark.parametrize(
    "content",
    [
        "name: [",
        "name: N\n",
        "name: N\ntype: service\nmapping: nonsense\n",
        "",
        b"\xff",
        UnreadableError(".yggdrasil/model/a/yg-node.yaml", "permission denied"),
        Kind.OTHER,
    ],
    ids=["syntax", "incomplete", "wrong type", "empty", "encoding", "permission", "fifo"],
)
def test_the_baseline_of_a_node_that_cannot_be_read_stays(content: Content) -> None:
    files = {
        "model/a/yg-node.yaml": content,
        "model/a/b/yg-node.yaml": MAPPED,
        f"{STATE}/a.json": BASELINE,
        f"{STATE}/a/b.json": BASELINE,
        f"{STATE}/a/c.json": BASELINE,
    }
    assert removed(files) == [f"{STATE}/a/c.json"]


def test_the_baselines_below_a_directory_that_cannot_be_opened_stay() -> None:
    files: dict[str, Content] = {
        "model/a/x/yg-node.yaml": MAPPED,
        "model/a": UnreadableError(".yggdrasil/model/a", "permission denied"),
        "model/b/yg-node.yaml": MAPPED,
        f"{STATE}/a.json": BASELINE,
        f"{STATE}/a/x.json": BASELINE,
        f"{STATE}/a/x/y.json": BASELINE,
        f"{STATE}/ab.json": BASELINE,
    }
    assert removed(files) == [f"{STATE}/ab.json"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("README.md", "Hands off!"),
        (".gitattributes", "* text"),
        ("gone.json.orig", BASELINE),
        ("gone.JSON", BASELINE),
        ("closed.json", UnreadableError(f".yggdrasil/{STATE}/closed.json", "permission denied")),
        ("link.json", Kind.LINK),
        ("linked", Kind.LINK),
        ("fifo.json", Kind.OTHER),
    ],
)
def test_what_is_not_a_baseline_is_not_ours_to_remove(name: str, content: Content) -> None:
    assert removed({"model/a/yg-node.yaml": MAPPED, f"{STATE}/{name}": content}) == []


@pytest.mark.parametrize(
    "content",
    [
        BASELINE,
        "",
        '{"hash": "1", "files": {}}',
        '{"hash": "1"}',
        "[1]",
        '{"hash": "1", "files": {',
        f"<<<<<<< ours\n{BASELINE}\n=======\n{BASELINE}\n>>>>>>> theirs\n",
        b"\xff",
    ],
)
def test_the_state_of_a_node_that_is_gone_is_removed_whatever_it_says(content: Content) -> None:
    files = {"model/a/yg-node.yaml": MAPPED, "model/b/yg-node.yaml": NODE}
    states = {f"{STATE}/{name}.json": content for name in ("a", "b", "gone/c")}
    assert removed({**files, **states}) == [f"{STATE}/b.json", f"{STATE}/gone/c.json"]


def test_nothing_is_looked_for_behind_a_link() -> None:
    assert removed({"model/a/yg-node.yaml": MAPPED, STATE: Kind.LINK}) == []
