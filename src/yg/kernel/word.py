"""Words: pieces of text that know where they stand in a file.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from msgspec import Struct


class Word(Struct, frozen=True, array_like=True, gc=False):
    """A piece of text as it stands in a file, and where."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return self.text


class UnknownKey(Struct, frozen=True, array_like=True, gc=False):
    """A key that means nothing where it stands."""

    word: Word
    known: tuple[str, ...]
