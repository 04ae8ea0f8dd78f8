"""The repositories a server was started for; nothing else is ever opened."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.errors import UsageError, YgError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Roots(Struct, frozen=True):
    """Directories by their real paths; the first is meant when a call names none."""

    allowed: tuple[str, ...]

    def resolve(self, named: str | None) -> str:
        """Return the directory a call may look at; one beside those allowed is an error."""
        if named is None:
            return self.allowed[0]
        place = "" if "\0" in named else os.path.realpath(os.path.join(self.allowed[0], named))
        if not any(_is_below(place, root) for root in self.allowed):
            served = ", ".join(self.allowed)
            hint = f"It serves {served}; 'yg mcp --root DIR' adds another directory."
            raise UsageError(f"this server may not look at the root '{named}'", hint=hint)
        return place


def roots_of(start: str, named: Sequence[str]) -> Roots:
    """Take the directories that a server is started with; without any, the one it starts in."""
    places = [os.path.realpath(os.path.join(start, each)) for each in named or ("",)]
    for place in places:
        if not os.path.isdir(place):
            raise YgError(
                f"'{place}' is not a directory", hint="--root names a directory to serve."
            )
    return Roots(tuple(dict.fromkeys(places)))


def _is_below(place: str, root: str) -> bool:
    return place == root or place.startswith(os.path.join(root, ""))
