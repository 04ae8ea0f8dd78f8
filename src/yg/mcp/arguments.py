"""Arguments of tools: how they are described to an agent, and checked when they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.kernel.errors import UsageError
from yg.kernel.suggest import did_you_mean, listing, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LONGEST = 4096  # characters of a text: no path is longer on Linux


class Form(Struct, frozen=True):
    """A form that values can have: as JSON Schema, in words, and as a test."""

    schema: dict[str, Any]
    words: str
    fits: Callable[[object], bool]


class Argument(Struct, frozen=True):
    """One argument of a tool: its form, what it means, and an example."""

    name: str
    form: Form
    about: str
    example: Any
    required: bool = False


def _is_bounded(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST


def _is_text(value: object) -> bool:
    return isinstance(value, str) and _is_bounded(value) and "\0" not in value


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


_LENGTH = f"1 to {LONGEST} characters"
_STRING = {"type": "string", "minLength": 1}
PLACE = Form(_STRING, f"a text of {_LENGTH}", _is_bounded)  # `Roots` tells what else is wrong
TEXT = Form(_STRING, f"a text of {_LENGTH}, none of them NUL", _is_text)
TEXTS = Form(
    {"type": "array", "items": _STRING, "minItems": 1},
    f"a list of texts of {_LENGTH}, none of them NUL",
    _are_texts,
)
FLAG = Form({"type": "boolean"}, "true or false", lambda value: isinstance(value, bool))


def choice(*words: str) -> Form:
    """Make the form of one of a few words."""
    schema = {"type": "string", "enum": list(words)}
    return Form(schema, f"one of: {', '.join(words)}", lambda value: value in words)


def count(least: int, most: int) -> Form:
    """Make the form of a whole number within limits."""

    def fits(value: object) -> bool:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return is_whole and least <= value <= most  # type: ignore[operator]

    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Form(schema, f"a whole number from {least} to {most}", fits)


def input_schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Describe the arguments of a tool as JSON Schema."""
    required = [each.name for each in arguments if each.required]
    return {
        "type": "object",
        "properties": {
            each.name: {
                **each.form.schema,
                "description": each.about,
                "examples": [each.example],
            }
            for each in arguments
        },
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def checked(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that were given; null is the same as leaving one out."""
    known = {each.name: each for each in arguments}
    values = {name: value for name, value in given.items() if value is not None}
    for name, value in values.items():
        if name not in known:
            hint = did_you_mean(nearest(name, known)) or f"There are: {listing(known)}."
            raise UsageError(f"there is no argument '{name}'", hint=hint)
        if not known[name].form.fits(value):
            hint = f"{known[name].about} For example: {known[name].example!r}."
            raise UsageError(f"'{name}' has to be {known[name].form.words}", hint=hint)
    for each in arguments:
        if each.required and each.name not in values:
            hint = f"{each.about} For example: {each.example!r}."
            raise UsageError(f"the argument '{each.name}' is missing", hint=hint)
    return values
