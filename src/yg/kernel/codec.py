"""Typed encoding of values, for caches that keep them between runs."""

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

    The annotations of the values have to be importable at run time.
    """

    def __init__(self, kind: Any) -> None:  # a type or a type expression, which has no type itself
        self._kind = kind

    @cached_property
    def _decoder(self) -> Decoder[T]:
        return Decoder(self._kind)

    def encode(self, value: T) -> bytes | None:
        """Return the bytes of a value; None if they cannot hold its texts or numbers."""
        try:
            return _ENCODER.encode(value)
        except (UnicodeEncodeError, OverflowError):
            return None

    def decode(self, data: bytes) -> T:
        """Return the value that was encoded; raises DecodeError for any other bytes."""
        try:
            return self._decoder.decode(data)
        except (UnicodeError, RecursionError) as error:
            raise DecodeError(str(error)) from error


class Recipe(Struct, Generic[T], frozen=True):
    """How to make a value of a file's text, and how a cache keeps it."""

    name: str
    make: Callable[[str], T]
    codec: Codec[T]
