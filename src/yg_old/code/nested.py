"""Tokens that can contain others: nested comments, and strings with expressions in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.scan import ScanError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg_old.code.scan import Hook, Scanner

COMMENT_PARTS = re.compile(r"/\*|\*/")
CLOSING = {"{": "}", "(": ")"}


def nested_comment(scanner: Scanner, start: int) -> int:
    """Return the end of a comment that may contain others."""
    depth = 0
    for part in COMMENT_PARTS.finditer(scanner.text, start):
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


class Span(Struct, frozen=True):
    """A token with brackets or quotes in it that do not count; all three are expressions."""

    start: str
    body: str = ""  # up to its end, or as far as it can go if there is none
    end: str = ""


LINE_COMMENT = Span("//", r"[^\n]*+")
BLOCK_COMMENT = Span(r"/\*", r"[^*]*+ (?: \*(?!/) [^*]*+ )*+", r"\*/")


def quoted(quote: str, *, multiline: bool = False) -> Span:
    """Return the span of a string in which a backslash escapes."""
    plain = rf"[^{quote}\\]*+" if multiline else rf"[^{quote}\\\n]*+"
    return Span(quote, rf"{plain} (?: \\. {plain} )*+", quote)


def strings(styles: Mapping[str, Quotes], skipped: tuple[Span, ...]) -> Hook:
    """Return a hook that reads a string whole, with the expressions in it.

    Args:
        styles: the ways to quote, by what opens a string.
        skipped: other tokens in the expressions that have brackets or quotes in them.

    """
    reader = StringReader(styles, skipped)

    def add_string(scanner: Scanner, start: int) -> int:
        end = reader.end(scanner, start)
        scanner.tokens.append(("string", scanner.text[start:end], start))
        return end

    return add_string


class StringReader:
    """Finds the ends of strings that contain code, which contains strings."""

    def __init__(self, styles: Mapping[str, Quotes], skipped: tuple[Span, ...]) -> None:
        self._styles = styles
        openings = "|".join(sorted(map(re.escape, styles), key=len, reverse=True))
        self._opening = re.compile(rf"(?P<opening>{openings})")
        self._spans = {
            f"span{number}": re.compile(
                rf"{span.start} {span.body} (?P<end> {span.end} )?", re.VERBOSE | re.DOTALL
            )
            for number, span in enumerate(skipped)
        }
        starts = (rf"(?P<span{number}> {span.start} )" for number, span in enumerate(skipped))
        self._code = re.compile(
            "|".join((*starts, rf"(?P<opening>{openings})", r"[(){}]")), re.VERBOSE | re.DOTALL
        )
        self._content = {quotes: _content(quotes).search for quotes in styles.values()}

    def end(self, scanner: Scanner, start: int) -> int:
        """Return the end of the string that starts here."""
        text = scanner.text
        first = self._opening.match(text, start)
        if first is None:
            raise ScanError("no string", start)
        at = first.end()
        open_parts: list[tuple[Quotes | None, str, int]] = [(self._styles[first[0]], "", 0)]
        while open_parts:
            quotes, bracket, depth = open_parts[-1]
            part = self._in_code(scanner, at) if quotes is None else self._content[quotes](text, at)
            if part is None or part.lastgroup == "bad":
                raise ScanError("string not closed", start)
            at = part.end()
            if part.lastgroup == "close":
                open_parts.pop()
            elif part.lastgroup == "hole":
                open_parts.append((None, "(" if "(" in part[0] else "{", 0))
            elif part.lastgroup == "opening":
                open_parts.append((self._styles[part[0]], "", 0))
            elif quotes is None and part[0] == bracket:
                open_parts[-1] = (quotes, bracket, depth + 1)
            elif quotes is None and part[0] == CLOSING[bracket]:
                if depth:
                    open_parts[-1] = (quotes, bracket, depth - 1)
                else:
                    open_parts.pop()
        return at

    def _in_code(self, scanner: Scanner, at: int) -> re.Match[str] | None:
        """Return the next bracket or opening of a string that is not in another token."""
        part = self._code.search(scanner.text, at)
        while part and part.lastgroup in self._spans:
            start = part.start()
            end = scanner.end_of(self._spans[part.lastgroup], start)
            opening = None if end else self._opening.match(scanner.text, start)
            part = opening or self._code.search(scanner.text, end or start + 1)
        return part


def _content(quotes: Quotes) -> re.Pattern[str]:
    """Return an expression for what matters in a string: its end, code in it, what hides these."""
    parts = (
        *filter(None, (quotes.escape,)),
        rf"(?P<close>{re.escape(quotes.close)})",
        *((rf"(?P<hole>{quotes.hole})",) if quotes.hole else ()),
        *(() if quotes.multiline else (r"(?P<bad>\n)",)),
    )
    return re.compile("|".join(parts), re.DOTALL)
