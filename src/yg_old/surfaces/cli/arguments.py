"""The parser of a command, and the arguments that several commands share."""

from __future__ import annotations

import argparse
import os
from textwrap import wrap
from typing import TYPE_CHECKING, NoReturn

from yg_old.formats import FORMATS
from yg_old.kernel.errors import UsageError, YgError
from yg_old.kernel.snapshot import MAX_TEXT
from yg_old.surfaces.cli.outcome import HelpAsked
from yg_old.text.paths import normalise

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from yg_old.surfaces.cli.outcome import Terminal

WIDTH = 88  # of help
COMMON = "Common options: yg --help"
USUAL_FORMATS = ("text", "json")
LARGEST = 10**9  # larger than the depth or size of any graph
# Keep the messages the same in every locale, and skip the search for translations.
argparse._ = str  # type: ignore[attr-defined]


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help formatter with a fixed width, independent of the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=WIDTH)


class Parser(argparse.ArgumentParser):
    """Parser of one command; `common` is the group of options shared by all commands."""

    def __init__(self, prog: str, summary: str) -> None:
        super().__init__(
            prog=prog,
            description=summary,
            allow_abbrev=False,
            add_help=False,
            formatter_class=_HelpFormatter,
        )
        self.operand_option = ""  # an option that means the same as an operand, if order matters
        self.ending: str | Callable[[], str] = ""  # the last text of the help
        self.common = self.add_argument_group("common options")
        self.common.add_argument(
            "-h", "--help", action="help", help="show this help message and exit"
        )

    @property
    def actions(self) -> list[argparse.Action]:
        """The arguments, in the order they were added."""
        return self._actions

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line; options and operands may be mixed."""
        if self.operand_option:
            words = list(self._with_operands_as_options(words))
        if not {"-h", "--help"}.intersection(words):
            self.usage = ""  # argparse would format it for its error messages; ours have none
        # parse_intermixed_args() does not support '--'.
        parse = self.parse_args if "--" in words else self.parse_intermixed_args
        return parse(words)

    def _with_operands_as_options(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the words with each operand as an option; argparse loses their common order."""
        known = {option: action for action in self.actions for option in action.option_strings}
        pending: argparse.Action | None = None  # an option whose value may come next
        is_literal = False  # after '--'
        for word in words:
            is_option = word.startswith("-") and word != "-"
            if not is_literal and pending is not None and not (is_option and pending.nargs == "?"):
                pending = None
                yield word
            elif not is_literal and word == "--":
                is_literal = True
            elif not is_literal and is_option:
                action = known.get(word)
                pending = None if action is None or action.nargs == 0 else action
                yield word
            else:
                yield f"{self.operand_option}={word}"

    def format_help(self) -> str:
        """Return the help, without the options that all commands have."""
        formatter = self._get_formatter()
        operands = (_operand_usage(action) for action in self.actions if not action.option_strings)
        formatter.add_usage(" ".join([self.prog, *operands, "[options]"]), [], [])
        formatter.add_text(self.description)
        for group in self._action_groups:
            if group is not self.common:
                formatter.start_section(group.title)
                formatter.add_arguments(group._group_actions)  # noqa: SLF001
                formatter.end_section()
        formatter.add_text(_wrapped(self.ending if isinstance(self.ending, str) else self.ending()))
        formatter.add_text(COMMON)
        return formatter.format_help()

    def error(self, message: str) -> NoReturn:
        """Raise a usage error that refers to `--help`."""
        raise UsageError(f"{self.prog}: {message}", hint=f"Try '{self.prog} --help'.")

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        """Raise HelpAsked with the help text."""
        raise HelpAsked(self.format_help())


def _operand_usage(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    nargs = getattr(action, "save_nargs", action.nargs)  # argparse hides it while it parses
    return {"*": f"[{name} ...]", "?": f"[{name}]"}.get(str(nargs), name)


def _wrapped(text: str) -> str:
    """Break the lines of a text that has none."""
    return text if "\n" in text else "\n".join(wrap(text, WIDTH))


def command_parser(
    name: str,
    summary: str,
    formats: Sequence[str] = USUAL_FORMATS,
    parser_class: type[Parser] = Parser,
) -> Parser:
    """Create the parser of one command, including the common options.

    A command without formats prints no result: it serves one.
    """
    parser = parser_class(f"yg {name}", summary)
    parser.common.add_argument(
        "-C", dest="directory", metavar="DIR", default=".", help="run as if started in DIR"
    )
    if formats:
        # Formats that only some commands have are among their own options.
        group = parser.common if tuple(formats) == USUAL_FORMATS else parser
        group.add_argument(
            "--format",
            choices=formats,
            default=formats[0],
            help=f"output format (default {formats[0]})",
        )
        parser.common.add_argument(
            "--json",
            dest="format",
            action="store_const",
            const="json",
            help="short for --format json",
        )
    parser.common.add_argument(
        "--no-cache", action="store_true", help="do not read or write the local index"
    )
    parser.common.add_argument(
        "--kind",
        choices=[graph_format.name for graph_format in FORMATS],
        help="kind of graph to open",
    )
    return parser


def single_name(operand: str | None, option: str | None) -> str | None:
    """Return the operand or the option; two different names or an empty one are usage errors."""
    if "" in (operand, option):
        raise UsageError("empty node name", hint="'yg tree' lists all nodes.")
    if operand is not None and option is not None and normalise(operand) != normalise(option):
        raise UsageError(f"two nodes given: '{operand}' and '{option}'", hint="Give only one.")
    return option if operand is None else operand


def named_files(terminal: Terminal, named: Iterable[str]) -> Iterator[str]:
    """Yield the files given on the command line; `-` reads names from standard input."""
    for file in named:
        if file == "-":
            yield from terminal.read_lines()
        elif file:
            yield file
        else:
            raise UsageError("empty file name")


def content_of(terminal: Terminal, directory: str, file: str) -> str:
    """Read a file that the user named, relative to the directory of the command; `-` is input.

    Bytes that are not UTF-8 become surrogates.
    """
    if not file:
        raise UsageError("empty file name")
    if file == "-":
        data = terminal.read_bytes(MAX_TEXT + 1)
    else:
        try:
            with open(os.path.join(directory, file), "rb") as opened:
                data = opened.read(MAX_TEXT + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a valid file name"
            raise YgError(f"cannot read '{file}': {reason}") from error
    if len(data) > MAX_TEXT:
        raise YgError(f"'{file}' is larger than {MAX_TEXT} bytes")
    return data.decode("utf-8", "surrogateescape")


def tokenizer_of(args: object) -> str | None:
    """Return the tokenizer of some options: None if there is none, empty for the default."""
    name: str | None = getattr(args, "tokenizer", None)
    if name is None:
        return None
    from yg_old.kernel.tokens import named

    return named(name)


def count(text: str) -> int:
    """Parse a number >= 0."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"expected a number >= 0, got '{text}'")
    return min(int(text[:20]), LARGEST)


def kind_of(args: Namespace) -> str | None:
    """Return the requested kind of graph; None for any."""
    kind = args.kind or os.environ.get("YG_KIND") or None
    names = [graph_format.name for graph_format in FORMATS]
    if kind not in (None, *names):
        raise UsageError(
            f"unknown kind of graph in YG_KIND: '{kind}'", hint=f"Use one of: {', '.join(names)}."
        )
    return kind


def uses_index(args: Namespace) -> bool:
    """Return whether the local index may be read and written."""
    return not args.no_cache and os.environ.get("YG_NO_CACHE") != "1"
