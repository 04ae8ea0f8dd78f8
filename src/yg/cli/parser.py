"""An `argparse` parser that raises exceptions instead of printing and exiting."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Keep the messages the same in every locale, and skip the search for translations.
argparse._ = str  # type: ignore[attr-defined]


class HelpAsked(Exception):  # noqa: N818
    """Raised by `--help`, with the help text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help formatter with a fixed width, independent of the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=88)


class Parser(argparse.ArgumentParser):
    """Parser of one command; `common` is the group of options shared by all commands."""

    def __init__(self, prog: str, summary: str) -> None:
        super().__init__(
            prog=prog, description=summary, allow_abbrev=False, formatter_class=_HelpFormatter
        )
        self.common = self.add_argument_group("common options")

    @property
    def actions(self) -> list[argparse.Action]:
        """The arguments, in the order they were added."""
        return self._actions

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line; options and operands may be mixed."""
        # parse_intermixed_args() does not support '--'.
        parse = self.parse_args if "--" in words else self.parse_intermixed_args
        return parse(words)

    def error(self, message: str) -> NoReturn:
        """Raise a usage error that refers to `--help`."""
        raise UsageError(f"{self.prog}: {message}", hint=f"Try '{self.prog} --help'.")

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        """Raise HelpAsked with the help text."""
        raise HelpAsked(self.format_help())
