"""Schemas that are generated from shapes: types, limits, descriptions, and what may be absent."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

import pytest
from msgspec import UNSET, Meta, UnsetType, to_builtins

from yg.commands.schema import schema_of
from yg.kernel.document import UNIQUE, Count, Document, Record, Text, about, one_of


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Petal(Record, frozen=True, kw_only=True, rename="kebab"):
    """One petal."""

    CONDITIONS: ClassVar[dict[str, Any]] = {"dependentRequired": {"left-side": ["colour"]}}

    colour: Annotated[Colour, about("Its colour.")]
    left_side: Annotated[bool | UnsetType, about("Whether it is on the left.")] = UNSET


class Flower(Document, frozen=True, kw_only=True, tag="yg-flower/1"):
    """What a flower looks like."""

    kind: Annotated[Literal["flower"], about("The kind.")] = "flower"
    name: Annotated[Text, about("Its name.")]
    petals: Annotated[list[Petal], Meta(min_length=1), about("Its petals.")]
    best: Annotated[Petal | None, about("The best one.")]
    height: Annotated[float | None, about("Its height.")]
    size: Annotated[Count | Annotated[str, one_of("big", "small")], about("Its size.")]
    mood: Annotated[Annotated[str, one_of("good", "bad")] | None, about("Its mood.")]
    names: Annotated[tuple[Text, ...], Meta(extra_json_schema=UNIQUE), about("Its names.")]
    visitors: Annotated[dict[Text, Count], about("Who came how often.")]


PROPERTIES = {
    "schema": {"description": "The name of this schema.", "const": "yg-flower/1"},
    "kind": {"description": "The kind.", "const": "flower"},
    "name": {"description": "Its name.", "type": "string", "minLength": 1},
    "petals": {
        "description": "Its petals.",
        "type": "array",
        "items": {"$ref": "#/$defs/petal"},
        "minItems": 1,
    },
    "best": {
        "description": "The best one.",
        "oneOf": [{"$ref": "#/$defs/petal"}, {"type": "null"}],
    },
    "height": {"description": "Its height.", "type": ["number", "null"]},
    "size": {
        "description": "Its size.",
        "oneOf": [{"type": "integer", "minimum": 0}, {"enum": ["big", "small"]}],
    },
    "mood": {"description": "Its mood.", "enum": ["good", "bad", None]},
    "names": {
        "description": "Its names.",
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "uniqueItems": True,
    },
    "visitors": {
        "description": "Who came how often.",
        "type": "object",
        "propertyNames": {"minLength": 1},
        "additionalProperties": {"type": "integer", "minimum": 0},
    },
}


def test_a_schema_says_what_the_shape_says() -> None:
    assert schema_of(Flower).content() == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "yg-flower/1",
        "title": "What a flower looks like.",
        "type": "object",
        "properties": PROPERTIES,
        "required": list(PROPERTIES),
        "additionalProperties": False,
        "$defs": {
            "petal": {
                "description": "One petal.",
                "type": "object",
                "properties": {
                    "colour": {"description": "Its colour.", "enum": ["red", "blue"]},
                    "left-side": {
                        "description": "Whether it is on the left.",
                        "type": "boolean",
                    },
                },
                "required": ["colour"],
                "additionalProperties": False,
                "dependentRequired": {"left-side": ["colour"]},
            }
        },
    }


def test_the_description_of_a_field_comes_first() -> None:
    properties = schema_of(Flower).content()["properties"]
    assert {next(iter(part)) for part in properties.values()} == {"description"}


def test_a_document_has_its_keys_in_the_order_of_its_schema() -> None:
    petal = Petal(colour=Colour.RED)
    flower = Flower(
        name="Rose",
        petals=[petal],
        best=None,
        height=None,
        size="big",
        mood=None,
        names=(),
        visitors={},
    )
    data = to_builtins(flower)
    assert list(data) == list(PROPERTIES)
    assert data["petals"] == [{"colour": "red"}]


def test_two_shapes_of_one_name_are_noticed() -> None:
    other = type("Petal", (Record,), {"__annotations__": {}}, frozen=True, kw_only=True)
    first: Any = type(
        "Twice",
        (Document,),
        {"__annotations__": {"one": Petal, "two": other}},
        frozen=True,
        kw_only=True,
        tag="yg-twice/1",
    )
    with pytest.raises(ValueError, match="two shapes are named petal"):
        schema_of(first).content()
