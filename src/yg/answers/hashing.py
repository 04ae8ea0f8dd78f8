"""How files are hashed when drift is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _nobody(_done: int, _total: int) -> None:
    """Tell nobody how far the work has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hashing:
    """How files are hashed: with the local index or without, and who is told of each."""

    use_index: bool = True
    on_file: Callable[[int, int], None] = _nobody  # the files hashed so far, and all of them


STANDARD = Hashing()
