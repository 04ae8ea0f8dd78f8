"""Shapes of JSON values: what a value must look like, stated once.

Each condition comes with its message and its part of the JSON Schema, so the reader and the
schemas that are installed with the package cannot disagree. Shapes check plain values; a position
is looked up only for a fault. Shapes nest a few levels deep, whatever the document looks like.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field

from yg_old.text.decode import Problem, type_name
from yg_old.text.plural import counted
from yg_old.text.suggest import did_you_mean, listing, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from yg_old.text.decode import Datum, Scalar

Path: TypeAlias = "tuple[str | int, ...]"

NOT_BLANK = r"\S"
_KEYWORDS = ("type", "enum", "minLength", "maxLength", "pattern", "minimum", "maximum")


class Fault(Struct, frozen=True):
    """A value that does not have its shape, and where it is in the document."""

    path: Path  # keys and positions
    message: str
    hint: str = ""
    key: str | None = None  # the key of the object at the path that is meant, if not its value
    names_value: bool = True  # whether the message continues the name of the value

    def problem(self, top: Datum, name: str) -> Problem:
        """Return the problem to report in a document of some name."""
        message = f"{_name(self.path, name)} {self.message}" if self.names_value else self.message
        datum = top
        for step in self.path:
            value: Any = datum.value
            datum = value[step] if isinstance(step, int) else value[step].datum
        if self.key is not None and isinstance(datum.value, dict):
            entry = datum.value[self.key]
            return Problem(message, entry.line, entry.column, self.hint)
        return Problem(message, datum.line, datum.column, self.hint)


def _name(path: Path, top: str) -> str:
    """Name a value in a message: by its key, after the object that holds it."""
    name = top
    for step in path:
        if isinstance(step, int):
            name = f"each item of {name}"
        else:
            is_nested = name.startswith("'")
            name = f"'{name.strip(chr(39))}.{step}'" if is_nested else f"'{step}'"
    return name


class ValueShape(Struct, frozen=True):
    """The shape of a JSON value."""

    def faults(self, value: Any, path: Path = ()) -> list[Fault]:
        """Return all faults of a plain value; `path` is where it is in the document."""
        raise NotImplementedError

    @property
    def schema(self) -> dict[str, Any]:
        """The shape as a JSON Schema, draft 7."""
        raise NotImplementedError

    def fits(self, value: Any) -> bool:
        """Return whether a plain value has this shape."""
        return not self.faults(value)

    def inside(self, step: str | int) -> ValueShape | None:  # noqa: ARG002
        """Return the shape of a value under a key or at a position; None if it may be anything."""
        return None


def _no_hint(_value: Any) -> str:
    return ""


class ShapeCondition(Struct, frozen=True):
    """A condition on a value: the check, the message if it fails, and the JSON Schema."""

    holds: Callable[[Any], bool]
    message: Callable[[Any], str]
    schema: dict[str, Any] = field(default_factory=dict)
    hint: Callable[[Any], str] = _no_hint


class Single(ValueShape, frozen=True):
    """A text or a number; the first condition that fails is reported."""

    conditions: tuple[ShapeCondition, ...]

    def faults(self, value: Any, path: Path = ()) -> list[Fault]:
        """Return at most one fault."""
        for condition in self.conditions:
            if not condition.holds(value):
                return [Fault(path, condition.message(value), condition.hint(value))]
        return []

    @property
    def schema(self) -> dict[str, Any]:
        """The conditions as a JSON Schema; a later one replaces a keyword of an earlier one."""
        found = {key: word for part in self.conditions for key, word in part.schema.items()}
        return {key: found[key] for key in _KEYWORDS if key in found}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _must_be(expected: str) -> Callable[[Any], str]:
    return lambda value: f"must be {expected}, found {json_name(value)}"


def text(least: int = 1, most: int = 0, pattern: str = "", form: str = "") -> Single:
    """Return the shape of a text: its length, and the pattern of all of it, named by `form`.

    If `least` is 0 it may be blank; if `most` is 0 its length is not limited.
    """
    return Single(tuple(_text_conditions(least, most, pattern, form)))


def _text_conditions(least: int, most: int, pattern: str, form: str) -> Iterator[ShapeCondition]:
    yield ShapeCondition(_is_text, _must_be("text"), {"type": "string"})
    if least:
        yield ShapeCondition(
            lambda value: bool(value.strip()),
            lambda _: "must not be empty",
            {} if pattern else {"pattern": NOT_BLANK},
        )
    if pattern:
        matches = re.compile(pattern).fullmatch
        yield ShapeCondition(
            lambda value: matches(value) is not None,
            lambda value: f"must be {form}, found '{value}'",
            {"pattern": f"^{pattern}$"},
        )
    if least > 1:
        yield ShapeCondition(
            lambda value: len(value) >= least,
            lambda value: f"has {counted(len(value), 'character')} and needs at least {least}",
            {"minLength": least},
        )
    if most:
        yield ShapeCondition(
            lambda value: len(value) <= most,
            lambda value: f"has {counted(len(value), 'character')} and may have at most {most}",
            {"maxLength": most},
        )


def choice(words: tuple[str, ...]) -> Single:
    """Return the shape of one of a few words."""

    def hint(value: str) -> str:
        near = did_you_mean(nearest(value, words)[:1])
        return near or f"Use one of: {', '.join(words)}."

    return Single(
        (
            ShapeCondition(_is_text, _must_be("text")),
            ShapeCondition(
                lambda value: value in words,
                lambda value: f"must not be '{value}'",
                {"enum": list(words)},
                hint,
            ),
        )
    )


def blank_or_text(least: int) -> Single:
    """Return the shape of a text that is blank or has at least so many characters."""
    return Single(
        (
            ShapeCondition(_is_text, _must_be("text"), {"type": "string"}),
            ShapeCondition(
                lambda value: not value.strip() or len(value) >= least,
                lambda value: f"has {counted(len(value), 'character')} and needs at least {least}",
                {"pattern": rf"^\s*$|^[\s\S]{{{least},}}$"},
            ),
        )
    )


def whole_number(least: int, most: int) -> Single:
    """Return the shape of a whole number between two others."""
    return Single(
        (
            ShapeCondition(_is_number, _must_be("a whole number"), {"type": "number"}),
            ShapeCondition(
                lambda value: not value % 1, lambda _: "must be a whole number", {"type": "integer"}
            ),
            ShapeCondition(
                lambda value: least <= value <= most,
                lambda _: f"must be from {least} to {most}",
                {"minimum": least, "maximum": most},
            ),
        )
    )


class ListOf(ValueShape, frozen=True):
    """A list whose items all have one shape."""

    item: ValueShape
    may_be_empty: bool = True

    def faults(self, value: Any, path: Path = ()) -> list[Fault]:
        """Return the faults of the list and of each item."""
        if not isinstance(value, list):
            return [Fault(path, _must_be("a list")(value))]
        if not value and not self.may_be_empty:
            return [Fault(path, "must not be empty")]
        return [
            fault for at, item in enumerate(value) for fault in self.item.faults(item, (*path, at))
        ]

    def inside(self, step: str | int) -> ValueShape | None:  # noqa: ARG002
        """Return the shape of an item."""
        return self.item

    @property
    def schema(self) -> dict[str, Any]:
        """The list as a JSON Schema."""
        least = {} if self.may_be_empty else {"minItems": 1}
        return {"type": "array", **least, "items": self.item.schema}


class MapOf(ValueShape, frozen=True):
    """An object with any keys, whose values all have one shape, if any."""

    value: ValueShape | None = None

    def faults(self, value: Any, path: Path = ()) -> list[Fault]:
        """Return the faults of the object and of each value."""
        if not isinstance(value, dict):
            return [Fault(path, _must_be("an object")(value))]
        if self.value is None:
            return []
        shape = self.value
        return [
            fault for key, inner in value.items() for fault in shape.faults(inner, (*path, key))
        ]

    def inside(self, step: str | int) -> ValueShape | None:  # noqa: ARG002
        """Return the shape of a value."""
        return self.value

    @property
    def schema(self) -> dict[str, Any]:
        """The object as a JSON Schema."""
        inner = {} if self.value is None else {"additionalProperties": self.value.schema}
        return {"type": "object", **inner}


class Key(Struct, frozen=True):
    """A key of an object: the shape of its value and its description."""

    shape: ValueShape
    about: str
    is_required: bool = False


class ObjectShape(ValueShape, frozen=True, kw_only=True, dict=True):
    """An object with certain keys."""

    keys: Mapping[str, Key]
    is_open: bool = False  # whether other keys are allowed
    elsewhere: Mapping[str, str] = field(default_factory=dict)  # keys of other records, and whose
    alike: frozenset[str] = frozenset()  # keys that are often confused

    @cached_property
    def required(self) -> frozenset[str]:
        """The required keys."""
        return frozenset(name for name, key in self.keys.items() if key.is_required)

    def faults(self, value: Any, path: Path = ()) -> list[Fault]:
        """Return the faults of each value, then missing keys, then unknown ones."""
        if not isinstance(value, dict):
            return [Fault(path, _must_be("an object")(value))]
        found: list[Fault] = []
        unknown: list[str] = []
        for key, inner in value.items():
            known = self.keys.get(key)
            if known is not None:
                found += known.shape.faults(inner, (*path, key))
            elif not self.is_open:
                unknown.append(key)
        if not self.required <= value.keys():
            missing = (key for key in self.keys if key in self.required and key not in value)
            found += [self._missing(key, unknown, path) for key in missing]
        return found + [self._unknown(key, path) for key in unknown] if unknown else found

    def inside(self, step: str | int) -> ValueShape | None:
        """Return the shape of the value under a key."""
        key = self.keys.get(str(step))
        return key.shape if key else None

    def _missing(self, key: str, unknown: list[str], path: Path) -> Fault:
        """Report a missing key together with the unknown key in its place, which is removed."""
        message = f"has no '{key}'"
        alike = [other for other in unknown if other in self.alike and key in self.alike]
        meant = next(iter((*nearest(key, unknown), *alike)), None) if unknown else None
        if meant is None:
            return Fault(path, message, f"Add '\"{key}\": ..'.")
        unknown.remove(meant)
        message += f", but an unknown key '{meant}'"
        return Fault(path, message, f"Write '{key}' in its place.", meant)

    def _unknown(self, key: str, path: Path) -> Fault:
        if key in self.elsewhere:
            message = f"'{key}' is for {self.elsewhere[key]} only"
            return Fault(path, message, "Remove it, or correct the type.", key, names_value=False)
        near = did_you_mean(nearest(key, self.keys)[:1])
        hint = near or f"Known here: {listing(self.keys, most=len(self.keys))}."
        return Fault(path, f"unknown key '{key}'", hint, key, names_value=False)

    @property
    def schema(self) -> dict[str, Any]:
        """The record as a JSON Schema."""
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


class Tagged(ValueShape, frozen=True, kw_only=True):
    """An object whose shape depends on one of its keys, so that one mistake is reported once."""

    tag: str
    about: str
    branches: Mapping[str, ObjectShape]
    otherwise: ObjectShape  # used if the tag is missing or unknown
    may_be_text: Single | None = None  # a text in place of the object

    def faults(self, value: Any, path: Path = ()) -> list[Fault]:
        """Return the faults of the tag, or of the object that it stands for."""
        if self.may_be_text and isinstance(value, str):
            return self.may_be_text.faults(value, path)
        if not isinstance(value, dict):
            expected = "text or an object" if self.may_be_text else "an object"
            return [Fault(path, _must_be(expected)(value))]
        branch = self.branch_of(value)
        if branch is not None:
            return branch.faults(value, path)
        words = tuple(self.branches)
        if self.tag in value:
            found = choice(words).faults(value[self.tag], (*path, self.tag))
        else:
            found = [Fault(path, f"has no '{self.tag}'", f"Use one of: {', '.join(words)}.")]
        return found + self.otherwise.faults(value, path)

    def branch_of(self, value: Any) -> ObjectShape | None:
        """Return the shape that an object has by its tag; None if the tag is not known."""
        word = value.get(self.tag) if isinstance(value, dict) else None
        return self.branches.get(word) if isinstance(word, str) else None

    @property
    def schema(self) -> dict[str, Any]:
        """The object as a JSON Schema, with a condition for each of the shapes."""
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


def json_name(value: Scalar | list[Any] | dict[str, Any]) -> str:
    """Name the type of a value as in JSON."""
    if value is None:
        return "null"
    return "an object" if isinstance(value, dict) else type_name(value)
