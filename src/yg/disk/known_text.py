"""A text of which some things are known without reading it, because an earlier run read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import DecodeError

from yg.disk.memory import EXTENT
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Extent, Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.disk.memory import Memory
    from yg.kernel.codec import Recipe

T = TypeVar("T")
_ENDINGS = 3  # none, a line feed, and one with a carriage return before it
MOST_HELD = 4 << 20  # characters; what is let go and quoted after all is read again


class KnownText(Text):
    """The text of a file whose facts are remembered as long as the file is the same."""

    __slots__ = ("_memory",)

    def __init__(self, path: str, read: Callable[[str], bytes], memory: Memory) -> None:
        super().__init__(path, read)
        self._memory = memory

    @property
    def value(self) -> str:
        """The whole text; raises UnreadableError, which is never remembered."""
        try:
            return super().value
        except UnreadableError:
            self._memory.is_settled = False
            raise

    @property
    def extent(self) -> Extent:
        """The length of the text; raises UnreadableError."""
        if self._extent is None:
            fact = self._memory.facts(self.path).get(EXTENT)
            if type(fact) is int and fact >= 0:
                self._extent = Extent(fact // _ENDINGS, fact % _ENDINGS)
                return self._extent
            extent = super().extent
            # One number for both: there are as many of them as there are texts.
            self._memory.keep(self.path, EXTENT, extent.body * _ENDINGS + extent.ending)
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
        known = self._memory.facts(self.path).get(recipe.name)
        if isinstance(known, str):
            try:
                return recipe.codec.decode(known)
            except DecodeError:
                pass  # written by other code: as good as absent
        made = super().made(recipe)
        # What cannot be encoded keeps its name, by which the file is known as a declaration.
        fact = recipe.codec.encode(made) or ""
        self._memory.keep(self.path, recipe.name, fact)
        self._let_go(len(fact))
        return made

    def _let_go(self, size: int) -> None:
        """Hold on to a text only while there are few: most are measured and never quoted."""
        self._memory.held += size
        if self._memory.held > MOST_HELD:
            self._value = None
