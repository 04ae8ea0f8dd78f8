"""Texts whose length and parsed values are cached in the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import DecodeError

from yg_old.disk.index.rows import UNMEASURED
from yg_old.kernel.errors import BinaryFileError, UnreadableError
from yg_old.kernel.snapshot import Extent, Text, conflict_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.disk.index.store import Index
    from yg_old.kernel.codec import Recipe

T = TypeVar("T")
_ENDINGS = 3  # none, LF, CRLF
MOST_HELD = 4 << 20  # characters; a text that was released is read again if needed


class HeldTexts:
    """The number of characters of texts in memory: most are measured but never quoted."""

    def __init__(self) -> None:
        self._size = 0

    def has_room(self, size: int) -> bool:
        """Count one more text; return whether it may stay in memory."""
        self._size += size
        return self._size <= MOST_HELD


class CachedText(Text):
    """The text of a file whose facts are cached until the file changes."""

    __slots__ = ("_conflict", "_held", "_index")

    def __init__(
        self, path: str, read: Callable[[str], bytes], index: Index, held: HeldTexts
    ) -> None:
        super().__init__(path, read)
        self._index = index
        self._held = held
        self._conflict = 0

    @property
    def value(self) -> str:
        """The whole text; raises UnreadableError, and then no result of this run is cached."""
        try:
            return super().value
        except UnreadableError:
            self._index.stamps.is_cacheable = False
            raise

    @property
    def extent(self) -> Extent:
        """The length of the text; raises UnreadableError."""
        if self._extent is None:
            known = self._index.lengths.get(self.path)
            if known > UNMEASURED:
                self._extent = _unpacked(known)
            else:
                self._measure()
        return super().extent

    def _measure(self) -> None:
        """Read the text and store its length, unless it has a conflict."""
        try:
            extent = super().extent
        except BinaryFileError as error:
            self._index.lengths.keep(self.path, UNMEASURED - error.size)
            raise
        self._conflict = conflict_line(self.value)
        if self._conflict:
            # A new text alone does not invalidate the errors of a graph.
            self._index.stamps.is_cacheable = False
        else:
            self._index.lengths.keep(self.path, _packed(extent))
        self._release(extent.body)

    @property
    def binary_size(self) -> int:
        """The size in bytes of a binary file; 0 if the file is text or cannot be read."""
        if self._extent is not None:
            return 0
        known = self._index.lengths.get(self.path)
        if known < UNMEASURED:
            return UNMEASURED - known
        is_cacheable = self._index.stamps.is_cacheable
        size = super().binary_size
        if size:
            self._index.stamps.is_cacheable = (
                is_cacheable  # packages leave it out: it is not an error
            )
        return size

    @property
    def conflict(self) -> int:
        """The first line of an unresolved merge conflict; 0 if there is none, or no text."""
        return 0 if self.fault else self._conflict  # a text with a stored length has none

    @property
    def fault(self) -> str:
        """The reason the text cannot be read; empty if it can."""
        try:
            self.extent  # noqa: B018
        except UnreadableError as error:
            return error.reason
        return ""

    def made(self, recipe: Recipe[T]) -> T:
        """Apply a recipe to the text, or return its cached result; raises UnreadableError."""
        known = self._index.files.reading(self.path, recipe.name)
        if known:
            try:
                return recipe.codec.decode(known)
            except DecodeError:
                pass  # written by other code: compute it again
        made = super().made(recipe)
        # A value that cannot be encoded is stored as empty bytes.
        value = recipe.codec.encode(made) or b""
        self._index.files.keep_reading(self.path, recipe.name, value)
        self._release(len(value))
        return made

    def _release(self, size: int) -> None:
        """Release the text if many are in memory."""
        if not self._held.has_room(size):
            self._value = None


def _packed(extent: Extent) -> int:
    """Return one number for all fields, to save space: every text has an extent."""
    lengths = extent.body * _ENDINGS + extent.ending
    return (lengths * 2 + extent.is_sparse) * 2 + extent.is_draft


def _unpacked(number: int) -> Extent:
    rest, is_draft = divmod(number, 2)
    lengths, is_sparse = divmod(rest, 2)
    body, ending = divmod(lengths, _ENDINGS)
    return Extent(body=body, ending=ending, is_draft=bool(is_draft), is_sparse=bool(is_sparse))
