"""Command lines of requests: their parsers, and the requests that they describe."""

from __future__ import annotations

import os
import re
import time
from argparse import ArgumentTypeError, BooleanOptionalAction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from yg_old.commands.command import Actions, Place, Run
from yg_old.commands.request import LARGEST, parameters
from yg_old.kernel.errors import UsageError
from yg_old.surfaces.cli.arguments import (
    Parser,
    command_parser,
    content_of,
    count,
    kind_of,
    named_files,
    single_name,
    tokenizer_of,
    uses_index,
)
from yg_old.workspace.opening import open_workspace

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence

    from yg_old.commands.command import Command, Server
    from yg_old.commands.request import Operand, Option, Parameter, Request
    from yg_old.commands.table import Entry
    from yg_old.surfaces.cli.outcome import Terminal
    from yg_old.surfaces.cli.progress import Progress
    from yg_old.workspace.opened import OpenWorkspace

# `-word`, which is not an option: -h alone, or -C with or without its value.
_EXCLUDED = re.compile(r"-(?!-|C|h$).")
_ACTION, _WORDS = "ACTION", "ARG"  # unlike any name of a field
_OPERAND, _OPTION = "{}_operand", "{}"  # names of what the parser finds for an operand


def parser_of(entry: Entry) -> Parser:
    """Return the parser of a command."""
    return request_parser(entry, entry.load_all())


class _ExcludingParser(Parser):
    """A parser that takes words after a minus sign as operands."""

    def parse(self, words: Sequence[str]) -> Namespace:
        """Parse a command line; a blank in front keeps a word from being taken as an option."""
        return super().parse([f" {word}" if _EXCLUDED.match(word) else word for word in words])


def request_parser(entry: Entry, command: Command[Any, Any] | Actions | Server[Any]) -> Parser:
    """Return the parser of a command, as its request describes it, or those of its actions."""
    found = () if isinstance(command, Actions) else parameters(command.request)
    may_exclude = any(known.operand and known.operand.may_exclude for known in found)
    parser_class = _ExcludingParser if may_exclude else Parser
    parser = command_parser(entry.name, entry.summary, command.formats, parser_class)
    parser.set_defaults(format=None)  # the answer decides
    parser.ending = command.epilog
    if isinstance(command, Actions):
        _add_actions(parser, command)
    for parameter in found:
        if parameter.operand is not None:
            _add_operand(parser, parameter, parameter.operand)
        if parameter.option is not None:
            _add_option(parser, parameter, parameter.option)
    return parser


def parsed(entry: Entry, words: Sequence[str]) -> tuple[Command[Any, Any] | Server[Any], Namespace]:
    """Parse a command line; return also the command, or its action that the line names."""
    command = entry.load_all()
    parser = request_parser(entry, command)
    args = parser.parse(words)
    if isinstance(command, Actions):
        return _chosen(parser, command, args), args
    return command, args


def _add_actions(parser: Parser, command: Actions) -> None:
    """Add the action, its words, and the options of all actions."""
    parser.add_argument(_ACTION, choices=list(command.actions), metavar=_ACTION, help="what to do")
    forms = ((name, " ".join(_words(action))) for name, action in command.actions.items())
    texts = "; ".join(f"{name}: {words}" for name, words in forms if words)
    parser.add_argument(_WORDS, nargs="*", default=[], metavar=_WORDS, help=texts)
    for parameter, option, names in _options(command):
        prefix = f"{names[0]}: " if len(names) == 1 else ""
        _add_option(parser, parameter, replace(option, help=f"{prefix}{option.help}"))


def _options(command: Actions) -> list[tuple[Parameter, Option, list[str]]]:
    """Return the options, each with the actions that have it; those of several come last."""
    found: dict[str, tuple[Parameter, Option, list[str]]] = {}
    for name, action in command.actions.items():
        for parameter in parameters(action.request):
            if (option := parameter.option) is not None:
                found.setdefault(parameter.name, (parameter, option, []))[2].append(name)
    return sorted(found.values(), key=lambda entry: len(entry[2]) > 1)


