"""Drop commas behind the last element of a list, where a language lets one leave them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.code.scan import Token

    Layout = Callable[[list[Token]], list[Token]]

# Words of Dart in front of a parenthesis that opens no arguments.
NOT_CALLED = frozenset(
    "as assert async await case const covariant else external final get if in is late new required"
    " return static switch sync throw var when while yield".split()
)


class Commas(Struct, frozen=True):
    """Where a last comma says nothing."""

    before: frozenset[str]  # these tokens
    # Parentheses may hold the arguments of a macro, which counts commas, and so may a line of the
    # preprocessor.
    has_macros: bool = False
    has_records: bool = False  # `(a,)` is not `(a)`


class OpenBracket(Struct):
    """An open bracket, and how many commas are directly in it."""

    text: str
    is_call: bool
    commas: int = 0


class CommaDropper:
    """Goes through the tokens of one text, with a comma that may be the last of its list."""

    def __init__(self, commas: Commas) -> None:
        self._commas = commas
        self._kept: list[Token] = []
        self._opened: list[OpenBracket] = []
        self._parentheses = 0
        self._candidate = -1  # the place of a comma that only line breaks follow
        self._last = ("", "", 0)
        self._is_line_start, self._in_preprocessor = True, False
        self._in_annotation = False  # `@a.b`

    def run(self, tokens: list[Token]) -> list[Token]:
        """Return the tokens without the commas that say nothing."""
        for token in tokens:
            if token[0] == "line":
                self._is_line_start, self._in_preprocessor = True, False
            else:
                self._add(token)
            self._kept.append(token)
        return self._kept

    def _add(self, token: Token) -> None:
        kind, text, _ = token
        if self._is_line_start:
            self._in_preprocessor = text.startswith(("#", "%:"))
            self._is_line_start = False
        if self._candidate >= 0 and text in self._commas.before:
            del self._kept[self._candidate]
        self._candidate = -1
        if kind == "open":
            self._opened.append(OpenBracket(text, self._is_call()))
            self._parentheses += text == "("
        elif kind == "close":
            if self._opened:
                self._parentheses -= self._opened.pop().text == "("
        elif text == ",":
            if self._opened:
                self._opened[-1].commas += 1
            if self._may_go():
                self._candidate = len(self._kept)
        self._in_annotation = text == "@" or (
            self._in_annotation and (kind == "name" or text == ".")
        )
        self._last = token

    def _is_call(self) -> bool:
        kind, text, _ = self._last
        return kind == "name" and text not in NOT_CALLED and not self._in_annotation

    def _may_go(self) -> bool:
        """Tell whether the comma here says nothing if it is the last one."""
        if self._last[0] in ("", "open") or self._last[1] == ",":
            return False
        if self._commas.has_macros and (self._parentheses or self._in_preprocessor):
            return False
        if not self._commas.has_records or not self._opened:
            return True
        bracket = self._opened[-1]
        return bracket.text != "(" or bracket.is_call or bracket.commas > 1


def last_commas(
    before: str,
    layout: Layout | None = None,
    *,
    has_macros: bool = False,
    has_records: bool = False,
) -> Layout:
    """Return a layout that drops last commas before some tokens, then applies another."""
    commas = Commas(frozenset(before.split()), has_macros, has_records)

    def without_commas(tokens: list[Token]) -> list[Token]:
        kept = CommaDropper(commas).run(tokens)
        return layout(kept) if layout else kept

    return without_commas
