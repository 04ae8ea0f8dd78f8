"""How files are hashed when drift is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable


def _nobody(_done: int, _total: int) -> None:
    """Tell nobody how far the work has come."""


class Hashing(Struct, frozen=True, kw_only=True):
    """How files are hashed: who is told of each."""

    on_file: Callable[[int, int], None] = _nobody  # the files hashed so far, and all of them


STANDARD = Hashing()
