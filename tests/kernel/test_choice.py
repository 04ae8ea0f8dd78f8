"""Choices: as the standard library's enumerations of texts, in all that is used of them."""

from __future__ import annotations

import json
from enum import StrEnum

import pytest

from yg.kernel.choice import Choice


class Colour(Choice):
    """A few colours."""

    RED = "red"
    DARK_RED = "dark-red"

    @property
    def is_dark(self) -> bool:
        return self is not Colour.RED


class Reference(StrEnum):
    """The same, as the standard library has it."""

    RED = "red"
    DARK_RED = "dark-red"


def test_a_choice_is_a_text_with_a_name() -> None:
    for ours, theirs in zip(Colour, Reference, strict=True):
        assert (ours.name, ours.value, str(ours)) == (theirs.name, theirs.value, str(theirs))
        assert f"{ours:>10}|{ours}" == f"{theirs:>10}|{theirs}"
        assert (ours, hash(ours)) == (theirs.value, hash(theirs.value))
        assert json.dumps({ours: ours}) == json.dumps({theirs: theirs})
        assert type(str(ours)) is type(ours.value) is str
    assert ", ".join(Colour) == "red, dark-red"


def test_a_word_names_the_one_value_there_is_of_it() -> None:
    assert Colour("dark-red") is Colour.DARK_RED
    assert Colour(Colour.RED) is Colour.RED
    assert isinstance(Colour.RED, Colour)
    assert len(Colour) == len(Reference) == 2
    assert Colour.RED in Colour


def test_a_choice_has_properties_like_any_class() -> None:
    assert [each.is_dark for each in Colour] == [False, True]


@pytest.mark.parametrize("word", ["blue", "", "RED", None, 1])
def test_any_other_word_is_no_choice(word: str) -> None:
    with pytest.raises(ValueError, match=f"^'{word}' is no Colour$"):
        Colour(word)


def test_it_can_be_matched() -> None:
    match "dark-red":
        case Colour.RED:
            found = "red"
        case Colour.DARK_RED:
            found = "dark"
    assert found == "dark"
