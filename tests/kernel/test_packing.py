"""Values written down as plain data are the same values when they are read again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.choice import Choice
from yg.kernel.issue import Issue, Place, Severity
from yg.kernel.packing import MISFITS, Packing, Packs
from yg.kernel.value import Value
from yg.kernel.verdict import ISSUES, VERDICT, Verdict


class Colour(Choice):
    """One word of a few."""

    RED = "red"
    GREEN = "green"


class Point(Value):
    """Two numbers."""

    x: int
    y: int = 0


class Shape(Value, kw_only=True):
    """Something of everything."""

    points: tuple[Point, ...]
    colour: Colour | None = None
    names: dict[str, Point]
    is_open: bool = False


PACKING = Packing(Colour, Point, Shape)
texts = st.text(st.characters(), max_size=6)  # with surrogates
points = st.builds(Point, st.integers(), st.integers())
shapes = st.builds(
    Shape,
    points=st.lists(points, max_size=3).map(tuple),
    colour=st.sampled_from([None, *Colour]),
    names=st.dictionaries(texts, points, max_size=3),
    is_open=st.booleans(),
)
places = st.builds(Place, texts, st.integers(0), st.integers(0))
issues = st.builds(
    Issue,
    code=texts,
    name=texts,
    severity=st.sampled_from(list(Severity)),
    subject=texts,
    message=texts,
    place=places,
    advice=st.lists(texts, max_size=2).map(tuple),
    also=st.lists(texts, max_size=2).map(tuple),
    fix=texts,
)
several = st.lists(issues, max_size=3).map(tuple)


def again(packing: Packs[Any], unpacked: Any) -> Any:
    """Write something down as a later run finds it, and read it."""
    return packing.unpack(json.loads(json.dumps(packing.pack(unpacked))))


@pytest.mark.parametrize(
    ("unpacked", "packed"),
    [
        (None, None),
        (True, True),
        (0, 0),
        ("text", "text"),
        ((), []),
        ((1, ("a", None)), [1, ["a", None]]),
        ({}, {"": []}),
        ({"": 1, "b": ()}, {"": [["", 1], ["b", []]]}),
        (Colour.RED, {"Colour": "red"}),
        (Point(1, 2), {"Point": [1, 2]}),
        (
            Shape(points=(Point(1),), colour=Colour.GREEN, names={"a": Point(2)}),
            {
                "Shape": [
                    [{"Point": [1, 0]}],
                    {"Colour": "green"},
                    {"": [["a", {"Point": [2, 0]}]]},
                    False,
                ]
            },
        ),
    ],
)
def test_each_kind_of_value_has_one_form(unpacked: object, packed: object) -> None:
    assert PACKING.pack(unpacked) == packed
    assert again(PACKING, unpacked) == unpacked
    assert type(again(PACKING, unpacked)) is type(unpacked)


@given(shapes)
def test_whatever_is_packed_comes_back(shape: Shape) -> None:
    assert again(PACKING, shape) == shape


@given(shapes)
def test_the_order_of_entries_is_kept(shape: Shape) -> None:
    assert list(again(PACKING, shape).names) == list(shape.names)


@given(several, texts, st.integers(0))
def test_a_verdict_comes_back(found: tuple[Issue, ...], scope: str, nodes: int) -> None:
    verdict = Verdict(scope, nodes, found)
    assert again(VERDICT, verdict) == verdict
    assert again(ISSUES, found) == found
    assert [each.severity.__class__ for each in again(ISSUES, found)] == [Severity] * len(found)


@pytest.mark.parametrize("unpacked", [1.5, b"", [1], {1}, object(), Severity.ERROR, (Place("a"),)])
def test_what_is_not_known_cannot_be_packed(unpacked: object) -> None:
    with pytest.raises(KeyError):
        PACKING.pack(unpacked)


@pytest.mark.parametrize(
    "packed",
    [
        {},
        {"Point": [1, 2], "Colour": "red"},
        {"Unheard": []},
        {"Point": []},
        {"Point": [1]},
        {"Point": [1, 2, 3]},
        {"Point": None},
        {"Point": 7},
        {"Colour": "blue"},
        {"Colour": 7},
        {"Colour": ["red", 1, 2, 3, 4]},
        {"": 7},
        {"": [7]},
        {"": [["a"]]},
        {"": [["a", 1, 2]]},
        {"": [[[], 1]]},
        {"Shape": "text"},
        [{"Point": []}],
    ],
)
def test_what_does_not_fit_is_a_misfit(packed: object) -> None:
    with pytest.raises(MISFITS):
        PACKING.unpack(packed)
