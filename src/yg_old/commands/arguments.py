"""Arguments of calls, by agents and by Python, as the request of a command describes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence  # fields are checked with them
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert

from yg_old.commands.request import LARGEST, parameters
from yg_old.commands.schema import Parts
from yg_old.kernel.errors import UsageError
from yg_old.text.suggest import did_you_mean, listing, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.commands.command import Command
    from yg_old.commands.request import Argument as Described
    from yg_old.commands.request import Parameter, Request

LONGEST = 4096  # characters of a text; the longest path on Linux
NO_NUL = r"\A[^\0]*\Z"
UNLISTED = ("maxLength", "pattern")  # limits that hold for all texts
Text = Annotated[str, Meta(min_length=1, max_length=LONGEST, pattern=NO_NUL)]
Texts = Annotated[tuple[Text, ...], Meta(min_length=1)]


class Argument(Struct, frozen=True):
    """One argument of a tool or of a prompt."""

    name: str
    type: Any  # as msgspec knows it, with its limits
    about: str
    example: Any
    required: bool = False
    join: Callable[[Sequence[str]], str] | None = None  # makes one text of a list

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its values."""
        return _listed(Parts().schema(self.type))

    @property
    def advice(self) -> str:
        """What to write instead of a value that is missing or wrong."""
        return f"{self.about} For example: {self.example!r}."

    def read(self, given: object) -> Any:
        """Return a value of the type; UsageError if what is given is not one.

        One text is taken as a list of one and, if words are wanted, a list as these words.
        """
        try:
            if self.type is Texts and isinstance(given, str):
                given = (given,)
            if self.join is not None and isinstance(given, list | tuple):
                given = self.join(convert(given, Texts))
            return convert(given, self.type)
        except ValidationError as error:
            expected = _expected(Parts().schema(self.type))
            message = f"'{self.name}' must be {expected}"
            raise UsageError(message, hint=self.advice) from error


def _listed(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave out what would make the list of tools long, and use the words that clients know."""
    shown = {name: limit for name, limit in schema.items() if name not in UNLISTED}
    if shown.get("maximum") == LARGEST:  # no real call comes near it
        del shown["maximum"]
    if "items" in shown:
        shown["items"] = _listed(shown["items"])
    if "oneOf" in shown:
        shown["anyOf"] = shown.pop("oneOf")
    return {"type": "string", **shown} if "enum" in shown else shown


def _expected(schema: dict[str, Any]) -> str:
    """Describe the values that a schema accepts."""
    match schema:
        case {"oneOf": [{"minimum": least}, *words]}:
            expected = f"an integer >= {least}, or {', '.join(word['const'] for word in words)}"
        case {"enum": words}:
            expected = f"one of: {', '.join(words)}"
        case {"const": word}:
            expected = f"'{word}'"
        case {"type": "integer" | "number" as kind, "minimum": least, "maximum": most}:
            expected = f"{'an' if kind == 'integer' else 'a'} {kind} from {least} to {most}"
        case {"type": "array", "items": text}:
            expected = f"a non-empty list of strings of {_length(text)}"
        case {"type": "string"}:
            expected = f"a string of {_length(schema)}"
        case {"type": "boolean"}:
            expected = "true or false"
        case _:
            expected = "an object"
    return expected


def _length(schema: dict[str, Any]) -> str:
    """Describe the length and the characters of a text."""
    least, most = schema.get("minLength", 0), schema["maxLength"]
    limits = f"{least} to {most}" if least else f"at most {most}"
    return f"{limits} characters{' without NUL' if 'pattern' in schema else ''}"


def arguments_of(command: Command[Any, Any], *, in_specs: bool = False) -> tuple[Argument, ...]:
    """Return the arguments of the tool of a command."""
    found = (_arguments(parameter, in_specs=in_specs) for parameter in parameters(command.request))
    return tuple(argument for arguments in found for argument in arguments)


def _arguments(parameter: Parameter, *, in_specs: bool) -> Iterator[Argument]:
    """Yield the arguments of a parameter."""
    for argument in parameter.arguments:
        if in_specs and argument.in_specs is None:
            continue
        about = argument.about if isinstance(argument.about, str) else argument.about()
        example = argument.example
        if in_specs:
            about = argument.in_specs or about
            example = example if argument.example_in_specs is None else argument.example_in_specs
        yield Argument(
            argument.name or parameter.name,
            _type(parameter, argument),
            about,
            example,
            required=parameter.is_required,
            join=parameter.operand.join if parameter.operand else None,
        )


def _type(parameter: Parameter, argument: Described) -> Any:
    """Return the type of an argument: that of the parameter, with limits for calls."""
    if parameter.repeats:
        return Text if argument.is_single else Texts
    kind: Any = parameter.type
    if kind in (int, float):
        most = argument.most or parameter.most or LARGEST
        number = Annotated[kind, Meta(ge=parameter.least or 0, le=most)]
        return number | Literal[parameter.choices] if parameter.choices else number
    if parameter.choices:
        return parameter.enum or Literal[parameter.choices]
    if kind is str:
        longest = Meta(max_length=parameter.longest, pattern=NO_NUL)
        return Text if parameter.longest is None else Annotated[str, longest]
    return kind


def input_schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Return the JSON Schema of the arguments of a tool."""
    required = [argument.name for argument in arguments if argument.required]
    return {
        "type": "object",
        "properties": {argument.name: _described(argument) for argument in arguments},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _described(argument: Argument) -> dict[str, Any]:
    """Return the schema of an argument, with an example unless the schema lists all values."""
    schema = argument.schema
    lists_values = "enum" in schema or schema.get("type") in ("boolean", "integer")
    examples = {} if lists_values else {"examples": [argument.example]}
    return {**schema, "description": argument.about, **examples}


def checked(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the arguments of a call, without nulls."""
    known = {argument.name: argument for argument in arguments}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name not in known:
            hint = did_you_mean(nearest(name, known)) or f"Known arguments: {listing(known)}."
            raise UsageError(f"unknown argument '{name}'", hint=hint)
        values[name] = known[name].read(value)
    for argument in arguments:
        if argument.required and argument.name not in values:
            raise UsageError(f"missing argument '{argument.name}'", hint=argument.advice)
    return values


def request_of(command: Command[Any, Any], given: Mapping[str, Any]) -> Request[Any]:
    """Return the request that the checked arguments of a call describe."""
    values: dict[str, Any] = {}
    for parameter in parameters(command.request):
        for argument in parameter.arguments:
            value = given.get(argument.name or parameter.name)
            if value is not None and parameter.repeats:
                texts = (value,) if argument.is_single else value
                found = (*values.get(parameter.name, ()), *map(argument.reads, texts))
                values[parameter.name] = found
            elif value is not None:
                values[parameter.name] = value
    request: Request[Any] = command.request(**values)
    request.check()
    return request
