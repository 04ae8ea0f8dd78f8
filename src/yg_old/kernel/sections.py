"""A section of a text, as a text of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Text
from yg_old.text.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.text.headings import Heading


class SectionText(Text):
    """The part of a file below one heading, with the heading."""

    __slots__ = ("_headings", "_line", "_name", "_source")

    def __init__(
        self, source: Text, name: str, headings: Callable[[Text], tuple[Heading, ...]]
    ) -> None:
        """Take the text of the file, and a function that returns its headings."""
        super().__init__(source.path, lambda _path: b"")
        self._source = source
        self._name = name
        self._headings = headings
        self._line = 1

    @property
    def first_line(self) -> int:
        """The line of the heading."""
        self.fault  # noqa: B018 - reads it
        return self._line

    def _load(self) -> str | UnreadableError:
        try:
            text, every = self._source.value, self._headings(self._source)
        except UnreadableError as error:
            return error
        found = next((heading for heading in every if heading.matches(self._name)), None)
        if found is None:
            return NoHeadingError(self.path, self._name, every)
        self._line = found.line
        return text[found.start : found.end]


class NoHeadingError(UnreadableError):
    """A text has no heading of some name."""

    def __init__(self, path: str, name: str, known: tuple[Heading, ...]) -> None:
        super().__init__(path, f"it has no heading '{name}'")
        self.near = nearest(name, dict.fromkeys(heading.title for heading in known))
        self.hint = did_you_mean(self.near[:1])
