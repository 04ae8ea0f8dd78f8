"""Long work in steps: a generator that pauses after each step, and returns its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import TypeAlias

    T = TypeVar("T")
    Steps: TypeAlias = Generator[None, None, T]


def finished(steps: Steps[T]) -> T:
    """Go through all steps without a pause, and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