def _operands(action: Command[Any, Any]) -> list[tuple[Parameter, Operand]]:
    found = ((parameter, parameter.operand) for parameter in parameters(action.request))
    return [(parameter, operand) for parameter, operand in found if operand is not None]


def _words(action: Command[Any, Any]) -> list[str]:
    """Return the words of an action; `[WORD]` is optional."""
    return [
        operand.metavar if parameter.is_required else f"[{operand.metavar}]"
        for parameter, operand in _operands(action)
    ]


def _chosen(parser: Parser, command: Actions, args: Namespace) -> Command[Any, Any]:
    """Return the action of a command line; UsageError unless its words and options suit it."""
    chosen, words = getattr(args, _ACTION), getattr(args, _WORDS)
    action = command.actions[chosen]
    expected, operands = _words(action), _operands(action)
    least = sum(parameter.is_required for parameter, _ in operands)
    if not least <= len(words) <= len(expected):
        message = f"'{parser.prog} {chosen}' takes {' '.join(expected) or 'no names'}"
        raise UsageError(message, hint=f"Try '{parser.prog} --help'.")
    for parameter, option, names in _options(command):
        is_given = getattr(args, parameter.name) != parser.get_default(parameter.name)
        if is_given and chosen not in names:
            actions = " or ".join(f"'{parser.prog} {name}'" for name in names)
            raise UsageError(f"{_option_names(parameter, option)[0]} requires {actions}")
    for (parameter, operand), word in zip_longest(operands, words):
        if word is not None and parameter.choices and word not in parameter.choices:
            hint = f"Use one of: {', '.join(parameter.choices)}."
            raise UsageError(f"unknown {operand.metavar.lower()} '{word}'", hint=hint)
        setattr(args, _OPERAND.format(parameter.name), word)
    return action


def _add_operand(parser: Parser, parameter: Parameter, operand: Operand) -> None:
    nargs = None if parameter.is_required and not operand.option else "?"
    if parameter.repeats or operand.join:
        nargs = "+" if nargs is None else "*"
    parser.add_argument(
        _OPERAND.format(parameter.name),
        nargs=nargs,
        default=[] if nargs == "*" else None,  # else argparse calls it missing with others
        metavar=operand.metavar,
        choices=parameter.choices or None,
        type=operand.reads,
        help=operand.help,
    )
    if operand.option:
        many: dict[str, Any] = {"action": "append", "default": []} if parameter.repeats else {}
        parser.add_argument(
            operand.option,
            dest=_OPTION.format(parameter.name),
            metavar=operand.metavar,
            help=operand.option_help or f"same as {operand.metavar}",
            type=operand.reads,
            **many,
        )
    if operand.option and (parameter.repeats or parameter.option is not None):
        parser.operand_option = operand.option  # argparse would lose the order of both


def _add_option(parser: Parser, parameter: Parameter, option: Option) -> None:
    settings: dict[str, Any] = {"dest": parameter.name, "help": option.help}
    if option.can_negate:
        settings["action"] = BooleanOptionalAction
    elif parameter.is_flag:
        settings["action"] = "store_true"
    else:
        settings |= {
            "type": _parse(parameter, option),
            "metavar": option.metavar,
            "choices": parameter.choices if parameter.type is str and parameter.choices else None,
            "default": parameter.default,
        }
    if parameter.repeats:
        settings["default"] = None if parameter.default is None else []
        settings["action"] = "extend" if option.takes_many else "append"
        settings |= {"nargs": "+"} if option.takes_many else {}
    if option.const is not None:
        settings |= {"nargs": "?", "const": option.const}
    parser.add_argument(*_option_names(parameter, option), **settings)
    if option.short_for is not None:
        name, value, text = option.short_for
        action = "append_const" if parameter.repeats else "store_const"
        parser.add_argument(name, dest=parameter.name, action=action, const=value, help=text)


def _option_names(parameter: Parameter, option: Option) -> tuple[str, ...]:
    return option.names or (f"--{parameter.name.replace('_', '-')}",)


