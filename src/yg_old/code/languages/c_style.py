"""Lexical rules that most languages in the tradition of C share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.code.scan import Lexicon, ScanError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg_old.code.scan import Hook, Scanner

NAME = r"[A-Za-z_$\x80-\U0010ffff][\w$\x80-\U0010ffff]*+"
DIGITS = r"\.?+\d(?: [eEpP][-+] | '?[\w] | \.(?=\d) )*+"
CHARACTER = r"' [^'\\\n]*+ (?: \\. [^'\\\n]*+ )*+ '"
STRING = r'" [^"\\\n]*+ (?: \\. [^"\\\n]*+ )*+ "'
LINE_COMMENT = r"// [^\n]*+"
BLOCK_COMMENT = r"/\* .*? \*/"

# A continued line that joins what is on both sides of it.
SPLICE = r"""(?P<splice> (?<= [\w$] ) \\\n (?= [\w$] )
    | (?<= [-+*/%&|^=<>!\#:.] ) \\\n (?= [-+*/%&|^=<>!\#:.] ) )"""

# `>` is always one token: `> >` and `>>` close the same types.
OPERATOR = r"""
    \.\.\.? | \.\.< | ->\*? | => | == =? | != =? | <=>? | <<=? | [-+*/%&|^]= | \+\+ | --
    | && =? | \|\| =? | :: | :=  | \?\?=? | \?\. | \?: | \*\*=? | \# \# | !! | <- | <: | .
"""


def lexicon(  # noqa: PLR0913 - a table
    *,
    first: str = r"(?!)",
    string: str = STRING,
    character: str = CHARACTER,
    comment: str = rf"{LINE_COMMENT} | {BLOCK_COMMENT}",
    name: str = NAME,
    operator: str = OPERATOR,
    lines: bool = False,
    hooks: Mapping[str, Hook] | None = None,
) -> Lexicon:
    """Return the rules of a language; what it has of its own comes first."""
    line = r"(?P<line> \n[ \t\n\f\v\r]*+ )" if lines else r"[ \t\n\f\v\r]++"
    # In front of a range or a name, as in `1..2` and `1.a`, digits are no number.
    number = rf"(?P<number> {DIGITS} \.?(?![.\w]) ) | (?P<digits> {DIGITS} )"

    def rules(number: str) -> re.Pattern[str]:
        pattern = rf"""
        (?:
          {first}
        | (?P<name>    {name} )
        | {line}
        | {comment}
        | (?P<string>  {string} | {character} )
        | {number}
        | (?P<open>    [(\[{{] )
        | (?P<close>   [)\]}}] )
        | (?P<bad>     ["'`] | /\* )
        | {SPLICE} | \\\n | [ \t\f\v\r]
        | (?P<op>      {operator} )
        )
        [ \t]*+
        """
        return re.compile(pattern, re.VERBOSE | re.DOTALL)

    own = {**(hooks or {}), "digits": _separate_digits(rules(r"(?!)"))}
    return Lexicon(rules(number), own, balanced=False)


def _separate_digits(rules: re.Pattern[str]) -> Hook:
    """Return a hook that reads digits that are no number by rules without numbers.

    No part of them is a number, because it would end where they do.
    """
    digits = re.compile(DIGITS, re.VERBOSE)

    def add_parts(scanner: Scanner, start: int) -> int:
        found, at = digits.match(scanner.text, start), start
        while found and at < found.end():
            match = rules.match(scanner.text, at)
            if match is None:
                raise ScanError("unreadable text", at)
            at = scanner.take(match)
        return at

    return add_parts
