"""Tokens that can contain others: nested comments, and strings with expressions in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.code.scan import ScanError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg.code.scan import Hook, Token

COMMENT_PARTS = re.compile(r"/\*|\*/")
CLOSING = {"{": "}", "(": ")"}


def nested_comment(text: str, start: int, _tokens: list[Token]) -> int:
    """Return the end of a comment that may contain others."""
    depth = 0
    for part in COMMENT_PARTS.finditer(text, start):
        depth += 1 if part[0] == "/*" else -1
        if depth == 0:
            return part.end()
    raise ScanError("comment not closed", start)


class Quotes(Struct, frozen=True):
    """One way to quote a string."""

    close: str
    hole: str = ""  # an expression for what opens code in it
    escape: str = r"\\."  # an expression for what does not close the string or open a hole
    multiline: bool = False


def strings(styles: Mapping[str, Quotes], skipped: str) -> Hook:  # noqa: C901 - with its functions
    """Return a hook that reads a string whole, with the expressions in it.

    Args:
        styles: the ways to quote, by what opens a string.
        skipped: an expression for other tokens with brackets or quotes in them, as comments have.

    """
    openings = "|".join(sorted(map(re.escape, styles), key=len, reverse=True))
    opening = re.compile(openings)
    code = re.compile(
        rf"(?: {skipped} ) | (?P<opening> {openings} ) | [(){{}}]", re.VERBOSE | re.DOTALL
    )
    content = {
        quotes: re.compile(
            "|".join(
                (
                    *filter(None, (quotes.escape,)),
                    rf"(?P<close>{re.escape(quotes.close)})",
                    *((rf"(?P<hole>{quotes.hole})",) if quotes.hole else ()),
                    *(() if quotes.multiline else (r"(?P<bad>\n)",)),
                )
            ),
            re.DOTALL,
        )
        for quotes in styles.values()
    }

    def add_string(text: str, start: int, tokens: list[Token]) -> int:
        end = string_end(text, start)
        tokens.append(("string", text[start:end], start))
        return end

    def string_end(text: str, start: int) -> int:
        first = opening.match(text, start)
        if first is None:
            raise ScanError("no string", start)
        at = first.end()
        open_parts: list[tuple[Quotes | None, str, int]] = [(styles[first[0]], "", 0)]
        while open_parts:
            quotes, bracket, depth = open_parts[-1]
            part = (code if quotes is None else content[quotes]).search(text, at)
            if part is None or part.lastgroup == "bad":
                raise ScanError("string not closed", start)
            at = part.end()
            if part.lastgroup == "close":
                open_parts.pop()
            elif part.lastgroup == "hole":
                open_parts.append((None, "(" if "(" in part[0] else "{", 0))
            elif part.lastgroup == "opening":
                open_parts.append((styles[part[0]], "", 0))
            elif quotes is None and part[0] == bracket:
                open_parts[-1] = (quotes, bracket, depth + 1)
            elif quotes is None and part[0] == CLOSING[bracket]:
                if depth:
                    open_parts[-1] = (quotes, bracket, depth - 1)
                else:
                    open_parts.pop()
        return at

    return add_string
