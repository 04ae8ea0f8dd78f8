"""A progress line on stderr for long runs on a terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 0.5  # seconds before the line appears, so that quick runs show nothing
PAUSE = 0.1  # seconds between updates


class Progress:
    """A progress line: how many steps of a run are done."""

    def __init__(self, show: Callable[[str], None] | None, label: str) -> None:
        self._show = show
        self._label = label
        self._next = time.monotonic() + PATIENCE
        self._is_shown = False

    def step(self, done: int, total: int) -> None:
        """Report one finished step."""
        if self._show is not None and time.monotonic() >= self._next:
            self._show(f"{self._label} {done} of {total}")
            self._is_shown = True
            self._next = time.monotonic() + PAUSE

    def finish(self) -> None:
        """Remove the line."""
        if self._show is not None and self._is_shown:
            self._show("")