def _parse(parameter: Parameter, option: Option) -> Callable[[str], Any]:
    """Return the function that reads a value."""
    if parameter.type is str:
        return option.reads
    return lambda text: _number(parameter, text)


def _number(parameter: Parameter, text: str) -> float | str:
    """Read a number within its limits, or a word that may stand for one."""
    if text in parameter.choices:
        return text
    if parameter.type is int:
        value: float = count(text) if text.isascii() and text.isdigit() else -1
    else:
        value = _float(text)
    least, most = parameter.least or 0, parameter.most if parameter.most is not None else LARGEST
    if least <= value <= most and value == parameter.type(value):
        return int(value) if parameter.type is int else value
    words = "".join(f" or '{word}'" for word in parameter.choices)
    limits = f">= {least:g}" if parameter.most is None else f"from {least:g} to {most:g}"
    shown = text.removeprefix(" ") if text.startswith(" -") else text  # see _ExcludingParser
    raise ArgumentTypeError(f"expected a number {limits}{words}, got '{shown}'")


def _float(text: str) -> float:
    """Read a number; what is not one is outside all limits."""
    try:
        return float(text)
    except ValueError:
        return -1.0


def request_of(
    command: Command[Any, Any] | Server[Any], args: Namespace, terminal: Terminal
) -> Request[Any]:
    """Return the request that a command line describes."""
    values = {
        parameter.name: _value(parameter, args, terminal)
        for parameter in parameters(command.request)
        if parameter.operand is not None or parameter.option is not None
    }
    if "format" in command.request.__struct_fields__:
        values["format"] = args.format or command.formats[0]
    request: Request[Any] = command.request(**values)
    request.check()
    request.check_format(args.format or "")
    return request


def _value(parameter: Parameter, args: Namespace, terminal: Terminal) -> Any:
    operand, option = parameter.operand, parameter.option
    if operand is None or option is not None:
        value = getattr(args, parameter.name)
        reads_input = option is not None and option.reads_input
    else:
        value = _given(parameter, operand, args)
        reads_input = operand.reads_input
    if reads_input and value is not None:
        value = named_files(terminal, value)
    if option is not None and option.reads_file and value is not None:
        value = content_of(terminal, args.directory, value)
    return parameter.value(value)


def _given(parameter: Parameter, operand: Operand, args: Namespace) -> Any:
    """Return what is given as an operand or by its option."""
    value = getattr(args, _OPERAND.format(parameter.name))
    by_option = getattr(args, _OPTION.format(parameter.name)) if operand.option else None
    if operand.join:
        value = operand.join([word.strip() for word in value])
    elif parameter.repeats:
        value = [*value, *(by_option or ())]
    elif operand.option:
        value = single_name(value, by_option)
    if parameter.is_required and value in (None, []):
        message, hint = operand.missing
        raise UsageError(message, hint=hint)
    return parameter.default if value is None else value


def place_of(args: Namespace) -> Place:
    """Return where a server is to work."""
    return Place(directory=args.directory, kind=kind_of(args), uses_index=uses_index(args))


def run_of(args: Namespace, request: Request[Any], terminal: Terminal, progress: Progress) -> Run:
    """Return the run of a command in the directory and on the kind of graph that are asked for."""
    kind = kind_of(args)

    def opened(preferred: str | None) -> OpenWorkspace:
        return open_workspace(
            args.directory,
            getattr(request, "at", None),
            kind or preferred,
            uses_index=uses_index(args),
            tokenizer=tokenizer_of(request),
        )

    return Run(
        opened,
        directory=args.directory,
        kind=kind,
        on_file=progress.step,
        on_step=terminal.show_progress,
        now=now,
    )


def now() -> str:
    """Return the current time in UTC; SOURCE_DATE_EPOCH overrides it."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        seconds = int(time.time())
    elif epoch.isascii() and epoch.isdigit() and len(epoch) <= 11:  # noqa: PLR2004
        seconds = int(epoch)
    else:
        raise UsageError(
            f"invalid SOURCE_DATE_EPOCH: '{epoch}'",
            hint="Set it to a number of seconds since 1970.",
        )
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
