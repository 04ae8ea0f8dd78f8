"""C#: tokens only, with the line breaks of the preprocessor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.code import nested
from yg_old.code.language import tokens_only
from yg_old.code.languages.c import DIRECTIVES, HOOKS, preprocessor_breaks
from yg_old.code.languages.c_style import BLOCK_COMMENT, lexicon
from yg_old.code.languages.commas import last_commas
from yg_old.code.nested import Quotes, Span, quoted, strings
from yg_old.code.scan import ScanError

if TYPE_CHECKING:
    from yg_old.code.scan import Scanner

LINE_COMMENT = Span("//", r"[^\n\x85\u2028\u2029]*+")
VERBATIM = Span('@"', r'[^"]*+ (?: "" [^"]*+ )*+', '"')
INTERPOLATED = {
    '$"': Quotes('"', hole=r"\{", escape=r"\\.|\{\{"),
    '$@"': Quotes('"', hole=r"\{", escape=r'""|\{\{', multiline=True),
    '@$"': Quotes('"', hole=r"\{", escape=r'""|\{\{', multiline=True),
}
SKIPPED = (LINE_COMMENT, nested.BLOCK_COMMENT, VERBATIM, quoted('"'), quoted("'"))
RUN_OF_QUOTES = re.compile(r'"{3,}+')


def add_raw(scanner: Scanner, start: int) -> int:
    """Add a raw string, which ends with at least as many quotes as it starts with."""
    runs = RUN_OF_QUOTES.finditer(scanner.text, start)
    least = len(next(runs)[0])
    end = next((run.end() for run in runs if len(run[0]) >= least), 0)
    if not end:
        raise ScanError("string not closed", start)
    scanner.tokens.append(("raw", scanner.text[start:end], start))
    return end


CSHARP = tokens_only(
    "csharp",
    lexicon(
        first=rf"""{DIRECTIVES}
    | (?P<raw> \$*+ "{{3,}}+ )
    | (?P<verbatim> {VERBATIM.start} {VERBATIM.body} {VERBATIM.end} )
    | (?P<interpolated> \$@?" | @\$" )""",
        comment=rf"{LINE_COMMENT.start} {LINE_COMMENT.body} | {BLOCK_COMMENT}",
        lines=True,
        hooks={**HOOKS, "raw": add_raw, "interpolated": strings(INTERPOLATED, SKIPPED)},
    ),
    last_commas("} ]", preprocessor_breaks),
)
