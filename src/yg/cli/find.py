"""`yg find`: search all texts of the graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.answers.find import FEW, KINDS, find
from yg.cli.arguments import Parser, add_revision, command_parser, positive, workspace_of
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from yg.cli.outcome import Call, Outcome

# `-word`, which is not an option: -h alone, or -C with or without its value.
_EXCLUDED = re.compile(r"-(?!-|C|h$).")


class _FindParser(Parser):
    """A parser that takes words after a minus sign as operands."""

    def parse(self, words: Sequence[str]) -> Namespace:
        """Parse a command line; a blank in front keeps a word from being taken as an option."""
        return super().parse([f" {word}" if _EXCLUDED.match(word) else word for word in words])


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, parser_class=_FindParser)
    result.add_argument(
        "words",
        nargs="+",
        metavar="WORD",
        help='word, "a phrase", prefix* or -word to leave out',
    )
    result.add_argument(
        "--kind-of", choices=KINDS, metavar="KIND", help=f"only in one of: {', '.join(KINDS)}"
    )
    result.add_argument(
        "--limit",
        type=positive,
        default=FEW,
        metavar="N",
        help=f"maximum number of results (default {FEW})",
    )
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Search the graph."""
    args = call.args
    words = " ".join(_quoted(word.strip()) for word in args.words)
    answer = find(workspace_of(args), words, kind=args.kind_of or "", limit=args.limit)
    return shown(call, answer)


def _quoted(word: str) -> str:
    """Put an argument with blanks in quotes: the shell has removed them."""
    if '"' in word or len(word.split()) == 1:
        return word
    minus = "-" if word.startswith("-") else ""
    return f'{minus}"{word.removeprefix("-")}"'
