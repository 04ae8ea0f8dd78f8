"""Drift: six states, decided by the content of exactly the files that decide a package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from support import graph_from, shop_files, snapshot_from
from yg.commands.build_context.package import package_text
from yg.kernel.digest import FileDigest, file_digests
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.drift.baseline import Baseline
from yg.yggdrasil.drift.states import (
    Change,
    How,
    NodeDrift,
    SourceChange,
    State,
    summary_of,
)
from yg.yggdrasil.drift.tracking import Tracked, Tracker, mapped_nodes, node_drift
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.places import is_graph_file
from yg.yggdrasil.read.v2 import read

if TYPE_CHECKING:
    from support import Content


OWN = ".yggdrasil/model/a/yg-node.yaml"
BEFORE: dict[str, Content] = {OWN: "node", "src/a.py": "a", "src/b.py": "b"}
RICH = {
    "model/yg-node.yaml": "name: Top\ntype: module\naspects: [{aspect: top}]\n",
    "model/responsibility.md": "top",
    "model/a/yg-node.yaml": "name: A\ntype: module\n",
    "model/a/internals.md": "a",
    "model/a/notes.md": "no artifact",
    "model/a/b/yg-node.yaml": """\
name: B
type: service
aspects: [{aspect: own}]
relations:
  - {target: offers, type: calls}
  - {target: a, type: uses, consumes: [x]}
  - {target: hears, type: emits, event_name: Placed}
