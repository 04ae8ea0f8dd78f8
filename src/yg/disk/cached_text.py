"""A text of which some things are known without reading it, because an earlier run read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import DecodeError

from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Extent, Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.disk.index import Index
    from yg.kernel.codec import Recipe

T = TypeVar("T")
_ENDINGS = 3  # none, a line feed, and one with a carriage return before it
MOST_HELD = 4 << 20  # characters; what is let go and quoted after all is read again


class CachedText(Text):
    """The text of a file whose facts are stored as long as the file is the same."""

    __slots__ = ("_index",)

    def __init__(self, path: str, read: Callable[[str], bytes], index: Index) -> None:
        super().__init__(path, read)
        self._index = index

    @property
    def value(self) -> str:
        """The whole text; raises UnreadableError, which is never stored."""
        try:
            return super().value
        except UnreadableError:
            self._index.is_cacheable = False
            raise

    @property
    def extent(self) -> Extent:
        """The length of the text; raises UnreadableError."""
        if self._extent is None:
            known = self._index.file(self.path)
            if known is not None and known.extent >= 0:
                self._extent = Extent(known.extent // _ENDINGS, known.extent % _ENDINGS)
                return self._extent
            extent = super().extent
            # One number for both: there are as many of them as there are texts.
            self._index.keep_file(self.path, extent=extent.body * _ENDINGS + extent.ending)
            self._let_go(extent.body)
        return super().extent

    @property
    def fault(self) -> str:
        """Why the text cannot be read; empty when it can."""
        try:
            self.extent  # noqa: B018
        except UnreadableError as error:
            return error.reason
        return ""

    def made(self, recipe: Recipe[T]) -> T:
        """Return what a recipe makes of the text; raises UnreadableError."""
        known = self._index.reading(self.path, recipe.name)
        if known:
            try:
                return recipe.codec.decode(known)
            except DecodeError:
                pass  # written by other code: as good as absent
        made = super().made(recipe)
        # What cannot be encoded is stored as nothing: the file is known as a declaration.
        value = recipe.codec.encode(made) or b""
        self._index.keep_reading(self.path, recipe.name, value)
        self._let_go(len(value))
        return made

    def _let_go(self, size: int) -> None:
        """Hold on to a text only while there are few: most are measured and never quoted."""
        self._index.held += size
        if self._index.held > MOST_HELD:
            self._value = None
