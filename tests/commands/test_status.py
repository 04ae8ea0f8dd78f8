"""The status of a graph as text and as data."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict, replace

from schemas import faults
from yg.commands.preflight import CheckedDrift, Preflight
from yg.commands.status.yggdrasil import (
    CheckedYggdrasil,
    StatusDocument,
    quality_text,
    summary_text,
)
from yg.kernel.document import document_text, plain
from yg.kernel.issue import Verdict
from yg.yggdrasil.drift.states import NodeDrift, State, summary_of
from yg.yggdrasil.questions.overview import PackageSizes

# The example in the specification.
STATUS = CheckedYggdrasil(
    project="my-project",
    types={"module": 3, "service": 7, "library": 2},
    nodes=12,
    blackboxes=2,
    structural=15,
    events=4,
    aspects=3,
    flows=2,
    artifact_types=8,
    artifacts_filled=42,
    relations=19,
    busiest="orders/order-service",
    most_relations=5,
    mapped=10,
    covered=8,
    slots=96,
    unused_aspects=(),
    errors=0,
    warnings=0,
    following=0,
)
SIZES = PackageSizes(
    count=12,
    largest="orders",
    largest_tokens=900,
    average_tokens=100,
    near=1,
    warning=1000,
    oversized={},
)
NOTHING = CheckedYggdrasil(
    project="",
    types={},
    nodes=0,
    blackboxes=0,
    structural=0,
    events=0,
    aspects=0,
    flows=0,
    artifact_types=1,
    artifacts_filled=0,
    relations=0,
    busiest="",
    most_relations=0,
    mapped=0,
    covered=0,
    slots=0,
    unused_aspects=(),
    errors=0,
    warnings=0,
    following=0,
)
CLEAN = Verdict("", 14, ())
DRIFT = summary_of(
    [NodeDrift(node="a", state=State.SOURCE), *[NodeDrift(node="b", state=State.OK)] * 13]
)
TIMES = "\N{MULTIPLICATION SIGN}"


def test_the_summary_is_that_of_the_specification() -> None:
    assert (
        summary_text(STATUS, DRIFT)
        == """\
Graph: my-project
Nodes: 12 (3 modules, 7 services, 2 libraries) + 2 blackbox
Relations: 15 structural, 4 event
Aspects: 3  Flows: 2
Drift: 1 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 13 ok
Validation: 0 errors, 0 warnings
"""
    )


def test_the_quality_is_that_of_the_specification() -> None:
    assert (
        quality_text(STATUS, SIZES)
        == f"""\
Quality:
  Artifacts: 42/96 slots filled (44%) — 8 types {TIMES} 12 nodes
  Relations: avg 1.6/node, max 5 (orders/order-service)
  Mapping: 10/12 nodes mapped to source
  Aspects: 8/12 nodes have aspect coverage
  Packages: avg 100 tokens, max 900 (orders), 1 near the threshold of 1000
"""
    )


def test_aspects_that_nothing_uses_are_a_line_of_the_quality() -> None:
    one = replace(STATUS, unused_aspects=("audit",))
    assert "coverage\n  Unused: 1 aspect of no node, flow or type (audit)\n" in (
        quality_text(one, SIZES)
    )
    many = replace(STATUS, unused_aspects=tuple(f"a{number}" for number in range(20)))
    line = (
        "  Unused: 20 aspects of no node, flow or type (a0, a1, a2, a3, a4, a5, a6, a7 and 12 more)"
    )
    assert line in quality_text(many, SIZES)


def test_without_drift_its_line_is_left_out() -> None:
    assert "Drift" not in summary_text(STATUS, None)


def test_an_empty_graph_is_shown_without_dividing_by_zero() -> None:
    assert (
        summary_text(NOTHING, None) + quality_text(NOTHING, replace(SIZES, count=0))
        == f"""\
Graph:{" "}
Nodes: 0 + 0 blackbox
Relations: 0 structural, 0 event
Aspects: 0  Flows: 0
Validation: 0 errors, 0 warnings
Quality:
  Artifacts: 0/0 slots filled (0%) — 1 types {TIMES} 0 nodes
  Relations: avg 0.0/node, max 0
  Mapping: 0/0 nodes mapped to source
  Aspects: 0/0 nodes have aspect coverage
"""
    )


def test_where_no_artifacts_are_configured_none_are_counted() -> None:
    assert "Artifacts" not in quality_text(replace(STATUS, artifact_types=0), SIZES)


@pytest.mark.parametrize(
    ("name", "count", "written"),
    [
        ("module", 1, "1 module"),
        ("module", 2, "2 modules"),
        ("library", 2, "2 libraries"),
        ("gateway", 2, "2 gateways"),
        ("class", 2, "2 classes"),
        ("box", 2, "2 boxes"),
        ("batch", 2, "2 batches"),
        ("dash", 2, "2 dashes"),
        ("y", 2, "2 ys"),
        ("\x1b[31m", 1, "1 \\x1b[31m"),
    ],
)
def test_types_are_counted_in_english(name: str, count: int, written: str) -> None:
    text = summary_text(replace(STATUS, types={name: count}), None)
    assert f"Nodes: 12 ({written}) + 2 blackbox\n" in text


def test_no_name_can_play_with_the_terminal() -> None:
    status = replace(STATUS, project="\x1b[2J\n", busiest="a\x07", types={"\u202e": 2})
    text = summary_text(status, None) + quality_text(status, SIZES)
    assert [line for line in text.split("\n") if "\x1b" in line or "\x07" in line] == []
    assert text.count("\n") == 11


def test_data_holds_every_number() -> None:
    found = StatusDocument(**asdict(STATUS), drift=None, packages=SIZES, notes=["A note."])
    assert plain(found) == {
        "schema": "yg-status/1",
        "project": "my-project",
        "types": {"module": 3, "service": 7, "library": 2},
        "nodes": 12,
        "blackboxes": 2,
        "structural": 15,
        "events": 4,
        "aspects": 3,
        "flows": 2,
        "artifact_types": 8,
        "artifacts_filled": 42,
        "relations": 19,
        "busiest": "orders/order-service",
        "most_relations": 5,
        "mapped": 10,
        "covered": 8,
        "slots": 96,
        "unused_aspects": [],
        "errors": 0,
        "warnings": 0,
        "following": 0,
        "drift": None,
        "packages": {
            "count": 12,
            "largest": "orders",
            "largest_tokens": 900,
            "average_tokens": 100,
            "near": 1,
            "warning": 1000,
        },
        "notes": ["A note."],
    }


@pytest.mark.parametrize("status", [STATUS, NOTHING, replace(STATUS, types={"a\nb": 1})])
def test_data_follows_the_schemas_of_both_commands(status: CheckedYggdrasil) -> None:
    numbers = asdict(status)
    found = StatusDocument(**numbers, drift=summary_of([]), packages=SIZES, notes=[])
    ready = Preflight(
        **numbers,
        drift=CheckedDrift(nodes=(), summary=summary_of([])),
        unowned=(),
        issues=(),
        notes=[],
        verdict=CLEAN,
    )
    assert (faults(document_text(found)), faults(document_text(ready))) == ([], [])
