"""Base classes and common field types of JSON documents.

A field has its type, its limits and its description in one annotation. Annotations are evaluated
only to generate the schemas, so a shape costs a command no more than its class.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

UNIQUE = {"uniqueItems": True}

Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Texts = list[Text]
SomeTexts = Annotated[Texts, Meta(min_length=1)]
UniqueTexts = Annotated[Texts, Meta(extra_json_schema=UNIQUE)]
SomeUniqueTexts = Annotated[Texts, Meta(min_length=1, extra_json_schema=UNIQUE)]


def about(description: str) -> Meta:
    """Describe a field."""
    return Meta(description=description)


def one_of(*values: str) -> Meta:
    """Limit a text to some values."""
    return Meta(extra_json_schema={"enum": [*values]})


class Record(Struct, frozen=True, kw_only=True):
    """An object in a document.

    A field that may be absent has the default UNSET; all others are required.
    """

    CONDITIONS: ClassVar[dict[str, Any]] = {}  # JSON Schema keywords that concern several fields


class JsonDocument(Record, frozen=True, kw_only=True, tag_field="schema"):
    """A JSON document; its tag is the name of its schema, its docstring the title."""
