"""The statements of Python: logical lines, and blocks told from the indentation.

Statements come out as lists of tokens in one way of writing: without line breaks, redundant
parentheses, trailing commas that say nothing and the style of quotes.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from yg_old.code.languages.python_strings import join_adjacent, normal_fstring, normal_string
from yg_old.code.scan import ScanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.code.scan import Token


class LinePart(Enum):
    """What a module consists of."""

    STATEMENT = 1  # a simple one
    HEADER = 2  # of a compound statement, without its colon
    OPEN = 3  # of a block
    CLOSE = 4
    DIRECTIVES = 5  # comments that stay tokens, alone on their line


# With its tokens, where it starts and where it ends.
Line: TypeAlias = tuple[LinePart, list[str], int, int]

COMPOUND = frozenset("if elif else for while try except finally with def class async".split())
# A bracket behind one of these opens a tuple or a list, behind any other name a call or an index.
OPERATORS = frozenset(
    "and as assert async await del elif else except finally for from global if import in is lambda"
    " nonlocal not or raise return try while with yield".split()
)
SOFT = frozenset(("match", "case"))  # a name, or a keyword
OPERAND_END = frozenset("_)]}\"'")

# In brackets, parentheses without a comma are redundant between two of these.
BEFORE = frozenset("( [ { , =".split())
AFTER = frozenset(") ] } ,".split())
ASSIGNMENTS = frozenset("= += -= *= /= //= %= @= &= |= ^= >>= <<= **=".split())
CONDITIONS = frozenset("if elif while except".split())
ENDS = frozenset(("line", "semicolon"))
VALUE_ENDS = frozenset(("line", "semicolon", "comma"))

INDENTATION = re.compile(r"\n([ \t\f]*+(?:\\\n[ \t\f]*+)*+)\Z")
INLINE = -1  # the width of a block on the line of its header
NONE = -2  # the place of no token


class Bracket:
    """An open bracket, and what is directly in it."""

    __slots__ = (
        "comma_is_free",
        "commas",
        "has_lambda",
        "is_group",
        "is_iterated",
        "is_special",
        "place",
    )

    def __init__(self, text: str, line: list[str], first_in: int) -> None:
        before = line[-1] if line and line[-1][:1] != "#" else ""
        is_operand = before[-1:].isalnum() or before[-1:] in OPERAND_END
        is_operand = is_operand and before not in OPERATORS
        if text == "(":
            self.comma_is_free = is_operand and before not in SOFT  # in a call
        else:
            self.comma_is_free = text == "{" or not is_operand  # in a list, not in an index
        self.is_group = text == "(" and not is_operand
        self.is_iterated = first_in == len(line) - 1  # follows the first `in` of a loop
        self.place = len(line)
        self.commas = 0
        self.has_lambda = False  # its commas do not make a tuple
        self.is_special = False  # a generator, a yield or a walrus needs its parentheses

    def close(self, line: list[str], text: str, following: Token, depth: int) -> bool:
        """Add the closing bracket, or drop both; return whether they were dropped."""
        if line[-1:] == [","] and (self.comma_is_free or (self.commas > 1 and not self.has_lambda)):
            line.pop()
        if (
            self.is_group
            and not self.is_special
            and len(line) > self.place + 1
            and _is_redundant(line, self, following, depth)
        ):
            line[self.place] = ""
            return True
        line.append(text)
        return False


def _is_redundant(  # noqa: PLR0911 - a table
    line: list[str], group: Bracket, following: Token, depth: int
) -> bool:
    """Tell whether parentheses around a value or a tuple say nothing, from what is around them."""
    kind, text, _ = following
    place = group.place - 1
    before = line[place] if place >= 0 else ""
    if before == "for" and text == "in":
        return True
    if depth:
        return before in BEFORE and text in AFTER and not group.commas
    if kind == "colon":
        if before == "in":
            return group.is_iterated and (line[0] == "for" or line[:2] == ["async", "for"])
        return place == 0 and (before == "with" or (before in CONDITIONS and not group.commas))
    if line[0] == "assert":
        return before in ("assert", ",") and kind in VALUE_ENDS and not group.commas
    if place < 0:
        return text == "="
    return kind in ENDS and (before in ASSIGNMENTS or (place == 0 and before == "return"))


def statements(tokens: list[Token]) -> Iterator[Line]:  # noqa: C901, PLR0912, PLR0915 - one loop, for speed
    """Yield the statements and blocks of a module in order; raise ScanError on a wrong dedent.

    The tokens are taken out of the list.
    """
    after = tokens[-1][2] + len(tokens[-1][1]) if tokens else 0
    tokens += [("line", "\n", after)] * 3  # a token can ask for those that follow it
    brackets: list[Bracket] = []
    widths = [0]  # of the blocks
    matches = [False]  # whether they are of a match statement
    line: list[str] = []
    start = 0  # where the statement starts
    lambdas = 0  # in it, outside of brackets, that wait for their colon
    has_adjacent = has_blanks = is_match = False
    previous = ""
    first_in = NONE  # the first `in` of the statement, once a bracket follows one
    tokens.reverse()  # to take them out one by one, so that they take no memory
    while len(tokens) > 2:  # noqa: PLR2004
        kind, text, at = tokens.pop()
        if not line:
            start, first_in = at, NONE
        if kind == "name" or kind == "op":  # noqa: PLR1714 - the most frequent ones, fast
            line.append(text)
        elif kind == "open":
            if first_in == NONE and line and line[-1] == "in":
                first_in = line.index("in")
            brackets.append(Bracket(text, line, first_in))
            line.append(text)
        elif kind == "close":
            bracket = brackets.pop()
            following = tokens[-1]
            if following[0] == "line" and brackets:
                following = tokens[-2]
            has_blanks |= bracket.close(line, text, following, len(brackets))
        elif kind == "comma":
            line.append(text)
            if brackets:
                brackets[-1].commas += 1
        elif kind == "line":
            if brackets:
                continue
            if line:
                if has_adjacent or has_blanks:
                    line = finished(line)
                    has_adjacent = has_blanks = False
                yield (
                    (LinePart.DIRECTIVES if line[0][0] == "#" else LinePart.STATEMENT),
                    line,
                    start,
                    at,
                )
                line = []
                lambdas = 0
            while widths[-1] == INLINE:
                widths.pop()
                matches.pop()
                yield LinePart.CLOSE, [], at, at
            if tokens[-1][0] in ("line", "directive"):
                continue
            width = indentation(text)
            if width > widths[-1]:
                widths.append(width)
                matches.append(is_match)
                yield LinePart.OPEN, [], at, at
            while width < widths[-1]:
                widths.pop()
                matches.pop()
                yield LinePart.CLOSE, [], at, at
            if width != widths[-1]:
                raise ScanError("dedent to no level", at)
            is_match = False
        elif kind == "string":
            line.append(normal_string(text))
            has_adjacent |= previous in STRINGS
        elif kind == "colon":
            if brackets:
                line.append(text)
            elif lambdas:
                lambdas -= 1
                line.append(text)
            elif _is_header(line, tokens[-1][0], in_match=matches[-1]):
                if has_adjacent or has_blanks:
                    line = finished(line)
                    has_adjacent = has_blanks = False
                is_match = line[0] == "match"
                yield LinePart.HEADER, line, start, at
                line = []
                if tokens[-1][0] not in ("line", "directive"):
                    widths.append(INLINE)
                    matches.append(False)
                    yield LinePart.OPEN, [], at, at
            else:
                line.append(text)
        elif kind == "number":
            line.append(normal_number(text))
        elif kind == "mark":
            line.append(text)
            if brackets:
                brackets[-1].is_special = True
        elif kind == "fstring":
            line.append(normal_fstring(text))
            has_adjacent |= previous in STRINGS
        elif kind == "lambda":
            line.append(text)
            if brackets:
                brackets[-1].has_lambda = True
            else:
                lambdas += 1
        elif kind == "semicolon":
            if line:
                yield LinePart.STATEMENT, finished(line), start, at
            line = []
            lambdas = 0
        else:  # a directive
            line.append(text)
        previous = kind
    yield from ((LinePart.CLOSE, [], after, after) for _ in widths[1:])


STRINGS = frozenset(("string", "fstring"))


def finished(line: list[str]) -> list[str]:
    """Return a statement without blanks, and with adjacent strings joined."""
    return join_adjacent([token for token in line if token])


def _is_header(line: list[str], following: str, *, in_match: bool) -> bool:
    """Tell whether a colon ends these tokens as a header."""
    if not line:
        return False
    if line[0] in COMPOUND:
        return True
    if len(line) == 1:  # an annotation of a name
        return False
    return (in_match and line[0] == "case") or (line[0] == "match" and following == "line")


def indentation(line: str) -> int:
    """Return the width of the space at the end of a line break; a backslash may continue it."""
    if "\\" not in line:
        return _width(line.rpartition("\n")[2])
    match = INDENTATION.search(line)
    widths = map(_width, match[1].split("\\\n")) if match else ()
    return next(filter(None, widths), 0)


def _width(space: str) -> int:
    return len(space.rpartition("\f")[2].expandtabs(8)) if space else 0


def normal_number(text: str) -> str:
    """Return a number in lower case, with a digit before its point and no plus in its exponent."""
    number = text.lower().replace("e+", "e")
    return number if number[0] != "." else "0" + number
