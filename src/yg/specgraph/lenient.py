"""Takes from a decoded object what has the shape asked for; shapes tell of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from yg.kernel.fields import Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg.kernel.decode import Datum, Entry

    Entries: TypeAlias = Mapping[str, Entry]


def entries_of(datum: Datum) -> Entries:
    """Return the entries of an object; of anything else none."""
    return datum.value if isinstance(datum.value, dict) else {}


def record(entries: Entries, key: str) -> Entries:
    """Return the entries of the object under a key."""
    entry = entries.get(key)
    return entries_of(entry.datum) if entry else {}


def items(entries: Entries, key: str) -> list[Datum]:
    """Return the items of the list under a key."""
    entry = entries.get(key)
    return entry.datum.value if entry and isinstance(entry.datum.value, list) else []


def word(entries: Entries, key: str) -> Word | None:
    """Return the text under a key that is not blank, with its place."""
    entry = entries.get(key)
    return _as_word(entry.datum) if entry else None


def text(entries: Entries, key: str) -> str:
    """Return the text under a key; empty when it is blank or anything else."""
    found = word(entries, key)
    return found.text if found else ""


def words(entries: Entries, key: str) -> Iterator[Word]:
    """Yield the texts in the list under a key, with their places."""
    return filter(None, map(_as_word, items(entries, key)))


def texts(entries: Entries, key: str) -> tuple[str, ...]:
    """Return the texts in the list under a key."""
    return tuple(each.text for each in words(entries, key))


def scalar(entries: Entries, key: str) -> str:
    """Return the text or the number under a key, as text."""
    entry = entries.get(key)
    value = entry.datum.value if entry else None
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)


def _as_word(datum: Datum) -> Word | None:
    is_text = isinstance(datum.value, str) and datum.value.strip()
    return Word(str(datum.value), datum.line, datum.column) if is_text else None
