"""Choices: the few words that something can be, each a text with a name.

They read like `enum.StrEnum`, and type checkers take them for such. Making an enumeration costs a
tenth of a millisecond, which a program that starts hundreds of times a day pays for each of them.
"""

from __future__ import annotations

from yg.kernel.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum as Choice
    from typing import Any
else:

    def _is_word(name: str, member: object) -> bool:
        return type(member) is str and not name.startswith("_")

    class _Choices(type):
        """Makes classes whose only values are the words named in them."""

        def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> _Choices:
            """Turn each public text of a class into a value of it."""
            words = {key: each for key, each in members.items() if _is_word(key, each)}
            others = {key: each for key, each in members.items() if key not in words}
            made = super().__new__(cls, name, bases, others)
            made._values = {}
            for key, word in words.items():
                value = made._values[word] = str.__new__(made, word)
                value.name, value.value = key, word
                setattr(made, key, value)
            return made

        def __call__(cls, word: str) -> Choice:
            """Return the value of a word; raises ValueError when there is none."""
            try:
                return cls._values[word]
            except KeyError:
                raise ValueError(f"'{word}' is no {cls.__name__}") from None

        def __iter__(cls) -> Iterator[Choice]:
            """Yield the values in the order in which they are named."""
            return iter(cls._values.values())

        def __contains__(cls, word: object) -> bool:
            """Tell whether a word is one of them."""
            return word in cls._values

        def __len__(cls) -> int:
            """Return how many there are."""
            return len(cls._values)

    class Choice(str, metaclass=_Choices):  # noqa: SLOT000
        """The base of all choices."""


__all__ = ["Choice"]
