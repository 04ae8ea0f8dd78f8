"""Count the lines of Python that a call runs: a measure that is the same in every run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_of(call: Callable[[], object]) -> int:
    """Return how many lines a call runs; each round of a loop counts, also on one line."""
    count = 0

    def trace(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
