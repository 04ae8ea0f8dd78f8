"""Command lines: their parser and their help, from the fields of a request."""

from __future__ import annotations

import argparse
import os
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct

from yg.commands.command import JSON, TEXT, parameters
from yg.kernel.errors import UsageError
from yg.text.paths import normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from yg.commands.command import Command, Parameter, Request

KINDS = ("yggdrasil", "yggdrasil-0x", "specgraph")
LARGEST = 10**9  # larger than the depth or size of any graph
HELP = frozenset(("-h", "--help"))
_POSITION = "{} operand"  # where the parser keeps what is given by position
# Keep the messages the same in every locale, and skip the search for translations.
argparse._ = str  # type: ignore[attr-defined]


class Arguments(Struct, frozen=True, kw_only=True):
    """A command line: the request, and what all commands have."""

    request: Request
    directory: str
    form: str
    kind: str | None
    uses_cache: bool


class _Formatter(argparse.HelpFormatter):
    """A formatter that does not ask for the width of the terminal, which takes time."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=80)


class _Parser(argparse.ArgumentParser):
    """A parser that raises UsageError, and names the option that was probably meant."""

    def error(self, message: str) -> NoReturn:
        self.fail(message)

    def fail(self, message: str, hint: str = "") -> NoReturn:
        """Raise a usage error that refers to `--help`."""
        hint = f"{hint} Try '{self.prog} --help'.".lstrip()
        raise UsageError(f"{self.prog}: {message}", hint=hint)

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line; options and operands may be mixed."""
        # Mixing does not support '--'.
        parse = self.parse_known_args if "--" in words else self.parse_known_intermixed_args
        namespace, unknown = parse(words)
        if unknown:
            self.fail(f"unrecognized arguments: {' '.join(unknown)}", self._advice(unknown))
        return namespace

    def _advice(self, unknown: Iterable[str]) -> str:
        name = next((word for word in unknown if word.startswith("-")), None)
        if name is None:
            return ""
        from yg.text.suggest import did_you_mean, nearest

        return did_you_mean(nearest(name.partition("=")[0], self._option_string_actions))


def parse(
    command: Command[Any, Any], words: Sequence[str], input_lines: Callable[[], Iterable[str]]
) -> Arguments:
    """Parse the words after the name of a command."""
    parser = _Parser(
        prog=f"yg {command.name}",
        usage="",
        add_help=False,
        allow_abbrev=False,
        formatter_class=_Formatter,
    )
    _add_common(parser, command)
    known = parameters(command.request)
    for parameter in known:
        _add(parser, parameter)
    given = vars(parser.parse(words))
    values = {parameter.name: _value(parameter, given, input_lines) for parameter in known}
    return Arguments(
        request=command.request(**values),
        directory=given["directory"],
        form=given["form"],
        kind=given["kind"] or _kind_of_environment(),
        uses_cache=not given["no_cache"] and os.environ.get("YG_NO_CACHE") != "1",
    )


def _add_common(parser: _Parser, command: Command[Any, Any]) -> None:
    """Add the options of all commands."""
    parser.add_argument("-C", dest="directory", default=".")
    parser.add_argument("--format", dest="form", default=TEXT, type=_choice(command.format_names))
    parser.add_argument("--json", dest="form", action="store_const", const=JSON)
    parser.add_argument("--kind", type=_choice(KINDS))
    parser.add_argument("--no-cache", action="store_true")


def _add(parser: _Parser, parameter: Parameter) -> None:
    """Add the operand and the option of a parameter."""
    read = _reader(parameter)
    if "operand" in parameter.extra:
        many, metavar = "*" if parameter.repeats else "?", parameter.extra["operand"]
        position = _POSITION.format(parameter.name)
        parser.add_argument(position, nargs=many, metavar=metavar, type=read)
        if flags := parameter.extra["flags"]:
            parser.add_argument(*flags, dest=parameter.name, action="append", type=read)
    elif parameter.type is bool:
        parser.add_argument(*_flags(parameter), dest=parameter.name, action="store_true")
    elif const := parameter.extra["const"]:
        flags = _flags(parameter)
        parser.add_argument(*flags, dest=parameter.name, nargs="?", const=const, type=read)
    else:
        action = "append" if parameter.repeats else "store"
        parser.add_argument(*_flags(parameter), dest=parameter.name, action=action, type=read)


def _value(
    parameter: Parameter, given: dict[str, Any], input_lines: Callable[[], Iterable[str]]
) -> Any:
    """Return the value of a parameter: what is given, or its default."""
    value = given.get(parameter.name)
    if "operand" in parameter.extra:
        by_position = given[_POSITION.format(parameter.name)]
        if not parameter.repeats and by_position is not None:
            by_position = [by_position]
        value = _named(parameter, [*(by_position or ()), *(value or ())], input_lines)
    if value is None:
        return parameter.default
    return tuple(value) if parameter.repeats else value


