"""The directories that a server may open."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.errors import UsageError, YgError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Roots(Struct, frozen=True):
    """Real paths of the allowed directories; the first is the default."""

    allowed: tuple[str, ...]

    def resolve(self, named: str | None) -> str:
        """Return the real path of a directory; fail if it is outside the allowed ones."""
        if named is None:
            return self.allowed[0]
        place = "" if "\0" in named else os.path.realpath(os.path.join(self.allowed[0], named))
        if not any(_is_below(place, root) for root in self.allowed):
            served = ", ".join(self.allowed)
            hint = f"This server serves {served}; add directories with 'yg mcp --root DIR'."
            raise UsageError(f"root '{named}' is not allowed", hint=hint)
        return place


def roots_of(start: str, named: Sequence[str]) -> Roots:
    """Return the directories given to a server; by default, the one it starts in."""
    directories = [os.path.realpath(os.path.join(start, directory)) for directory in named or ("",)]
    for directory in directories:
        if not os.path.isdir(directory):
            raise YgError(f"'{directory}' is not a directory", hint="--root expects a directory.")
    return Roots(tuple(dict.fromkeys(directories)))


def _is_below(place: str, root: str) -> bool:
    return place == root or place.startswith(os.path.join(root, ""))