mapping: {paths: [src/b]}
""",
    "model/a/b/responsibility.md": "b",
    "model/a/b/c/yg-node.yaml": "name: C\ntype: service\n",
    "model/a/sibling/yg-node.yaml": "name: S\ntype: service\n",
    "model/offers/yg-node.yaml": "name: O\ntype: service\n",
    "model/offers/interface.md": "offered",
    "model/offers/internals.md": "not offered",
    "model/hears/yg-node.yaml": "name: H\ntype: service\n",
    "model/hears/interface.md": "heard",
    "aspects/own/yg-aspect.yaml": "name: Own\nimplies: [implied]\n",
    "aspects/own/content.md": "own",
    "aspects/implied/yg-aspect.yaml": "name: Implied\n",
    "aspects/top/yg-aspect.yaml": "name: Top\n",
    "aspects/top/content.md": "top",
    "aspects/flowing/yg-aspect.yaml": "name: Flowing\n",
    "aspects/idle/yg-aspect.yaml": "name: Idle\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [flowing]\n",
    "flows/f/description.md": "f",
    "flows/other/yg-flow.yaml": "name: O\nnodes: [hears]\n",
}
RICH_SOURCES = {"src/b/x.py": "x", "src/b/d/y.py": "y", "src/other.py": "z"}


class Hashes:
    """Digests of files held in memory."""

    def __init__(self, files: Mapping[str, Content]) -> None:
        self._snapshot = DictSnapshot(files)

    def of(self, path: str) -> FileDigest:
        return file_digests([self._snapshot.read(path)])


def baseline(files: Mapping[str, Content]) -> Baseline:
    hashes = Hashes(files)
    return Baseline("of another recipe", {path: hashes.of(path).lf for path in files})


def drift(now: Mapping[str, Content], then: Baseline | None, *, gone: bool = False) -> NodeDrift:
    """Compare files with a baseline."""
    tracked = Tracked(
        graph=tuple(path for path in now if is_graph_file(path)),
        source=tuple(path for path in now if not is_graph_file(path)),
        gone=(),
        is_gone=gone,
    )
    return node_drift("a", tracked, then, Hashes(now), SnapshotSources(DictSnapshot(now)))


def tracked_of(files: Mapping[str, Content], sources: Mapping[str, Content], path: str) -> Tracked:
    graph = graph_from(files, sources)
    node = graph.nodes.get(path)
    assert node is not None
    return Tracker(graph, SnapshotSources(snapshot_from(files, sources))).tracked(node)


def node(*paths: str) -> str:
    return f"name: N\ntype: service\nmapping: {{paths: [{', '.join(paths)}]}}\n"


# The six states.


def test_a_node_is_ok_when_all_its_files_are_as_they_were() -> None:
    assert drift(BEFORE, baseline(BEFORE)) == NodeDrift(node="a", state=State.OK)


def test_a_changed_source_is_source_drift() -> None:
    found = drift({**BEFORE, "src/a.py": "!"}, baseline(BEFORE))
    assert found == NodeDrift(
        node="a", state=State.SOURCE, source=(SourceChange("src/a.py", How.CHANGED),)
    )


def test_a_changed_graph_file_is_graph_drift() -> None:
    found = drift({**BEFORE, OWN: "!"}, baseline(BEFORE))
    assert found == NodeDrift(node="a", state=State.GRAPH, graph=(Change(OWN, How.CHANGED),))


def test_a_change_on_both_sides_is_full_drift() -> None:
    found = drift({**BEFORE, OWN: "!", "src/b.py": "!"}, baseline(BEFORE))
    assert found == NodeDrift(
        node="a",
        state=State.FULL,
        source=(SourceChange("src/b.py", How.CHANGED),),
        graph=(Change(OWN, How.CHANGED),),
    )


def test_without_its_sources_a_node_that_was_recorded_is_missing() -> None:
    assert drift({OWN: "!"}, baseline(BEFORE), gone=True) == NodeDrift(
        node="a", state=State.MISSING
    )


def test_without_its_sources_a_node_that_was_never_recorded_is_unmaterialized() -> None:
    expected = NodeDrift(node="a", state=State.UNMATERIALIZED, has_baseline=False)
    assert drift({OWN: "!"}, None, gone=True) == expected
    assert drift({OWN: "!"}, Baseline("1", {}), gone=True) == expected


@pytest.mark.parametrize("then", [None, Baseline("bare", {})], ids=["none", "without files"])
def test_sources_that_were_never_recorded_are_source_drift_without_a_baseline(
    then: Baseline | None,
) -> None:
    assert drift(BEFORE, then) == NodeDrift(node="a", state=State.SOURCE, has_baseline=False)


def test_files_are_changed_added_deleted_or_unreadable_and_sorted() -> None:
    now: dict[str, Content] = {
        ".yggdrasil/x.md": "new",
        "src/b.py": "!",
        "src/c.py": UnreadableError("src/c.py", "permission denied"),
        "src/0.py": "new",
    }
    found = drift(now, baseline(BEFORE))
    assert found.source == (
        SourceChange("src/0.py", How.ADDED),
        SourceChange("src/a.py", How.DELETED),
        SourceChange("src/b.py", How.CHANGED),
        SourceChange("src/c.py", How.UNREADABLE),
    )
    assert found.graph == (Change(OWN, How.DELETED), Change(".yggdrasil/x.md", How.ADDED))
    assert found.state is State.FULL


@pytest.mark.parametrize("path", ["src/a.py", OWN])
def test_a_file_that_cannot_be_read_is_drift(path: str) -> None:
    now = {**BEFORE, path: UnreadableError(path, "permission denied")}
    found = drift(now, baseline(BEFORE))
    changes = (*found.source, *found.graph)
    assert [(change.path, change.how) for change in changes] == [(path, How.UNREADABLE)]
    assert found.state is (State.GRAPH if path == OWN else State.SOURCE)


def test_the_files_decide_and_never_the_hash_of_the_whole() -> None:
    files = baseline(BEFORE).files
    assert drift(BEFORE, Baseline("", files)).state is State.OK
    assert drift({**BEFORE, "src/a.py": "!"}, Baseline("", files)).state is State.SOURCE


def test_line_endings_are_not_drift_in_text_and_are_in_binary_files() -> None:
    then = baseline({**BEFORE, "src/a.py": "a\nb\n", "src/b.py": b"\0\n"})
    assert drift({**BEFORE, "src/a.py": "a\r\nb\r\n", "src/b.py": b"\0\n"}, then).state is State.OK
    found = drift({**BEFORE, "src/a.py": "a\nb\n", "src/b.py": b"\0\r\n"}, then)
    assert found.source == (SourceChange("src/b.py", How.CHANGED),)


def test_paths_of_a_baseline_that_are_not_tracked_are_never_opened() -> None:
    then = Baseline("", {**baseline(BEFORE).files, "../../etc/passwd": "1", "/etc/passwd": "1"})
    found = drift(BEFORE, then)
    assert [change.how for change in found.source] == [How.DELETED, How.DELETED]


NAMES = st.dictionaries(
    st.sampled_from([".yggdrasil/a", ".yggdrasil/b", "src/a", "src/b", ".yggdrasil-x", "z"]),
    st.sampled_from(["1", "2"]),
    min_size=1,
)


@given(NAMES, NAMES)
def test_every_difference_is_reported_once_and_on_its_side(
    then: dict[str, Content], now: dict[str, Content]
) -> None:
    found = drift(now, baseline(then))
    told = {change.path: change.how for change in found.source + found.graph}
    expected = {
        path: How.ADDED if path not in then else How.DELETED if path not in now else How.CHANGED
        for path in {*then, *now}
        if then.get(path) != now.get(path)
    }
    assert told == expected
    assert all(change.path.startswith(".yggdrasil/") for change in found.graph)
    assert not any(change.path.startswith(".yggdrasil/") for change in found.source)
    states = {
        (False, False): State.OK,
        (True, False): State.SOURCE,
        (False, True): State.GRAPH,
        (True, True): State.FULL,
    }
    assert found.state is states[bool(found.source), bool(found.graph)]


# The tracked files.


def test_the_files_that_decide_the_package_are_tracked_and_no_others() -> None:
    tracked = tracked_of(RICH, RICH_SOURCES, "a/b")
    assert tracked.graph == tuple(
        f".yggdrasil/{path}"
        for path in [
            "aspects/flowing/yg-aspect.yaml",
            "aspects/implied/yg-aspect.yaml",
            "aspects/own/content.md",
            "aspects/own/yg-aspect.yaml",
            "aspects/top/content.md",
            "aspects/top/yg-aspect.yaml",
            "flows/f/description.md",
            "flows/f/yg-flow.yaml",
            "model/a/b/responsibility.md",
            "model/a/b/yg-node.yaml",
            "model/a/internals.md",
            "model/a/yg-node.yaml",
            "model/offers/interface.md",
            "model/responsibility.md",
            "model/yg-node.yaml",
        ]
    )
    assert tracked.source == ("src/b/d/y.py", "src/b/x.py")
    assert (tracked.gone, tracked.is_gone) == ((), False)


def test_a_target_without_relation_artifacts_is_tracked_with_all_it_has() -> None:
    files = {**RICH, "model/offers/internals.md": "now offered"}
    del files["model/offers/interface.md"]
    tracked = tracked_of(files, RICH_SOURCES, "a/b")
    assert ".yggdrasil/model/offers/internals.md" in tracked.graph


def test_tracked_files_are_those_that_decided_the_package() -> None:
    graph = graph_from(RICH, RICH_SOURCES)
    found = graph.nodes.get("a/b")
    assert found is not None
    tracked = tracked_of(RICH, RICH_SOURCES, "a/b")
    assert tracked.graph == assemble(graph, found).source_files
    assert tracked.files == (*tracked.graph, *tracked.source)
    assert len(set(tracked.files)) == len(tracked.files)


SHOP = shop_files()


def packages(files: Mapping[str, str]) -> dict[str, str]:
    graph = read(DictSnapshot(files))
    return {node.path: package_text(assemble(graph, node)) for node in graph.nodes}


def test_a_package_changes_exactly_when_a_tracked_text_does() -> None:
    graph, snapshot = read(DictSnapshot(SHOP)), DictSnapshot(SHOP)
    tracker = Tracker(graph, SnapshotSources(snapshot))
    tracked = {node.path: tracker.tracked(node).graph for node in graph.nodes}
    before = packages(SHOP)
    texts = [path for path in SHOP if is_graph_file(path) and path.endswith(".md")]
    assert texts != []
    for path in texts:
        after = packages({**SHOP, path: f"{SHOP[path]}One line more.\n"})
        changed = [node for node in before if after[node] != before[node]]
        assert changed == [node for node in tracked if path in tracked[node]]


def test_a_source_changes_no_package() -> None:
    before = packages(SHOP)
    sources = {path: "" for path in SHOP if not is_graph_file(path)}
    assert packages({**SHOP, **sources}) == before


@pytest.mark.parametrize(
    ("paths", "gone", "is_gone"),
    [
        (["src/x"], ("src/x",), True),
        (["src/x", "src/y"], ("src/x", "src/y"), True),
        (["src/a.py", "src/x"], ("src/x",), False),
        (["src/a.py"], (), False),
        (["src"], (), False),
        (["src/link"], (), True),
    ],
)
def test_mapped_paths_that_are_gone_are_known(
    paths: list[str], gone: tuple[str, ...], *, is_gone: bool
) -> None:
    sources: dict[str, Content] = {"src/a.py": "a", "src/link": Kind.LINK}
    tracked = tracked_of({"model/a/yg-node.yaml": node(*paths)}, sources, "a")
    assert (tracked.gone, tracked.is_gone) == (gone, is_gone)


# The nodes that count.


def test_every_mapped_node_counts_blackbox_nodes_too() -> None:
    files = {
        "model/b/yg-node.yaml": node("src/b"),
        "model/a/yg-node.yaml": "name: A\ntype: service\n",
        "model/a/x/yg-node.yaml": f"{node('src/x')}blackbox: true\n",
        "model/a-b/yg-node.yaml": node("src/c"),
        "model/yg-node.yaml": node("README.md"),
        "model/bad/yg-node.yaml": "name: [",
    }
    graph = graph_from(files)
    assert [found.path for found in mapped_nodes(graph)] == [".", "a-b", "a/x", "b"]
    assert [found.path for found in mapped_nodes(graph, "a")] == ["a/x"]
    assert [found.path for found in mapped_nodes(graph, "b")] == ["b"]
    assert mapped_nodes(graph, "bad") == ()


def test_every_state_is_counted_in_the_order_of_the_summary() -> None:
    states = [State.OK, State.MISSING, State.OK]
    found = summary_of(NodeDrift(node="a", state=state) for state in states)
    assert list(to_builtins(found).items()) == [
        ("source-drift", 0),
        ("graph-drift", 0),
        ("full-drift", 0),
        ("missing", 1),
        ("unmaterialized", 0),
        ("ok", 2),
    ]
    assert summary_of([NodeDrift(node="a", state=State.UNKNOWN)]).unknown == 1
