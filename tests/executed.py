"""How much Python a call executes: growth that can be asserted, unlike time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import TraceFunction


def lines(call: Callable[[], object]) -> int:
    """Count the lines of Python that a call executes."""
    count = 0

    def trace(_frame: FrameType, event: str, _value: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
