"""Find the inputs that take a call too much memory for their size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
MOST = 150  # bytes of memory for each byte of input
LEAST = 100_000  # bytes of an input; for a smaller one, what Python itself takes says more

needs_peaks = pytest.mark.skipif(
    not hasattr(os, "wait4"), reason="the system does not tell the memory of a process"
)


def too_much(module: str, table: str, size: int) -> dict[str, float]:
    """Return the inputs of a table, by name, that take too many bytes for each byte of them."""
    child = subprocess.run(
        [sys.executable, Path(__file__).with_name("peaks.py"), module, table, str(size)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdout=subprocess.PIPE,
        check=True,
    )
    peaks: dict[str, tuple[int, int]] = json.loads(child.stdout)
    assert peaks
    rates = {name: peak / max(length, LEAST) for name, (length, peak) in peaks.items()}
    return {name: rate for name, rate in rates.items() if rate > MOST}
