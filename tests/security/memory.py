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

needs_peaks = pytest.mark.skipif(
    not hasattr(os, "wait4"), reason="the system does not tell the memory of a process"
)


def too_much(
    module: str, function: str, table: str, size: int, *arguments: str
) -> dict[str, float]:
    """Return the inputs of a table, by name, that take too many bytes for each byte of them.

    The table is one of the module, or what a function of it returns for the arguments.
    """
    child = subprocess.run(
        [
            sys.executable,
            Path(__file__).with_name("peaks.py"),
            *(module, function, table, str(size), *arguments),
        ],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdout=subprocess.PIPE,
        check=True,
    )
    peaks: dict[str, int] = json.loads(child.stdout)
    assert peaks
    return {name: peak / size for name, peak in peaks.items() if peak > MOST * size}
