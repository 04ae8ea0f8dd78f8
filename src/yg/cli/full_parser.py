"""The arguments of a command as `argparse` takes them: what it cannot read is a usage error."""

from __future__ import annotations

import argparse

from yg.cli.parser import YES_OR_NO, Arguments, HelpAsked, MisreadError
from yg.kernel.errors import UsageError
from yg.kernel.typed import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from yg.cli.parser import Argument

# The same words in every locale, and no time lost in looking for others.
argparse._ = str  # type: ignore[attr-defined]


class FullParser(argparse.ArgumentParser):
    """An argument parser that neither prints nor ends the program by itself."""

    @property
    def actions(self) -> list[argparse.Action]:
        """The arguments, in the order in which they were described."""
        return self._actions

    def parse(self, words: Sequence[str]) -> Arguments:
        """Read the words of a line; options may stand between operands."""
        # Behind '--' there are no options to look for.
        read = self.parse_args if "--" in words else self.parse_intermixed_args
        return Arguments(**vars(read(words)))

    def error(self, message: str) -> NoReturn:
        """Raise a usage error that tells how to see the command's options."""
        raise UsageError(f"{self.prog}: {message}", hint=f"Try '{self.prog} --help'.")

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        """Hand the help over to whoever writes the answer."""
        raise HelpAsked(self.format_help())


class _Layout(argparse.RawDescriptionHelpFormatter):
    """The same width everywhere, whatever the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=88)


def full_parser(
    prog: str, summary: str, arguments: Iterable[Argument], defaults: dict[str, Any]
) -> FullParser:
    """Describe arguments to `argparse`."""
    parser = FullParser(prog=prog, description=summary, allow_abbrev=False, formatter_class=_Layout)
    common = parser.add_argument_group("options of every command")
    for each in arguments:
        how = dict(each.how)
        if "type" in how:
            how["type"] = _explained(how["type"])
        if how.get("action") == YES_OR_NO:
            how["action"] = argparse.BooleanOptionalAction
        (common if each.is_common else parser).add_argument(*each.names, **how)
    parser.set_defaults(**defaults)
    return parser


def _explained(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Make what reads a value say what is wrong with it in the way `argparse` wants."""

    def explained(word: str) -> Any:
        try:
            return read(word)
        except MisreadError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return explained
