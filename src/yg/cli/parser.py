"""The arguments of a command: how they are described, and how a line of them is read.

`argparse` is the judge: it says what a line means, what is wrong with it, and what can be said.
Most lines are plain, though, with nothing in them to be judged, and are read here: importing
`argparse` would cost a short command a fifteenth of its time.
"""

from __future__ import annotations

from functools import cached_property
from types import SimpleNamespace

from yg.kernel.typed import TYPE_CHECKING, Any
from yg.kernel.value import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.cli.full_parser import FullParser

# What an option without a value does, besides those that `argparse` knows by other names.
FLAG, CONSTANT, YES_OR_NO = "store_true", "store_const", "yes-or-no"


class Arguments(SimpleNamespace):
    """What a line says, by the names of its arguments."""


class HelpAsked(Exception):  # noqa: N818
    """Raised instead of printing when a command's help is asked for."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class MisreadError(ValueError):
    """Raised by what reads the value of an argument, and says what is wrong with it."""


class Argument(Value):
    """An option or an operand, described in the words of `argparse`."""

    names: tuple[str, ...]
    how: dict[str, Any]
    is_common: bool = False  # whether every command has it

    @property
    def is_option(self) -> bool:
        """Whether it is named on the line."""
        return self.names[0].startswith("-")

    @property
    def dest(self) -> str:
        """The name under which its value is found."""
        dest: str = self.how.get("dest") or self.names[0].lstrip("-").replace("-", "_")
        return dest

    @property
    def default(self) -> Any:
        """Its value when nothing is said of it."""
        return self.how.get("default", False if self.how.get("action") == FLAG else None)

    def fits(self, word: str) -> bool:
        """Tell whether a word can be its value."""
        choices = self.how.get("choices")
        return choices is None or word in choices


class Parser:
    """The arguments of one command."""

    def __init__(self, prog: str, summary: str) -> None:
        self.prog = prog
        self.summary = summary
        self.arguments: list[Argument] = []
        self.defaults: dict[str, Any] = {}

    def add_argument(self, *names: str, is_common: bool = False, **how: Any) -> None:
        """Describe an option or an operand, in the words of `argparse`."""
        self.arguments.append(Argument(names, how, is_common))

    def set_defaults(self, **defaults: Any) -> None:
        """Set what some values are when nothing is said of them."""
        self.defaults.update(defaults)

    def parse(self, words: Sequence[str]) -> Arguments:
        """Read the words of a line; a line that makes no sense is a usage error."""
        return self.plainly(words) or self.full.parse(words)

    @cached_property
    def full(self) -> FullParser:
        """The same arguments for `argparse`."""
        from yg.cli.full_parser import full_parser

        return full_parser(self.prog, self.summary, self.arguments, self.defaults)

    def plainly(self, words: Sequence[str]) -> Arguments | None:
        """Read a line in which nothing is special; None for any other."""
        options = {name: each for each in self.arguments for name in each.names if each.is_option}
        found: dict[str, Any] = {}
        operands: list[str] = []
        rest = iter(words)
        for word in rest:
            if not word.startswith("-"):
                operands.append(word)
            elif (option := options.get(word)) is None or not _take(option, rest, found):
                return None
        if not _place(operands, [each for each in self.arguments if not each.is_option], found):
            return None
        usual = {each.dest: each.default for each in reversed(self.arguments)}
        return Arguments(**{**usual, **self.defaults, **found})


def _take(option: Argument, rest: Any, found: dict[str, Any]) -> bool:
    """Take an option with the value that follows it; tell whether that is plain."""
    match option.how.get("action"), option.how.get("nargs"):
        case (None, None):
            word = next(rest, "-")
            if word.startswith("-") or not option.fits(word):
                return False
            try:
                found[option.dest] = option.how.get("type", str)(word)
            except MisreadError:
                return False
        case (action, _) if action == FLAG:
            found[option.dest] = True
        case (action, _) if action == CONSTANT:
            found[option.dest] = option.how["const"]
        case _:
            return False
    return True


def _place(words: list[str], operands: list[Argument], found: dict[str, Any]) -> bool:
    """Give the words of a line to its operand, if there is one and they can be nothing else."""
    if len(operands) != 1 or not all(map(operands[0].fits, words)):
        return not words and not operands
    operand = operands[0]
    match operand.how.get("nargs"), words:
        case ("?", []):
            pass
        case ("?" | None, [word]):
            found[operand.dest] = word
        case ("+", [_, *_]) | ("*", _):
            found[operand.dest] = words
        case _:
            return False
    return True
