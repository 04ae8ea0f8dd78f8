"""Shapes of JSON values: each tells, with places, what is wrong with a value, and its JSON Schema.

A reader's verdict and the schema that ships are two views of the same shape, so that they cannot
disagree. Shapes nest a few levels deep, whatever the document looks like.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from yg.kernel.decode import Datum, Entry, Problem, type_name
from yg.kernel.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.decode import Scalar

NOT_BLANK = r"\S"


class Shape(Protocol):
    """What can be asked of any shape."""

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell everything that is wrong with a value, which messages call `what`."""

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema, draft 7."""


class Text(Struct, frozen=True):
    """Text that is not blank, of some length, and perhaps of a certain form."""

    least: int = 1  # 0: it may be blank
    most: int = 0  # 0: as long as you like
    pattern: str = ""  # of the whole text
    form: str = ""  # what the pattern means, in words

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        if not isinstance(value, str) or len(value) < self.least:
            return False
        if (self.most and len(value) > self.most) or (self.least and not value.strip()):
            return False
        return not self.pattern or re.fullmatch(self.pattern, value) is not None

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell what is wrong with a text: one thing at most."""
        if not isinstance(datum.value, str):
            yield wrong_type(datum, what, "text")
            return
        size, message = len(datum.value), ""
        if self.least and not datum.value.strip():
            message = f"{what} must not be empty"
        elif self.pattern and not re.fullmatch(self.pattern, datum.value):
            message = f"{what} must be {self.form}, found '{datum.value}'"
        elif size < self.least:
            message = f"{what} has {size} characters and needs at least {self.least}"
        elif self.most and size > self.most:
            message = f"{what} has {size} characters and may have at most {self.most}"
        if message:
            yield Problem(message, datum.line, datum.column)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        pattern = f"^{self.pattern}$" if self.pattern else NOT_BLANK if self.least else ""
        return {
            "type": "string",
            **({"minLength": self.least} if self.least > 1 else {}),
            **({"maxLength": self.most} if self.most else {}),
            **({"pattern": pattern} if pattern else {}),
        }


class Choice(Struct, frozen=True):
    """One of a few words."""

    words: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        return isinstance(value, str) and value in self.words

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell whether it is another word, or none."""
        if not isinstance(datum.value, str):
            yield wrong_type(datum, what, "text")
        elif datum.value not in self.words:
            near = did_you_mean(nearest(datum.value, self.words)[:1])
            hint = near or f"Use one of: {', '.join(self.words)}."
            message = f"{what} must not be '{datum.value}'"
            yield Problem(message, datum.line, datum.column, hint)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        return {"enum": list(self.words)}


class Number(Struct, frozen=True):
    """A number greater than zero, perhaps a whole one."""

    is_whole: bool = False

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and value > 0 and not (self.is_whole and value % 1)

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell whether it is anything else."""
        value = datum.value
        expected = "a whole number" if self.is_whole else "a number"
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            yield wrong_type(datum, what, expected)
        elif self.is_whole and value % 1:
            yield Problem(f"{what} must be a whole number", datum.line, datum.column)
        elif value <= 0:
            yield Problem(f"{what} must be greater than 0", datum.line, datum.column)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        return {"type": "integer" if self.is_whole else "number", "exclusiveMinimum": 0}


class Plain(Struct, frozen=True):
    """Text or a number, as people write settings."""

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        return isinstance(value, (str, int, float)) and not isinstance(value, bool)

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell whether it is anything else."""
        if isinstance(datum.value, bool) or not isinstance(datum.value, (str, int, float)):
            yield wrong_type(datum, what, "text or a number")

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        return {"type": ["string", "number"]}


class ListOf(Struct, frozen=True):
    """A list whose items all have one shape."""

    item: Shape
    may_be_empty: bool = True

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        if not isinstance(value, list) or not (value or self.may_be_empty):
            return False
        return all(map(self.item.fits, value))

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell what is wrong with the list and with each item."""
        if not isinstance(datum.value, list):
            yield wrong_type(datum, what, "a list")
            return
        if not datum.value and not self.may_be_empty:
            yield Problem(f"{what} must not be empty", datum.line, datum.column)
        for item in datum.value:
            yield from self.item.problems(item, f"each item of {what}")

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        least = {} if self.may_be_empty else {"minItems": 1}
        return {"type": "array", **least, "items": self.item.schema}


class MapOf(Struct, frozen=True):
    """An object whose keys are the author's own and whose values all have one shape."""

    value: Shape | None = None

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        is_object = isinstance(value, dict)
        return is_object and (self.value is None or all(map(self.value.fits, value.values())))

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell what is wrong with the object and with each value."""
        if not isinstance(datum.value, dict):
            yield wrong_type(datum, what, "an object")
        elif self.value is not None:
            for key, entry in datum.value.items():
                yield from self.value.problems(entry.datum, inside(what, key))

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        inner = {} if self.value is None else {"additionalProperties": self.value.schema}
        return {"type": "object", **inner}


def inside(what: str, key: str) -> str:
    """Name a key of an object: by itself at the top of a file, else after the object's name."""
    is_nested = what.startswith("'")
    return f"'{what.strip(chr(39))}.{key}'" if is_nested else f"'{key}'"


def wrong_type(datum: Datum, what: str, expected: str) -> Problem:
    """Tell that a value is of another type than expected."""
    message = f"{what} must be {expected}, found {json_name(datum.value)}"
    return Problem(message, datum.line, datum.column)


def json_name(value: Scalar | list[Datum] | dict[str, Entry]) -> str:
    """Name the type of a value in JSON's words."""
    if value is None:
        return "null"
    return "an object" if isinstance(value, dict) else type_name(value)
