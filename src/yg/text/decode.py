"""Decoded values with their positions, and the builder that decoders use.

Decoders neither raise on a user's text nor recurse over it. They record each mistake as a Problem
with a line and a column, and decode as much of the rest as possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 64
# Characters of one number. Python prints an int of this size, in any base it was written in,
# under every setting of PYTHONINTMAXSTRDIGITS; the smallest is 640 decimal digits.
MAX_DIGITS = 500

Scalar: TypeAlias = "str | int | float | bool | None"


def whole_number(text: str, base: int = 10) -> int:
    """Convert the text of an integer; raise ValueError if it is too long."""
    if len(text) > MAX_DIGITS:
        raise ValueError("a number with too many digits")
    return int(text, base)


def real_number(text: str) -> float:
    """Convert the text of a number with a fraction or an exponent.

    Raises ValueError if the text is too long or the number does not fit a float.
    """
    if len(text) > MAX_DIGITS:
        raise ValueError("a number with too many digits")
    value = float(text)
    if value in (_INFINITY, -_INFINITY):
        raise ValueError("a number that is too large")
    return value


_INFINITY = float("inf")


class Datum(Struct, gc=False):
    """A decoded value: its line and column, from 1, and the offsets of its start and end."""

    value: Scalar | list[Datum] | dict[str, Entry]
    line: int
    column: int
    start: int = 0
    end: int = 0


class Entry(Struct, gc=False):
    """An entry of a mapping: the position of its key, and its value."""

    line: int
    column: int
    datum: Datum
    start: int = 0
    end: int = 0


class Problem(Struct, frozen=True):
    """A mistake in the syntax or the structure of a file."""

    message: str
    line: int
    column: int
    hint: str = ""


class Decoded(Struct, frozen=True):
    """The value of a file, None if it cannot be parsed, and the problems of its text."""

    datum: Datum | None
    problems: tuple[Problem, ...] = ()


class Pairs:
    """Fills a mapping from alternating keys and values."""

    __slots__ = ("_entries", "_problems", "key")

    def __init__(self, entries: dict[str, Entry], problems: list[Problem]) -> None:
        self._entries = entries
        self._problems = problems
        # The key that waits for its value, with its position: a Datum would take ten times as long.
        self.key: tuple[object, int, int, int, int] | None = None

    def put(self, datum: Datum) -> None:
        """Add the next key, or the value of the last key."""
        if self.key is None:
            self.key = datum.value, datum.line, datum.column, datum.start, datum.end
            return
        name, line, column, start, end = self.key
        self.key = None
        if not isinstance(name, str):
            self._report("a key must be text", line, column, "Put the key in quotes.")
        elif name in self._entries:
            first = (
                f"It is already defined in line {self._entries[name].line}; keep one of the two."
            )
            self._report(f"duplicate key '{name}'", line, column, first)
        else:
            self._entries[name] = Entry(line, column, datum, start, end)

    def _report(self, message: str, line: int, column: int, hint: str) -> None:
        self._problems.append(Problem(message, line, column, hint))


# An open collection, and the `put` and `pairs` to restore when it ends.
_Open: TypeAlias = "tuple[Datum, Callable[[Datum], None], Pairs | None]"


class Builder:
    """Builds values from the events of a parser, with its own stack instead of recursion.

    Each complete value goes to `put`, which adds it to the open collection: for a list this is the
    `append` of the list itself. The root value goes into a list of its own.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.is_broken = False  # the rest of the text cannot be parsed
        self._roots: list[Datum] = []
        self.put: Callable[[Datum], None] = self._roots.append
        self.pairs: Pairs | None = None  # the open mapping, if any
        self._open: list[_Open] = []

    @property
    def decoded(self) -> Decoded:
        """The result, at the end of the text."""
        root = self._roots[-1] if self._roots else Datum(None, 1, 1)
        return Decoded(None if self.is_broken else root, tuple(self.problems))

    def add_problem(self, message: str, line: int, column: int, hint: str = "") -> None:
        """Add a problem."""
        self.problems.append(Problem(message, line, column, hint))

    def fail(self, message: str, line: int, column: int, hint: str = "") -> None:
        """Add a problem after which the rest of the text cannot be parsed."""
        self.add_problem(message, line, column, hint)
        self.is_broken = True

    @property
    def innermost(self) -> Datum | None:
        """The innermost open collection, if any."""
        return self._open[-1][0] if self._open else None

    def begin(
        self, value: list[Datum] | dict[str, Entry], line: int, column: int, start: int
    ) -> int:
        """Open a collection; return how many are open."""
        self._open.append((Datum(value, line, column, start), self.put, self.pairs))
        if isinstance(value, list):
            self.put, self.pairs = value.append, None
        else:
            self.pairs = Pairs(value, self.problems)
            self.put = self.pairs.put
        level = len(self._open)
        if level > MAX_DEPTH:
            self.fail_deep(line, column)
        return level

    def fail_deep(self, line: int, column: int) -> None:
        """Report that the nesting is too deep."""
        self.fail(f"nested more than {MAX_DEPTH} levels deep", line, column, "Flatten it.")

    def end(self, end: int) -> Datum:
        """Close the innermost collection at an offset, add it to its parent and return it."""
        datum, self.put, self.pairs = self._open.pop()
        datum.end = end
        self.put(datum)
        return datum


_TYPE_NAMES: dict[type, str] = {
    type(None): "nothing",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "a mapping",
}


def type_name(value: Scalar | list[Datum] | dict[str, Entry]) -> str:
    """Return the name of a decoded value's type for a message."""
    return _TYPE_NAMES[type(value)]
