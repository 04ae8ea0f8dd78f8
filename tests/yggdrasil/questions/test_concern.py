"""Which nodes some files concern: exactly those whose drift a change to them changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from support import NODE, shop_files
from yg.kernel.digest import FileDigest, file_digests
from yg.kernel.snapshot import DictSnapshot
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.drift.baseline import baseline_of, state_file
from yg.yggdrasil.drift.baseline_parts import contracts_data
from yg.yggdrasil.drift.baselines import Baselines
from yg.yggdrasil.drift.keys import EXTERNAL
from yg.yggdrasil.drift.layout import baseline_text
from yg.yggdrasil.drift.states import State
from yg.yggdrasil.drift.tracking import Tracker, concerned, mapped_nodes, node_drift
from yg.yggdrasil.read.v2 import read

SHOP = shop_files()


class Hashes:
    """The digests of texts."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def of(self, path: str) -> FileDigest:
        return file_digests([self._files[path].encode()])


def recorded(files: Mapping[str, str]) -> dict[str, str]:
    """Return the files with a baseline of every mapped node beside them."""
    snapshot, hashes = DictSnapshot(files), Hashes(files)
    graph = read(snapshot)
    tracker = Tracker(graph, SnapshotSources(snapshot))
    texts = {}
    for node in mapped_nodes(graph):
        tracked = tracker.tracked(node)
        digests = {path: hashes.of(path).lf for path in sorted(tracked.files)}
        contracts = {EXTERNAL: contracts_data(tracked.contracts)} if tracked.contracts else {}
        texts[state_file(node.path)] = baseline_text(baseline_of(digests, contracts))
    return {**files, **texts}


def drifted(files: Mapping[str, str], changed: Collection[str] | None = None) -> list[str]:
    """Return the nodes that have drifted, among all or among those that files concern."""
    snapshot = DictSnapshot(files)
    sources = SnapshotSources(snapshot)
    graph, baselines = read(snapshot), Baselines(snapshot)
    nodes = mapped_nodes(graph)
    if changed is not None:
        nodes = tuple(concerned(graph, sources, baselines, nodes, changed))
    tracker, hashes = Tracker(graph, sources), Hashes(files)
    found = (
        node_drift(node.path, tracker.tracked(node), baselines.get(node.path), hashes, sources)
        for node in nodes
    )
    return [entry.node for entry in found if entry.state is not State.OK]


def named(files: Mapping[str, str], *changed: str) -> list[str]:
    snapshot = DictSnapshot(files)
    graph = read(snapshot)
    sources = SnapshotSources(snapshot)
    nodes = concerned(graph, sources, Baselines(snapshot), mapped_nodes(graph), changed)
    return [node.path for node in nodes]


BASELINES = recorded(SHOP)


@pytest.mark.parametrize("path", SHOP)
def test_a_changed_file_concerns_every_node_that_drifts_by_it(path: str) -> None:
    then = {**BASELINES, path: BASELINES[path] + "\n# changed\n"}
    assert drifted(then, [path]) == drifted(then)


@pytest.mark.parametrize("path", [path for path in SHOP if path.endswith(".md")])
def test_a_deleted_artifact_concerns_every_node_that_drifts_by_it(path: str) -> None:
    then = {each: text for each, text in BASELINES.items() if each != path}
    assert drifted(then, [path]) == drifted(then)


def test_a_source_file_concerns_its_owner_whether_it_exists_or_not() -> None:
    assert named(SHOP, "src/shop/orders/pricing.py") == ["orders/pricing"]
    assert named(SHOP, "src/shop/inventory/gone.py") == ["inventory/inventory-service"]


def test_a_baseline_concerns_its_node() -> None:
    assert named(SHOP, ".yggdrasil/.drift-state/orders/pricing.json") == ["orders/pricing"]


def test_files_that_nobody_owns_concern_nobody() -> None:
    assert named(SHOP, "src/shop/app.py", "README.md", ".yggdrasil/model/nobody/notes.md") == []


def test_nodes_come_once_and_in_the_order_they_were_given() -> None:
    files = {
        ".yggdrasil/yg-config.yaml": "name: x\n",
        ".yggdrasil/model/b/yg-node.yaml": f"{NODE}mapping: {{paths: [b]}}\n",
        ".yggdrasil/model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [a]}}\n",
        ".yggdrasil/model/c/yg-node.yaml": f"{NODE}mapping: {{paths: [c]}}\n",
    }
    assert named(files, "b/2", "b/1", "a/1", "b") == ["a", "b"]
