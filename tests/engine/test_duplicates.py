"""Entries that are listed twice: each is reported once, at its second occurrence, and kept once."""

from __future__ import annotations

from typing import Any

import pytest

from graphs import NODE, graph_from
from yg.kernel.issue import Finding, Place
from yg.yggdrasil.model import Problem

MERGE = "Merge the entries into one; until then they are read as one."
KEEP = "Keep one entry."


def read(path: str, text: str) -> tuple[Any, tuple[Problem, ...]]:
    """Return the only part of a graph, and its problems."""
    graph = graph_from({path: text})
    parts: list[Any] = [*graph.nodes.values(), *graph.aspects.values(), *graph.flows.values()]
    return parts[0], graph.problems


def warning(path: str, message: str, line: int, column: int, hint: str) -> Problem:
    subject = path.rpartition("/")[0].removeprefix("model/")
    place = Place(f".yggdrasil/{path}", line, column)
    return Problem("W028", Finding(subject, message, place, (hint,)))


def relations(*entries: str) -> tuple[list[tuple[str, str, str]], tuple[Problem, ...]]:
    lines = "".join(f"  - {{{entry}}}\n" for entry in entries)
    node, problems = read("model/a/yg-node.yaml", f"{NODE}relations:\n{lines}")
    found = [
        (f"{relation.type} {relation.target}", ",".join(relation.consumes), relation.failure)
        for relation in node.relations
    ]
    return found, problems


def test_the_same_target_with_the_same_type_is_one_relation() -> None:
    found, problems = relations(
        "target: b, type: calls, consumes: [charge], failure: Retry",
        "target: c, type: calls",
        "target: b, type: calls, consumes: [refund, charge], failure: Give up",
        "target: b, type: calls, consumes: [charge], failure: Retry",
    )
    assert found == [("calls b", "charge,refund", "Retry; Give up"), ("calls c", "", "")]
    message = "relation 'calls' to 'b' is listed 3 times"
    assert problems == (warning("model/a/yg-node.yaml", message, 6, 14, MERGE),)


def test_an_entry_that_consumes_everything_wins() -> None:
    found, _ = relations("target: b, type: uses, consumes: [x]", "target: b, type: uses")
    assert found == [("uses b", "", "")]


def test_other_types_and_other_events_are_other_relations() -> None:
    found, problems = relations(
        "target: b, type: uses",
        "target: b, type: calls",
        "target: b, type: emits, event_name: E",
        "target: b, type: emits, event_name: F",
        "target: b, type: emits",
        "target: b, type: listens, event_name: E",
    )
    assert (len(found), problems) == (6, ())


def test_an_event_that_is_listed_twice_is_named() -> None:
    entry = "target: b, type: emits, event_name: Done"
    _, (problem,) = relations(entry, entry)
    assert problem.finding.message == "relation 'emits Done' to 'b' is listed twice"


def test_an_aspect_that_is_listed_twice_has_the_exceptions_and_anchors_of_both() -> None:
    text = f"""\
{NODE}aspects:
  - {{aspect: x, exceptions: [One, Two], anchors: [p, q]}}
  - {{aspect: y}}
  - {{aspect: x, exceptions: [Two, Three], anchors: [q, r]}}
"""
    node, problems = read("model/a/yg-node.yaml", text)
    assert [
        (use.aspect.text, use.exceptions, [anchor.text for anchor in use.anchors])
        for use in node.aspects
    ] == [("x", ("One", "Two", "Three"), ["p", "q", "r"]), ("y", (), [])]
    message = "aspect 'x' is listed twice"
    assert problems == (warning("model/a/yg-node.yaml", message, 6, 14, MERGE),)


@pytest.mark.parametrize(
    ("path", "text", "attribute", "message"),
    [
        (
            "aspects/a/yg-aspect.yaml",
            "name: X\nimplies: [y, z, y]\n",
            "implies",
            "implied aspect 'y'",
        ),
        ("flows/a/yg-flow.yaml", "name: F\nnodes:   [y, z, y]\n", "nodes", "participant 'y'"),
        (
            "flows/a/yg-flow.yaml",
            "name: F\naspects: [y, z, y]\nnodes: [n]\n",
            "aspects",
            "aspect 'y'",
        ),
    ],
)
def test_a_name_that_is_listed_twice_is_kept_once(
    path: str, text: str, attribute: str, message: str
) -> None:
    part, problems = read(path, text)
    assert [name.text for name in getattr(part, attribute)] == ["y", "z"]
    assert problems == (warning(path, f"{message} is listed twice", 2, 17, KEEP),)


def test_each_name_is_reported_once() -> None:
    _, problems = read("flows/a/yg-flow.yaml", "name: F\nnodes: [a, b, a, b, a]\n")
    assert [(problem.finding.message, problem.finding.place.column) for problem in problems] == [
        ("participant 'a' is listed 3 times", 15),
        ("participant 'b' is listed twice", 18),
    ]
