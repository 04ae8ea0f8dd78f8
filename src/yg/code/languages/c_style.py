"""Lexical rules that most languages in the tradition of C share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.code.scan import Lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg.code.scan import Hook

NAME = r"[A-Za-z_$\x80-\U0010ffff][\w$\x80-\U0010ffff]*+"
NUMBER = r"\.?+\d(?: [eEpP][-+] | '?[\w] | \.(?=\d) )*+ \.?(?![.\w])"
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
    pattern = rf"""
    (?:
      {first}
    | (?P<name>    {name} )
    | {line}
    | {comment}
    | (?P<string>  {string} | {character} )
    | (?P<number>  {NUMBER} )
    | (?P<open>    [(\[{{] )
    | (?P<close>   [)\]}}] )
    | (?P<bad>     ["'`] | /\* )
    | {SPLICE} | \\\n | [ \t\f\v\r]
    | (?P<op>      {operator} )
    )
    [ \t]*+
    """
    return Lexicon(re.compile(pattern, re.VERBOSE | re.DOTALL), hooks or {}, balanced=False)
