"""The input and the result of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.palette import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from yg_old.kernel.palette import Palette


class Outcome(Struct, frozen=True):
    """The result of a command: text for stdout, notes for stderr, an exit code."""

    text: str
    code: int = 0
    notes: str = ""


class HelpAsked(Exception):  # noqa: N818
    """Raised by `--help`, with the help text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def no_bytes(_most: int) -> bytes:
    """Return nothing: standard input is empty."""
    return b""


class Terminal(Struct, frozen=True):
    """Standard input, progress display and colours of a run."""

    read_lines: Callable[[], Iterable[str]]  # of standard input
    show_progress: Callable[[str], None] | None = None  # one line; None: stderr is not a terminal
    out: Palette = PLAIN
    err: Palette = PLAIN
    read_bytes: Callable[[int], bytes] = no_bytes  # at most so many of standard input