def _named(
    parameter: Parameter, words: Sequence[str], input_lines: Callable[[], Iterable[str]]
) -> Any:
    """Return what an operand names, None for nothing; UsageError if it is empty or ambiguous."""
    noun, hint = parameter.extra["operand"].lower(), parameter.extra["hint"]
    if not words:
        if parameter.is_required:
            raise UsageError(f"no {noun} given", hint=hint)
        return None
    if "" in words:
        raise UsageError(f"empty {noun} name", hint=hint)
    if not parameter.repeats:
        if len({normalise(word) for word in words}) > 1:
            message = f"two {noun}s given: '{words[0]}' and '{words[-1]}'"
            raise UsageError(message, hint="Give only one.")
        return words[0]
    reads_input = parameter.extra["reads_input"]
    names = (input_lines() if reads_input and word == "-" else (word,) for word in words)
    return tuple(chain.from_iterable(names))


def _kind_of_environment() -> str | None:
    kind = os.environ.get("YG_KIND") or None
    if kind not in (None, *KINDS):
        message = f"unknown kind of graph in YG_KIND: '{kind}'"
        raise UsageError(message, hint=f"Use one of: {', '.join(KINDS)}.")
    return kind


def _flags(parameter: Parameter) -> tuple[str, ...]:
    return parameter.extra.get("flags") or (f"--{parameter.name.replace('_', '-')}",)


def _reader(parameter: Parameter) -> Callable[[str], Any]:
    """Return the function that reads a word as a value."""
    if parameter.choices:
        read = _choice(parameter.choices)
        return lambda word: parameter.type(read(word))
    return _number(parameter.least) if parameter.type is int else str


def _choice(choices: Sequence[str]) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word in choices:
            return word
        known = ", ".join(f"'{choice}'" for choice in choices)
        raise argparse.ArgumentTypeError(f"invalid choice: '{word}' (choose from {known})")

    return read


def _number(least: int) -> Callable[[str], int]:
    def read(word: str) -> int:
        number = int(word[:20]) if word.isascii() and word.isdigit() else -1
        if number < least:
            raise argparse.ArgumentTypeError(f"expected a number >= {least}, got '{word}'")
        return min(number, LARGEST)

    return read


WIDTH, COLUMN = 88, 28  # of the help, and where descriptions begin in it


def help_text(command: Command[Any, Any], summary: str) -> str:
    """Return the help of a command."""
    known = parameters(command.request)
    operands = [parameter for parameter in known if "operand" in parameter.extra]
    usage = "".join(f" {_operand_usage(parameter)}" for parameter in operands)
    parts = [f"usage: yg {command.name}{usage} [options]\n", f"{summary}\n"]
    if operands:
        lines = (_line(parameter.extra["operand"], parameter.description) for parameter in operands)
        parts.append(f"positional arguments:\n{''.join(lines)}")
    if options := [_line(*option) for option in _options(command, known)]:
        parts.append(f"options:\n{''.join(options)}")
    return "\n".join([*parts, "Common options: yg --help\n"])


def _operand_usage(parameter: Parameter) -> str:
    name = parameter.extra["operand"]
    if parameter.repeats:
        return f"{name} ..." if parameter.is_required else f"[{name} ...]"
    return str(name) if parameter.is_required else f"[{name}]"


def _options(command: Command[Any, Any], known: Iterable[Parameter]) -> Iterator[tuple[str, str]]:
    """Yield the options of a command that not all have, with their descriptions."""
    if command.formats:
        yield f"--format {{{','.join(command.format_names)}}}", "output format (default text)"
    for parameter in known:
        metavar = parameter.extra.get("metavar") or parameter.name.upper().replace("_", "-")
        if parameter.choices:
            metavar = f"{{{','.join(parameter.choices)}}}"
        if "operand" in parameter.extra:
            if flags := parameter.extra["flags"]:
                name = parameter.extra["operand"]
                yield f"{', '.join(flags)} {name}", f"same as {name}"
        elif parameter.type is bool:
            yield ", ".join(_flags(parameter)), parameter.description
        else:
            metavar = f"[{metavar}]" if parameter.extra["const"] else metavar
            yield f"{', '.join(_flags(parameter))} {metavar}", parameter.description


def _line(name: str, description: str) -> str:
    from textwrap import wrap

    first, *rest = wrap(description, WIDTH - COLUMN)
    start = f"  {name}"
    start = f"{start}\n{'':{COLUMN}}" if len(start) > COLUMN - 2 else f"{start:<{COLUMN}}"
    return "".join([f"{start}{first}\n", *(f"{'':{COLUMN}}{line}\n" for line in rest)])
