"""Scala: tokens only; line breaks and, since Scala 3, indentation have a meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.code import nested
from yg_old.code.language import tokens_only
from yg_old.code.languages.c_style import LINE_COMMENT, NAME, lexicon
from yg_old.code.languages.commas import last_commas
from yg_old.code.nested import BLOCK_COMMENT, Quotes, Span, nested_comment, strings
from yg_old.code.scan import BREAK

if TYPE_CHECKING:
    from yg_old.code.scan import Token

STYLES = {
    '"""': Quotes('"""', hole=r"\$\{", escape=r'"(?="{3})|\$\$', multiline=True),
    '"': Quotes('"', hole=r"\$\{", escape=r"\\.|\$\$"),
}
PLAIN = r"""(?<![\w]) (?: "{3} .*? "{3} (?!") | " [^"\\\n]*+ (?: \\. [^"\\\n]*+ )*+ " )"""
SKIPPED = (nested.LINE_COMMENT, BLOCK_COMMENT, Span(r"'(?:\\.|[^'\\\n])'"))
CHARACTER = r"' (?: [^'\\\n] | \\ [^\n] [^'\n]*+ ) '"
BRACKETS = frozenset("([")
# At the end of a line, also in parentheses: a block of lines follows.
BEFORE_BLOCK = frozenset(
    "= => ?=> <- : if then else while do try catch finally for yield match return throw"
    " with".split()
)


def indentation(tokens: list[Token]) -> list[Token]:  # noqa: C901 - one branch per kind of token
    """Replace line breaks by how the next line is indented: as the last one, more or less."""
    kept: list[Token] = []
    # Open brackets, the widths in front of them, and whether lines count in them.
    opened: list[tuple[str, int, bool]] = []
    widths = [0]
    for index, token in enumerate(tokens, 1):
        kind, text, _ = token
        if kind == "open":
            opened.append((text, len(widths), text not in BRACKETS))
        elif kind == "close" and opened:
            bracket, count, _ = opened.pop()
            if bracket in BRACKETS:
                del widths[count:]
        if kind != "line":
            kept.append(token)
            continue
        if opened and kept[-1][1] in BEFORE_BLOCK:
            opened[-1] = (*opened[-1][:2], True)
        if index == len(tokens) or tokens[index][0] == "line" or (opened and not opened[-1][2]):
            continue
        width = len(text.rpartition("\n")[2].expandtabs(8))
        closed = 0
        while width < widths[-1]:
            widths.pop()
            closed += 1
        is_deeper = width > widths[-1]
        if is_deeper:
            widths.append(width)
        if kept:
            is_same = not closed and not is_deeper
            kept.append(BREAK if is_same else (kind, f"\n{'<' * closed}{'>' * is_deeper}", 0))
    return kept


SCALA = tokens_only(
    "scala",
    lexicon(
        first=rf"""(?P<plain> {PLAIN} ) | (?P<quoted> " ) | (?P<nested> /\* ) | {LINE_COMMENT}
    | (?P<bad_xml> (?: (?<= [\s({{] ) | \A ) < (?= [A-Za-z_!?] ) )
    | (?P<symbol> ' (?= [A-Za-z_{{\[] ) (?! .' ) )""",
        character=CHARACTER,
        comment=LINE_COMMENT,
        # The name of a setter ends with `_=`.
        name=rf"{NAME} (?: (?<= \w_ ) [-+*/%=<>!&|^~?:\#@\\]++ )? | `[^`\n]*+`",
        operator=r"(?: (?! // | /\* ) [-+*/%=<>!&|^~?:\#@\\] )++ | .",
        lines=True,
        hooks={"quoted": strings(STYLES, SKIPPED), "nested": nested_comment},
    ),
    last_commas(") ] }", indentation),
)
