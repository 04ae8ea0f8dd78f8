"""Shapes of JSON values: each tells, with places, what is wrong with a value, and its JSON Schema.

A reader's verdict and the schema that ships are two views of the same shape, so that they cannot
disagree. Shapes nest a few levels deep, whatever the document looks like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from yg.kernel.decode import Datum, Entry, Problem, type_name
from yg.kernel.suggest import did_you_mean, listing, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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


@dataclass(frozen=True, slots=True)
class Text:
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
            yield _wrong_type(datum, what, "text")
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


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        return isinstance(value, str) and value in self.words

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell whether it is another word, or none."""
        if not isinstance(datum.value, str):
            yield _wrong_type(datum, what, "text")
        elif datum.value not in self.words:
            near = did_you_mean(nearest(datum.value, self.words)[:1])
            hint = near or f"Use one of: {', '.join(self.words)}."
            message = f"{what} must not be '{datum.value}'"
            yield Problem(message, datum.line, datum.column, hint)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        return {"enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Number:
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
            yield _wrong_type(datum, what, expected)
        elif self.is_whole and value % 1:
            yield Problem(f"{what} must be a whole number", datum.line, datum.column)
        elif value <= 0:
            yield Problem(f"{what} must be greater than 0", datum.line, datum.column)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        return {"type": "integer" if self.is_whole else "number", "exclusiveMinimum": 0}


@dataclass(frozen=True, slots=True)
class Plain:
    """Text or a number, as people write settings."""

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        return isinstance(value, (str, int, float)) and not isinstance(value, bool)

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell whether it is anything else."""
        if isinstance(datum.value, bool) or not isinstance(datum.value, (str, int, float)):
            yield _wrong_type(datum, what, "text or a number")

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        return {"type": ["string", "number"]}


@dataclass(frozen=True, slots=True)
class ListOf:
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
            yield _wrong_type(datum, what, "a list")
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


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object whose keys are the author's own and whose values all have one shape."""

    value: Shape | None = None

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        is_object = isinstance(value, dict)
        return is_object and (self.value is None or all(map(self.value.fits, value.values())))

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell what is wrong with the object and with each value."""
        if not isinstance(datum.value, dict):
            yield _wrong_type(datum, what, "an object")
        elif self.value is not None:
            for key, entry in datum.value.items():
                yield from self.value.problems(entry.datum, _inside(what, key))

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        inner = {} if self.value is None else {"additionalProperties": self.value.schema}
        return {"type": "object", **inner}


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an object: the shape of its value, and what it is for."""

    shape: Shape
    about: str
    is_required: bool = False


@dataclass(frozen=True, kw_only=True)
class Record:
    """An object with certain keys."""

    keys: Mapping[str, Key]
    is_open: bool = False  # whether other keys may stand there
    # Words for keys that belong elsewhere, and sets of keys that are often mistaken.
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    alike: frozenset[str] = frozenset()

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        if not isinstance(value, dict) or not self.required <= value.keys():
            return False
        for key, inner in value.items():
            known = self.keys.get(key)
            if not (known.shape.fits(inner) if known else self.is_open):
                return False
        return True

    @cached_property
    def required(self) -> frozenset[str]:
        """The keys that must not be missing."""
        return frozenset(name for name, key in self.keys.items() if key.is_required)

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell what is wrong with each value, which keys are missing and which mean nothing."""
        if not isinstance(datum.value, dict):
            yield _wrong_type(datum, what, "an object")
            return
        for key, entry in datum.value.items():
            if key in self.keys:
                yield from self.keys[key].shape.problems(entry.datum, _inside(what, key))
        missing = [k for k in self.keys if k in self.required and k not in datum.value]
        strays = (
            {} if self.is_open else {k: e for k, e in datum.value.items() if k not in self.keys}
        )
        for key in missing:
            stray = self._meant(key, strays)
            if stray:
                entry = strays.pop(stray)
                message = f"{what} has no '{key}', but an unknown key '{stray}'"
                hint = f"Write '{key}' in its place."
                yield Problem(message, entry.line, entry.column, hint)
            else:
                yield Problem(
                    f"{what} has no '{key}'", datum.line, datum.column, f"Add '\"{key}\": ..'."
                )
        for key, entry in strays.items():
            yield self._stray(key, entry)

    def _meant(self, key: str, strays: Mapping[str, Entry]) -> str:
        """Return the stray key that stands there by mistake for a missing one, if any."""
        if not strays:
            return ""
        alike = [each for each in strays if each in self.alike and key in self.alike]
        return next(iter((*nearest(key, strays), *alike)), "")

    def _stray(self, key: str, entry: Entry) -> Problem:
        if key in self.elsewhere:
            message = f"'{key}' is for {self.elsewhere[key]} only"
            return Problem(message, entry.line, entry.column, "Remove it, or correct the type.")
        near = did_you_mean(nearest(key, self.keys)[:1])
        hint = near or f"Known here: {listing(self.keys, most=len(self.keys))}."
        return Problem(f"unknown key '{key}'", entry.line, entry.column, hint)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        required = [name for name in self.keys if name in self.required]
        return {
            "type": "object",
            **({"required": required} if required else {}),
            "properties": {
                name: {"description": key.about, **key.shape.schema}
                for name, key in self.keys.items()
            },
            **({} if self.is_open else {"additionalProperties": False}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """An object whose shape is chosen by one of its keys, so that one mistake is told once."""

    tag: str
    about: str
    branches: Mapping[str, Record]
    otherwise: Record  # what is looked at when the tag makes no sense
    may_be_text: Text | None = None  # plain text in place of the object

    @property
    def words(self) -> tuple[str, ...]:
        """What the tag may be."""
        return tuple(self.branches)

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        if self.may_be_text and isinstance(value, str):
            return self.may_be_text.fits(value)
        word = value.get(self.tag) if isinstance(value, dict) else None
        branch = self.branches.get(word) if isinstance(word, str) else None
        return branch is not None and branch.fits(value)

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell what is wrong with the tag, or else with the object it stands for."""
        if self.may_be_text and isinstance(datum.value, str):
            yield from self.may_be_text.problems(datum, what)
            return
        if not isinstance(datum.value, dict):
            yield _wrong_type(datum, what, "text or an object" if self.may_be_text else "an object")
            return
        entry = datum.value.get(self.tag)
        if entry is not None and isinstance(entry.datum.value, str):
            branch = self.branches.get(entry.datum.value)
            if branch is not None:
                yield from branch.problems(datum, what)
                return
        if entry is None:
            hint = f"Use one of: {', '.join(self.branches)}."
            yield Problem(f"{what} has no '{self.tag}'", datum.line, datum.column, hint)
        else:
            yield from Choice(self.words).problems(entry.datum, _inside(what, self.tag))
        yield from self.otherwise.problems(datum, what)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema: a condition for each of the shapes."""
        tag = {"description": self.about, "enum": list(self.branches)}
        shared: dict[int, list[str]] = {}
        for word, branch in self.branches.items():
            shared.setdefault(id(branch), []).append(word)
        whole = {
            "type": "object",
            "required": [self.tag],
            "properties": {self.tag: tag},
            "allOf": [
                {
                    "if": {
                        "required": [self.tag],
                        "properties": {self.tag: {"enum": words}},
                    },
                    "then": self.branches[words[0]].schema,
                }
                for words in shared.values()
            ],
        }
        return {"anyOf": [self.may_be_text.schema, whole]} if self.may_be_text else whole


def _inside(what: str, key: str) -> str:
    """Name a key of an object: by itself at the top of a file, else after the object's name."""
    is_nested = what.startswith("'")
    return f"'{what.strip(chr(39))}.{key}'" if is_nested else f"'{key}'"


def _wrong_type(datum: Datum, what: str, expected: str) -> Problem:
    message = f"{what} must be {expected}, found {json_name(datum.value)}"
    return Problem(message, datum.line, datum.column)


def json_name(value: Scalar | list[Datum] | dict[str, Entry]) -> str:
    """Name the type of a value in JSON's words."""
    if value is None:
        return "null"
    return "an object" if isinstance(value, dict) else type_name(value)
