"""Values: made, compared, shown and kept as they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.value import FrozenError, Value, field, fields_of, replace

T = TypeVar("T")


class Point(Value):
    """A place."""

    x: int
    y: int = 0

    @property
    def total(self) -> int:
        return self.x + self.y


@dataclass(frozen=True, slots=True)
class Reference:
    """The same, as the standard library has it."""

    x: int
    y: int = 0


class Named(Value, kw_only=True):
    """Fields that have to be named."""

    name: str = ""
    parts: tuple[int, ...]


class Lazy(Value, slots=False):
    """A value that remembers what it worked out."""

    number: int

    @cached_property
    def square(self) -> list[int]:
        return [self.number**2]


class Box(Value, Generic[T]):
    """A value of any kind."""

    content: T


class Nothing(Value):
    """A value without fields."""


def test_a_value_takes_its_fields_in_order_or_by_name() -> None:
    assert (Point(1).x, Point(1).y, Point(y=3, x=2).total) == (1, 0, 5)
    assert Named(parts=(1,)).name == ""


@pytest.mark.parametrize(("cls", "arguments"), [(Point, ()), (Point, (1, 2, 3)), (Named, ((1,),))])
def test_wrong_arguments_are_refused_as_by_any_function(
    cls: type[object], arguments: tuple[object, ...]
) -> None:
    with pytest.raises(TypeError):
        cls(*arguments)


def test_a_value_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(FrozenError, match="Point is a value: 'x' cannot be changed"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenError):
        del point.x
    with pytest.raises(AttributeError):
        point.z = 2
    assert not hasattr(point, "__dict__")


def test_a_value_without_slots_remembers_what_it_works_out() -> None:
    lazy = Lazy(3)
    assert lazy.square is lazy.square
    assert lazy == Lazy(3)
    with pytest.raises(FrozenError):
        lazy.number = 4  # type: ignore[misc]


@given(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), st.tuples(st.integers(0, 3), st.integers(0, 3))
)
def test_values_are_equal_and_hashed_as_dataclasses_are(
    one: tuple[int, int], two: tuple[int, int]
) -> None:
    assert (Point(*one) == Point(*two)) == (Reference(*one) == Reference(*two))
    assert len({Point(*one), Point(*two)}) == len({Reference(*one), Reference(*two)})
    assert Point(*one) != Reference(*one)


def test_a_value_shows_its_fields() -> None:
    assert repr(Point(1)) == "Point(x=1, y=0)"
    assert repr(Named(parts=())) == "Named(name='', parts=())"
    assert repr(Nothing()) == "Nothing()"


def test_a_value_may_have_no_fields_or_any_kind_of_content() -> None:
    assert Nothing() == Nothing()
    assert Box("a") == Box("a") != Box("b")


def test_replace_makes_another_value() -> None:
    point = Point(1, 2)
    assert (replace(point, y=5), point) == (Point(1, 5), Point(1, 2))


def test_patterns_match_the_fields_in_order() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
    assert fields_of(Point) == ("x", "y")


def test_values_are_the_same_class_before_and_after_their_first_use() -> None:
    first, second = Point(7), Point(7)
    assert type(first) is type(second) is Point
    assert first == second


class Ranked(Value, order=True):
    """A value that can be sorted."""

    rank: int
    names: list[str] = field(default_factory=list)


def test_values_can_be_put_in_order() -> None:
    assert sorted([Ranked(2), Ranked(1)]) == [Ranked(1), Ranked(2)]
    with pytest.raises(TypeError):
        sorted([Point(2), Point(1)])  # type: ignore[type-var]


def test_every_value_gets_its_own_of_what_is_made_fresh() -> None:
    one, two = Ranked(1), Ranked(1)
    one.names.append("a")
    assert (one.names, two.names, Ranked(1, ["b"]).names) == (["a"], [], ["b"])
