"""A line on stderr that tells how far a long run has come, where somebody watches."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 0.5  # seconds before the line appears, so that quick runs stay silent
PAUSE = 0.1  # seconds between two looks of the line


class Progress:
    """Counts steps of a run and shows the count."""

    def __init__(self, show: Callable[[str], None] | None, what: str, total: int) -> None:
        self._show = show
        self._what = what
        self._total = total
        self._done = 0
        self._next = time.monotonic() + PATIENCE
        self._is_shown = False

    def step(self) -> None:
        """Count one step."""
        self._done += 1
        if self._show is not None and time.monotonic() >= self._next:
            self._show(f"\r{self._what} {self._done} of {self._total}\x1b[K")
            self._is_shown = True
            self._next = time.monotonic() + PAUSE

    def finish(self) -> None:
        """Take the line away."""
        if self._show is not None and self._is_shown:
            self._show("\r\x1b[K")
