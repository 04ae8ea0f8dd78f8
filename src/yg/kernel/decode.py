"""Decoded values that know where they stand, and the builder that decoders fill.

No decoder raises for a user's text and none recurses over it: whatever is wrong becomes a Problem
with a line and a column, and as much as possible is decoded around it.
"""

from __future__ import annotations

from yg.kernel.typed import Any, TypeAlias
from yg.kernel.value import Value

MAX_DEPTH = 64

Scalar: TypeAlias = "str | int | float | bool | None"


class Datum:
    """One decoded value and the line and column, from 1, at which it begins."""

    __slots__ = ("column", "depth", "line", "size", "value")

    def __init__(
        self,
        value: Scalar | list[Datum] | dict[str, Entry],
        line: int,
        column: int,
        size: int = 1,
        depth: int = 0,
    ) -> None:
        self.value = value
        self.line = line
        self.column = column
        self.size = size  # values in it, every alias counted as what it stands for
        self.depth = depth  # levels of collections below it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Datum) and (
            (self.value, self.line, self.column, self.size)
            == (other.value, other.line, other.column, other.size)
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


class Problem(Value):
    """One thing wrong with the text or the shape of a file."""

    message: str
    line: int
    column: int
    hint: str = ""


class Decoded(Value):
    """A file's value, unless its text makes no sense, and all that is wrong with the text."""

    datum: Datum | None
    problems: tuple[Problem, ...] = ()


class _Open:
    """A collection that is still being filled, and the key that waits for its value."""

    __slots__ = ("anchor", "datum", "key")

    def __init__(self, datum: Datum, anchor: str | None = None) -> None:
        self.datum = datum
        self.anchor = anchor
        self.key: Datum | None = None


class Builder:
    """Builds values from the events of a parser, with its own stack instead of recursion."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.is_broken = False  # going on makes no sense
        self._root: Datum | None = None
        self._open: list[_Open] = []

    @property
    def decoded(self) -> Decoded:
        """What was built, once the text has come to its end."""
        datum = None if self.is_broken else self._root or Datum(None, 1, 1)
        return Decoded(datum, tuple(self.problems))

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
        return self._open[-1].datum if self._open else None

    def begin(
        self,
        value: list[Datum] | dict[str, Entry],
        line: int,
        column: int,
        anchor: str | None = None,
    ) -> None:
        """Open a collection."""
        self.check_depth(1, line, column)
        self._open.append(_Open(Datum(value, line, column, depth=1), anchor))

    def check_depth(self, levels: int, line: int, column: int) -> None:
        """Fail when so many levels more are too many."""
        if len(self._open) + levels > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} levels deep", line, column, "Flatten it.")

    def end(self) -> tuple[Datum, str | None]:
        """Close the innermost collection and place it; return it and the anchor that names it."""
        top = self._open.pop()
        self.put(top.datum)
        return top.datum, top.anchor

    def put(self, datum: Datum) -> None:
        """Place a finished value into the collection that is open."""
        if not self._open:
            self._root = datum
            return
        top = self._open[-1]
        top.datum.size += datum.size
        top.datum.depth = max(top.datum.depth, datum.depth + 1)
        holder = top.datum.value
        if isinstance(holder, list):
            holder.append(datum)
        elif top.key is None:
            top.key = datum
        elif isinstance(holder, dict):
            self._add(holder, top.key, datum)
            top.key = None

    def _add(self, holder: dict[str, Entry], key: Datum, datum: Datum) -> None:
        name = key.value
        if not isinstance(name, str):
            self.trouble("a key must be text", key.line, key.column, "Put the key in quotes.")
        elif name in holder:
            first = f"It stands already in line {holder[name].line}; keep one of the two."
            self.trouble(f"duplicate key '{name}'", key.line, key.column, first)
        else:
            holder[name] = Entry(key.line, key.column, datum)


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
