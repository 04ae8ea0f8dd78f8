"""Terminal colours, and text that is safe to print on a terminal."""

from __future__ import annotations

from msgspec import Struct

from yg_old.text.escapes import one_line, visible

__all__ = ["PLAIN", "Palette", "one_line", "visible"]


class Palette(Struct, frozen=True):
    """The colours in use; they do nothing unless `is_on`."""

    is_on: bool = False
    mark: str = "\x1b["  # the start of an escape sequence

    def red(self, text: str) -> str:
        """Mark an error."""
        return self._paint("31;1", text)

    def yellow(self, text: str) -> str:
        """Mark a warning."""
        return self._paint("33;1", text)

    def dim(self, text: str) -> str:
        """Mark secondary text."""
        return self._paint("2", text)

    def bold(self, text: str) -> str:
        """Mark a name."""
        return self._paint("1", text)

    def added(self, text: str) -> str:
        """Mark an added line."""
        return self._paint("32", text)

    def removed(self, text: str) -> str:
        """Mark a removed line."""
        return self._paint("31", text)

    def place(self, text: str) -> str:
        """Mark the line numbers of a difference."""
        return self._paint("36", text)

    def _paint(self, code: str, text: str) -> str:
        return f"{self.mark}{code}m{text}{self.mark}0m" if self.is_on and text else text


PLAIN = Palette()
