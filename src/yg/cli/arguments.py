"""The parser of a command, and the arguments that several commands share."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, NoReturn

from yg.cli.outcome import HelpAsked
from yg.formats import FORMATS
from yg.kernel.errors import UsageError
from yg.kernel.paths import normalise
from yg.workspace import open_workspace

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg.cli.outcome import Call
    from yg.workspace import OpenWorkspace

LARGEST = 10**9  # larger than the depth or size of any graph
# Keep the messages the same in every locale, and skip the search for translations.
argparse._ = str  # type: ignore[attr-defined]


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
        self.operand_option = ""  # an option that means the same as an operand, if order matters
        self.common = self.add_argument_group("common options")

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

    def error(self, message: str) -> NoReturn:
        """Raise a usage error that refers to `--help`."""
        raise UsageError(f"{self.prog}: {message}", hint=f"Try '{self.prog} --help'.")

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        """Raise HelpAsked with the help text."""
        raise HelpAsked(self.format_help())


def command_parser(
    name: str,
    summary: str,
    formats: Sequence[str] = ("text", "json"),
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
        parser.common.add_argument(
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


def add_node(parser: Parser, help_text: str) -> None:
    """Add the node argument, as an operand and as `--node`."""
    parser.add_argument("path", nargs="?", metavar="NODE", help=help_text)
    parser.add_argument("--node", metavar="NODE", help="same as NODE")


def chosen_node(args: Namespace) -> str | None:
    """Return the node given as an operand or as `--node`, or None."""
    return _single_name(args.path, args.node)


def chosen_scope(args: Namespace, option: str) -> str | None:
    """Return the scope given as an operand or as an option, or None."""
    return _single_name(args.path, getattr(args, option))


def _single_name(operand: str | None, option: str | None) -> str | None:
    """Return the operand or the option; two different names or an empty one are usage errors."""
    if "" in (operand, option):
        raise UsageError("empty node name", hint="'yg tree' lists all nodes.")
    if operand is not None and option is not None and normalise(operand) != normalise(option):
        raise UsageError(f"two nodes given: '{operand}' and '{option}'", hint="Give only one.")
    return option if operand is None else operand


def required_node(args: Namespace) -> str:
    """Return the node given on the command line; a missing one is a usage error."""
    node = chosen_node(args)
    if node is None:
        raise UsageError("no node given", hint="Give its path; 'yg tree' lists all nodes.")
    return node


def add_action(parser: Parser, forms: Mapping[str, Sequence[str]]) -> None:
    """Add the action of a command, and its words: `forms` has the words of each action."""
    parser.add_argument("action", choices=list(forms), metavar="ACTION", help="what to do")
    texts = "; ".join(f"{action}: {' '.join(words)}" for action, words in forms.items() if words)
    parser.add_argument("words", nargs="*", default=[], metavar="ARG", help=texts)


def check_words(args: Namespace, command: str, forms: Mapping[str, Sequence[str]]) -> None:
    """Raise UsageError unless the action has as many words as its form; `[WORD]` is optional."""
    expected = forms[args.action]
    least = sum(not word.startswith("[") for word in expected)
    if not least <= len(args.words) <= len(expected):
        message = f"'{command} {args.action}' takes {' '.join(expected) or 'no names'}"
        raise UsageError(message, hint=f"Try '{command} --help'.")


def named_files(call: Call, named: Iterable[str]) -> Iterator[str]:
    """Yield the files given on the command line; `-` reads names from standard input."""
    for file in named:
        if file == "-":
            yield from call.terminal.read_lines()
        elif file:
            yield file
        else:
            raise UsageError("empty file name")


def add_revision(parser: Parser) -> None:
    """Add `--at`, which reads a commit instead of the work tree."""
    parser.add_argument("--at", metavar="REV", help="read the graph from this commit")


def add_tokenizer(parser: Parser) -> None:
    """Add `--tokenizer`, which names what counts tokens."""
    from yg.kernel.tokens import TOKENIZERS

    parser.add_argument(
        "--tokenizer",
        choices=TOKENIZERS,
        metavar="NAME",
        help="count tokens with NAME; needs the extra 'tokens'",
    )


def tokenizer_of(args: Namespace) -> str | None:
    """Return the tokenizer of the options: None if there is none, empty for the default."""
    name: str | None = getattr(args, "tokenizer", None)
    if name is None:
        return None
    from yg.kernel.tokens import named

    return named(name)


def add_dry_run(parser: Parser) -> None:
    """Add `--dry-run`, which writes nothing."""
    parser.add_argument(
        "--dry-run", action="store_true", help="show the edits without writing them"
    )


def count(text: str) -> int:
    """Parse a number >= 0."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"expected a number >= 0, got '{text}'")
    return min(int(text[:20]), LARGEST)


def positive(text: str) -> int:
    """Parse a number >= 1."""
    if not (text.isascii() and text.isdigit() and text.strip("0")):
        raise argparse.ArgumentTypeError(f"expected a number >= 1, got '{text.strip()}'")
    return count(text)


def workspace_of(args: Namespace, kind: str | None = None) -> OpenWorkspace:
    """Open the workspace of a command and keep it in `args`; `kind` overrides the options."""
    args.workspace = open_workspace(
        args.directory,
        getattr(args, "at", None),
        kind or kind_of(args),
        uses_index=uses_index(args),
        tokenizer=tokenizer_of(args),
    )
    workspace: OpenWorkspace = args.workspace  # `main` saves its index and closes it
    return workspace


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
