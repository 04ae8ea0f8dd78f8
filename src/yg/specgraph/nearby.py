"""What stands near an id that does not resolve, for the lines under a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.suggest import Suggester, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable


class Adviser:
    """Advises on ids of one graph."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._near = Suggester(ids)

    def __call__(self, missing: str) -> tuple[str, ...]:
        """Return a question about what was meant, or nothing."""
        question = did_you_mean(self._near(missing))
        return (question,) if question else ()
