"""The argument parser of one command: `argparse` that raises instead of printing and exiting."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Keep the messages the same in every locale, and skip the search for translations.
argparse._ = str  # type: ignore[attr-defined]


class HelpAsked(Exception):  # noqa: N818
    """Raised instead of printing when a command's help is asked for."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class _Layout(argparse.RawDescriptionHelpFormatter):
    """Lay out help with a fixed width, whatever the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=88)


class Parser(argparse.ArgumentParser):
    """The arguments of one command; `common` is the group of those that every command has."""

    def __init__(self, prog: str, summary: str) -> None:
        super().__init__(
            prog=prog, description=summary, allow_abbrev=False, formatter_class=_Layout
        )
        self.common = self.add_argument_group("options of every command")

    @property
    def actions(self) -> list[argparse.Action]:
        """The arguments, in the order in which they were added."""
        return self._actions

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line; options may stand between operands."""
        # Behind '--' there are no options to look for.
        read = self.parse_args if "--" in words else self.parse_intermixed_args
        return read(words)

    def error(self, message: str) -> NoReturn:
        """Raise a usage error that tells how to see the command's options."""
        raise UsageError(f"{self.prog}: {message}", hint=f"Try '{self.prog} --help'.")

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        """Hand the help over to the caller."""
        raise HelpAsked(self.format_help())
