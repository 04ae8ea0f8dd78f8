"""Typed access to a decoded mapping that reports values of the wrong type.

Values are never coerced or skipped silently: a wrong type is a Problem at its position, and the
reader gets an empty value instead.
"""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING

from yg_old.kernel.issue import Located, UnknownKey
from yg_old.text.decode import Datum, Entry, Problem, Scalar, type_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_ITEM_OF = "each item of "
_COUNT_HINT = "Write 0 or a larger whole number."


class Report:
    """Problems, warnings and unknown keys of one file."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []  # problems that do not make the value invalid
        self.unknown_keys: list[UnknownKey] = []

    def add_problem(self, message: str, at: Datum | Entry | Located, hint: str = "") -> None:
        """Add a problem at the position of a value."""
        self.problems.append(Problem(message, at.line, at.column, hint))

    def warn(self, message: str, at: Located, hint: str = "") -> None:
        """Add a warning at the position of a value."""
        self.warnings.append(Problem(message, at.line, at.column, hint))


class Fields:
    """The entries of one mapping, read by key and type."""

    def __init__(self, datum: Datum, what: str, report: Report, hint: str = "") -> None:
        self.datum = datum
        self.what = what
        self.report = report
        self._known: list[str] = []
        self._entries: dict[str, Entry] = {}
        if isinstance(datum.value, dict):
            self._entries = datum.value
        else:
            found = type_name(datum.value)
            report.add_problem(f"{what} must be a mapping, found {found}", datum, hint)

    def get(self, key: str) -> Datum | None:
        """Return the value of a key; None if it is missing or null."""
        self._known.append(key)
        entry = self._entries.get(key)
        return None if entry is None or entry.datum.value is None else entry.datum

    def has(self, key: str) -> bool:
        """Return whether a key is there, with or without a value."""
        self._known.append(key)
        return key in self._entries

    def located_text(self, key: str) -> Located | None:
        """Return optional text that is not blank, with its position."""
        datum = self.get(key)
        if datum is None or (text := self._text(datum, key)) is None:
            return None
        return Located(text, datum.line, datum.column)

    def text(self, key: str) -> str:
        """Return optional text; empty if it is missing."""
        datum = self.get(key)
        return "" if datum is None else self._text(datum, key) or ""

    def required_text(self, key: str) -> Located | None:
        """Return required text, with its position."""
        located = self.located_text(key)
        if located is None and self.lacks(key):
            self.report.add_problem(f"{self.what} has no '{key}'", self.datum, f"Add '{key}: ..'.")
        return located

    def lacks(self, key: str) -> bool:
        """Return whether this is a mapping in which a key is missing or null."""
        entry = self._entries.get(key)
        is_absent = entry is None or entry.datum.value is None
        return is_absent and isinstance(self.datum.value, dict)

    def flag(self, key: str) -> bool:
        """Return an optional boolean; false if it is missing."""
        datum = self.get(key)
        if datum is None:
            return False
        if isinstance(datum.value, bool):
            return datum.value
        hint = "YAML 1.2 has only true and false." if isinstance(datum.value, str) else ""
        self._wrong_type(f"'{key}'", "true or false", datum, hint)
        return False

    def count(self, key: str, default: int) -> int:
        """Return an optional non-negative integer."""
        datum = self.get(key)
        if datum is None:
            return default
        if isinstance(datum.value, int) and not isinstance(datum.value, bool):
            if datum.value >= 0:
                return datum.value
            self.report.add_problem(f"'{key}' must not be negative", datum, _COUNT_HINT)
        else:
            self._wrong_type(f"'{key}'", "a whole number", datum, _COUNT_HINT)
        return default

    def located_texts(
        self, key: str, *, if_empty: str = "", may_be_blank: bool = False
    ) -> tuple[Located, ...]:
        """Return an optional list of texts with their positions; see `items` for `if_empty`."""
        found = []
        for item in self.items(key, if_empty=if_empty):
            text = self._text(item, key, _ITEM_OF, may_be_blank=may_be_blank)
            if text is not None:
                found.append(Located(text, item.line, item.column))
        return tuple(found)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return an optional list of texts."""
        found = [self._text(item, key, _ITEM_OF) for item in self.items(key)]
        return tuple([text for text in found if text is not None])

    def items(self, key: str, *, if_empty: str = "") -> list[Datum]:
        """Return the items of an optional list; with advice `if_empty`, it must not be empty."""
        datum = self.get(key)
        if datum is None:
            return []
        if not isinstance(datum.value, list):
            hint = "Write '- ' before each item, or put it in '[ ]'."
            self._wrong_type(f"'{key}'", "a list", datum, hint)
            return []
        if not datum.value and if_empty:
            self.report.add_problem(f"'{key}' must not be empty", datum, if_empty)
        return datum.value

    def mapping(self, key: str, hint: str = "") -> Fields | None:
        """Return an optional mapping inside this one; the hint is for a value of another type."""
        datum = self.get(key)
        return None if datum is None else self.inside(datum, f"'{key}'", hint)

    def inside(self, datum: Datum, what: str, hint: str = "") -> Fields:
        """Return the fields of a mapping nested in this one."""
        return Fields(datum, what, self.report, hint)

    def named(self) -> Iterator[tuple[Located, Datum]]:
        """Yield all entries of a mapping whose keys are names that the user chose."""
        for key, entry in self._entries.items():
            self._known.append(key)
            yield Located(key, entry.line, entry.column), entry.datum

    def close(self) -> None:
        """Report the keys that were not read."""
        for key, entry in self._entries.items():
            if key not in self._known:
                name = Located(key, entry.line, entry.column)
                known = tuple(dict.fromkeys(self._known))
                self.report.unknown_keys.append(UnknownKey(name, known))

    def _text(
        self, datum: Datum, key: str, which: str = "", *, may_be_blank: bool = False
    ) -> str | None:
        """Return the value as text, or report why it is not text."""
        text = datum.value
        if not isinstance(text, str):
            self._wrong_type(f"{which}'{key}'", "text", datum, _quote_hint(text))
            return None
        if not may_be_blank and not text.strip():
            hint = "Write the text, or remove the item." if which else "Write the text."
            self.report.add_problem(f"{which}'{key}' must not be empty", datum, hint)
            return None
        return intern(text)  # a large graph repeats few distinct texts

    def _wrong_type(self, what: str, expected: str, datum: Datum, hint: str = "") -> None:
        found = type_name(datum.value)
        self.report.add_problem(f"{what} must be {expected}, found {found}", datum, hint)


def _quote_hint(value: Scalar | list[Datum] | dict[str, Entry]) -> str:
    is_scalar = isinstance(value, (int, float)) or value is None
    return "Put it in quotes if it is meant as text." if is_scalar else "Write one text."
