"""Typed encoding of values that are cached between runs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import DecodeError, Struct
from msgspec.msgpack import Decoder, Encoder

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
_ENCODER = Encoder()


class Codec(Generic[T]):
    """Encodes values of one type as MessagePack, and decodes them with every field checked.

    The annotations of the values must be importable at run time.
    """

    def __init__(
        self, kind: Any
    ) -> None:  # a type or a type expression; the latter cannot be annotated
        self._kind = kind

    @cached_property
    def _decoder(self) -> Decoder[T]:
        return Decoder(self._kind)

    def encode(self, value: T) -> bytes | None:
        """Encode a value; return None if MessagePack cannot hold its texts or numbers."""
        try:
            return _ENCODER.encode(value)
        except (UnicodeEncodeError, OverflowError):
            return None

    def decode(self, data: bytes) -> T:
        """Decode a value; raise DecodeError for any other bytes."""
        try:
            return self._decoder.decode(data)
        except (UnicodeError, RecursionError) as error:
            raise DecodeError(str(error)) from error


TEXT: Codec[str] = Codec(str)
TEXTS: Codec[tuple[str, ...]] = Codec(tuple[str, ...])
NUMBER: Codec[int] = Codec(int)


class Recipe(Struct, Generic[T], frozen=True):
    """A named function from a file's text to a value, and the codec that caches the value."""

    name: str
    make: Callable[[str], T]
    codec: Codec[T]


class FileRecipe(Struct, Generic[T], frozen=True):
    """A named function from a file's path and content to a value, and the codec that caches it.

    The value depends on the content and on the name of the file only, not on its directory.
    """

    name: str
    make: Callable[[str, bytes], T]
    codec: Codec[T]
