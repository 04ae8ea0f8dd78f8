"""A line on stderr that tells how far a long run has come, where somebody watches."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from yg.answers.answer import Hashing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yg.cli.outcome import Call

PATIENCE = 0.5  # seconds before the line appears, so that quick runs stay silent
PAUSE = 0.1  # seconds between two looks of the line


class Progress:
    """Shows how many steps of a run are done."""

    def __init__(self, show: Callable[[str], None] | None, what: str) -> None:
        self._show = show
        self._what = what
        self._next = time.monotonic() + PATIENCE
        self._is_shown = False

    def step(self, done: int, total: int) -> None:
        """Take notice of one step."""
        if self._show is not None and time.monotonic() >= self._next:
            self._show(f"{self._what} {done} of {total}")
            self._is_shown = True
            self._next = time.monotonic() + PAUSE

    def finish(self) -> None:
        """Take the line away."""
        if self._show is not None and self._is_shown:
            self._show("")


@contextmanager
def hashing(call: Call) -> Iterator[Hashing]:
    """Tell how a command hashes files, and take the line away when it has done so."""
    progress = Progress(call.terminal.show_progress, "Hashing files:")
    try:
        yield Hashing(on_file=progress.step)
    finally:
        progress.finish()
