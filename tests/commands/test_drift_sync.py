"""The results of drift-sync as text and as data: recorded, removed and failed baselines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from schemas import faults_in
from yg.commands import drift_sync
from yg.commands.drift_sync import sync_of
from yg.kernel.digest import canonical_digest
from yg.kernel.document import document_text
from yg.kernel.edit import Delete, Edit
from yg.kernel.palette import PLAIN, Palette
from yg.yggdrasil.drift.baseline import Baseline, baseline_of
from yg.yggdrasil.drift.sync import Synced

OLD = Baseline("a1b2c3d4e5f6", {"src/a.py": "1"})
NOW = baseline_of({"src/a.py": "2"})
CHANGED = Synced("orders/order-service", OLD, NOW)
FIRST = Synced("new", None, NOW)
SAME = Synced("same", NOW, NOW)
FAILED = Synced("gone", OLD, None, "mapped paths do not exist: src/gone.py")
REMOVED = Delete(".yggdrasil/.drift-state/x.json")


def text(*results: Synced, removed: Sequence[Edit] = ()) -> str:
    return drift_sync.text(sync_of(results, removed, ()), PLAIN)


def data(results: Sequence[Synced], removed: Sequence[Edit] = ()) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document_text(sync_of(results, removed, ["beside it"])))
    return found


def test_a_recorded_node_is_shown_with_both_hashes_in_short() -> None:
    assert text(CHANGED) == (
        "Synchronized: orders/order-service\n"
        f"  Hash: {canonical_digest(OLD.files)[:8]} -> {NOW.hash[:8]}\n"
    )


def test_the_first_baseline_of_a_node_follows_none() -> None:
    assert text(FIRST) == f"Synchronized: new\n  Hash: none -> {NOW.hash[:8]}\n"


def test_what_was_as_it_is_is_only_counted() -> None:
    assert text(SAME, SAME) == "Unchanged: 2 nodes\n"


def test_what_could_not_be_recorded_is_shown_with_its_reason() -> None:
    assert text(FAILED) == "Failed: gone: mapped paths do not exist: src/gone.py\n"


def test_nodes_come_first_then_what_was_removed_then_the_rest() -> None:
    assert text(FAILED, SAME, SAME, FIRST, removed=[REMOVED]).splitlines() == [
        "Failed: gone: mapped paths do not exist: src/gone.py",
        "Synchronized: new",
        f"  Hash: none -> {NOW.hash[:8]}",
        "Removed: .yggdrasil/.drift-state/x.json",
        "Unchanged: 2 nodes",
    ]


def test_nothing_to_do_is_nothing_to_say() -> None:
    assert text() == ""


def test_no_name_can_play_with_a_terminal() -> None:
    foreign = Baseline("\x1b[31m\n", {})
    shown = text(
        Synced("a\x1b", foreign, NOW),
        Synced("b", None, None, "bad\nnews\x07"),
        removed=[Delete(".yggdrasil/.drift-state/\x1b.json")],
    )
    assert shown.isascii()
    assert all(line.isprintable() for line in shown.splitlines())
    assert shown.count("\n") == 4


def test_failures_are_coloured() -> None:
    assert drift_sync.text(sync_of([FAILED], (), ()), Palette(is_on=True)).startswith(
        "\x1b[31;1mFailed:\x1b[0m gone"
    )


def test_data_says_what_became_of_every_node() -> None:
    assert data([CHANGED, FIRST, SAME, FAILED], [REMOVED]) == {
        "schema": "yg-drift-sync/1",
        "nodes": [
            {
                "node": "orders/order-service",
                "status": "synchronized",
                "before": canonical_digest(OLD.files),
                "after": NOW.hash,
                "failure": None,
            },
            {
                "node": "new",
                "status": "synchronized",
                "before": None,
                "after": NOW.hash,
                "failure": None,
            },
            {
                "node": "same",
                "status": "unchanged",
                "before": NOW.hash,
                "after": NOW.hash,
                "failure": None,
            },
            {
                "node": "gone",
                "status": "failed",
                "before": canonical_digest(OLD.files),
                "after": None,
                "failure": "mapped paths do not exist: src/gone.py",
            },
        ],
        "removed": [".yggdrasil/.drift-state/x.json"],
        "notes": ["beside it"],
    }


def test_every_outcome_follows_the_schema() -> None:
    assert faults_in(data([CHANGED, FIRST, SAME, FAILED], [REMOVED])) == []
    assert faults_in(data([])) == []
    assert faults_in(data([Synced("a", Baseline("", {}), NOW)])) == []


@pytest.mark.parametrize(
    ("node", "fault"),
    [
        (
            {"status": "done"},
            "'done' is not one of ['synchronized', 'unchanged', 'failed', 'needs-reason']",
        ),
        ({"after": "a1b2"}, "'a1b2' does not match '^[0-9a-f]{64}$'"),
        ({"failure": ""}, "'' should be non-empty"),
        ({"node": ""}, "'' should be non-empty"),
        ({"when": 1}, "Additional properties are not allowed ('when' was unexpected)"),
    ],
)
def test_the_schema_notices_what_does_not_belong(node: dict[str, Any], fault: str) -> None:
    fields = data([FIRST])
    fields["nodes"][0].update(node)
    assert faults_in(fields) == [fault]


def test_the_schema_notices_a_removal_elsewhere() -> None:
    fields = data([], [Delete("src/a.py")])
    assert len(faults_in(fields)) == 1
