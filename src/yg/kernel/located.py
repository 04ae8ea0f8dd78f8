"""Text with its position in a file.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from msgspec import Struct


class Located(Struct, frozen=True, array_like=True, gc=False):
    """A piece of text with the line and column, from 1, where it begins."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return self.text


class UnknownKey(Struct, frozen=True, array_like=True, gc=False):
    """A key that its mapping does not define, and the keys that it does."""

    word: Located
    known: tuple[str, ...]
