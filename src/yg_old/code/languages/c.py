"""C and C++: tokens only, with the line breaks of the preprocessor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.code.language import tokens_only
from yg_old.code.languages.c_style import BLOCK_COMMENT, CHARACTER, STRING, lexicon
from yg_old.code.languages.commas import last_commas
from yg_old.code.scan import BREAK

if TYPE_CHECKING:
    from yg_old.code.scan import Scanner, Token

DEFINE = re.compile(
    r"(?:#|%:)[ \t]*define(?:[ \t]|\\\n|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)++"
    r"([\w$\x80-\U0010ffff]+\(?)"
)


INCLUDE_START = r"""(?: \# | %: ) [ \t]*+ (?: include(?:_next)? | import | embed ) [ \t]*+ <"""
INCLUDE = re.compile(rf"{INCLUDE_START} [^>\n]*+ (?P<end> > )?", re.VERBOSE)


def add_define(scanner: Scanner, start: int) -> int:
    """Add the start of a macro; a parenthesis directly behind its name makes it a function."""
    define = DEFINE.match(scanner.text, start)
    if define is None:
        scanner.tokens.append(("op", "#", start))
        return start + (1 if scanner.text[start] == "#" else 2)
    words = ("op", "#", start), ("name", "define", start), ("name", define[1], define.start(1))
    scanner.tokens += words
    return define.end()


def add_include(scanner: Scanner, start: int) -> int:
    """Add the start of a line that includes a file, with its path if that is in angle brackets."""
    end = scanner.end_of(INCLUDE, start)
    if end:
        scanner.tokens.append(("include", scanner.text[start:end], start))
        return end
    mark = "#" if scanner.text[start] == "#" else "%:"
    scanner.tokens.append(("op" if mark == "#" else "hash", mark, start))
    return start + len(mark)


def preprocessor_breaks(tokens: list[Token]) -> list[Token]:
    """Keep the line breaks around the lines of the preprocessor, and no others."""
    kept: list[Token] = []
    is_line_start, in_preprocessor = True, False
    for token in tokens:
        kind, text, _ = token
        if kind == "line":
            if in_preprocessor:
                kept.append(BREAK)
            is_line_start, in_preprocessor = True, False
            continue
        if is_line_start and text.startswith(("#", "%:")):
            in_preprocessor = True
            if kept and kept[-1][0] != "line":
                kept.append(BREAK)
        is_line_start = False
        kept.append(token)
    if kept and kept[-1][0] == "line":
        kept.pop()
    return kept


# Text that is not made of tokens: paths and messages. `%:` is another spelling of `#`.
DIRECTIVES = rf"""
      (?P<define>  (?: \# | %: ) [ \t]*+ define \b )
    | (?P<include> {INCLUDE_START} )
    | (?P<message> (?: \# | %: ) [ \t]*+
                   (?: error | warning | pragma | region | endregion | line ) \b
                   [^\n]*+ )
    | (?P<hash>    %: )
"""
HOOKS = {"define": add_define, "include": add_include}
# A backslash also continues a comment.
COMMENT = rf"// (?: \\\n | [^\n] )*+ | {BLOCK_COMMENT}"
RAW_START = r'(?: u8 | [uUL] )? R" (?P<mark%s> [^()\\\s]{0,16} ) \('
RAW = rf"""(?P<raw> {RAW_START % 1} .*? \) (?P=mark1) " ) | (?P<bad_raw> {RAW_START % 2} )"""
PREFIXED = r"(?P<prefixed> (?: u8 | [uUL] ) (?: %s | %s ) )" % (STRING, CHARACTER)

LEXICON = lexicon(
    first=f"{DIRECTIVES} | {RAW} | {PREFIXED}",
    comment=COMMENT,
    lines=True,
    hooks=HOOKS,
)
LAYOUT = last_commas("}", preprocessor_breaks, has_macros=True)
C = tokens_only("c", LEXICON, LAYOUT)
CPP = tokens_only("cpp", LEXICON, LAYOUT)
