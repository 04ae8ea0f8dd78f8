"""Access to the values of an object; a value of another type counts as missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Object: TypeAlias = Mapping[str, Any]


def record(entries: Object, key: str) -> Object:
    """Return the object under a key; empty when there is none."""
    return as_object(entries.get(key))


def as_object(value: Any) -> Object:
    """Return a value that is an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(entries: Object, key: str) -> list[Any]:
    """Return the list under a key; empty when there is none."""
    value = entries.get(key)
    return value if isinstance(value, list) else []


def text(entries: Object, key: str) -> str:
    """Return the text under a key; empty when it is blank or anything else."""
    value = entries.get(key)
    return value if isinstance(value, str) and value.strip() else ""


def texts(entries: Object, key: str) -> tuple[str, ...]:
    """Return the texts in the list under a key that are not blank."""
    every = items(entries, key)
    return tuple(item for item in every if isinstance(item, str) and item.strip())


def scalar(entries: Object, key: str) -> str:
    """Return the text or the number under a key, as text."""
    value = entries.get(key)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)
