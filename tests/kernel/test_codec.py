"""Values that were encoded are the same values when they are decoded, and nothing else is."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import DecodeError, Struct, msgpack

from yg.kernel.codec import Codec
from yg.kernel.issue import ISSUES, VERDICT, Issue, Place, Severity, Verdict


class Colour(StrEnum):
    """One word of a few."""

    RED = "red"
    GREEN = "green"


class Point(Struct, frozen=True, array_like=True):
    """Two numbers."""

    x: int
    y: int = 0


class Shape(Struct, frozen=True, kw_only=True):
    """Something of everything."""

    points: tuple[Point, ...]
    colour: Colour | None = None
    names: dict[str, Point]
    is_open: bool = False


SHAPE: Codec[Shape] = Codec(Shape)
texts = st.text(max_size=6)
points = st.builds(Point, st.integers(-(2**63), 2**63), st.integers(-(2**63), 2**63))
shapes = st.builds(
    Shape,
    points=st.lists(points, max_size=3).map(tuple),
    colour=st.sampled_from([None, *Colour]),
    names=st.dictionaries(texts, points, max_size=3),
    is_open=st.booleans(),
)
places = st.builds(Place, texts, st.integers(0, 2**63), st.integers(0, 2**63))
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


@given(shapes)
def test_whatever_is_encoded_comes_back(shape: Shape) -> None:
    again = SHAPE.decode(SHAPE.encode(shape) or b"")
    assert again == shape
    assert list(again.names) == list(shape.names)
    assert type(again.colour) is type(shape.colour)


@given(several, texts, st.integers(0, 2**63))
def test_a_verdict_comes_back(found: tuple[Issue, ...], scope: str, nodes: int) -> None:
    verdict = Verdict(scope, nodes, found)
    assert VERDICT.decode(VERDICT.encode(verdict) or b"") == verdict
    again = ISSUES.decode(ISSUES.encode(found) or b"")
    assert again == found
    assert [type(item.severity) for item in again] == [Severity] * len(found)


def test_text_that_is_not_unicode_is_not_encoded() -> None:
    assert VERDICT.encode(Verdict("bad\udcff", 1, ())) is None


SOUND: dict[str, Any] = {"points": [], "names": {}}


@pytest.mark.parametrize(
    "value",
    [
        7,
        [],
        {},
        {"points": []},
        {"points": [], "names": []},
        {"points": [], "names": {"a": []}},
        {"points": [], "names": {"a": ["1"]}},
        {"points": [7], "names": {}},
        {**SOUND, "colour": "blue"},
        {**SOUND, "is_open": 1},
    ],
)
def test_any_other_value_is_an_error(value: Any) -> None:
    with pytest.raises(DecodeError):
        SHAPE.decode(msgpack.encode(value))


@pytest.mark.parametrize(
    "data",
    [b"", b"\xc1", msgpack.encode(SOUND) + b"\x07", b"\xa1\xff", b"\x91" * 100_000],
)
def test_any_other_bytes_are_an_error(data: bytes) -> None:
    with pytest.raises(DecodeError):
        SHAPE.decode(data)
