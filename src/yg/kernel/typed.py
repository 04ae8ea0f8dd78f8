"""The names of `typing` that this code base uses, without importing it.

Type checkers see the real ones. At run time annotations are never looked at, and importing
`typing` would cost a short command a tenth of its time.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import (
        Any,
        ClassVar,
        Generic,
        NoReturn,
        Protocol,
        TextIO,
        TypeAlias,
        TypeGuard,
        TypeVar,
        cast,
    )
else:

    class Generic:
        """A class of something: the same class whatever it is of."""

        __slots__ = ()

        def __class_getitem__(cls, _: object) -> type:
            """Return the class itself."""
            return cls

    Protocol = Generic
    Any = ClassVar = NoReturn = TextIO = TypeAlias = TypeGuard = object

    def cast(_: object, something: object) -> object:
        """Return the same, whatever it is said to be."""
        return something

    def TypeVar(name: str, *_: object, **__: object) -> str:  # noqa: N802
        """Return something to write in brackets."""
        return name


__all__ = [
    "TYPE_CHECKING",
    "Any",
    "ClassVar",
    "Generic",
    "NoReturn",
    "Protocol",
    "TextIO",
    "TypeAlias",
    "TypeGuard",
    "TypeVar",
    "cast",
]
