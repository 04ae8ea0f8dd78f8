"""What stands near an id that does not resolve, for the lines under a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_ADVISED = 200  # distinct ids; someone with more broken ones has another problem


class Adviser:
    """Advises on ids of one graph, each once."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = tuple(ids)
        self._known: dict[str, tuple[str, ...]] = {}

    def __call__(self, missing: str) -> tuple[str, ...]:
        """Return a question about what was meant, or nothing."""
        if missing not in self._known and len(self._known) < MOST_ADVISED:
            near = did_you_mean(nearest(missing, self._ids))
            self._known[missing] = (near,) if near else ()
        return self._known.get(missing, ())
