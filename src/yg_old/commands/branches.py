"""The lines of a tree."""

from __future__ import annotations

BLACKBOX = "■ blackbox"


class Branches:
    """The line prefixes of a tree whose entries come in order, parents first."""

    def __init__(self) -> None:
        self._stems: list[str] = []

    def before(self, level: int, *, is_last: bool) -> str:
        """Return the prefix of an entry; levels count from 1 below the root."""
        del self._stems[level - 1 :]
        prefix = "".join(self._stems) + ("└── " if is_last else "├── ")
        self._stems.append("    " if is_last else "│   ")
        return prefix
