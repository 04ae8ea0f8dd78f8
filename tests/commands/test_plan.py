"""A plan as text and as data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schemas import faults_in
from yg.commands.plan import Details, PlanDocument, document_of, text
from yg.kernel.document import document_text
from yg.kernel.package import STANDARD_BUDGET
from yg.kernel.palette import PLAIN
from yg.kernel.plan import Plan, Unordered

PLAN = Plan(
    stages=(("lib/a", "lib/b"), ("service",), ("x", "y", "z")),
    critical=("lib/b", "service", "x"),
    left_out=(("blackbox", 2), ("unmapped", 3)),
)
EMPTY = Plan(stages=(), critical=(), left_out=(("blackbox", 0), ("unmapped", 0)))


def data(document: PlanDocument) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document_text(document))
    return found


def test_a_plan_lists_its_stages_and_ends_with_the_totals() -> None:
    assert (
        text(document_of(PLAN), PLAIN)
        == """\
Stage 1 (2 nodes, in parallel):
  lib/a
  lib/b

Stage 2 (1 node):
  service

Stage 3 (3 nodes, in parallel):
  x
  y
  z

Critical path (3): lib/b -> service -> x
Left out: 2 blackbox, 3 unmapped
Total: 6 nodes in 3 stages
"""
    )


def test_an_empty_plan_is_its_totals() -> None:
    assert (
        text(document_of(EMPTY), PLAIN)
        == """\
Critical path (0): (none)
Left out: 0 blackbox, 0 unmapped
Total: 0 nodes in 0 stages
"""
    )


def test_a_part_of_the_graph_does_not_tell_what_the_whole_leaves_out() -> None:
    assert text(document_of(EMPTY, details=Details(is_whole=False)), PLAIN) == (
        "Critical path (0): (none)\nTotal: 0 nodes in 0 stages\n"
    )


def test_names_do_not_play_with_the_terminal() -> None:
    plan = Plan(
        stages=(("e\x1b[2J\nvil",),),
        critical=("e\x1b[2J\nvil",),
        left_out=(("blackbox", 0), ("unmapped", 0)),
    )
    lines = text(document_of(plan), PLAIN).split("\n")
    assert lines[1:4] == [r"  e\x1b[2J\nvil", "", r"Critical path (1): e\x1b[2J\nvil"]


def test_a_plan_as_data_keeps_its_order() -> None:
    found = data(document_of(PLAN))
    assert found == {
        "schema": "yg-plan/1",
        "stages": [["lib/a", "lib/b"], ["service"], ["x", "y", "z"]],
        "states": None,
        "cycles": [],
        "over_budget": [],
        "critical_path": ["lib/b", "service", "x"],
        "left_out": {"blackbox": 2, "unmapped": 3},
        "unordered": [],
        "total": 6,
        "skipped": [],
    }
    assert faults_in(found) == []


DETAILED = Plan(
    stages=(("a", "b", "lib/long"),),
    critical=("a",),
    left_out=(("blackbox", 0), ("unmapped", 0)),
    cycles=(("a", "b"),),
    unordered=(Unordered("bad", "could not be read"), Unordered("worse", "needs 'bad', so")),
)
DETAILS = Details(
    unrecorded=frozenset({"lib/long"}), oversized={"a": 30_000}, budget=STANDARD_BUDGET
)
STATES = {"a": "ok", "lib/long": "source-drift"}


def test_text_shows_states_sizes_cycles_and_what_cannot_be_ordered() -> None:
    assert (
        text(document_of(DETAILED, states=STATES, details=DETAILS), PLAIN)
        == """\
Stage 1 (3 nodes, in parallel):
  a         ok  package too large (30000 tokens, limit 20000)
  b         unmapped
  lib/long  source-drift (no baseline)
  On a cycle, to be built together: a, b

Cannot be ordered, left out:
  bad    could not be read
  worse  needs 'bad', so

Critical path (1): a
Left out: 0 blackbox, 0 unmapped
Total: 3 nodes in 1 stage
"""
    )


def test_data_has_states_sizes_cycles_and_what_cannot_be_ordered() -> None:
    found = data(document_of(DETAILED, states=STATES, details=DETAILS))
    assert found["states"] == {"a": "ok", "b": "unmapped", "lib/long": "source-drift"}
    assert (found["cycles"], found["over_budget"]) == ([["a", "b"]], ["a"])
    assert found["unordered"][0] == {"node": "bad", "reason": "could not be read"}
    assert faults_in(found) == []


def test_an_empty_plan_as_data_follows_the_schema() -> None:
    assert faults_in(data(document_of(EMPTY))) == []


@pytest.mark.parametrize(
    "change",
    [
        {"stages": [[]]},
        {"stages": [["a", "a"]]},
        {"stages": [[1]]},
        {"critical_path": ["a", "a"]},
        {"left_out": {"blackbox": 1}},
        {"left_out": {"blackbox": 1, "unmapped": -1}},
        {"total": -1},
        {"total": 1.5},
        {"colour": "green"},
    ],
)
def test_the_schema_notices_what_does_not_belong(change: dict[str, Any]) -> None:
    assert faults_in({**data(document_of(PLAN)), **change}) != []
