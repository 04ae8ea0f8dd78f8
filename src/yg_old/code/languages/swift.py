"""Swift: tokens only; a line break can end a statement, and space makes an operator a prefix."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from yg_old.code import nested
from yg_old.code.language import tokens_only
from yg_old.code.languages.c_style import LINE_COMMENT, NAME, lexicon
from yg_old.code.languages.commas import last_commas
from yg_old.code.nested import BLOCK_COMMENT, Quotes, nested_comment, strings
from yg_old.code.scan import Breaks, without_breaks

if TYPE_CHECKING:
    from yg_old.code.scan import Scanner

STYLES = {
    '"""': Quotes('"""', hole=r"\\\(", escape=r"\\[^(]", multiline=True),
    '"': Quotes('"', hole=r"\\\(", escape=r"\\[^(]"),
}
SKIPPED = (nested.LINE_COMMENT, BLOCK_COMMENT)
MARKS = r"(?<!\#) \#++"
RAW = rf"""(?P<raw> (?P<marks> {MARKS} ) (?: "{{3}} .*? "{{3}} | " .*? " | / .*? / ) (?P=marks) )
    | (?P<bad_raw> {MARKS} ["/] )"""
REGEX = re.compile(r"/(?![ \t/*])(?:[^/\\\n]|\\[^\n])*+/")
OPERATOR = re.compile(r"[-+*/%=<>!&|^~?.](?:(?!//|/\*)[-+*/%=<>!&|^~?.])*+")
LEFT, RIGHT = frozenset(" \t\n([{,;:"), frozenset(" \t\n)]},;:.")
BREAKS = Breaks(
    inside=frozenset("(["),
    after=frozenset("( [ { , : ->".split()),
    before=frozenset(") ] } ,".split()),
)


def add_operator(scanner: Scanner, start: int) -> int:
    """Add an operator; space on one side only makes it a prefix or a postfix.

    A slash in front of something is not an operator but begins a regular expression.
    """
    text = scanner.text
    has_left = start == 0 or text[start - 1] in LEFT
    if has_left and (regex := REGEX.match(text, start)):
        scanner.tokens.append(("regex", regex[0], start))
        return regex.end()
    match = OPERATOR.match(text, start)
    end = match.end() if match else start + 1
    operator = text[start:end]
    has_right = end == len(text) or text[end] in RIGHT
    mark = "" if has_left == has_right else " " if has_left else "\t"
    scanner.tokens.append(("op", mark + operator, start))
    return end


SWIFT = tokens_only(
    "swift",
    lexicon(
        first=rf"""{RAW} | (?P<quoted> " ) | (?P<nested> /\* ) | {LINE_COMMENT}
    | (?P<operator> [-+*/%=<>!&|^~?.] )""",
        character=r"(?!)",
        comment=LINE_COMMENT,
        name=rf"{NAME} | `[^`\n]*+` | [@\#]\w++",
        lines=True,
        hooks={
            "quoted": strings(STYLES, SKIPPED),
            "nested": nested_comment,
            "operator": add_operator,
        },
    ),
    last_commas(") ]", partial(without_breaks, breaks=BREAKS)),
)
