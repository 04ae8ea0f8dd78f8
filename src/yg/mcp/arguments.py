"""Arguments of tools: their JSON Schema and their validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.kernel.errors import UsageError
from yg.kernel.suggest import did_you_mean, listing, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LONGEST = 4096  # characters of a string; the longest path on Linux


class Form(Struct, frozen=True):
    """The type of an argument: its JSON Schema, its description and its check."""

    schema: dict[str, Any]
    expected: str
    fits: Callable[[object], bool]

    @property
    def lists_values(self) -> bool:
        """Whether the schema gives all values, so that an example adds nothing."""
        return "enum" in self.schema or self.schema.get("type") in ("boolean", "integer")


class Argument(Struct, frozen=True):
    """One argument of a tool."""

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
PLACE = Form(_STRING, f"a string of {_LENGTH}", _is_bounded)  # `Roots` checks the rest
TEXT = Form(_STRING, f"a string of {_LENGTH} without NUL", _is_text)
TEXTS = Form(
    {"type": "array", "items": _STRING, "minItems": 1},
    f"a non-empty list of strings of {_LENGTH} without NUL",
    _are_texts,
)
FLAG = Form({"type": "boolean"}, "true or false", lambda value: isinstance(value, bool))


def choice(*words: str) -> Form:
    """Return the form of a choice between words."""
    schema = {"type": "string", "enum": list(words)}
    return Form(schema, f"one of: {', '.join(words)}", lambda value: value in words)


def count(least: int, most: int) -> Form:
    """Return the form of an integer within limits."""

    def fits(value: object) -> bool:
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        return is_integer and least <= value <= most  # type: ignore[operator]

    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Form(schema, f"an integer from {least} to {most}", fits)


def input_schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Return the JSON Schema of the arguments of a tool."""
    required = [argument.name for argument in arguments if argument.required]
    return {
        "type": "object",
        "properties": {
            argument.name: {
                **argument.form.schema,
                "description": argument.about,
                **({} if argument.form.lists_values else {"examples": [argument.example]}),
            }
            for argument in arguments
        },
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def checked(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the arguments of a call and return them without nulls."""
    known = {argument.name: argument for argument in arguments}
    values = {name: value for name, value in given.items() if value is not None}
    for name, value in values.items():
        if name not in known:
            hint = did_you_mean(nearest(name, known)) or f"Known arguments: {listing(known)}."
            raise UsageError(f"unknown argument '{name}'", hint=hint)
        if not known[name].form.fits(value):
            hint = f"{known[name].about} For example: {known[name].example!r}."
            raise UsageError(f"'{name}' must be {known[name].form.expected}", hint=hint)
    for argument in arguments:
        if argument.required and argument.name not in values:
            hint = f"{argument.about} For example: {argument.example!r}."
            raise UsageError(f"missing argument '{argument.name}'", hint=hint)
    return values
