"""Shell completion: commands, options, option values and names from the graph."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.commands.table import BY_NAME, COMMANDS
from yg_old.kernel.errors import YgError
from yg_old.surfaces.cli.arguments import command_parser
from yg_old.surfaces.cli.requests import parser_of
from yg_old.workspace.opening import open_workspace

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Iterable, Sequence

    from yg_old.surfaces.cli.arguments import Parser
    from yg_old.workspace.opened import OpenWorkspace

    Words = Iterable[tuple[str, str]]  # word and description


class CompletionKind(StrEnum):
    """The kind of completion; the shell itself completes files and directories."""

    WORDS = "words"
    FILES = "files"
    DIRECTORIES = "directories"


class Suggestions(Struct, frozen=True):
    """Candidates for the word at the cursor, with their descriptions."""

    kind: CompletionKind
    words: tuple[tuple[str, str], ...] = ()


NOTHING = Suggestions(CompletionKind.WORDS)
_PATH_KINDS = {
    "DIR": CompletionKind.DIRECTORIES,
    "FILE": CompletionKind.FILES,
    "PATH": CompletionKind.FILES,
}
_PROGRAM_OPTIONS = (
    ("-C", "run as if started in DIR"),
    ("--help", "show help"),
    ("--version", "show the version"),
)


def suggested(before: Sequence[str], current: str) -> Suggestions:
    """Return the candidates for the current word, given the words before it."""
    typed = _parse(before)
    if typed.parser is None:
        return NOTHING
    if typed.pending is not None and not (typed.value_is_optional and current.startswith("-")):
        return _values(typed, typed.pending)
    if current.startswith("-") and not typed.is_literal:
        return _options(typed, current)
    if not typed.command or typed.command == "help":
        return _words((command.name, command.summary) for command in COMMANDS)
    operand = typed.operand
    return _options(typed, current) if operand is None else _values(typed, operand)


class _TypedWords:
    """The words before the cursor, parsed."""

    def __init__(self, parser: Parser | None, command: str = "") -> None:
        self.parser = parser  # None: unknown command
        self.command = command
        self.operand_count = 0
        self.last = ""  # operand
        self.is_literal = False  # after '--' all words are operands
        self.pending: Action | None = None  # option whose value comes next
        self.values: dict[str, str] = {}
        self.used: set[str] = set()

    @property
    def actions(self) -> list[Action]:
        return self.parser.actions if self.parser else []

    @property
    def value_is_optional(self) -> bool:
        return self.pending is not None and self.pending.nargs == "?"

    @property
    def operand(self) -> Action | None:
        """The next operand; None if the command takes no more."""
        operands = [action for action in self.actions if not action.option_strings]
        if self.operand_count < len(operands):
            return operands[self.operand_count]
        return operands[-1] if operands and operands[-1].nargs == "*" else None

    def option(self, word: str) -> Action | None:
        return next((action for action in self.actions if word in action.option_strings), None)

    def read(self, word: str) -> None:
        if self.pending is not None and not (self.value_is_optional and word.startswith("-")):
            self.values[self.pending.dest] = word
            self.pending = None
        elif not self.is_literal and word == "--":
            self.is_literal = True
        elif not self.is_literal and word.startswith("-") and word != "-":
            self._read_option(word)
        elif not self.command:
            self.command = word
            self.parser = _parser_of(word)
        else:
            self.operand_count += 1
            self.last = word

    def _read_option(self, word: str) -> None:
        name, equals, value = word.partition("=")
        action = self.option(name)
        self.pending = None
        if action is not None:
            self.used.update(action.option_strings)
            if equals:
                self.values[action.dest] = value
            elif action.nargs != 0:
                self.pending = action


def _parse(before: Sequence[str]) -> _TypedWords:
    typed = _TypedWords(command_parser("", ""))
    for word in before:
        typed.read(word)
    return typed


def _parser_of(name: str) -> Parser | None:
    if name == "help":
        return command_parser("", "")
    command = BY_NAME.get(name)
    if command is None:
        return None
    return parser_of(command)


def _options(typed: _TypedWords, current: str) -> Suggestions:
    """Suggest unused options or, after an equals sign, the values of an option."""
    name, equals, _ = current.partition("=")
    given = typed.option(name) if equals else None
    if given is not None:
        found = _values(typed, given)
        return Suggestions(
            found.kind, tuple((f"{name}={word}", about) for word, about in found.words)
        )
    if not typed.command:
        return _words(_PROGRAM_OPTIONS)
    return _words(
        (name, action.help or "")
        for action in typed.actions
        for name in action.option_strings
        if name not in typed.used or isinstance(action.default, list)
    )


def _values(typed: _TypedWords, action: Action) -> Suggestions:
    """Suggest values of an option or operand."""
    if action.choices is not None:
        return _words((str(choice), "") for choice in action.choices)
    kind = _PATH_KINDS.get(str(action.metavar))
    if kind is not None:
        return Suggestions(kind)
    try:
        return _words(_names(typed, str(action.metavar)))
    except YgError:  # no graph here, or one that cannot be opened
        return NOTHING


def _names(typed: _TypedWords, metavar: str) -> Words:
    match metavar:
        case "TYPE":
            types = _workspace(typed).graph.config.node_types
            return ((node_type.name, node_type.description) for node_type in types.values())
        case "CODE":
            from yg_old.commands.explain import every_rule
            from yg_old.commands.explain.topics import TOPICS

            topics = ((topic.name, topic.about) for topic in TOPICS.values())
            return (*((rule.code, rule.name) for rule in every_rule()), *topics)
        case "SCHEMA":
            from yg_old.commands.schema import all_schemas

            return ((schema.name, schema.title) for schema in all_schemas())
        case "SELECTOR":
            return ((kind, "") for kind in _workspace(typed).queries.part_kinds())
        case _:
            return ((name, "") for name in _ids(typed, metavar))


def _ids(typed: _TypedWords, metavar: str) -> Iterable[str]:
    match metavar:
        case "NODE" | "NODE|FILE" | "NODE[:DIGEST]" | "ROOT" | "SCOPE" | "SOURCE" | "TARGET":
            return _workspace(typed).queries.all_ids()
        case "ARG":
            return _node_words(typed)
        case "ASPECT":
            return _workspace(typed).graph.aspects.ids()
        case "FLOW":
            return _workspace(typed).graph.flows.ids()
        case "OLD":
            graph = _workspace(typed).graph
            aspects = (f"aspects/{aspect}" for aspect in graph.aspects.ids())
            flows = (f"flows/{flow}" for flow in graph.flows.ids())
            return (*graph.nodes.ids(), *aspects, *flows)
        case _:
            return ()


def _node_words(typed: _TypedWords) -> Iterable[str]:
    """Return what may follow the action of `yg node`: a type or a node, and then nothing."""
    if typed.operand_count > 1:
        return ()
    from yg_old.specgraph.model import TYPES

    return TYPES if typed.last == "add" else _workspace(typed).queries.all_ids()


def _workspace(typed: _TypedWords) -> OpenWorkspace:
    get = typed.values.get
    return open_workspace(get("directory", "."), get("at"), get("kind"))


def _words(words: Words) -> Suggestions:
    return Suggestions(CompletionKind.WORDS, tuple(words))
