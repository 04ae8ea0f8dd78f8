"""What can stand where the cursor is: commands, options, their values, names from the graph."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.cli.arguments import command_parser
from yg.cli.commands import BY_NAME, COMMANDS
from yg.kernel.errors import YgError
from yg.workspace import open_workspace

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Iterable, Sequence

    from yg.cli.parser import Parser
    from yg.workspace import Workspace

    Words = Iterable[tuple[str, str]]  # each with what it means


class Kind(StrEnum):
    """What is suggested: words of ours, or what the shell itself knows better."""

    WORDS = "words"
    FILES = "files"
    DIRECTORIES = "directories"


class Suggestions(Struct, frozen=True):
    """What can stand at a place, and what each word means."""

    kind: Kind
    words: tuple[tuple[str, str], ...] = ()


NOTHING = Suggestions(Kind.WORDS)
_PLACES = {"DIR": Kind.DIRECTORIES, "FILE": Kind.FILES, "PATH": Kind.FILES}
_ALWAYS = (("-C", "run as if in DIR"), ("--help", "show help"), ("--version", "show the version"))


def suggested(before: Sequence[str], current: str) -> Suggestions:
    """Suggest what the word being typed can become, after all the words before it."""
    typed = _typed(before)
    if typed.parser is None:
        return NOTHING
    if typed.awaited is not None and not (typed.may_go_without and current.startswith("-")):
        return _values(typed, typed.awaited)
    if current.startswith("-") and not typed.is_literal:
        return _options(typed, current)
    if not typed.command or typed.command == "help":
        return _words((each.name, each.summary) for each in COMMANDS)
    operand = typed.operand
    return _options(typed, current) if operand is None else _values(typed, operand)


class _Typed:
    """The words before the cursor, taken apart."""

    def __init__(self, parser: Parser | None, command: str = "") -> None:
        self.parser = parser  # None: of a command that does not exist
        self.command = command
        self.operands = 0
        self.is_literal = False  # behind '--' there are no options
        self.awaited: Action | None = None  # the option whose value comes next
        self.values: dict[str, str] = {}
        self.used: set[str] = set()

    @property
    def actions(self) -> list[Action]:
        return self.parser.actions if self.parser else []

    @property
    def may_go_without(self) -> bool:
        return self.awaited is not None and self.awaited.nargs == "?"

    @property
    def operand(self) -> Action | None:
        """What the next operand means; None when there can be no more."""
        every = [each for each in self.actions if not each.option_strings]
        if self.operands < len(every):
            return every[self.operands]
        return every[-1] if every and every[-1].nargs == "*" else None

    def option(self, word: str) -> Action | None:
        return next((each for each in self.actions if word in each.option_strings), None)

    def read(self, word: str) -> None:
        if self.awaited is not None and not (self.may_go_without and word.startswith("-")):
            self.values[self.awaited.dest] = word
            self.awaited = None
        elif not self.is_literal and word == "--":
            self.is_literal = True
        elif not self.is_literal and word.startswith("-") and word != "-":
            self._read_option(word)
        elif not self.command:
            self.command = word
            self.parser = _parser_of(word)
        else:
            self.operands += 1

    def _read_option(self, word: str) -> None:
        name, equals, value = word.partition("=")
        action = self.option(name)
        self.awaited = None
        if action is not None:
            self.used.update(action.option_strings)
            if equals:
                self.values[action.dest] = value
            elif action.nargs != 0:
                self.awaited = action


def _typed(before: Sequence[str]) -> _Typed:
    typed = _Typed(command_parser("", ""))
    for word in before:
        typed.read(word)
    return typed


def _parser_of(name: str) -> Parser | None:
    if name == "help":
        return command_parser("", "")
    command = BY_NAME.get(name)
    if command is None:
        return None
    parser: Parser = command.load().parser(command.name, command.summary)
    return parser


def _options(typed: _Typed, current: str) -> Suggestions:
    """Suggest options that were not given yet or, behind an equals sign, values of one."""
    name, equals, _ = current.partition("=")
    action = typed.option(name) if equals else None
    if action is not None:
        found = _values(typed, action)
        return Suggestions(
            found.kind, tuple((f"{name}={word}", said) for word, said in found.words)
        )
    if not typed.command:
        return _words(_ALWAYS)
    return _words(
        (name, each.help or "")
        for each in typed.actions
        for name in each.option_strings
        if name not in typed.used or isinstance(each.default, list)
    )


def _values(typed: _Typed, action: Action) -> Suggestions:
    """Suggest what an option or an operand can be."""
    if action.choices is not None:
        return _words((str(each), "") for each in action.choices)
    place = _PLACES.get(str(action.metavar))
    if place is not None:
        return Suggestions(place)
    try:
        return _words(_names(typed, str(action.metavar)))
    except YgError:  # no graph here, or one that cannot be opened: there are no names
        return NOTHING


def _names(typed: _Typed, metavar: str) -> Words:
    match metavar:
        case "NODE" | "ROOT" | "SCOPE":
            workspace = _workspace(typed)
            return ((each, "") for each in workspace.queries.all_ids())
        case "ASPECT":
            return ((each, "") for each in _workspace(typed).graph.aspects.ids())
        case "FLOW":
            return ((each, "") for each in _workspace(typed).graph.flows.ids())
        case "CODE":
            from yg.answers.explain import every_rule

            return ((each.code, each.name) for each in every_rule())
        case _:
            return ()


def _workspace(typed: _Typed) -> Workspace:
    get = typed.values.get
    return open_workspace(get("directory", "."), get("at"), get("kind"))


def _words(words: Words) -> Suggestions:
    return Suggestions(Kind.WORDS, tuple(words))
