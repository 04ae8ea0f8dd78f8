"""Decoded values that know where they stand, and the builder that decoders fill.

No decoder raises for a user's text and none recurses over it: whatever is wrong becomes a Problem
with a line and a column, and as much as possible is decoded around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 64
# Characters of one number. Python prints an int of this size, in any base it was written in,
# under every setting of PYTHONINTMAXSTRDIGITS; the smallest is 640 decimal digits.
MAX_DIGITS = 500

Scalar: TypeAlias = "str | int | float | bool | None"


def whole_number(text: str, base: int = 10) -> int:
    """Convert the text of a whole number; raises ValueError if it is too long."""
    if len(text) > MAX_DIGITS:
        raise ValueError("a number with too many digits")
    return int(text, base)


def real_number(text: str) -> float:
    """Convert the text of a number with a fraction or an exponent.

    Raises ValueError if the text is too long, or the number larger than a float can hold.
    """
    if len(text) > MAX_DIGITS:
        raise ValueError("a number with too many digits")
    value = float(text)
    if value in (_INFINITY, -_INFINITY):
        raise ValueError("a number that is too large")
    return value


_INFINITY = float("inf")


class Datum:
    """One decoded value and the line and column, from 1, at which it begins."""

    __slots__ = ("column", "line", "value")

    def __init__(
        self, value: Scalar | list[Datum] | dict[str, Entry], line: int, column: int
    ) -> None:
        self.value = value
        self.line = line
        self.column = column

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Datum) and (
            (self.value, self.line, self.column) == (other.value, other.line, other.column)
        )

    __hash__ = None  # type: ignore[assignment]


class Entry:
    """One entry of a mapping: its key's place, and its value."""

    __slots__ = ("column", "datum", "line")

    def __init__(self, line: int, column: int, datum: Datum) -> None:
        self.line = line
        self.column = column
        self.datum = datum

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and (
            (self.line, self.column, self.datum) == (other.line, other.column, other.datum)
        )

    __hash__ = None  # type: ignore[assignment]


class Problem(Struct, frozen=True):
    """One thing wrong with the text or the shape of a file."""

    message: str
    line: int
    column: int
    hint: str = ""


class Decoded(Struct, frozen=True):
    """A file's value, unless its text makes no sense, and all that is wrong with the text."""

    datum: Datum | None
    problems: tuple[Problem, ...] = ()


class Pairs:
    """Takes keys and values in turn, and fills a mapping with them."""

    __slots__ = ("_entries", "_problems", "key")

    def __init__(self, entries: dict[str, Entry], problems: list[Problem]) -> None:
        self._entries = entries
        self._problems = problems
        # What waits for its value, and where it stands: a Datum would cost ten times as much.
        self.key: tuple[object, int, int] | None = None

    def put(self, datum: Datum) -> None:
        """Take the next key, or the value of the last one."""
        if self.key is None:
            self.key = datum.value, datum.line, datum.column
            return
        name, line, column = self.key
        self.key = None
        if not isinstance(name, str):
            self._trouble("a key must be text", line, column, "Put the key in quotes.")
        elif name in self._entries:
            first = f"It stands already in line {self._entries[name].line}; keep one of the two."
            self._trouble(f"duplicate key '{name}'", line, column, first)
        else:
            self._entries[name] = Entry(line, column, datum)

    def _trouble(self, message: str, line: int, column: int, hint: str) -> None:
        self._problems.append(Problem(message, line, column, hint))


# A collection that is still being filled, and what has to be filled further after its end.
_Open: TypeAlias = "tuple[Datum, Callable[[Datum], None], Pairs | None]"


class Builder:
    """Builds values from the events of a parser, with its own stack instead of recursion.

    A finished value is handed to `put`, which belongs to the collection that is open: in a list it
    is the list's own `append`. The root is put into a list as well, one that never ends.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.is_broken = False  # going on makes no sense
        self._roots: list[Datum] = []
        self.put: Callable[[Datum], None] = self._roots.append
        self.pairs: Pairs | None = None  # what takes the next key, if a mapping is open
        self._open: list[_Open] = []

    @property
    def decoded(self) -> Decoded:
        """What was built, once the text has come to its end."""
        root = self._roots[-1] if self._roots else Datum(None, 1, 1)
        return Decoded(None if self.is_broken else root, tuple(self.problems))

    def trouble(self, message: str, line: int, column: int, hint: str = "") -> None:
        """Collect one problem."""
        self.problems.append(Problem(message, line, column, hint))

    def fail(self, message: str, line: int, column: int, hint: str = "") -> None:
        """Collect a problem after which the rest of the text makes no sense."""
        self.trouble(message, line, column, hint)
        self.is_broken = True

    @property
    def innermost(self) -> Datum | None:
        """The collection that is being filled, if any."""
        return self._open[-1][0] if self._open else None

    def begin(self, value: list[Datum] | dict[str, Entry], line: int, column: int) -> int:
        """Open a collection; return how many are open."""
        self._open.append((Datum(value, line, column), self.put, self.pairs))
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
        """Tell of what stands too deep."""
        self.fail(f"nested more than {MAX_DEPTH} levels deep", line, column, "Flatten it.")

    def end(self) -> Datum:
        """Close the innermost collection, place it and return it."""
        datum, self.put, self.pairs = self._open.pop()
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
    """Name the type of a decoded value as a message to the user does."""
    return _TYPE_NAMES[type(value)]


def plain(datum: Datum | None) -> Any:
    """Return a decoded value as plain data; decoders keep it to a few dozen levels."""
    value: Any = datum.value if datum else None
    if isinstance(value, dict):
        return {key: plain(entry.datum) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value
